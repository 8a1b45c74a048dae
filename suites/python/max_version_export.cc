// suites/python/max_version_export.cc: what a producer does with max_version.
#include "harness/case/arguments.h"
#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/judges.h"
#include "harness/case/keywords.h"
#include "harness/case/needs.h"

namespace dlpack_cts {
namespace {

Recipe DrawAsked(Draw& draw, Argument max_version) {
  Recipe recipe = draw.Export();
  recipe.call() = Call{};
  recipe.call().max_version = max_version;
  return recipe;
}

using argument::Pair;

const RegisterCases<OfPythonProducer> kCases = {
    // PY-MAXVER-01: With max_version=None, or without max_version, __dlpack__ returns a legacy capsule or raises
    // BufferError, whatever the other keywords are.
    {.id = "python/max-version/none-gives-a-legacy-capsule",
     .rules = {"PY-MAXVER-01"},
     .on_refusal = OnRefusal::kPass,
     .draw =
         [](Draw& draw) {
           const bool spelt = draw.profile.takes_keywords != 0 && draw.Pick(2) == 0;
           Recipe recipe = DrawAsked(draw, {spelt ? ArgumentKind::kNone : ArgumentKind::kAbsent, {}, 0, 0});
           AddKeywords(draw, recipe);
           return recipe;
         },
     .judge = Expects("export0.name", IsNot(NameSeen::kVersioned, NameSeen::kLegacy),
                      "__dlpack__ returns a versioned capsule although max_version is None or absent")},

    // PY-MAXVER-02: If max_version is at least the producer's version, the struct has the producer's own version: a
    // published one, not the requested number. A legacy capsule is permitted.
    {.id = "python/max-version/struct-carries-the-producers-version",
     .rules = {"PY-MAXVER-02"},
     .on_refusal = OnRefusal::kPass,
     .blocked = KnowsMaxVersion,
     .draw =
         [](Draw& draw) {
           // Versions that no producer has.
           constexpr Argument kAsked[] = {Pair(1, 1000), Pair(2, 1000), Pair(9, 999), Pair(100, 3),
                                          Pair(0x10001, 1000)};
           return DrawAsked(draw, kAsked[draw.Pick(5)]);
         },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           if (!IsVersioned(judgement)) return;
           const Argument& asked = recipe.call().max_version;
           // No producer has a major version far above any release, whatever the minor is.
           const bool echoed = exported.version.major == static_cast<uint32_t>(asked.a) &&
                               (asked.a > 2 || exported.version.minor == static_cast<uint32_t>(asked.b));
           judgement.Expect("export0.version", IsPublishedVersion(),
                            "the version of the struct is the requested max_version, not the version of the producer",
                            {.when = echoed});
         }},

    // PY-MAXVER-03: If the producer supports the requested major version, the struct has that major; its minor is not
    // limited.
    {.id = "python/max-version/major-is-not-above-the-requested-one",
     .rules = {"PY-MAXVER-03"},
     .on_refusal = OnRefusal::kPass,
     .blocked = KnowsMaxVersion,
     .draw = [](Draw& draw) { return DrawAsked(draw, Pair(1, draw.Pick(4))); },
     .judge = Where(IsVersioned, Expects("export0.version", OfMajorOne(),
                                         "version.major of the struct is not the requested major version"))},

    // PY-MAXVER-04: A max_version of major 0, with any minor and any other keywords, requests a legacy capsule:
    // __dlpack__ returns one, or raises.
    {.id = "python/max-version/major-zero-gives-no-versioned-capsule",
     .rules = {"PY-MAXVER-04"},
     .on_refusal = OnRefusal::kPass,
     .blocked = KnowsMaxVersion,
     .draw =
         [](Draw& draw) {
           constexpr int64_t kLate[] = {10, 99, 1000};  // more than 1.0 in a comparison of sums or texts
           Recipe recipe = DrawAsked(draw, Pair(0, draw.Pick(2) == 0 ? 2 + draw.Pick(7) : kLate[draw.Pick(3)]));
           AddKeywords(draw, recipe);
           return recipe;
         },
     .judge = Expects("export0.name", IsNot(NameSeen::kVersioned, NameSeen::kLegacy),
                      "__dlpack__ returns a versioned capsule for a max_version of major version 0")},

    // PY-MAXVER-02: A producer that exports a versioned struct for its own version does so for a later max_version too.
    // A legacy capsule is permitted, and is a NOTE. Another case judges a refusal.
    {.id = "python/max-version/later-versions-get-what-its-own-gets",
     .rules = {"PY-MAXVER-02"},
     .on_refusal = OnRefusal::kJudge,
     .blocked = KnowsMaxVersion,
     .draw =
         [](Draw& draw) {
           constexpr Argument kLater[] = {Pair(1, 4), Pair(1, 99), Pair(2, 0), Pair(100, 3)};
           Recipe recipe = DrawAsked(draw, kLater[draw.Pick(4)]);
           AddCall(recipe, recipe.call()).max_version = kNewestVersion;
           SetLife(recipe, {{Op::kMake}, {Op::kExport}, {.op = Op::kExport, .slot = 1, .call = 1}, {Op::kDropSource}});
           return recipe;
         },
     .uncontrolled = uncontrolled::kSteps,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!ledger.exports[1].versioned)
             return judgement.SaysNothing(
                 "__dlpack__ does not return a versioned struct for max_version=(1, 3) either");
           if (!Exported(ledger, 0))
             return judgement.SaysNothing("a later max_version is refused, which another case reports");
           judgement.Expect(
               "export0.versioned", Is(true),
               "__dlpack__ returns a legacy capsule for a max_version above (1, 3), but a versioned one for (1, 3)",
               {.degree = Degree::kNote});
         }},

    // PY-MAXVER-04: An array that cannot be exported in the requested version is refused with BufferError. Another
    // exception is a NOTE.
    {.id = "python/max-version/refused-versions-raise-buffer-error",
     .rules = {"PY-MAXVER-04"},
     .examples = Examples::kTable,
     .table = 10,
     .on_refusal = OnRefusal::kJudge,
     .seldom = true,
     .blocked = KnowsMaxVersion,
     .draw =
         [](Draw& draw) {
           constexpr Argument kAsked[] = {Pair(0, 8), Pair(0, 99), argument::kNone, Pair(1, 0), Pair(1, 1),
                                          Pair(1, 2), Pair(1, 3),  Pair(1, 99),     Pair(2, 0), Pair(100, 3)};
           Recipe recipe = DrawAsked(draw, kAsked[draw.index]);
           recipe.request() = draw.PlainRequest();
           return recipe;
         },
     .control = control::NoKeywords,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const Refusal& refusal = ledger.exports[0].export_call;
           if (refusal.outcome != Outcome::kRefused) return judgement.SaysNothing("max_version was not refused");
           judgement.Expect("export0.exception", Is("BufferError"),
                            "__dlpack__ refuses a max_version with an exception other than BufferError",
                            {.degree = Degree::kNote, .when = refusal.buffer_error == 0});
         }},

    // PY-MAXVER-05: The version of the struct may differ from max_version: every minor is allowed. A minor that repeats
    // the request although no release has it is a NOTE.
    {.id = "python/max-version/minor-does-not-follow-the-question",
     .rules = {"PY-MAXVER-05"},
     .on_refusal = OnRefusal::kPass,
     .blocked = KnowsMaxVersion,
     .draw = [](Draw& draw) { return DrawAsked(draw, Pair(1, 50 + draw.Pick(40))); },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           if (!IsVersioned(judgement)) return;
           const bool follows = exported.version.minor == static_cast<uint32_t>(recipe.call().max_version.b);
           judgement.Expect("export0.version", IsPublishedVersion(),
                            "version.minor of the struct is the requested minor, which no DLPack release has",
                            {.degree = Degree::kNote, .when = follows});
         }},

    // PY-MAXVER-11: max_version is a tuple of two integers. It is unspecified what a producer does with anything else,
    // except that it does not crash or leak. Accepting a text or an object is a NOTE.
    {.id = "python/max-version/odd-arguments-do-no-harm",
     .rules = {"PY-MAXVER-11"},
     .examples = Examples::kTable,
     .table = 8,
     .on_refusal = OnRefusal::kJudge,
     .blocked = KnowsMaxVersion,
     .draw =
         [](Draw& draw) {
           constexpr Argument kOdd[] = {{ArgumentKind::kOneTuple, {}, 1, 0},
                                        {ArgumentKind::kString, {}, 0, 0},
                                        argument::Int(5),
                                        {ArgumentKind::kHuge, {}, 0, 0},
                                        {ArgumentKind::kObject, {}, 0, 0},
                                        {ArgumentKind::kList, {}, 1, 0},
                                        argument::Pair(-1, -1),
                                        {ArgumentKind::kBools, {}, 1, 1}};
           return WithLife(DrawAsked(draw, kOdd[draw.index]),
                           {Op::kMake, Op::kExport, Op::kDropSource, Op::kLoseCapsule, Op::kCollect});
         },
     .uncontrolled = uncontrolled::kAcceptance,
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           judgement.Expect("source0.alive_at_end", AnyOf(false, kNothing),
                            "the array is still referenced after __dlpack__ was called with an invalid max_version",
                            {.degree = Degree::kNote});
           const bool means_nothing = recipe.call().max_version.kind == ArgumentKind::kString ||
                                      recipe.call().max_version.kind == ArgumentKind::kObject;
           judgement.Expect("export0.outcome", Is(Outcome::kRefused),
                            "__dlpack__ accepts a max_version that is not a tuple",
                            {.degree = Degree::kNote, .when = means_nothing && Exported(ledger)});
         }},

    // PY-MAXVER-13: Producers support both structs during the transition. One of them is enough; supporting neither is
    // a violation.
    {.id = "python/max-version/some-capsule-is-made",
     .rules = {"PY-MAXVER-13"},
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           constexpr Argument kAsked[] = {Pair(1, 0), Pair(1, 2), Pair(1, 3), Pair(1, 99), Pair(2, 0)};
           Recipe recipe = DrawAsked(draw, kAsked[draw.Pick(5)]);
           recipe.request().read_only = 0;
           recipe.request().dtype = draw.PlainRequest().dtype;
           recipe.request().making = Making::kFresh;
           recipe.request().strides_kind = StridesKind::kCompact;
           // It is compared with the simplest export: without max_version where that works.
           AddCall(recipe, recipe.call()).max_version = draw.PlainCall().max_version;
           SetLife(recipe, {{Op::kMake}, {Op::kExport}, {.op = Op::kExport, .slot = 1, .call = 1}, {Op::kDropSource}});
           return recipe;
         },
     .uncontrolled = uncontrolled::kSteps,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (Exported(ledger, 0)) return judgement.Holds();
           judgement.Expect(
               "export0.outcome", Is(Outcome::kAccepted),
               "__dlpack__ refuses this max_version for an array that it exports without it or with another one",
               {.degree = Degree::kWarn, .when = Exported(ledger, 1) && ledger.exports[0].export_call.type_error == 0});
         }},
};

}  // namespace
}  // namespace dlpack_cts
