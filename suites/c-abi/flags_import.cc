// suites/c-abi/flags_import.cc: how a consumer uses the flags.
#include "harness/case/case.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"
#include "harness/recipe/laws.h"

namespace dlpack_cts {
namespace {

Recipe DrawWithFlags(Draw& draw, uint64_t flags) {
  Recipe recipe = draw.ImportOf(StructKind::kVersioned);
  recipe.offer().flags = flags;
  if (recipe.offer().placement == Placement::kReadOnlyPage) recipe.offer().placement = Placement::kEndsAtGuard;
  return recipe;
}

const RegisterCases<OfConsumer> kCases = {
    // C-FLAGS-03: A consumer that supports read-only arrays marks the result read-only and never writes. The data lies
    // in read-only pages: a write is reported as UNSAFE.
    {.id = "c-abi/flags/read-only-is-kept",
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
           // A copy may be writable, and a library without read-only arrays does not report it.
           if (!SharesElements(recipe, judgement)) return;
           if (import.result.writable == Answer::kUnknown) {
             return judgement.SaysNothing("the adapter does not report whether the imported array is writable");
           }
           judgement.Expect("import0.writable", Is(false),
                            "a read-only tensor was imported as a writable array over the same memory");
         }},

    // C-FLAGS-03: No function of the library writes through the array, or through a view of it. Here the pages are
    // writable.
    {.id = "c-abi/flags/read-only-memory-is-not-written",
     .rules = {"C-FLAGS-03"},
     .needs = {Claim::kReadOnly, Claim::kWrite},
     .blocked = TakesVersioned,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawWithFlags(draw, abi::kFlagReadOnly);
           recipe.offer().placement = Placement::kEndsAtGuard;
           const int views = draw.profile.Claims(Claim::kView) ? draw.Pick(3) : 0;  // of the array, or of a view
           SetLife(recipe, {Op::kImport, Op::kDescribe, views > 0 ? Op::kTakeView : Op::kCollect,
                            views > 1 ? Op::kTakeView : Op::kCollect, Op::kWriteArray, Op::kDropArray, Op::kCollect});
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ImportLedger& import = ledger.imports[0];
           if (!import.Aliases() || import.write_array == WriteShown::kNotRun) {
             return judgement.SaysNothing(
                 "the imported array is not known to share memory, or no write into it was possible");
           }
           judgement.Expect("import0.write_array",
                            AnyOf(WriteShown::kRefused, WriteShown::kNotShown, WriteShown::kNotRun),
                            "the library writes into a tensor that has DLPACK_FLAG_BITMASK_READ_ONLY set");
         }},

    // C-FLAGS-04: A consumer without read-only arrays should ignore READ_ONLY rather than raise. PY-FROM-04: The values
    // of the array are right.
    {.id = "c-abi/flags/read-only-is-taken",
     .rules = {"C-FLAGS-04", "PY-FROM-04"},
     .on_refusal = OnRefusal::kWarn,
     .blocked = TakesVersioned,
     .draw =
         [](Draw& draw) {
           return DrawWithFlags(draw,
                                draw.random.OneIn(2) ? abi::kFlagReadOnly | abi::kFlagIsCopied : abi::kFlagReadOnly);
         },
     .control = [](const Profile&, Recipe& recipe) { recipe.offer().flags = 0; },
     .judge = [](const Recipe&, const Ledger&,
                 Judgement& judgement) { ElementsMatch(judgement, {.rule = "PY-FROM-04"}); }},

    // C-FLAGS-09: Unknown flag bits of a newer minor mean "not all fields understood". The specification leaves open
    // whether to ignore or to refuse them, so the behaviour is only recorded. PY-FROM-04: A consumer that
    // ignores
    // them gives the right values.
    {.id = "c-abi/flags/unknown-flags-are-noticed",
     .rules = {"C-FLAGS-09", "PY-FROM-04"},
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
         [](const Recipe&, const Ledger&, Judgement& judgement) {
           if (!ElementsMatch(judgement, {.rule = "PY-FROM-04"})) return;
           judgement.Expect("import0.outcome", Is(Outcome::kRefused),
                            "the import ignores flag bits that no published DLPack version defines",
                            {.degree = Degree::kNote});
         }},

    // C-FLAGS-10: A consumer does not look for flags in the legacy struct. An inaccessible page follows its 64 bytes: a
    // read past them is reported as UNSAFE. The judge checks that the import is correct.
    {.id = "c-abi/flags/legacy-struct-has-none",
     .rules = {"C-FLAGS-10"},
     .draw = [](Draw& draw) { return draw.ImportOf(StructKind::kLegacy); },
     .judge = [](const Recipe&, const Ledger&, Judgement& judgement) { ElementsMatch(judgement); }},

    // C-FLAGS-12: A library that re-exports imported memory without a copy sets flags that are true for its own export:
    // PADDED is kept, IS_COPIED is not set, READ_ONLY is kept if the library supports read-only arrays.
    {.id = "c-abi/flags/reexport-tells-the-truth",
     .rules = {"C-FLAGS-12"},
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
             return judgement.SaysNothing("the library did not re-export the imported array as a versioned struct");
           }
           const bool shares = import.Aliases() && again.place == import.place;
           const bool elements = !IsEmpty(recipe.offer());
           if (!shares || !elements)
             return judgement.SaysNothing("the tensor is empty, or the re-export does not share the imported memory");
           judgement.Expect("export1.flags", LacksFlag(abi::kFlagIsCopied),
                            "DLPACK_FLAG_BITMASK_IS_COPIED is set on a re-export that shares the imported memory");
           const bool knows = import.result.writable == Answer::kNo;
           const bool must_keep = (recipe.offer().flags & abi::kFlagReadOnly) != 0 && knows;
           judgement.Expect(
               "export1.flags", HasFlag(abi::kFlagReadOnly),
               "the re-export does not set DLPACK_FLAG_BITMASK_READ_ONLY although the library reports the array as "
               "read-only",
               {.when = must_keep});
         }},
};

}  // namespace
}  // namespace dlpack_cts
