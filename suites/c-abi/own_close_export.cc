// suites/c-abi/own_close_export.cc: arrays that the library made and closed: what their exports keep.
#include "suites/c-abi/closed.h"

namespace dlpack_cts {
namespace {

Step CloseSource(Closing how) { return {.op = Op::kCloseSource, .argument = static_cast<int32_t>(how)}; }

Case OfClosedSource(Case made) { return OfProducer(OfClosed(std::move(made))); }

const RegisterCases<OfClosedSource> kCases = {
    // C-OWN-10: The exported memory outlives the close of the array, while any export of it exists. A library may
    // refuse to close it.
    {.id = "c-abi/own/export-survives-a-close",
     .rules = {"C-OWN-10"},
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.ExportOfAnySize();
           const bool two = draw.Pick(2) == 0;
           SetLife(recipe, {{Op::kMake}, {Op::kExport}});
           if (two) AddStep(recipe, Op::kExport, 1);
           AddStep(recipe, CloseSource(Closing::kAlone));
           AddStep(recipe, Op::kCollect);
           AddStep(recipe, Op::kReadExport);
           if (two) {
             AddStep(recipe, Op::kTakeCapsule, 1);
             AddStep(recipe, Op::kDelete, 1);
           }
           AddStep(recipe, Op::kTakeCapsule);
           AddStep(recipe, Op::kReadExport);
           AddStep(recipe, Op::kDropSource);
           AddStep(recipe, Op::kCollect);
           AddStep(recipe, Op::kReadExport);
           AddStep(recipe, Op::kDelete);
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const Outcome closed = ledger.sources[0].closed;
           if (closed != Outcome::kRefused && !Closes(closed, judgement)) return;
           ExportMatches(judgement, "the elements of the exported tensor are wrong after the array was closed");
         }},

    // C-OWN-10: An export of a view of a closed array, or of an array of which a view was closed, does not describe
    // memory that was freed. A refusal is right.
    {.id = "c-abi/own/views-around-a-closed-source-are-exported-safely",
     .rules = {"C-OWN-10"},
     .on_refusal = OnRefusal::kPass,
     .needs = {Claim::kView},
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.ExportOrCopy();
           SetLife(recipe, {{Op::kMake},
                            CloseSource(DrawView(draw)),
                            {Op::kCollect},
                            {Op::kExport},
                            {Op::kTakeCapsule},
                            {Op::kReadExport},
                            {Op::kDropSource},
                            {Op::kCollect},
                            {Op::kReadExport},
                            {Op::kDelete}});
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!Closes(ledger.sources[0].closed, judgement)) return;
           ExportStillRight(ledger.exports[0], judgement,
                            "the exported elements are wrong after another array of the same memory was closed", 0);
         }},

    // C-OWN-10: An export of a closed array does not describe memory that was freed.
    // PY-DLPACK-13: It returns a capsule or raises, and does not crash. A second close does not crash either.
    {.id = "c-abi/own/closed-source-is-not-exported-from-freed-memory",
     .rules = {"C-OWN-10", "PY-DLPACK-13"},
     .on_refusal = OnRefusal::kPass,
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.ExportOrCopy();
           const Step again = draw.Pick(2) == 0 ? CloseSource(Closing::kAlone) : Step{.op = Op::kCollect};
           SetLife(recipe, {{Op::kMake},
                            CloseSource(Closing::kAlone),
                            again,
                            {Op::kExport},
                            {Op::kTakeCapsule},
                            {Op::kReadExport},
                            {Op::kDelete},
                            {Op::kDropSource},
                            {Op::kCollect}});
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!Closes(ledger.sources[0].closed, judgement)) return;
           ExportStillRight(ledger.exports[0], judgement, "a closed array was exported with other elements", 0);
         }},

    // C-OWN-20: When the deleter returns, the export holds nothing, also of an array that was closed before.
    {.id = "c-abi/own/closed-source-is-released",
     .rules = {"C-OWN-20"},
     // A copy does not reference the array.
     .draw =
         [](Draw& draw) {
           return WithLife(draw.Export(), {{Op::kMake},
                                           {Op::kExport},
                                           {Op::kTakeCapsule},
                                           {Op::kLoseCapsule},
                                           CloseSource(Closing::kAlone),
                                           {Op::kDropSource},
                                           {Op::kDelete},
                                           {Op::kCollect}});
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const Outcome closed = ledger.sources[0].closed;
           if (closed != Outcome::kRefused && !Closes(closed, judgement)) return;
           NothingHeld(judgement, "the closed array is still referenced after its exports were deleted");
         }},
};

}  // namespace
}  // namespace dlpack_cts
