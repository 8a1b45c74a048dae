// suites/cuda/order.cc: exports while work is pending on the library's stream, and the order of a later read.
//
// The array's memory holds other bytes until that work is done (engine/cuda_order.h). A read on the passed
// stream that sees these bytes came before the work, so no clock is needed. There are few examples, because each waits
// for streams.
#include <algorithm>
#include <utility>

#include "harness/case/needs.h"
#include "harness/recipe/life.h"
#include "suites/cuda/on_cuda.h"

namespace dlpack_cts {
namespace {

constexpr int kRows = 6;
constexpr Argument kHandle = argument::Int(4096);  // stands for a handle; the harness's own stream has a different one

Recipe DrawPending(Draw& draw, Argument stream, uint8_t own = 0) {
  Recipe recipe = cuda::DrawPlainArray(draw, {.context = Context::kPendingWork, .stream = own});
  recipe.call().stream = stream;
  return recipe;
}

/// The example still passes that stream; minimising may have changed it.
bool IsAbout(const Recipe& recipe, const Argument& stream, Judgement& judgement, uint8_t own = 0) {
  const Argument& asked = recipe.call().stream;
  const Step* const exports = FindStep(recipe, [](const Step& step) { return step.op == Op::kExport; });
  const bool about = asked.kind == stream.kind && (stream.kind != ArgumentKind::kInt || asked.a == stream.a) &&
                     exports != nullptr && exports->stream == own;
  if (!about) judgement.SaysNothing("the example passes a different stream");
  return about;
}

/// The read of the elements comes after the pending work.
void ComesBehind(std::string_view rule, const Ledger& ledger, Judgement& judgement, std::string_view message,
                 Degree degree = Degree::kRule) {
  const ExportLedger& exported = ledger.exports[0];
  if (!cuda::IsOnCuda(exported)) return judgement.SaysNothing(cuda::kElsewhere);
  if (exported.cuda_ordered == Answer::kUnknown) return judgement.SaysNothing(cuda::kNoOrder);
  judgement.Expect("export0.cuda_ordered", Is(Answer::kYes), message, {.rule = rule, .degree = degree});
}

Case OfOrder(Case made) {
  made.examples = Examples::kTable;
  made.table = std::max(made.table, kRows);
  return cuda::OfProducer(std::move(made));
}

const RegisterCases<OfOrder> kCases = {
    // CUDA-STREAM-01: After an export with an explicit stream, a read on that stream comes after pending work.
    // CUDA-STREAM-06: A value above 2 is the handle of that stream, and not of another. A library may refuse it,
    // or wait on the host.
    {.id = "cuda/order/explicit-stream-comes-behind-pending-work",
     .rules = {"CUDA-STREAM-01", "CUDA-STREAM-06"},
     .python = true,
     .draw = [](Draw& draw) { return DrawPending(draw, kHandle, 1); },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (!IsAbout(recipe, kHandle, judgement, 1)) return;
           if (!judgement.Expect(
                   "export0.cuda_orders_another", AnyOf(Answer::kNo, kNothing),
                   "the export orders the legacy default stream instead of the stream whose handle was passed",
                   {.rule = "CUDA-STREAM-06"})) {
             return;
           }
           ComesBehind("CUDA-STREAM-01", ledger, judgement,
                       "a read on the stream that was passed to __dlpack__ comes before pending work on the array");
         }},

    // CUDA-STREAM-02: With stream=None the consumer uses the legacy default stream, which comes after pending work.
    {.id = "cuda/order/none-is-the-legacy-default-stream",
     .rules = {"CUDA-STREAM-02"},
     .python = true,
     .draw = [](Draw& draw) { return DrawPending(draw, argument::kNone); },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (!IsAbout(recipe, argument::kNone, judgement)) return;
           ComesBehind(
               "CUDA-STREAM-02", ledger, judgement,
               "after an export with stream=None, a read on the legacy default stream comes before pending work "
               "on the array");
         }},

    // CUDA-STREAM-03: No stream argument means the same as stream=None. A library may document another default.
    {.id = "cuda/order/no-argument-is-the-legacy-default-stream",
     .rules = {"CUDA-STREAM-03"},
     .draw = [](Draw& draw) { return DrawPending(draw, argument::kAbsent); },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (!IsAbout(recipe, argument::kAbsent, judgement)) return;
           ComesBehind("CUDA-STREAM-03", ledger, judgement,
                       "after an export without stream, a read on the legacy default stream comes before pending work "
                       "on the array (allowed if the library documents it: A-10)");
         }},

    // CUDA-STREAM-04: 1 is the legacy default stream. CUDA-STREAM-05: 2 is the per-thread default stream. A library may
    // refuse either.
    {.id = "cuda/order/named-streams-come-behind-pending-work",
     .rules = {"CUDA-STREAM-04", "CUDA-STREAM-05"},
     .table = 2 * kRows,
     .python = true,
     .draw = [](Draw& draw) { return DrawPending(draw, argument::Int(1 + draw.index % 2)); },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const bool legacy = recipe.call().stream.a == 1;
           if (!IsAbout(recipe, argument::Int(legacy ? 1 : 2), judgement)) return;
           ComesBehind(
               legacy ? "CUDA-STREAM-04" : "CUDA-STREAM-05", ledger, judgement,
               "a read on the default stream that was passed to __dlpack__ comes before pending work on the array");
         }},

    // CUDA-STREAM-07: An export with stream=-1 does not wait, and does not make a stream wait. A library may refuse it
    //
    {.id = "cuda/order/minus-one-waits-for-nothing",
     .rules = {"CUDA-STREAM-07"},
     .python = true,
     .draw = [](Draw& draw) { return DrawPending(draw, argument::Int(-1)); },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (!IsAbout(recipe, argument::Int(-1), judgement)) return;
           const ExportLedger& exported = ledger.exports[0];
           if (!cuda::IsOnCuda(exported)) return judgement.SaysNothing(cuda::kElsewhere);
           if (cuda::IsCopied(exported)) return judgement.SaysNothing("the export is a copy, which may have to wait");
           if (exported.cuda_ordered == Answer::kUnknown) return judgement.SaysNothing(cuda::kNoOrder);
           if (!judgement.Expect("export0.cuda_blocks", Is(Answer::kNo),
                                 "an export with stream=-1 blocks the host until pending work is done")) {
             return;
           }
           judgement.Expect("export0.cuda_ordered", Is(Answer::kNo),
                            "an export with stream=-1 makes the legacy default stream wait for pending work");
         }},

    // CUDA-STREAM-16: An export to the host returns when the host's copy is complete, including pending work. A
    // BufferError is allowed.
    {.id = "cuda/order/host-copies-are-complete",
     .rules = {"CUDA-STREAM-16", "PY-DLDEVICE-07"},
     .python = true,
     .blocked = KnowsDlDevice,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawPending(draw, {});
           recipe.call().dl_device = argument::Pair(abi::kDLCPU, 0);
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           if (exported.tensor.device.device_type != abi::kDLCPU) {
             return judgement.SaysNothing("the array was not exported to the CPU");
           }
           if (exported.cuda_ordered == Answer::kUnknown) return judgement.SaysNothing(cuda::kNoOrder);
           judgement.Expect(
               "export0.cuda_ordered", Is(Answer::kYes),
               "an export with dl_device=(1, 0) returns before pending work on the array is included in the copy");
         }},

    // CUDA-STREAM-15: A requested copy runs on the stream that was passed. If it runs on another stream and the passed
    // stream waits for it, the result is still correct, so this is a WARN.
    {.id = "cuda/order/copies-run-on-the-consumers-stream",
     .rules = {"CUDA-STREAM-15", "PY-COPY-05"},
     .python = true,
     .blocked = KnowsCopy,
     .draw =
         [](Draw& draw) {
           Recipe recipe = cuda::DrawPlainArray(draw, {.context = Context::kHeldStream, .stream = 1});
           recipe.call().stream = kHandle;
           recipe.call().copy.kind = ArgumentKind::kTrue;
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (!IsAbout(recipe, kHandle, judgement, 1)) return;
           const ExportLedger& exported = ledger.exports[0];
           if (!cuda::IsOnCuda(exported)) return judgement.SaysNothing(cuda::kElsewhere);
           if (exported.IsAtSource()) return judgement.SaysNothing("the export is not a copy");
           if (exported.cuda_ordered == Answer::kUnknown)
             return judgement.SaysNothing("the stream that was passed could not be held back");
           if (!judgement.Expect(
                   "export0.cuda_ordered", Is(Answer::kYes),
                   "a read on the stream that was passed to __dlpack__ sees wrong elements in the copy")) {
             return;
           }
           judgement.Expect("export0.cuda_copies_apart", AnyOf(Answer::kNo, kNothing),
                            "the copy runs on a different stream than the one that was passed to __dlpack__",
                            {.degree = Degree::kWarn});
         }},

    // CUDA-STREAM-12: After the export the library does not use the handle of the passed stream. The stream may be
    // destroyed, and its handle may then belong to another stream.
    {.id = "cuda/order/streams-are-forgotten-behind-the-export",
     .rules = {"CUDA-STREAM-12"},
     .python = true,
     .draw =
         [](Draw& draw) {
           Recipe recipe = cuda::DrawPlainArray(draw, {});
           recipe.call().stream = kHandle;
           SetLife(recipe,
                   {Step{.op = Op::kMake}, Step{.op = Op::kExport, .stream = 1}, Step{.op = Op::kTakeCapsule},
                    Step{.op = Op::kLoseCapsule}, Step{.op = Op::kDropSource},
                    Step{.op = Op::kDelete, .context = Context::kEndedStream, .stream = 1}, Step{.op = Op::kCollect}});
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           if (!cuda::IsOnCuda(exported)) return judgement.SaysNothing(cuda::kElsewhere);
           if (exported.cuda_leaves_alone == Answer::kUnknown) {
             return judgement.SaysNothing("the CUDA driver did not reuse the handle of the destroyed stream");
           }
           judgement.Expect(
               "export0.cuda_leaves_alone", Is(Answer::kYes),
               "the deleter uses the stream that was passed to __dlpack__, although it has been destroyed");
         }},
};

}  // namespace
}  // namespace dlpack_cts
