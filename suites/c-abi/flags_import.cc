// suites/c-abi/flags_import.cc: what a consumer makes of the flags.
#include "harness/case/case.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"

namespace dlpack_cts {
namespace {

Recipe DrawWithFlags(Draw& draw, uint64_t flags) {
  Recipe recipe = draw.ImportOf(StructKind::kVersioned);
  recipe.offer().flags = flags;
  if (recipe.offer().placement == Placement::kReadOnlyPage) recipe.offer().placement = Placement::kEndsAtGuard;
  return recipe;
}

// C-FLAGS-03: A consumer with a read-only concept marks the result read-only and never writes. The data lies in pages
// that cannot be written: a write is UNSAFE by itself.
const Register kReadOnlyIsKept{{
    .id = "c-abi/flags/read-only-is-kept",
    .rules = {"C-FLAGS-03"},
    .examples = Examples::kSweep,
    .blocked = TakesVersioned,
    .draw =
        [](Draw& draw) {
          Recipe recipe =
              DrawWithFlags(draw, draw.random.OneIn(3) ? abi::kFlagReadOnly | abi::kFlagIsCopied : abi::kFlagReadOnly);
          recipe.offer().placement = Placement::kReadOnlyPage;
          return recipe;
        },
    .judge =
        [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
          const ImportLedger& import = ledger.imports[0];
          const bool elements = ElementCount(recipe.offer().shape, recipe.offer().dims) > 0;
          // A copy may be writable, and a library without the concept does not say.
          if (!import.Aliases() || !elements) return judgement.SaysNothing("the result is a copy, or empty");
          if (import.result.writable < 0) {
            return judgement.SaysNothing("the library does not say whether the array is writable");
          }
          Check(import.result.writable == 0, ledger, judgement, "C-FLAGS-03", "import0.writable", "0",
                "a read-only tensor came out as a writable array over the same memory");
        },
}};

// C-FLAGS-03: and nothing that the library offers writes through it, a view of the array neither. The pages themselves
// could be written here.
const Register kReadOnlyIsNotWritten{{
    .id = "c-abi/flags/read-only-memory-is-not-written",
    .rules = {"C-FLAGS-03"},
    .needs = {Claim::kReadOnly, Claim::kWrite},
    .blocked = TakesVersioned,
    .draw =
        [](Draw& draw) {
          Recipe recipe = DrawWithFlags(draw, abi::kFlagReadOnly);
          recipe.offer().placement = Placement::kEndsAtGuard;
          const int views = draw.profile.Claims(Claim::kView) ? draw.Pick(3) : 0;  // one of the array, or of a view
          SetLife(recipe, {Op::kImport, Op::kDescribe, views > 0 ? Op::kTakeView : Op::kCollect,
                           views > 1 ? Op::kTakeView : Op::kCollect, Op::kWriteArray, Op::kDropArray, Op::kCollect});
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          const ImportLedger& import = ledger.imports[0];
          if (!import.Aliases() || import.array_write == 0)
            return judgement.SaysNothing("the result is a copy, or empty");
          Check(import.array_write != 1, ledger, judgement, "C-FLAGS-03", "import0.write_array",
                "refused | not-shown | not-run", "the library wrote into read-only memory");
        },
}};

// C-FLAGS-04: A consumer without read-only arrays should ignore READ_ONLY rather than raise.
const Register kReadOnlyIsTaken{{
    .id = "c-abi/flags/read-only-is-taken",
    .rules = {"C-FLAGS-04"},
    .on_refusal = OnRefusal::kWarn,
    .blocked = TakesVersioned,
    .draw =
        [](Draw& draw) {
          return DrawWithFlags(draw,
                               draw.random.OneIn(2) ? abi::kFlagReadOnly | abi::kFlagIsCopied : abi::kFlagReadOnly);
        },
    .control = [](Recipe& recipe) { recipe.offer().flags = 0; },
    .judge = [](const Recipe&, const Ledger& ledger,
                Judgement& judgement) { ElementsMatch("C-FLAGS-04", ledger, judgement); },
}};

// C-FLAGS-09: Unknown flag bits of a newer minor mean "not all fields understood"; whether to ignore or to refuse them
// is open, so only what happens is recorded.
const Register kUnknownFlags{{
    .id = "c-abi/flags/unknown-flags-are-noticed",
    .rules = {"C-FLAGS-09"},
    .on_refusal = OnRefusal::kPass,
    .blocked = TakesVersioned,
    .draw =
        [](Draw& draw) {
          constexpr int kBits[] = {3, 4, 8, 31, 32, 33, 40, 63};
          Recipe recipe = DrawWithFlags(draw, uint64_t{1} << kBits[draw.Pick(8)]);
          recipe.offer().minor = 99;
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          if (!ElementsMatch("C-FLAGS-09", ledger, judgement)) return;
          Check(false, ledger, judgement, "C-FLAGS-09", "import0.outcome", "refused",
                "flag bits that no published version defines are ignored", Degree::kNote);
        },
}};

// C-FLAGS-10: A consumer does not look for flags in the legacy struct. The 64 bytes end at an inaccessible page: a read
// behind them is UNSAFE by itself; what is left is that no flag came from elsewhere.
const Register kLegacyHasNoFlags{{
    .id = "c-abi/flags/legacy-struct-has-none",
    .rules = {"C-FLAGS-10"},
    .draw = [](Draw& draw) { return draw.ImportOf(StructKind::kLegacy); },
    .judge = [](const Recipe&, const Ledger& ledger,
                Judgement& judgement) { ElementsMatch("C-FLAGS-10", ledger, judgement); },
}};

// C-FLAGS-12: A library that re-exports imported memory without copying sets flags that are true of its own export:
// PADDED is carried on, IS_COPIED is not, READ_ONLY is carried on if the library has the concept.
const Register kReexport{{
    .id = "c-abi/flags/reexport-tells-the-truth",
    .rules = {"C-FLAGS-12"},
    .role = Role::kConsumer,
    .needs = {Claim::kReexport},
    .blocked = TakesVersioned,
    .draw =
        [](Draw& draw) {
          constexpr uint64_t kFlags[] = {0, abi::kFlagReadOnly, abi::kFlagIsCopied,
                                         abi::kFlagReadOnly | abi::kFlagIsCopied};
          Recipe recipe = DrawWithFlags(draw, kFlags[draw.Pick(4)]);
          SetLife(recipe, {{Op::kImport}, {Op::kDescribe}, {.op = Op::kReexport, .slot = 0, .other = Other::kSlot1}});
          recipe.call() = Call{};
          recipe.call().max_version = kNewestVersion;
          return recipe;
        },
    .judge =
        [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
          const ExportLedger& again = ledger.exports[1];
          const ImportLedger& import = ledger.imports[0];
          if (again.export_call.outcome != Outcome::kAccepted || !again.versioned) {
            return judgement.SaysNothing("the import was not exported again as a versioned struct");
          }
          const bool shares = import.Aliases() && again.place == import.place;
          const bool elements = ElementCount(recipe.offer().shape, recipe.offer().dims) > 0;
          if (!shares || !elements) return judgement.SaysNothing("the export does not share the imported memory");
          Check((again.flags & abi::kFlagIsCopied) == 0, ledger, judgement, "C-FLAGS-12", "export1.flags",
                "0 | 1 | 4 | 5", "IS_COPIED is set on an export that shares the imported memory");
          const bool knows = import.result.writable == 0;
          const bool must_keep = (recipe.offer().flags & abi::kFlagReadOnly) != 0 && knows;
          Check(!must_keep || (again.flags & abi::kFlagReadOnly) != 0, ledger, judgement, "C-FLAGS-12", "export1.flags",
                "1 | 3 | 5 | 7", "READ_ONLY was lost although the library knows that the array is read-only");
        },
}};

}  // namespace
}  // namespace dlpack_cts
