// suites/cuda/captures.cc: exports and imports that must not wait, while the thread captures a stream of the harness.
//
// A capture becomes invalid if any code waits for the device, or queues work on the legacy default stream. The first
// export may do so (modules, event pools), so one export without a capture comes first.
#include "suites/cuda/on_cuda.h"

namespace dlpack_cts {
namespace {

/// The same export twice: into slot 1, and then during a capture into slot 0.
Recipe DrawCapture(Draw& draw, Op op) {
  return WithLife(cuda::DrawArray(draw),
                  {Step{.op = Op::kMake}, Step{.op = op, .slot = 1}, Step{.op = op, .context = Context::kCapture},
                   Step{.op = Op::kDropSource}, Step{.op = Op::kCollect}});
}

/// The same import twice, as above.
Recipe DrawImportInCapture(Draw& draw) {
  Recipe recipe = Releasable(draw.PlainImport(StructKind::kVersioned));
  PutOn(recipe.offer(), {abi::kDLCUDA, 0}, Placement::kDevice);
  recipe.offer().alignment_log2 = 8;
  recipe.offer().seed = draw.random.Next();
  SetLife(recipe, {Step{.op = Op::kMake}, Step{.op = Op::kTableImport, .slot = 1},
                   Step{.op = Op::kTableImport, .context = Context::kCapture}, Step{.op = Op::kDropArray},
                   Step{.op = Op::kDropArray, .slot = 1}, Step{.op = Op::kDropSource}, Step{.op = Op::kCollect}});
  return recipe;
}

void JudgeImportInCapture(const Recipe&, const Ledger& ledger, Judgement& judgement) {
  if (!Accepted(ledger, 1)) return judgement.SaysNothing("the library does not import the tensor without a capture");
  if (ledger.imports[0].cuda_keeps_capture == Answer::kUnknown) return judgement.SaysNothing(cuda::kNoCapture);
  judgement.Expect("import0.cuda_keeps_capture", Is(Answer::kYes),
                   "managed_tensor_to_py_object_no_sync invalidates an active stream capture");
}

const RegisterCases<cuda::OfProducer> kProducerCases = {
    // CUDA-STREAM-14: An export with stream=-1, which asks for no order, does not invalidate a capture.
    {.id = "cuda/captures/survive-an-export-without-order",
     .rules = {"CUDA-STREAM-14"},
     .on_refusal = OnRefusal::kJudge,
     .python = true,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawCapture(draw, Op::kExport);
           recipe.call().stream = argument::Int(-1);
           return recipe;
         },
     .uncontrolled = uncontrolled::kResults,
     .judge = cuda::CaptureGoesOn("an export with stream=-1 invalidates an active stream capture")},
};

const RegisterCases<cuda::OfExchange> kExchangeCases = {
    // XAPI-FROM-04: managed_tensor_from_py_object_no_sync does not wait for anything.
    {.id = "cuda/captures/survive-an-export-by-the-table",
     .rules = {"XAPI-FROM-04"},
     .on_refusal = OnRefusal::kJudge,
     .draw = [](Draw& draw) { return DrawCapture(draw, Op::kTableExport); },
     .uncontrolled = uncontrolled::kResults,
     .judge = cuda::CaptureGoesOn("managed_tensor_from_py_object_no_sync invalidates an active stream capture")},

    // XAPI-DLT-04: dltensor_from_py_object_no_sync does not wait for anything.
    {.id = "cuda/captures/survive-a-view-by-the-table",
     .rules = {"XAPI-DLT-04"},
     .on_refusal = OnRefusal::kJudge,
     .draw = [](Draw& draw) { return DrawCapture(draw, Op::kTableView); },
     .uncontrolled = uncontrolled::kResults,
     .judge = cuda::CaptureGoesOn("dltensor_from_py_object_no_sync invalidates an active stream capture")},

    // XAPI-TO-03: managed_tensor_to_py_object_no_sync does not wait for anything.
    {.id = "cuda/captures/survive-an-import-by-the-table",
     .rules = {"XAPI-TO-03"},
     .on_refusal = OnRefusal::kJudge,
     .draw = DrawImportInCapture,
     .uncontrolled = uncontrolled::kSteps,
     .judge = JudgeImportInCapture},
};

}  // namespace
}  // namespace dlpack_cts
