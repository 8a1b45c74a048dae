// suites/c-abi/data_export.cc: the data pointer and memory that a producer exports.
#include <string_view>

#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/judges.h"

namespace dlpack_cts {
namespace {

bool IsCopied(const ExportLedger& exported) { return exported.versioned && (exported.flags & abi::kFlagIsCopied) != 0; }

/// A tensor with elements on the CPU has an address.
void JudgeAddress(const Ledger& ledger, Judgement& judgement, std::string_view message) {
  if (!IsOnCpu(judgement)) return;
  if (IsEmpty(ledger.exports[0])) return judgement.SaysNothing("the array has no elements");
  judgement.Expect("export0.null_data", Is(false), message);
}

/// Makes an array, exports it, does `between` to the source, reads the export again and deletes it.
Recipe DrawLife(Draw& draw, std::initializer_list<Op> between) {
  Recipe recipe = draw.ExportOrCopy();
  SetLife(recipe, {Op::kMake, Op::kExport, Op::kTakeCapsule});
  for (const Op op : between) AddStep(recipe, op);
  AddStep(recipe, Op::kInspect);
  AddStep(recipe, Op::kReadExport);
  AddStep(recipe, Op::kDelete);
  return recipe;
}

const RegisterCases<OfProducer> kCases = {
    // C-DATA-02: On paper data is 256-byte aligned and byte_offset gives the displacement. The next sentence of the
    // header waives this, so the case reports information only.
    {.id = "c-abi/data/exported-data-is-256-byte-aligned",
     .rules = {"C-DATA-02"},
     .draw =
         [](Draw& draw) {
           // A view starts where its indices put it. Only whole arrays show how the library allocates.
           Recipe recipe = draw.Export();
           MakeWhole(recipe.request());
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger&, Judgement& judgement) {
           AlignmentIs256(judgement, "dl_tensor.data is not aligned to 256 bytes (a note in dlpack.h waives this)");
         }},

    // C-DATA-04: For a tensor with zero elements data should be NULL.
    {.id = "c-abi/data/exported-empty-tensor-has-null-data",
     .rules = {"C-DATA-04"},
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.Export();
           if (recipe.request().dims == 0) recipe.request().dims = 1;
           recipe.request().shape[draw.random.Below(recipe.request().dims)] = 0;
           recipe.request().strides_kind = StridesKind::kCompact;
           return recipe;
         },
     .judge = Expects("export0.null_data", Is(true), "dl_tensor.data of an empty tensor is not NULL",
                      {.degree = Degree::kNote})},

    // C-DATA-07: A tensor with at least one element (also ndim 0) has a non-NULL, valid address.
    {.id = "c-abi/data/exported-elements-have-an-address",
     .rules = {"C-DATA-07"},
     .draw = [](Draw& draw) { return draw.ExportOrCopy(); },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           JudgeAddress(ledger, judgement, "dl_tensor.data is NULL although the tensor has elements");
         }},

    // C-DATA-10: Every element reachable through shape and strides lies inside live memory of the producer.
    {.id = "c-abi/data/exported-elements-can-be-read",
     .rules = {"C-DATA-10", "C-DEVICE-03"},
     .draw = [](Draw& draw) { return draw.ExportOrCopy(); },
     .judge =
         Where(IsOnCpu, Expects("export0.first_elements",
                                IsNot(Reading::kUnreadable, Reading::kMatches, Reading::kDiffers, Reading::kWrongCount),
                                "an element of the exported CPU tensor lies in memory that cannot be read"))},

    // C-DATA-12: The memory stays allocated, at the same address, until the deleter is called.
    {.id = "c-abi/data/exported-memory-outlives-the-source",
     .rules = {"C-DATA-12", "C-OWN-10"},
     .examples = Examples::kSweep,
     .draw = [](Draw& draw) { return DrawLife(draw, {Op::kDropSource, Op::kCollect}); },
     .judge =
         [](const Recipe&, const Ledger&, Judgement& judgement) {
           judgement.Expect("export0.changed", Lacks(PartSet{kPartData}), "dl_tensor.data changed after the export");
           ExportMatches(judgement, "the elements of the exported tensor are wrong after the array was dropped");
         }},

    // C-DATA-12: The same when the source is resized, if the adapter claims that.
    {.id = "c-abi/data/exported-memory-survives-a-resize",
     .rules = {"C-DATA-12"},
     .needs = {Claim::kResizeInPlace},
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawLife(draw, {Op::kChangeMetadata});
           recipe.steps[3].argument = 2;
           recipe.request().making = Making::kFresh;
           recipe.request().strides_kind = StridesKind::kCompact;
           return recipe;
         },
     .judge = ExpectsExport("the elements of the exported tensor are wrong after the array was resized")},

    // C-DATA-14: data + byte_offset is the address of the element with index 0 in every dimension. This also holds for
    // views, negative strides and sub-arrays.
    {.id = "c-abi/data/exported-address-is-element-zero",
     .rules = {"C-DATA-14", "PY-DLPACK-07"},
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.Export();
           // A view of a view starts at the sum of all offsets.
           const bool views = draw.profile.Claims(Claim::kView) && draw.Pick(3) == 0;
           if (views) recipe.steps[0].argument = 1 + draw.Pick(2);
           draw.SometimesCopy(recipe);
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           if (IsEmpty(exported)) return judgement.SaysNothing("the array has no elements");
           // A legacy struct cannot declare that it is a copy, so only the elements are compared.
           const bool asked = recipe.call().copy.kind == ArgumentKind::kTrue;
           const bool may_be_copy = asked || IsCopied(exported) || (!exported.versioned && !exported.IsAtSource());
           if (may_be_copy || exported.place.area == Area::kUnknown) {
             ExportMatches(judgement);
             return;
           }
           judgement.Expect("export0.points_at_source", Is(true),
                            "dl_tensor.data + dl_tensor.byte_offset is not the address of element 0 of the array");
         }},

    // C-DATA-07: The same for an array of zeros that has no memory in the library. The export allocates memory or is
    // refused.
    {.id = "c-abi/data/zeros-without-memory-get-an-address",
     .rules = {"C-DATA-07", "C-DATA-15"},
     .on_refusal = OnRefusal::kPass,
     .needs = {Claim::kOddities},
     .seldom = true,
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.Export();
           MakeOdd(recipe.request(), Oddity::kZeros);
           SetLife(recipe, {Op::kMake, Op::kExport, Op::kInspect, Op::kDropSource, Op::kCollect});
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!Exported(ledger)) return judgement.SaysNothing("the library has no array of zeros without memory");
           JudgeAddress(ledger, judgement, "an array of zeros without memory is exported with dl_tensor.data NULL");
         }},

    // C-DATA-15: The exported bytes are the values of the array under the declared dtype. Lazy conjugation or negation
    // is resolved, or the export is refused.
    {.id = "c-abi/data/lazy-conjugates-and-negations-are-resolved",
     .rules = {"C-DATA-15"},
     .examples = Examples::kTable,  // so that both are tested, whichever of them fails
     .table = 16,
     .on_refusal = OnRefusal::kJudge,
     .needs = {Claim::kOddities},
     .draw = [](Draw& draw) { return draw.ExportLazy(); },
     .control = control::OrdinaryArray,
     .judge = BufferErrorOr(
         ExpectsExport("the exported memory does not hold the values of the lazily conjugated or negated array"))},

    // C-DATA-15: The general case: every element of every dtype and layout has the bits of the array.
    // C-DATA-13: So do those of copies, whose memory has room for all elements.
    {.id = "c-abi/data/exported-elements-are-the-arrays",
     .rules = {"C-DATA-15", "C-SHAPE-10", "C-DATA-13"},
     .examples = Examples::kSweep,
     .draw = [](Draw& draw) { return draw.ExportOrCopy(); },
     .judge = [](const Recipe&, const Ledger&, Judgement& judgement) { ExportMatches(judgement); }},
};

}  // namespace
}  // namespace dlpack_cts
