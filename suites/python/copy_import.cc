// suites/python/copy_import.cc: what from_dlpack does with copy=True and copy=False.
#include <algorithm>

#include "harness/case/arguments.h"
#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"
#include "harness/case/thresholds.h"

namespace dlpack_cts {
namespace {

/// Other cases judge whether the layout of a copied tensor is read correctly.
void MakeCompact(Limits& limits) {
  constexpr uint32_t kRanks = 0b11;
  limits.strided = false;
  if (limits.ranks == 0 || (limits.ranks & kRanks) != 0)
    limits.ranks = limits.ranks == 0 ? kRanks : limits.ranks & kRanks;
}

/// A tensor with elements, and from_dlpack with that value of copy.
Recipe DrawAsked(Draw& draw, ArgumentKind copy) {
  Limits limits = draw.limits();
  limits.empty = false;
  if (copy == ArgumentKind::kTrue) MakeCompact(limits);
  Recipe recipe = Releasable(draw.Import(limits));
  recipe.call().copy = {copy, {}, 0, 0};
  return recipe;
}

/// Judges that the array does not share the memory of the producer.
void JudgeApart(const Ledger& ledger, Judgement& judgement) {
  const ImportLedger& import = ledger.imports[0];
  const bool told = import.result.valid != 0 && import.result.has_pointer != 0;
  if (!told && import.write_source == WriteShown::kNotRun && import.write_array == WriteShown::kNotRun) {
    return judgement.SaysNothing(
        "no write was possible, and the adapter does not report the address of the imported array");
  }
  judgement.Expect("import0.aliases", IsNot(true, false),
                   "from_dlpack(copy=True) returns an array in the memory of the producer", {.rule = "PY-COPY-06"});
  judgement.Expect("import0.write_source", AnyOf(WriteShown::kNotShown, WriteShown::kNotRun, WriteShown::kRefused),
                   "a write by the producer changes the array that from_dlpack(copy=True) returned",
                   {.rule = "PY-COPY-06"});
  judgement.Expect("import0.write_array", AnyOf(WriteShown::kNotShown, WriteShown::kNotRun, WriteShown::kRefused),
                   "a write to the array that from_dlpack(copy=True) returned changes the memory of the producer",
                   {.rule = "PY-COPY-06"});
}

const RegisterCases<OfPythonConsumer> kCases = {
    // PY-COPY-06: from_dlpack(copy=True) returns an array that does not share memory, also when the producer does not
    // copy. The consumer is not to blame for a producer that accepts copy=True and ignores it.
    {.id = "python/copy/imported-copy-is-apart-from-its-tensor",
     .rules = {"PY-COPY-06"},
     .needs = {Claim::kCopyKeyword},
     .blocked = TakesPlain,
     .draw =
         [](Draw& draw) {
           // The producer makes no copies. It says so with a BufferError at times, which the consumer may pass on.
           constexpr Reply kReplies[] = {Reply::kTypeError, Reply::kTypeError, Reply::kTypeError,
                                         Reply::kTypeError, Reply::kObeys,     Reply::kBufferError};
           Recipe recipe = DrawAsked(draw, ArgumentKind::kTrue);
           recipe.offer().keywords = kIgnoresKeywords;
           recipe.offer().keywords.copy = kReplies[draw.Pick(6)];
           recipe.offer().flags &= ~abi::kFlagIsCopied;  // memory that is already a copy need not be copied
           SetLife(recipe, {Op::kImport, Op::kDescribe, Op::kWriteSource, Op::kWriteArray, Op::kDropArray,
                            Op::kDropProducer, Op::kCollect});
           return recipe;
         },
     .judge = [](const Recipe&, const Ledger& ledger, Judgement& judgement) { JudgeApart(ledger, judgement); }},

    // C-DATA-13: A copy of a tensor has all its elements, also beyond 64 KiB and 1 MiB, row-major and column-major.
    {.id = "python/copy/large-tensors-are-copied-in-full",
     .rules = {"C-DATA-13"},
     .examples = Examples::kTable,
     .table = 4,
     .needs = {Claim::kCopyKeyword},
     .blocked = TakesPlain,
     .draw =
         [](Draw& draw) {
           Recipe recipe = Releasable(draw.PlainImport(draw.TakenKind()));
           Offer& offer = recipe.offer();
           MakeLarge(draw.Rank(2), draw.index % 2 == 1, draw.index >= 2 && draw.profile.takes_strided != 0, offer);
           offer.ndim = offer.dims;
           offer.seed = draw.random.Next();
           offer.keywords = kIgnoresKeywords;
           offer.keywords.copy = Reply::kTypeError;
           recipe.call().copy.kind = ArgumentKind::kTrue;
           return recipe;
         },
     .judge = ExpectsElements("the elements of a large copy are not those of the tensor")},

    // PY-COPY-06, as above, for an array of the library itself, imported with and without copy=True. The copy does not
    // share memory, and is writable if the shared array is.
    {.id = "python/copy/copy-of-an-own-array-is-apart",
     .rules = {"PY-COPY-06"},
     .needs = {Claim::kCopyKeyword, Claim::kProducer},
     .draw =
         [](Draw& draw) {
           Limits limits = draw.both();
           limits.empty = limits.read_only = false;
           Recipe recipe = draw.Export(limits);
           recipe.call() = {};
           AddCall(recipe, recipe.call());
           recipe.call().copy.kind = ArgumentKind::kTrue;
           SetLife(recipe, {{.op = Op::kMake},
                            {.op = Op::kImportSource, .slot = 0, .other = Other::kSlot0, .call = 0},
                            {.op = Op::kImportSource, .slot = 1, .other = Other::kSlot0, .call = 1},
                            {.op = Op::kDescribe, .slot = 0},
                            {.op = Op::kDescribe, .slot = 1},
                            {.op = Op::kWriteArray, .slot = 0},
                            {.op = Op::kDropArray, .slot = 1},
                            {.op = Op::kDropArray, .slot = 0},
                            {.op = Op::kDropSource}});
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           JudgeApart(ledger, judgement);
           const bool writable = ledger.imports[1].result.writable == Answer::kYes && ledger.imports[1].Aliases();
           if (!writable || ledger.imports[0].result.writable == Answer::kUnknown) return;
           judgement.Expect(
               "import0.writable", Is(true),
               "from_dlpack(copy=True) returns a read-only array, and an import without copy a writable one",
               {.degree = Degree::kNote});
         }},

    // PY-COPY-06: A copy has memory of its own, so it is writable although the tensor is READ_ONLY. The producer
    // ignores
    // copy=True, so the consumer makes the copy.
    {.id = "python/copy/copy-of-a-read-only-tensor-is-writable",
     .rules = {"PY-COPY-06"},
     .needs = {Claim::kCopyKeyword},
     .blocked = TakesVersioned,
     .draw =
         [](Draw& draw) {
           Limits limits = draw.limits();
           limits.empty = limits.legacy = false;
           Recipe recipe = Releasable(draw.Import(limits));
           recipe.offer().keywords = kIgnoresKeywords;
           recipe.offer().flags = abi::kFlagReadOnly;
           recipe.call().copy.kind = ArgumentKind::kTrue;
           AddOffer(recipe, recipe.offer()).flags = 0;
           SetLife(recipe, {{Op::kImport},
                            {.op = Op::kImport, .slot = 1, .block = 1},
                            {Op::kDescribe},
                            {.op = Op::kDescribe, .slot = 1},
                            {Op::kDropArray},
                            {.op = Op::kDropArray, .slot = 1},
                            {Op::kDropProducer},
                            {Op::kCollect}});
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (ledger.imports[1].result.writable != Answer::kYes) {
             return judgement.SaysNothing("the library has no writable arrays, or does not say which are writable");
           }
           if (ledger.imports[0].result.writable == Answer::kUnknown || ledger.imports[0].Aliases()) {
             return judgement.SaysNothing("the array is not a copy, or it is unknown whether it is writable");
           }
           judgement.Expect("import0.writable", Is(true),
                            "from_dlpack(copy=True) of a READ_ONLY tensor returns a read-only array",
                            {.degree = Degree::kWarn});
         }},

    // PY-COPY-07: from_dlpack(copy=False) never copies, and raises BufferError or ValueError where a copy is
    // needed.
    {.id = "python/copy/import-without-copy-shares-or-raises",
     .rules = {"PY-COPY-07"},
     .on_refusal = OnRefusal::kJudge,
     .needs = {Claim::kCopyKeyword},
     .blocked = TakesPlain,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawAsked(draw, ArgumentKind::kFalse);
           recipe.offer().keywords = draw.Pick(2) == 0 ? kIgnoresKeywords : kNegotiates;
           if (draw.Pick(2) == 0) recipe.offer().keywords.copy = Reply::kObeys;
           return recipe;
         },
     .control = control::NoCopy,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const Refusal& refusal = ledger.imports[0].import;
           if (refusal.outcome == Outcome::kRefused) {
             if (refusal.type_error != 0) return judgement.SaysNothing("from_dlpack raises TypeError for copy");
             const bool right = refusal.buffer_error != 0 || refusal.builtin.view() == "ValueError";
             judgement.Expect("import0.exception", AnyOf("BufferError", "ValueError"),
                              "from_dlpack(copy=False) raises neither BufferError nor ValueError",
                              {.degree = Degree::kWarn, .when = !right});
             return;
           }
           if (!TellsAddress(judgement)) return;
           judgement.Expect("import0.aliases", Is(true),
                            "from_dlpack(copy=False) does not share the memory of the producer");
         }},

    // PY-FROM-08, PY-COPY-07: If the producer raises BufferError for copy=False, from_dlpack does not retry without
    // copy: the second answer may be a copy.
    {.id = "python/copy/refusal-to-share-arrives",
     .rules = {"PY-FROM-08", "PY-COPY-07"},
     .on_refusal = OnRefusal::kJudge,
     .needs = {Claim::kCopyKeyword},
     .blocked = TakesObjects,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawAsked(draw, ArgumentKind::kFalse);
           recipe.offer().keywords = draw.Pick(2) == 0 ? kIgnoresKeywords : kNegotiates;
           recipe.offer().keywords.copy = Reply::kBufferError;
           return recipe;
         },
     .uncontrolled = uncontrolled::kAcceptance,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           bool refused = false;
           ForEachCallOfDlpack(ledger, [&](const ProducerCall& call, int) {
             refused = refused || (call.raised != 0 && call.copy.kind == ArgumentKind::kFalse);
           });
           if (!refused) return judgement.SaysNothing("the library did not call __dlpack__ with copy=False");
           judgement.Expect(
               "import0.outcome", IsNot(Outcome::kAccepted, Outcome::kRefused),
               "from_dlpack(copy=False) returns an array although the producer raised BufferError for copy=False");
         }},

    // PY-COPY-07, as above, with a device as well: a producer on another device copies to the host, unless it gets
    // copy=False. The tensor has DLPACK_FLAG_BITMASK_IS_COPIED set.
    {.id = "python/copy/copy-false-holds-beside-a-device",
     .rules = {"PY-COPY-07"},
     .on_refusal = OnRefusal::kJudge,
     .needs = {Claim::kCopyKeyword, Claim::kDeviceKeyword},
     .blocked =
         [](const Profile& profile) {
           const std::string_view objects = TakesObjects(profile);
           return objects.empty() ? TakesVersioned(profile) : objects;
         },
     .draw =
         [](Draw& draw) {
           Recipe recipe = Releasable(draw.PlainImport(StructKind::kVersioned));
           recipe.offer().flags = abi::kFlagIsCopied;
           recipe.call().copy.kind = ArgumentKind::kFalse;
           recipe.call().dl_device = argument::Pair(abi::kDLCPU, 0);
           // The producer copies to the host on request, so the tensor is on the CPU.
           recipe.offer().reported_device = {abi::kDLCUDA, 0};
           recipe.offer().keywords = kIgnoresKeywords;
           recipe.offer().keywords.copy = Reply::kBufferError;
           return recipe;
         },
     .uncontrolled = uncontrolled::kAcceptance,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           bool moves = false;  // at the last call, which returned the tensor
           ForEachCallOfDlpack(
               ledger, [&](const ProducerCall& call, int) { moves = call.dl_device.kind == ArgumentKind::kPair; });
           if (!moves) return judgement.SaysNothing("the library did not pass dl_device to __dlpack__");
           judgement.Expect(
               "import0.outcome", IsNot(Outcome::kAccepted, Outcome::kRefused),
               "from_dlpack(copy=False, device=...) calls __dlpack__ without copy=False and returns a copy");
         }},

    // PY-COPY-08: from_dlpack passes copy= to the producer, which may copy more cheaply. Not passing it is a NOTE.
    {.id = "python/copy/copy-is-asked-of-the-producer",
     .rules = {"PY-COPY-08"},
     .on_refusal = OnRefusal::kJudge,
     .needs = {Claim::kCopyKeyword},
     .blocked = TakesPlain,
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.PlainImport(draw.NewestTakenKind());
           recipe.offer().keywords = kIgnoresKeywords;
           recipe.call().copy.kind = draw.Pick(2) == 0 ? ArgumentKind::kTrue : ArgumentKind::kFalse;
           return recipe;
         },
     .uncontrolled = uncontrolled::kCalls,
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           int first = -1;
           bool asked = false;
           ForEachCallOfDlpack(ledger, [&](const ProducerCall& call, int index) {
             if (first < 0) first = index;
             asked = asked || call.copy.kind == recipe.call().copy.kind;
           });
           if (first < 0) return judgement.SaysNothing("the library did not call __dlpack__");
           judgement.Expect("import0.callC.copy",
                            Is(recipe.call().copy.kind == ArgumentKind::kTrue ? argument::kTrue : argument::kFalse),
                            "from_dlpack does not pass copy to the __dlpack__ of the producer",
                            {.index = first, .degree = Degree::kNote, .when = !asked});
         }},

    // PY-COPY-08: A tensor that the producer copied, with DLPACK_FLAG_BITMASK_IS_COPIED set, need not be copied again.
    // Copying it again is a NOTE.
    {.id = "python/copy/copied-tensor-is-not-copied-again",
     .rules = {"PY-COPY-08"},
     .needs = {Claim::kCopyKeyword},
     .blocked = TakesVersioned,
     .draw =
         [](Draw& draw) {
           Limits limits = draw.limits();
           MakeCompact(limits);
           limits.empty = limits.legacy = limits.read_only = false;
           Recipe recipe = draw.Import(limits);
           recipe.offer().keywords = kIgnoresKeywords;
           recipe.offer().flags = abi::kFlagIsCopied;
           recipe.call().copy.kind = ArgumentKind::kTrue;
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ImportLedger& import = ledger.imports[0];
           const bool asked = std::ranges::any_of(
               CallsOf(import), [](const ProducerCall& call) { return call.copy.kind == ArgumentKind::kTrue; });
           if (!asked) return judgement.SaysNothing("the library did not call __dlpack__ with copy=True");
           if (!import.result.has_pointer)
             return judgement.SaysNothing("the adapter does not report the address of the imported array");
           judgement.Expect("import0.aliases", Is(true),
                            "from_dlpack(copy=True) copies a tensor again that has DLPACK_FLAG_BITMASK_IS_COPIED set",
                            {.degree = Degree::kNote});
         }},
};

}  // namespace
}  // namespace dlpack_cts
