// suites/python/dlpack_objects.cc: what __dlpack__ does with types that DLPack lacks, and with scalar objects.
#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/judges.h"

namespace dlpack_cts {
namespace {

/// A simple object of that kind; the library may not have such objects.
Recipe DrawObject(Draw& draw, Oddity oddity, int dims) {
  Recipe recipe = draw.Export();
  recipe.call() = draw.PlainCall();
  Request& request = recipe.request();
  request = draw.PlainRequest();
  request.oddity = oddity;
  request.seed = draw.random.Next();
  request.dims = static_cast<uint8_t>(dims);
  if (dims > 0) request.shape[0] = draw.random.Between(2, 5);
  SetLife(recipe, {Op::kMake, Op::kAskDevice, Op::kExport, Op::kReadExport, Op::kDropSource, Op::kCollect});
  return recipe;
}

const RegisterCases<OfPythonProducer> kCases = {
    // PY-DLPACK-03: DLPack has no dtype for dates, texts, objects and quantized numbers. A producer that exports them
    // declares a wrong dtype, unless it declares kDLOpaqueHandle.
    {.id = "python/dlpack/types-that-dlpack-lacks-are-not-exported",
     .rules = {"PY-DLPACK-03"},
     .examples = Examples::kTable,
     .table = 4,
     .on_refusal = OnRefusal::kPass,
     .needs = {Claim::kOddities},
     .seldom = true,
     .draw =
         [](Draw& draw) {
           constexpr Oddity kLacking[] = {Oddity::kDate, Oddity::kQuantized, Oddity::kText, Oddity::kObject};
           return DrawObject(draw, kLacking[draw.index], 1);
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           if (!Exported(ledger)) return judgement.SaysNothing("the library has no such arrays");
           if (ledger.sources[0].description.known_dtype != 0) {
             return judgement.SaysNothing("the adapter reports a dtype that DLPack has");
           }
           judgement.Expect("export0.outcome", Is(Outcome::kRefused),
                            "an array whose dtype DLPack does not have is exported with another dtype",
                            {.when = exported.tensor.dtype.code != abi::kDLOpaqueHandle});
         }},

    // PY-DLPACK-09: An object for a single element that has the methods of an array exports that element, as a tensor
    // without dimensions.
    {.id = "python/dlpack/objects-of-one-element-are-exported-as-scalars",
     .rules = {"PY-DLPACK-09"},
     .on_refusal = OnRefusal::kJudge,
     .needs = {Claim::kOddities},
     .seldom = true,
     .draw = [](Draw& draw) { return DrawObject(draw, Oddity::kScalarObject, 0); },
     .uncontrolled = uncontrolled::kResults,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (ledger.sources[0].make.outcome != Outcome::kAccepted) {
             return judgement.SaysNothing("the library has no such objects");
           }
           const ExportLedger& exported = ledger.exports[0];
           if (!Exported(ledger)) return judgement.SaysNothing("such objects are not exported");
           const Outcome device = ledger.sources[0].device_call.outcome;
           judgement.Expect("source0.device_call", Is(Outcome::kAccepted),
                            "the object can be exported, but __dlpack_device__ fails",
                            {.when = device != Outcome::kUnsupported});
           if (!judgement.Expect("export0.ndim", Is(0),
                                 "a scalar object is exported with a dl_tensor.ndim other than 0",
                                 {.when = exported.tensor.ndim != 0})) {
             return;
           }
           ExportMatches(judgement);
         }},
};

}  // namespace
}  // namespace dlpack_cts
