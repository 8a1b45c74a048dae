// suites/cuda/exchange_table.cc: what the exchange table of a type says of streams on a CUDA device.
#include "suites/cuda/on_cuda.h"

namespace dlpack_cts {
namespace {

Recipe DrawQuestion(Draw& draw) {
  Recipe recipe = cuda::DrawArray(draw);
  SetLife(recipe, {{Op::kMake}, {.op = Op::kTableStream, .argument = 2}, {Op::kDropSource}});
  return recipe;
}

// XAPI-STREAM-04: current_work_stream gives the native handle of a stream, and no object around it. NULL and the names
// of default streams are right.
const Register kNativeHandle{{
    .id = "cuda/exchange-table/work-stream-is-a-native-handle",
    .rules = {"XAPI-STREAM-04"},
    .role = Role::kExchange,
    .needs = {Claim::kCuda},
    .python = true,
    .draw = DrawQuestion,
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

// XAPI-STREAM-01: current_work_stream reports the stream on which the library works on that device. Which one that is
// says its adapter; where both are names of default streams nobody can tell them apart.
const Register kItsOwnStream{{
    .id = "cuda/exchange-table/work-stream-is-the-librarys-own",
    .rules = {"XAPI-STREAM-01"},
    .role = Role::kExchange,
    .needs = {Claim::kCuda},
    .python = true,
    .draw = DrawQuestion,
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          const TableLedger& table = ledger.tables[0];
          if (table.stream_is_own == Answer::kUnknown) {
            return judgement.SaysNothing("no stream is named by its handle, both of the table and of the adapter");
          }
          Check(table.stream_is_own == Answer::kYes, ledger, judgement, "XAPI-STREAM-01", "table0.stream_is_own", "yes",
                "current_work_stream gives another stream than the one on which the library works");
        },
}};

}  // namespace
}  // namespace dlpack_cts
