// suites/c-abi/own_export.cc: how a producer owns and releases what it exports.
#include "harness/case/case.h"
#include "harness/case/judges.h"

namespace dlpack_cts {
namespace {

/// The array object is destroyed after every export is deleted. Arrays whose lifetime cannot be observed give no
/// result.
void JudgeNothingHeld(const Ledger& ledger, Judgement& judgement) {
  if (!Exported(ledger)) return judgement.SaysNothing("the array was not exported");
  NothingHeld(judgement, "the array is still referenced after its exports were deleted");
}

const RegisterCases<OfProducer> kCases = {
    // C-OWN-06: The deleter destroys manager_ctx and frees the struct itself.
    // C-OWN-20: When the deleter returns, the export holds nothing.
    {.id = "c-abi/own/deleter-releases-the-source",
     .rules = {"C-OWN-06", "C-OWN-20", "C-VERSION-11"},
     .examples = Examples::kSweep,
     .draw = WithLife(&Draw::ExportOrCopy, {Op::kMake, Op::kAskDevice, Op::kExport, Op::kTakeCapsule, Op::kLoseCapsule,
                                            Op::kDropSource, Op::kDelete, Op::kCollect}),
     .judge = [](const Recipe&, const Ledger& ledger, Judgement& judgement) { JudgeNothingHeld(ledger, judgement); }},

    // C-OWN-06, C-OWN-20: The same for the struct, and for the memory if an export holds that but not the array object.
    {.id = "c-abi/own/deleter-gives-the-memory-back",
     .rules = {"C-OWN-06", "C-OWN-20"},
     .examples = Examples::kTable,
     .table = 32,
     .draw = [](Draw& draw) { return draw.ExportOften(false); },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!Exported(ledger)) return judgement.SaysNothing("the array was not exported");
           NothingStays(judgement, "the deleter does not release everything that the export holds");
         }},

    // C-OWN-10: The exported memory outlives the producer's array object: the managed tensor holds its own reference.
    {.id = "c-abi/own/export-survives-the-source",
     .rules = {"C-OWN-10"},
     .draw = WithLife(&Draw::ExportOrCopy, {Op::kMake, Op::kExport, Op::kDropSource, Op::kCollect, Op::kReadExport,
                                            Op::kTakeCapsule, Op::kReadExport, Op::kDelete}),
     .judge = ExpectsExport("the elements of the exported tensor are wrong after the array was dropped")},

    // C-OWN-11: Each export is independent: deleting one does not disturb another, in any order.
    {.id = "c-abi/own/exports-are-independent",
     .rules = {"C-OWN-11"},
     .draw =
         [](Draw& draw) {
           // Every order deletes the export in slot 2 last, and the other two before it in either order.
           const uint8_t first = draw.Pick(2) == 0 ? 0 : 1;
           const uint8_t second = first == 0 ? 1 : 0;
           return WithLife(draw.ExportOrCopy(), {{Op::kMake},
                                                 {Op::kExport, 0},
                                                 {Op::kExport, 1},
                                                 {Op::kExport, 2},
                                                 {Op::kTakeCapsule, 0},
                                                 {Op::kTakeCapsule, 1},
                                                 {Op::kTakeCapsule, 2},
                                                 {Op::kDelete, first},
                                                 {Op::kReadExport, second},
                                                 {Op::kReadExport, 2},
                                                 {Op::kDropSource},
                                                 {Op::kDelete, second},
                                                 {Op::kCollect},
                                                 {Op::kReadExport, 2},
                                                 {Op::kInspect, 2},
                                                 {Op::kDelete, 2}});
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!Exported(ledger, 2)) return judgement.SaysNothing("the third export was refused");
           for (int slot = 0; slot < 3; ++slot) {
             const bool matched = ledger.exports[slot].first_elements.reading == Reading::kMatches;
             ExportMatches(judgement,
                           matched ? "the elements of an export are wrong after another export of the array was deleted"
                                   : "the elements of one of several exports of an array are wrong",
                           {.slot = slot});
           }
           judgement.Expect("export2.changed", Is(PartSet{}),
                            "an exported struct changed while other exports of the array were deleted");
         }},

    // C-OWN-12: The deleter can be called from any thread, including one that the library's runtime has never seen.
    {.id = "c-abi/own/deleter-runs-on-any-thread",
     .rules = {"C-OWN-12"},
     .draw = WithLife(&Draw::ExportOrCopy, {{Op::kMake},
                                            {Op::kExport},
                                            {Op::kTakeCapsule},
                                            {Op::kLoseCapsule},
                                            {Op::kDropSource},
                                            {.op = Op::kDelete, .slot = 0, .context = Context::kRawThread},
                                            {Op::kCollect}}),
     .judge = [](const Recipe&, const Ledger& ledger, Judgement& judgement) { JudgeNothingHeld(ledger, judgement); }},

    // C-OWN-13: Deleters of different tensors can run concurrently. Here they run at once on raw threads, while other
    // exports of the same array are alive.
    {.id = "c-abi/own/deleters-of-one-array-run-on-several-threads",
     .rules = {"C-OWN-13"},
     .draw =
         [](Draw& draw) {
           constexpr Context kRaw = Context::kRawThread;
           return WithLife(draw.ExportOrCopy(),
                           {{Op::kMake},
                            {Op::kExport, 0},
                            {Op::kExport, 1},
                            {Op::kExport, 2},
                            {Op::kTakeCapsule, 0},
                            {Op::kTakeCapsule, 1},
                            {Op::kTakeCapsule, 2},
                            {Op::kDropSource},
                            {.op = Op::kDelete, .slot = 0, .lane = 1, .barrier = 1, .context = kRaw},
                            {.op = Op::kDelete, .slot = 1, .lane = 2, .context = kRaw},
                            {.op = Op::kDelete, .slot = 2, .lane = 3, .context = kRaw},
                            {.op = Op::kCollect, .barrier = 1}});
         },
     .judge = [](const Recipe&, const Ledger& ledger, Judgement& judgement) { JudgeNothingHeld(ledger, judgement); }},

    // C-OWN-14: The deleter is a C function and lets no C++ exception escape. A noexcept frame calls it, so an escaping
    // exception ends the process and is reported as CRASH.
    {.id = "c-abi/own/deleter-lets-no-exception-escape",
     .rules = {"C-OWN-14"},
     .draw = WithLife(&Draw::ExportOrCopy, {Op::kMake, Op::kExport, Op::kTakeCapsule, Op::kDelete, Op::kReadSource}),
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!ledger.exports[0].has_deleter) return judgement.SaysNothing("the deleter is NULL, so it cannot throw");
           judgement.Expect("export0.deleted", Is(true), "the deleter could not be called");
         }},

    // C-OWN-16: Exchange is borrowing: the array shows a write through an export at its address, even if its elements
    // were read before. An immutable array may keep values that were read earlier.
    {.id = "c-abi/own/array-shows-what-is-written-through-its-export",
     .rules = {"C-OWN-16"},
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.Export();
           recipe.request().read_only = 0;
           SetLife(recipe, {Op::kMake, Op::kReadSource, Op::kExport, Op::kTakeCapsule, Op::kWriteExport, Op::kDelete,
                            Op::kDropSource});
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           if (exported.write_export == WriteShown::kNotRun || !exported.IsAtSource()) {
             return judgement.SaysNothing(
                 "the export could not be written through, or does not have the array's address");
           }
           if (exported.write_export == WriteShown::kNotShown && judgement.Says(Trait::kImmutable)) {
             return judgement.SaysNothing(
                 "the library's arrays are immutable, so they may keep values that were read earlier");
           }
           judgement.Expect(
               "export0.write_export", Is(WriteShown::kShown),
               "the export has the array's address, but the array does not show a write through the export");
         }},

    // C-OWN-19: The struct pointer stays valid (the struct is not moved) from export to deleter.
    {.id = "c-abi/own/struct-stays-until-the-deleter",
     .rules = {"C-OWN-19"},
     .draw = WithLife(&Draw::ExportOrCopy, {{Op::kMake},
                                            {Op::kExport, 0},
                                            {Op::kTakeCapsule, 0},
                                            {Op::kExport, 1},
                                            {Op::kExport, 2},
                                            {Op::kInspect, 0},
                                            {Op::kLoseCapsule, 1},
                                            {Op::kLoseCapsule, 2},
                                            {Op::kUseSource},
                                            {Op::kDropSource},
                                            {Op::kCollect},
                                            {Op::kInspect, 0},
                                            {Op::kDelete, 0}}),
     .judge = Expects("export0.changed", Is(PartSet{}), "the exported struct changed before its deleter was called")},
};

}  // namespace
}  // namespace dlpack_cts
