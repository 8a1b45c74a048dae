// suites/cuda/exchange_table.cc: what the exchange table of a type says of streams on a CUDA device.
#include "suites/cuda/on_cuda.h"

namespace dlpack_cts {
namespace {

// XAPI-STREAM-04: current_work_stream gives the native handle of a stream, and no object around it. NULL and the names
// of default streams are right.
const Register kNativeHandle{{
    .id = "cuda/exchange-table/work-stream-is-a-native-handle",
    .rules = {"XAPI-STREAM-04"},
    .role = Role::kExchange,
    .needs = {Claim::kCuda},
    .python = true,
    .draw =
        [](Draw& draw) {
          Recipe recipe = cuda::DrawArray(draw);
          SetLife(recipe, {{Op::kMake}, {.op = Op::kTableStream, .argument = 2}, {Op::kDropSource}});
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          const TableLedger& table = ledger.tables[0];
          if (table.cuda_knows_stream == Answer::kUnknown) {
            return judgement.SaysNothing("no stream of a CUDA device is given by its handle");
          }
          Check(table.cuda_knows_stream == Answer::kYes, ledger, judgement, "XAPI-STREAM-04",
                "table0.cuda_knows_stream", "yes", "current_work_stream gives what the driver knows as no stream");
        },
}};

}  // namespace
}  // namespace dlpack_cts
