// suites/cuda/exchange_table.cc: what the exchange table of a type returns for streams on a CUDA device.
#include "suites/cuda/on_cuda.h"

namespace dlpack_cts {
namespace {

Recipe DrawQuestion(Draw& draw) {
  return WithLife(cuda::DrawArray(draw), {{Op::kMake}, {.op = Op::kTableStream, .argument = 2}, {Op::kDropSource}});
}

const RegisterCases<cuda::OfExchange> kCases = {
    // XAPI-STREAM-04: current_work_stream returns the native handle of a stream, not an object that wraps it. NULL and
    // the numbers of default streams are allowed.
    {.id = "cuda/exchange-table/work-stream-is-a-native-handle",
     .rules = {"XAPI-STREAM-04"},
     .draw = DrawQuestion,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const TableLedger& table = ledger.tables[0];
           if (table.cuda_knows_stream == Answer::kUnknown) {
             return judgement.SaysNothing("current_work_stream does not return a stream handle for a CUDA device");
           }
           judgement.Expect("table0.cuda_knows_stream", Is(Answer::kYes),
                            "current_work_stream returns a value that the CUDA driver does not know as a stream");
         }},

    // XAPI-STREAM-01: current_work_stream returns the stream on which the library works on that device. The adapter
    // names that stream. If both are numbers of default streams they cannot be distinguished.
    {.id = "cuda/exchange-table/work-stream-is-the-librarys-own",
     .rules = {"XAPI-STREAM-01"},
     .draw = DrawQuestion,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const TableLedger& table = ledger.tables[0];
           if (table.stream_is_own == Answer::kUnknown) {
             return judgement.SaysNothing("the streams of current_work_stream and of the adapter cannot be compared");
           }
           judgement.Expect("table0.stream_is_own", Is(Answer::kYes),
                            "current_work_stream does not return the stream on which the library works");
         }},
};

}  // namespace
}  // namespace dlpack_cts
