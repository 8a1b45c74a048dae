// suites/cuda/order.cc: exports beside work that is pending on the library's stream: who comes behind it.
//
// The array's memory holds other bytes until that work is done (adapters/interface/cuda_order.h). Who reads these on
// the stream that the export was given came before the work; no clock decides. Few examples: each waits for streams.
#include <algorithm>
#include <span>

#include "harness/case/needs.h"
#include "suites/cuda/on_cuda.h"

namespace dlpack_cts {
namespace {

constexpr int kRows = 6;
constexpr Argument kNothing{};
constexpr Argument kNoneAtAll{ArgumentKind::kNone, {}, 0, 0};
constexpr Argument kHandle = cuda::Stream(4096);  // the harness's own stream has another one

Recipe DrawPending(Draw& draw, Argument stream, uint8_t own = 0) {
  Recipe recipe = cuda::DrawPlainArray(draw, {.context = Context::kPendingWork, .stream = own});
  recipe.call().stream = stream;
  return recipe;
}

/// The example is still about that stream; one that was made plainer may not be.
bool IsAbout(const Recipe& recipe, const Argument& stream, Judgement& judgement, uint8_t own = 0) {
  const Argument& asked = recipe.call().stream;
  const std::span<const Step> life = recipe.life();
  const auto exports = std::find_if(life.begin(), life.end(), [](const Step& step) { return step.op == Op::kExport; });
  const bool about = asked.kind == stream.kind && (stream.kind != ArgumentKind::kInt || asked.a == stream.a) &&
                     exports != life.end() && exports->stream == own;
  if (!about) judgement.SaysNothing("the example asks for another stream");
  return about;
}

/// The elements come behind the work.
void ComesBehind(std::string_view rule, const Ledger& ledger, Judgement& judgement, std::string_view message,
                 Degree degree = Degree::kRule) {
  const ExportLedger& exported = ledger.exports[0];
  if (!cuda::IsOnCuda(exported)) return judgement.SaysNothing(cuda::kElsewhere);
  if (exported.cuda_ordered == Answer::kUnknown) return judgement.SaysNothing(cuda::kNoOrder);
  Check(exported.cuda_ordered == Answer::kYes, ledger, judgement, rule, "export0.cuda_ordered", "yes", message, degree);
}

// CUDA-STREAM-01: Behind an export with an explicit stream the array can be read there: what was pending comes first.
// CUDA-STREAM-06: A value above 2 is the handle of that stream, and of no other. Refusing it is right, and so is
// waiting on the host.
const Register kExplicit{{
    .id = "cuda/order/explicit-stream-comes-behind-pending-work",
    .rules = {"CUDA-STREAM-01", "CUDA-STREAM-06"},
    .role = Role::kProducer,
    .examples = Examples::kTable,
    .table = kRows,
    .needs = {Claim::kCuda},
    .python = true,
    .draw = [](Draw& draw) { return DrawPending(draw, kHandle, 1); },
    .judge =
        [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
          if (!IsAbout(recipe, kHandle, judgement, 1)) return;
          if (!Check(ledger.exports[0].cuda_orders_another != Answer::kYes, ledger, judgement, "CUDA-STREAM-06",
                     "export0.cuda_orders_another", "no | none",
                     "a stream that is named by its handle is not waited on; the legacy default stream is")) {
            return;
          }
          ComesBehind("CUDA-STREAM-01", ledger, judgement,
                      "on the stream that the export was given, the array is read before pending work on it is done");
        },
}};

// CUDA-STREAM-02: With stream=None the consumer is taken to use the legacy default stream, which comes behind what is
// pending.
const Register kNone{{
    .id = "cuda/order/none-is-the-legacy-default-stream",
    .rules = {"CUDA-STREAM-02"},
    .role = Role::kProducer,
    .examples = Examples::kTable,
    .table = kRows,
    .needs = {Claim::kCuda},
    .python = true,
    .draw = [](Draw& draw) { return DrawPending(draw, kNoneAtAll); },
    .judge =
        [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
          if (!IsAbout(recipe, kNoneAtAll, judgement)) return;
          ComesBehind("CUDA-STREAM-02", ledger, judgement,
                      "behind an export with stream=None the legacy default stream reads the array before pending work "
                      "on it is done");
        },
}};

// CUDA-STREAM-03: No stream is as stream=None. A library may document another default.
const Register kAbsent{{
    .id = "cuda/order/no-argument-is-the-legacy-default-stream",
    .rules = {"CUDA-STREAM-03"},
    .role = Role::kProducer,
    .examples = Examples::kTable,
    .table = kRows,
    .needs = {Claim::kCuda},
    .draw = [](Draw& draw) { return DrawPending(draw, kNothing); },
    .judge =
        [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
          if (!IsAbout(recipe, kNothing, judgement)) return;
          ComesBehind("CUDA-STREAM-03", ledger, judgement,
                      "behind an export without a stream the legacy default stream reads the array before pending work "
                      "on it is done (right where the library documents that it waits for nothing: A-10)");
        },
}};

// CUDA-STREAM-04: 1 is the legacy default stream. CUDA-STREAM-05: 2 is the default stream of the thread. Refusing
// either is right.
const Register kNamed{{
    .id = "cuda/order/named-streams-come-behind-pending-work",
    .rules = {"CUDA-STREAM-04", "CUDA-STREAM-05"},
    .role = Role::kProducer,
    .examples = Examples::kTable,
    .table = 2 * kRows,
    .needs = {Claim::kCuda},
    .python = true,
    .draw = [](Draw& draw) { return DrawPending(draw, cuda::Stream(1 + draw.index % 2)); },
    .judge =
        [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
          const bool legacy = recipe.call().stream.a == 1;
          if (!IsAbout(recipe, cuda::Stream(legacy ? 1 : 2), judgement)) return;
          ComesBehind(legacy ? "CUDA-STREAM-04" : "CUDA-STREAM-05", ledger, judgement,
                      "on the default stream that the export was given, the array is read before pending work on it is "
                      "done");
        },
}};

// CUDA-STREAM-07: With stream=-1 an export waits for nothing, and has nobody wait. Refusing it is right.
const Register kNoOrder{{
    .id = "cuda/order/minus-one-waits-for-nothing",
    .rules = {"CUDA-STREAM-07"},
    .role = Role::kProducer,
    .examples = Examples::kTable,
    .table = kRows,
    .needs = {Claim::kCuda},
    .python = true,
    .draw = [](Draw& draw) { return DrawPending(draw, cuda::Stream(-1)); },
    .judge =
        [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
          if (!IsAbout(recipe, cuda::Stream(-1), judgement)) return;
          const ExportLedger& exported = ledger.exports[0];
          if (!cuda::IsOnCuda(exported)) return judgement.SaysNothing(cuda::kElsewhere);
          if (cuda::IsCopied(exported)) return judgement.SaysNothing("a copy may have to wait");
          if (exported.cuda_ordered == Answer::kUnknown) return judgement.SaysNothing(cuda::kNoOrder);
          if (!Check(exported.cuda_blocks == Answer::kNo, ledger, judgement, "CUDA-STREAM-07", "export0.cuda_blocks",
                     "no", "an export with stream=-1 waits on the host for pending work")) {
            return;
          }
          Check(exported.cuda_ordered == Answer::kNo, ledger, judgement, "CUDA-STREAM-07", "export0.cuda_ordered", "no",
                "an export with stream=-1 has the legacy default stream wait for pending work");
        },
}};

// CUDA-STREAM-16: An export for the host comes back when the host's copy is complete, also of what is pending still.
// BufferError is right.
const Register kForTheHost{{
    .id = "cuda/order/host-copies-are-complete",
    .rules = {"CUDA-STREAM-16", "PY-DLDEVICE-07"},
    .role = Role::kProducer,
    .examples = Examples::kTable,
    .table = kRows,
    .needs = {Claim::kCuda},
    .python = true,
    .blocked = KnowsDlDevice,
    .draw =
        [](Draw& draw) {
          Recipe recipe = DrawPending(draw, {});
          recipe.call().dl_device = {ArgumentKind::kPair, {}, abi::kDLCPU, 0};
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          const ExportLedger& exported = ledger.exports[0];
          if (exported.tensor.device.device_type != abi::kDLCPU) {
            return judgement.SaysNothing("the array was not exported for the host");
          }
          if (exported.cuda_ordered == Answer::kUnknown) return judgement.SaysNothing(cuda::kNoOrder);
          Check(exported.cuda_ordered == Answer::kYes, ledger, judgement, "CUDA-STREAM-16", "export0.cuda_ordered",
                "yes", "an export for the host comes back before pending work on the array is in its copy");
        },
}};

// CUDA-STREAM-15: A copy that is asked for runs on the stream that the export was given. One that runs elsewhere, and
// has the stream wait, is graver in words than in what comes of it: WARN.
const Register kCopies{{
    .id = "cuda/order/copies-run-on-the-consumers-stream",
    .rules = {"CUDA-STREAM-15", "PY-COPY-05"},
    .role = Role::kProducer,
    .examples = Examples::kTable,
    .table = kRows,
    .needs = {Claim::kCuda},
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
          if (exported.IsAtSource()) return judgement.SaysNothing("the export is no copy");
          if (exported.cuda_ordered == Answer::kUnknown) return judgement.SaysNothing("the stream was not held");
          if (!Check(exported.cuda_ordered == Answer::kYes, ledger, judgement, "CUDA-STREAM-15", "export0.cuda_ordered",
                     "yes", "on the stream that the export was given, its copy has other elements than the array")) {
            return;
          }
          Check(exported.cuda_copies_apart != Answer::kYes, ledger, judgement, "CUDA-STREAM-15",
                "export0.cuda_copies_apart", "no | none",
                "a copy runs on another stream than the one that the export was given", Degree::kWarn);
        },
}};

// CUDA-STREAM-12: Behind the export nobody uses the handle of its stream, which may have ended and be another stream's.
const Register kForgotten{{
    .id = "cuda/order/streams-are-forgotten-behind-the-export",
    .rules = {"CUDA-STREAM-12"},
    .role = Role::kProducer,
    .examples = Examples::kTable,
    .table = kRows,
    .needs = {Claim::kCuda},
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
            return judgement.SaysNothing("the driver gave no other stream the handle of one that has ended");
          }
          Check(exported.cuda_leaves_alone == Answer::kYes, ledger, judgement, "CUDA-STREAM-12",
                "export0.cuda_leaves_alone", "yes",
                "a deleter uses the stream that the export was given, which has ended by then");
        },
}};

}  // namespace
}  // namespace dlpack_cts
