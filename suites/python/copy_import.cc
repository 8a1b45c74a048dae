// suites/python/copy_import.cc: what from_dlpack makes of copy=True and copy=False.
#include <algorithm>

#include "harness/case/case.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"

namespace dlpack_cts {
namespace {

/// Whether the layout of what is copied is read right is for other cases.
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
  Recipe recipe = draw.Import(limits);
  recipe.call().copy = {copy, {}, 0, 0};
  MakeReleasable(recipe);
  return recipe;
}

/// Says that the array has no part of the memory that it was made of.
void JudgeApart(const Ledger& ledger, Judgement& judgement) {
  const ImportLedger& import = ledger.imports[0];
  const bool told = import.result.valid != 0 && import.result.has_pointer != 0;
  if (!told && import.write_seen == 0 && import.array_write == 0) {
    return judgement.SaysNothing("nothing was written, and the library describes no address");
  }
  Check(!import.Aliases(), ledger, judgement, "PY-COPY-06", "import0.aliases", "0",
        "copy=True: the array lies in the producer's memory");
  Check(import.write_seen != 1, ledger, judgement, "PY-COPY-06", "import0.write_source",
        "not-shown | not-run | refused", "copy=True: what the producer writes shows in the array");
  Check(import.array_write != 1, ledger, judgement, "PY-COPY-06", "import0.write_array",
        "not-shown | not-run | refused", "copy=True: what is written into the array shows at the producer");
}

// PY-COPY-06: from_dlpack(copy=True) yields an array that shares no memory, also where the producer makes no copies. A
// producer that takes copy=True and ignores it is no fault of the consumer.
const Register kApart{{
    .id = "python/copy/imported-copy-is-apart-from-its-tensor",
    .rules = {"PY-COPY-06"},
    .on_refusal = OnRefusal::kPass,
    .needs = {Claim::kCopyKeyword},
    .python = true,
    .blocked = TakesPlain,
    .draw =
        [](Draw& draw) {
          constexpr Reply kReplies[] = {Reply::kTypeError, Reply::kTypeError, Reply::kObeys, Reply::kBufferError};
          Recipe recipe = DrawAsked(draw, ArgumentKind::kTrue);
          recipe.offer().keywords = kIgnoresKeywords;
          recipe.offer().keywords.copy = kReplies[draw.Pick(4)];
          recipe.offer().flags &= ~abi::kFlagIsCopied;  // memory that is a copy already has no other owner
          SetLife(recipe, {Op::kImport, Op::kDescribe, Op::kWriteSource, Op::kWriteArray, Op::kDropArray,
                           Op::kDropProducer, Op::kCollect});
          return recipe;
        },
    .judge = [](const Recipe&, const Ledger& ledger, Judgement& judgement) { JudgeApart(ledger, judgement); },
}};

// PY-COPY-06: The same of an array of the library itself, which is imported twice: the copy shares nothing, and may be
// written where the array that shares it may.
const Register kApartFromItsOwn{{
    .id = "python/copy/copy-of-an-own-array-is-apart",
    .rules = {"PY-COPY-06"},
    .on_refusal = OnRefusal::kPass,
    .needs = {Claim::kCopyKeyword, Claim::kProducer},
    .python = true,
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
          const bool writable = ledger.imports[1].result.writable == 1 && ledger.imports[1].Aliases();
          if (!writable || ledger.imports[0].result.writable < 0) return;
          Check(ledger.imports[0].result.writable == 1, ledger, judgement, "PY-COPY-06", "import0.writable", "1",
                "a copy is read-only, and what is shared is not", Degree::kNote);
        },
}};

// PY-COPY-07: from_dlpack(copy=False) never copies, and raises BufferError or ValueError where a copy is needed.
const Register kNeverCopies{{
    .id = "python/copy/import-without-copy-shares-or-raises",
    .rules = {"PY-COPY-07"},
    .on_refusal = OnRefusal::kJudge,
    .needs = {Claim::kCopyKeyword},
    .python = true,
    .blocked = TakesPlain,
    .draw =
        [](Draw& draw) {
          Recipe recipe = DrawAsked(draw, ArgumentKind::kFalse);
          recipe.offer().keywords = draw.Pick(2) == 0 ? kIgnoresKeywords : kNegotiates;
          if (draw.Pick(2) == 0) recipe.offer().keywords.copy = Reply::kObeys;
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          const Refusal& refusal = ledger.imports[0].import;
          if (refusal.outcome == Outcome::kRefused) {
            if (refusal.type_error != 0) return judgement.SaysNothing("from_dlpack does not take copy");
            const bool right = refusal.buffer_error != 0 || refusal.builtin.view() == "ValueError";
            Check(right, ledger, judgement, "PY-COPY-07", "import0.exception", "BufferError | ValueError",
                  "copy=False is refused with another exception than BufferError", Degree::kWarn);
            return;
          }
          const Description& result = ledger.imports[0].result;
          if (!result.valid || !result.has_pointer) return judgement.SaysNothing("the library describes no address");
          Check(ledger.imports[0].Aliases(), ledger, judgement, "PY-COPY-07", "import0.aliases", "1",
                "copy=False: the array is a copy");
        },
}};

// PY-FROM-08, PY-COPY-07: Where the producer says that copy=False cannot be had, with the BufferError that is meant for
// it, nobody gets an array by asking once more without: what comes then may be the very copy.
const Register kRefusalToShareArrives{{
    .id = "python/copy/refusal-to-share-arrives",
    .rules = {"PY-FROM-08", "PY-COPY-07"},
    .on_refusal = OnRefusal::kJudge,
    .needs = {Claim::kCopyKeyword},
    .python = true,
    .blocked = TakesObjects,
    .draw =
        [](Draw& draw) {
          Recipe recipe = DrawAsked(draw, ArgumentKind::kFalse);
          recipe.offer().keywords = draw.Pick(2) == 0 ? kIgnoresKeywords : kNegotiates;
          recipe.offer().keywords.copy = Reply::kBufferError;
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          bool refused = false;
          ForEachCallOfDlpack(ledger, [&](const ProducerCall& call, const std::string&) {
            refused = refused || (call.raised != 0 && call.copy.kind == ArgumentKind::kFalse);
          });
          if (!refused) return judgement.SaysNothing("the producer was not asked with copy=False");
          Check(!Accepted(ledger), ledger, judgement, "PY-FROM-08", "import0.outcome", "refused",
                "the producer cannot share what copy=False asks for, and from_dlpack gives an array all the same");
        },
}};

// PY-COPY-07: The same where a device is asked for as well: a producer elsewhere has to copy to the host, which it
// would not have done if it had been told that nothing may be copied. It says of the tensor that it is a copy.
const Register kDeviceKeepsCopyFalse{{
    .id = "python/copy/copy-false-holds-beside-a-device",
    .rules = {"PY-COPY-07"},
    .on_refusal = OnRefusal::kJudge,
    .needs = {Claim::kCopyKeyword, Claim::kDeviceKeyword},
    .python = true,
    .blocked =
        [](const Profile& profile) {
          const std::string_view objects = TakesObjects(profile);
          return objects.empty() ? TakesVersioned(profile) : objects;
        },
    .draw =
        [](Draw& draw) {
          Recipe recipe = draw.PlainImport(StructKind::kVersioned);
          MakeReleasable(recipe);
          recipe.offer().flags = abi::kFlagIsCopied;
          recipe.call().copy.kind = ArgumentKind::kFalse;
          recipe.call().dl_device = {ArgumentKind::kPair, {}, abi::kDLCPU, 0};
          // It copies to the host when it is asked to; what it then gives is on the CPU.
          recipe.offer().reported_device = {abi::kDLCUDA, 0};
          recipe.offer().keywords = kIgnoresKeywords;
          recipe.offer().keywords.copy = Reply::kBufferError;
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          bool moves = false;  // at the last call, which gave what there is
          ForEachCallOfDlpack(ledger, [&](const ProducerCall& call, const std::string&) {
            moves = call.dl_device.kind == ArgumentKind::kPair;
          });
          if (!moves) return judgement.SaysNothing("the producer was not asked for data on the CPU");
          Check(!Accepted(ledger), ledger, judgement, "PY-COPY-07", "import0.outcome", "refused",
                "copy=False is not passed on beside a device, and the copy that came is taken");
        },
}};

// PY-COPY-08: from_dlpack hands copy= on to the producer, which may know a cheaper way. Doing it alone is recorded.
const Register kHandsItOn{{
    .id = "python/copy/copy-is-asked-of-the-producer",
    .rules = {"PY-COPY-08"},
    .on_refusal = OnRefusal::kJudge,
    .needs = {Claim::kCopyKeyword},
    .python = true,
    .blocked = TakesPlain,
    .draw =
        [](Draw& draw) {
          Recipe recipe = draw.PlainImport(draw.profile.takes_versioned ? StructKind::kVersioned : StructKind::kLegacy);
          recipe.offer().keywords = kIgnoresKeywords;
          recipe.call().copy.kind = draw.Pick(2) == 0 ? ArgumentKind::kTrue : ArgumentKind::kFalse;
          return recipe;
        },
    .judge =
        [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
          std::string first;
          bool asked = false;
          ForEachCallOfDlpack(ledger, [&](const ProducerCall& call, const std::string& key) {
            if (first.empty()) first = key + "copy";
            asked = asked || call.copy.kind == recipe.call().copy.kind;
          });
          if (first.empty()) return judgement.SaysNothing("the library did not call __dlpack__");
          Check(asked, ledger, judgement, "PY-COPY-08", first,
                recipe.call().copy.kind == ArgumentKind::kTrue ? "True" : "False",
                "copy is not handed on to the producer", Degree::kNote);
        },
}};

// PY-COPY-08: What the producer copied and flagged IS_COPIED need not be copied again. Doing so is recorded.
const Register kCopiesOnce{{
    .id = "python/copy/copied-tensor-is-not-copied-again",
    .rules = {"PY-COPY-08"},
    .needs = {Claim::kCopyKeyword},
    .python = true,
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
          const int calls = std::min(import.producer_calls, kProducerCalls);
          const bool asked = std::any_of(import.calls, import.calls + calls, [](const ProducerCall& call) {
            return call.copy.kind == ArgumentKind::kTrue;
          });
          if (!asked) return judgement.SaysNothing("the producer was not asked for a copy");
          if (!import.result.has_pointer) return judgement.SaysNothing("the library describes no address");
          Check(import.Aliases(), ledger, judgement, "PY-COPY-08", "import0.aliases", "1",
                "what the producer has copied is copied once more", Degree::kNote);
        },
}};

}  // namespace
}  // namespace dlpack_cts
