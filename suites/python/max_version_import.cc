// suites/python/max_version_import.cc: how a consumer negotiates the version, and what it does with the answer.
#include "harness/case/arguments.h"
#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"
#include "harness/recipe/generator.h"

namespace dlpack_cts {
namespace {

constexpr Argument kVersions[] = {argument::Pair(1, 0), argument::Pair(1, 1), argument::Pair(1, 2),
                                  argument::Pair(1, 3)};

Matcher<Argument> IsPublished() { return AnyOf(kVersions[0], kVersions[1], kVersions[2], kVersions[3]); }

/// A valid simple tensor.
Recipe DrawPlain(Draw& draw, bool versioned) {
  Recipe recipe = Releasable(draw.PlainImport(versioned ? StructKind::kVersioned : StructKind::kLegacy));
  recipe.offer().seed = draw.random.Next();
  return recipe;
}

bool AskedForVersion(const Ledger& ledger) {
  bool asked = false;
  ForEachCallOfDlpack(
      ledger, [&](const ProducerCall& call, int) { asked = asked || call.max_version.kind != ArgumentKind::kAbsent; });
  return asked;
}

const RegisterCases<OfPythonConsumer> kCases = {
    // PY-MAXVER-06: The consumer checks the version of the struct even if it passed max_version. The producer of this
    // case returns an unknown major version. C-VERSION-04, C-VERSION-06: It reads nothing behind the version, and
    // refuses.
    {.id = "python/max-version/answer-of-a-foreign-major-is-refused",
     .rules = {"PY-MAXVER-06", "C-VERSION-04", "C-VERSION-06"},
     .on_refusal = OnRefusal::kPass,
     .blocked = TakesVersioned,
     .draw =
         [](Draw& draw) {
           constexpr uint32_t kMajors[] = {2, 3, 257, 0x7fffffff};
           Recipe recipe = DrawPlain(draw, true);
           recipe.offer().major = kMajors[draw.Pick(4)];
           recipe.offer().place = StructPlace::kBodyUnmapped;
           recipe.offer().keywords = kIgnoresKeywords;
           return recipe;
         },
     .judge =
         Expects("import0.outcome", Is(Outcome::kRefused), "a tensor with an unsupported version.major was imported")},

    // PY-MAXVER-07: When a producer does not accept max_version (TypeError), the consumer retries without it.
    {.id = "python/max-version/type-error-is-followed-by-a-plain-call",
     .rules = {"PY-MAXVER-07"},
     .on_refusal = OnRefusal::kJudge,
     .blocked = TakesLegacy,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawPlain(draw, false);
           recipe.offer().keywords = draw.Pick(2) == 0 ? kStreamOnly : kNoKeywords;
           return recipe;
         },
     .control = control::UsualProducer,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!Refused(ledger)) return judgement.Holds();
           bool asked = false;
           bool plainly = false;
           ForEachCallOfDlpack(ledger, [&](const ProducerCall& call, int) {
             const bool with = call.max_version.kind != ArgumentKind::kAbsent;
             plainly = plainly || (asked && !with && call.raised != 0);
             asked = asked || with;
           });
           judgement.Expect(
               "import0.outcome", Is(Outcome::kAccepted),
               "from_dlpack does not retry without max_version after a TypeError, or refuses the result of the retry",
               {.when = asked && !plainly});
         }},

    // PY-MAXVER-08: When the consumer retries without some keywords, a producer on a device with streams still gets the
    // stream, unless a call with only the stream was refused too. A consumer that passes no stream is not judged.
    {.id = "python/max-version/retry-keeps-the-stream",
     .rules = {"PY-MAXVER-08"},
     .on_refusal = OnRefusal::kJudge,
     .blocked = TakesPlain,
     .draw =
         [](Draw& draw) {
           constexpr Keywords kWithoutVersion = {Reply::kTypeError, Reply::kIgnores, Reply::kIgnores, Reply::kIgnores};
           Recipe recipe = DrawPlain(draw, draw.profile.takes_legacy == 0);
           PutOn(recipe.offer(), {draw.Pick(2) == 0 ? abi::kDLCUDA : abi::kDLROCM, 0}, Placement::kForeignHandle);
           recipe.offer().byte_offset = 0;
           recipe.offer().keywords = draw.Pick(2) == 0 ? kStreamOnly : kWithoutVersion;
           SetLife(recipe, {Op::kImport, Op::kDropProducer, Op::kDropArray, Op::kCollect});
           return recipe;
         },
     .uncontrolled = uncontrolled::kCalls,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const auto given = [](const Argument& argument) { return argument.kind != ArgumentKind::kAbsent; };
           const ProducerCall* last = nullptr;
           bool compared = false;
           ForEachCallOfDlpack(ledger, [&](const ProducerCall& call, int index) {
             const bool named = last != nullptr && last->stream.kind == ArgumentKind::kInt;
             const bool beside = named && (given(last->max_version) || given(last->dl_device) || given(last->copy));
             compared = compared || beside;
             const bool kept = !beside || call.stream.kind == ArgumentKind::kInt;
             judgement.Expect("import0.callC.stream", Is(beside ? last->stream : argument::kAbsent),
                              "the library does not pass a stream again when it calls __dlpack__ again",
                              {.index = index, .when = !kept});
             last = &call;
           });
           if (!compared)
             judgement.SaysNothing(
                 "the library does not call __dlpack__ again after it passed a stream and other keywords");
         }},

    // PY-MAXVER-09: A legacy capsule in answer to max_version is imported as legacy, or refused.
    {.id = "python/max-version/legacy-answer-is-read-as-legacy",
     .rules = {"PY-MAXVER-09"},
     .on_refusal = OnRefusal::kPass,
     .draw =
         [](Draw& draw) {
           Recipe recipe = Releasable(draw.ImportOf(StructKind::kLegacy));
           recipe.offer().keywords = kIgnoresKeywords;
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger&, Judgement& judgement) {
           ReleasedOnce(recipe, judgement);
           ElementsMatch(judgement, "a legacy capsule was imported with wrong elements");
         }},

    // PY-MAXVER-10: A consumer that calls an old producer without keywords still obeys its own copy: copy=True does not
    // share memory, copy=False does not copy.
    {.id = "python/max-version/old-producers-do-not-void-copy",
     .rules = {"PY-MAXVER-10"},
     .on_refusal = OnRefusal::kPass,
     .needs = {Claim::kCopyKeyword},
     .blocked = TakesLegacy,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawPlain(draw, false);
           recipe.offer().keywords = draw.Pick(4) < 2 ? kStreamOnly : kNoKeywords;
           recipe.call().copy.kind = draw.Pick(2) == 0 ? ArgumentKind::kTrue : ArgumentKind::kFalse;
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger&, Judgement& judgement) {
           if (!TellsAddress(judgement)) return;
           const bool copy = recipe.call().copy.kind == ArgumentKind::kTrue;
           judgement.Expect("import0.aliases", Is(!copy),
                            copy ? "from_dlpack(copy=True) shares memory with a producer that does not accept copy"
                                 : "from_dlpack(copy=False) copies the tensor of a producer that does not accept copy");
         }},

    // PY-MAXVER-12: __dlpack_info__ and version= of a draft were dropped: a consumer needs neither.
    {.id = "python/max-version/dropped-draft-is-not-used",
     .rules = {"PY-MAXVER-12"},
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawPlain(draw, draw.profile.takes_versioned && draw.Pick(2) == 0);
           recipe.offer().keywords = kIgnoresKeywords;
           return recipe;
         },
     .uncontrolled = uncontrolled::kSimplest,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const Refusal& refusal = ledger.imports[0].import;
           judgement.Expect("import0.exception", HasNoValue<std::string_view>(),
                            "from_dlpack raises AttributeError for an object that has __dlpack__ and __dlpack_device__",
                            {.when = refusal.builtin.view() == "AttributeError"});
           ForEachCallOfDlpack(ledger, [&](const ProducerCall& call, int index) {
             judgement.Expect(
                 "import0.callC.keywords", AnyOf(KeywordSet{}, KeywordSet{1, {}}),
                 "the library passes version=, a keyword of a dropped draft, to __dlpack__",
                 {.index = index, .when = call.unknown_keyword != 0 && call.unknown_name.view() == "version"});
           });
         }},

    // PY-MAXVER-13: Consumers support old and new producers, in the kinds of struct that they import. Two failures are
    // a NOTE: a consumer that never passes max_version, and a producer that does not accept stream, which every version
    // of the protocol has.
    {.id = "python/max-version/old-and-new-producers-are-taken",
     .rules = {"PY-MAXVER-13"},
     .examples = Examples::kTable,
     .table = 5,
     .on_refusal = OnRefusal::kJudge,
     .blocked = TakesPlain,
     .draw =
         [](Draw& draw) {
           constexpr Keywords kAnswers[] = {kIgnoresKeywords, kStreamOnly, kNoKeywords, kNegotiates, kNegotiates};
           const bool versioned = draw.profile.takes_versioned && (draw.index == 4 || !draw.profile.takes_legacy);
           Recipe recipe = DrawPlain(draw, versioned);
           recipe.offer().keywords = versioned ? kNegotiates : kAnswers[draw.index];
           return recipe;
         },
     .control = control::UsualProducer,
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const bool unasked = recipe.offer().kind == StructKind::kVersioned && !AskedForVersion(ledger);
           const bool bare = recipe.offer().keywords.stream == Reply::kTypeError;
           judgement.Expect(
               "import0.outcome", Is(Outcome::kAccepted),
               unasked ? "from_dlpack does not pass max_version to a producer that exports only versioned capsules"
               : bare  ? "from_dlpack refuses a producer whose __dlpack__ does not accept any keyword"
                       : "from_dlpack refuses a producer of an older or newer version of the protocol",
               {.degree = unasked || bare ? Degree::kNote : Degree::kWarn});
         }},

    // PY-MAXVER-13: A consumer that imports legacy capsules from producers without max_version also imports one in
    // answer to max_version. The versioned tensor before them shows that the library imports objects.
    {.id = "python/max-version/legacy-answers-are-taken-as-from-old-producers",
     .rules = {"PY-MAXVER-13"},
     .on_refusal = OnRefusal::kJudge,
     .blocked = TakesVersioned,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawPlain(draw, true);
           recipe.offer().flags = 0;
           AddOffer(recipe, recipe.offer()).kind = StructKind::kLegacy;
           recipe.offer(1).keywords = draw.Pick(2) == 0 ? kIgnoresKeywords : kNegotiates;
           AddOffer(recipe, recipe.offer(1)).keywords = draw.Pick(2) == 0 ? kStreamOnly : kNoKeywords;
           SetLife(recipe, {Step{.op = Op::kImport}, Step{.op = Op::kImport, .slot = 1, .block = 1},
                            Step{.op = Op::kImport, .slot = 2, .block = 2}, Step{.op = Op::kDropArray},
                            Step{.op = Op::kDropArray, .slot = 1}, Step{.op = Op::kDropArray, .slot = 2}});
           return recipe;
         },
     .uncontrolled = uncontrolled::kSteps,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!Accepted(ledger, 2))
             return judgement.SaysNothing("the legacy capsule of an older producer is refused too");
           judgement.Expect(
               "import1.outcome", Is(Outcome::kAccepted),
               "from_dlpack refuses a legacy capsule in answer to max_version, but imports one from an older producer",
               {.degree = Degree::kWarn});
         }},

    // PY-MAXVER-14: A consumer may pass max_version. Not doing so, or requesting only 0.x, is a NOTE.
    {.id = "python/max-version/versioned-struct-is-asked-for",
     .rules = {"PY-MAXVER-14"},
     .on_refusal = OnRefusal::kJudge,
     .draw = [](Draw& draw) { return DrawPlain(draw, draw.profile.takes_versioned && draw.Pick(2) == 0); },
     .uncontrolled = uncontrolled::kCalls,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           bool asked = false;
           int first = -1;
           ForEachCallOfDlpack(ledger, [&](const ProducerCall& call, int index) {
             if (first < 0) first = index;
             asked = asked || (call.max_version.kind == ArgumentKind::kPair && call.max_version.a >= 1);
           });
           if (first < 0) return judgement.SaysNothing("the library did not call __dlpack__");
           judgement.Expect("import0.callC.max_version", IsPublished(),
                            "the library does not request a versioned struct with max_version",
                            {.index = first, .degree = Degree::kNote, .when = !asked});
         }},

    // PY-MAXVER-15: max_version is passed by keyword as a tuple of two integers. A simple tensor of a version that it
    // includes is imported.
    {.id = "python/max-version/question-is-a-true-pair-of-integers",
     .rules = {"PY-MAXVER-15"},
     .on_refusal = OnRefusal::kJudge,
     .blocked = TakesVersioned,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawPlain(draw, true);
           recipe.offer().minor = static_cast<uint32_t>(draw.Pick(4));
           recipe.offer().keywords = kIgnoresKeywords;
           return recipe;
         },
     .control = control::PlainMinor,
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           bool asked = AskedForVersion(ledger);
           ForEachCallOfDlpack(ledger, [&](const ProducerCall& call, int) { asked = asked || call.positional > 0; });
           if (!asked) return judgement.SaysNothing("the library does not pass max_version");
           ForEachCallOfDlpack(ledger, [&](const ProducerCall& call, int index) {
             const ArgumentKind kind = call.max_version.kind;
             const bool right =
                 kind == ArgumentKind::kAbsent || kind == ArgumentKind::kNone || kind == ArgumentKind::kPair;
             judgement.Expect(
                 "import0.callC.max_version",
                 AnyOf(argument::kAbsent, argument::kNone, kVersions[0], kVersions[1], kVersions[2], kVersions[3]),
                 "the library passes a max_version that is not a tuple of two integers",
                 {.index = index, .when = !right});
             judgement.Expect(
                 "import0.callC.positional", Is(0),
                 "the library passes a positional argument to __dlpack__, whose parameters are keyword-only",
                 {.index = index});
             const bool covers =
                 kind == ArgumentKind::kPair && call.max_version.a == 1 && call.max_version.b >= recipe.offer().minor;
             judgement.Expect("import0.outcome", Is(Outcome::kAccepted),
                              "from_dlpack refuses a tensor of a version that its max_version includes",
                              {.degree = Degree::kWarn, .when = covers});
             if (kind != ArgumentKind::kPair) return;
             judgement.Expect("import0.callC.max_version", IsPublished(),
                              "the library passes a max_version with a negative number",
                              {.index = index, .when = call.max_version.a < 0 || call.max_version.b < 0});
             judgement.Expect("import0.callC.max_version", IsPublished(),
                              "the library passes a max_version with a major version that no DLPack release has",
                              {.index = index, .degree = Degree::kNote, .when = call.max_version.a > 1});
             judgement.Expect("import0.callC.max_version", IsPublished(),
                              "the library passes a max_version with a minor version that no DLPack release has",
                              {.index = index,
                               .degree = Degree::kNote,
                               .when = call.max_version.a == 1 && call.max_version.b > kNewestVersion.b});
           });
         }},
};

}  // namespace
}  // namespace dlpack_cts
