// suites/c-abi/layout_export.cc: the fields of the structs that a producer exports.
#include "harness/case/case.h"
#include "harness/case/judges.h"
#include "harness/case/keywords.h"
#include "harness/case/needs.h"

namespace dlpack_cts {
namespace {

/// Reads the struct in the layout that its capsule's name implies, and compares every field with the array.
void JudgeAllFields(const Ledger& ledger, Judgement& judgement) {
  const ExportLedger& exported = ledger.exports[0];
  const Description& array = ledger.sources[0].description;
  if (!array.has_shape) return judgement.SaysNothing("the adapter does not report the shape of the array");
  if (!judgement.Expect("export0.ndim", Is(array.ndim),
                        "the value at the offset of dl_tensor.ndim is not the array's number of dimensions",
                        {.when = exported.tensor.ndim != array.ndim})) {
    return;
  }
  judgement.Expect("export0.metadata_readable", Is(true),
                   "the pointer at the offset of dl_tensor.shape or dl_tensor.strides leads to unreadable memory");
  if (array.has_device) {
    judgement.Expect("export0.device", OfType(array.device),
                     "the value at the offset of dl_tensor.device.device_type is not the array's device type");
  }
  ExportMatches(judgement);
}

/// An array, or a copy of it, exported in that kind of struct.
Recipe DrawKind(Draw& draw, StructKind kind) {
  Recipe recipe = draw.ExportOf(kind);
  draw.SometimesCopy(recipe);
  return recipe;
}

const RegisterCases<OfProducer> kCases = {
    // C-LAYOUT-01: DLTensor is {data, device, ndim, dtype, shape, strides, byte_offset} in this order, 48 bytes on
    // LP64.
    {.id = "c-abi/layout/exported-tensor-fields-are-in-their-places",
     .rules = {"C-LAYOUT-01"},
     .draw =
         [](Draw& draw) {
           const bool versioned = draw.profile.makes_versioned && (draw.profile.makes_legacy == 0 || draw.Pick(2) == 0);
           return DrawKind(draw, versioned ? StructKind::kVersioned : StructKind::kLegacy);
         },
     .judge = [](const Recipe&, const Ledger& ledger, Judgement& judgement) { JudgeAllFields(ledger, judgement); }},

    // C-LAYOUT-02: Legacy DLManagedTensor is {dl_tensor, manager_ctx, deleter} = 64 bytes on LP64.
    {.id = "c-abi/layout/exported-legacy-struct-has-its-layout",
     .rules = {"C-LAYOUT-02"},
     .blocked = MakesLegacy,
     .draw = Changed([](Draw& draw) { return DrawKind(draw, StructKind::kLegacy); },
                     [](Draw& draw, Recipe& recipe) { RequestLegacyType(draw, recipe); }),
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (ledger.exports[0].versioned) return judgement.SaysNothing("the export is not a legacy struct");
           JudgeAllFields(ledger, judgement);
         }},

    // C-LAYOUT-03: DLManagedTensorVersioned is {version, manager_ctx, deleter, flags, dl_tensor} = 80 bytes on LP64.
    {.id = "c-abi/layout/exported-versioned-struct-has-its-layout",
     .rules = {"C-LAYOUT-03", "C-LAYOUT-10"},
     .blocked = MakesVersioned,
     .draw = [](Draw& draw) { return DrawKind(draw, StructKind::kVersioned); },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!IsVersioned(judgement)) return;
           // Bytes 0 to 3 hold the major. If major and minor are swapped, a minor of 0, 2 or 3 is not major 1.
           judgement.Expect("export0.version", OfMajorOne(), "version.major (bytes 0 to 3 of the struct) is not 1",
                            {.rule = "C-LAYOUT-10"});
           JudgeAllFields(ledger, judgement);
         }},
};

}  // namespace
}  // namespace dlpack_cts
