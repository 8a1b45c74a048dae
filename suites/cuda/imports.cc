// suites/cuda/imports.cc: consumers that import CUDA memory of the harness.
//
// The adapter's fetch() reads the imported array with the library's own work.
#include "harness/case/needs.h"
#include "harness/recipe/laws.h"
#include "suites/cuda/on_cuda.h"

namespace dlpack_cts {
namespace {

constexpr int kRows = 6;
constexpr std::string_view kNoFetch =
    "the library did not import CUDA memory, or the adapter has no fetch() to read it";

/// A tensor in memory of device 0, with any type and layout, aligned like a CUDA allocation.
Recipe DrawOnDevice(Draw& draw) {
  Recipe recipe = Releasable(draw.ImportOf(draw.TakenKind()));
  PutOn(recipe.offer(), {abi::kDLCUDA, 0}, Placement::kDevice);
  recipe.offer().alignment_log2 = 8;
  recipe.offer().keywords = {};
  recipe.offer().flags = 0;
  recipe.call() = {};
  return recipe;
}

bool WasRead(const ImportLedger& import, Judgement& judgement) {
  const Reading reading = import.library.reading;
  const bool read = reading != Reading::kNotRead && (reading != Reading::kUnsupported || import.library.raised != 0);
  if (!read) judgement.SaysNothing(kNoFetch);
  return read;
}

/// Work on the tensor that the producer queues inside __dlpack__ is pending when the library imports and reads it.
Recipe DrawBesideWork(Draw& draw) {
  Recipe recipe = DrawOnDevice(draw);
  const auto kind = recipe.offer().kind;
  const uint64_t seed = recipe.offer().seed;
  const Offer plain = draw.PlainImport(kind).offer();
  Offer& offer = recipe.offer();
  offer.dtype = plain.dtype;
  offer.seed = seed;
  offer.strides_kind = StridesKind::kCompact;
  offer.dims = 1;
  offer.ndim = 1;
  offer.shape[0] = 4 + draw.Pick(3);
  // The first read of a process loads kernels, which can take longer than the work is pending: one comes before.
  SetLife(recipe,
          {Step{.op = Op::kImport, .slot = 1}, Step{.op = Op::kDescribe, .slot = 1}, Step{.op = Op::kRead, .slot = 1},
           Step{.op = Op::kImport, .context = Context::kPendingWork}, Step{.op = Op::kDescribe}, Step{.op = Op::kRead},
           Step{.op = Op::kDropProducer}, Step{.op = Op::kDropArray}, Step{.op = Op::kDropProducer, .slot = 1},
           Step{.op = Op::kDropArray, .slot = 1}, Step{.op = Op::kCollect}});
  return recipe;
}

/// Whether the consumer passed a stream, or passed stream=-1 and so orders the work itself.
bool Announced(const Ledger& ledger, bool order_is_its_own) {
  bool announced = false;
  ForEachCallOfDlpack(ledger, [&](const ProducerCall& call, int) {
    announced = call.stream.kind == ArgumentKind::kInt && (order_is_its_own ? call.stream.a == -1 : call.stream.a > 0);
  });
  return announced;
}

/// Whether the consumer passed no stream in any call, so that the producer assumes the legacy default stream.
bool NamedNothing(const Ledger& ledger) {
  bool nothing = ledger.imports[0].producer_calls > 0;
  ForEachCallOfDlpack(ledger, [&](const ProducerCall& call, int) {
    nothing = nothing && (call.stream.kind == ArgumentKind::kAbsent || call.stream.kind == ArgumentKind::kNone);
  });
  return nothing;
}

/// What the consumer reads comes behind the work, if it announced a stream, or that it orders the work itself. If it
/// announced nothing, and stream() names a stream of its own, behind the work on the legacy default stream.
Judge JudgeOrder(bool order_is_its_own, std::string_view message) {
  return [=](const Recipe&, const Ledger& ledger, Judgement& judgement) {
    const bool known = ledger.imports[0].cuda_ordered != Answer::kUnknown;
    if (!order_is_its_own && NamedNothing(ledger) && known) {
      judgement.Expect("import0.cuda_ordered", Is(Answer::kYes),
                       "the consumer passes no stream, and reads the array on a stream of its own before pending work "
                       "on the legacy default stream is done",
                       {.degree = Degree::kNote});
      return;
    }
    if (!Announced(ledger, order_is_its_own)) {
      return judgement.SaysNothing(order_is_its_own ? "the consumer did not pass stream=-1"
                                                    : "the consumer did not pass the number or handle of a stream, "
                                                      "and stream() names no stream of its own");
    }
    if (ledger.imports[0].cuda_ordered == Answer::kUnknown) return judgement.SaysNothing(kNoFetch);
    judgement.Expect("import0.cuda_ordered", Is(Answer::kYes), message,
                     {.degree = order_is_its_own ? Degree::kNote : Degree::kRule});
  };
}

/// The same, from a type with an exchange table, whose functions do not synchronise.
Recipe DrawBesideWorkOfTable(Draw& draw) {
  Recipe recipe = DrawBesideWork(draw);
  Offer& offer = recipe.offer();
  if (offer.kind != StructKind::kVersioned) {
    offer.kind = StructKind::kVersioned;
    offer.major = 1;
    offer.minor = draw.profile.plain_minor;
  }
  recipe.table.attribute = TableAttribute::kCapsule;
  recipe.table.version = {1, 3};
  return recipe;
}

const RegisterCases<cuda::OfConsumer> kCases = {
    // CUDA-MEM-05: A consumer's accesses are not wider than the alignment of the imported address allows.
    {.id = "cuda/imports/read-at-any-alignment",
     .rules = {"CUDA-MEM-05"},
     .blocked = TakesPlain,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawOnDevice(draw);
           recipe.offer().alignment_log2 = static_cast<uint8_t>(NaturalAlignmentLog2(recipe.offer().dtype));
           SetLife(recipe, {Op::kImport, Op::kDescribe, Op::kRead, Op::kDropProducer, Op::kDropArray, Op::kCollect});
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ImportLedger& import = ledger.imports[0];
           if (!judgement.Expect("import0.cuda_status", Is(0),
                                 "reading a CUDA tensor at its natural alignment causes a CUDA error") ||
               !WasRead(import, judgement)) {
             return;
           }
           const bool raised = import.library.reading == Reading::kUnsupported;  // WasRead() needs an exception for it
           judgement.Expect(
               "import0.library", Is(Reading::kMatches),
               raised ? "a CUDA tensor at its natural alignment is imported, and the library raises an exception when "
                        "it computes with it"
                      : "a CUDA tensor at its natural alignment was imported with wrong elements");
         }},

    // CUDA-MEM-06: The imported array keeps the device memory alive by itself.
    {.id = "cuda/imports/keep-device-memory-alive",
     .rules = {"CUDA-MEM-06"},
     .blocked = TakesPlain,
     .draw = WithLife(DrawOnDevice, {Op::kImport, Op::kDescribe, Op::kDropProducer, Op::kDropCapsule, Op::kCollect,
                                     Op::kRead, Op::kDropArray, Op::kCollect}),
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const ImportLedger& import = ledger.imports[0];
           if (!WasRead(import, judgement)) return;
           if (!ReleasedWithTheArray(recipe, judgement)) return;
           if (!judgement.Expect(
                   "import0.deleter.in_import", Is(0),
                   "the deleter was called during the import although the imported array shares the memory",
                   {.when = import.Aliases()})) {
             return;
           }
           judgement.Expect("import0.library", Is(Reading::kMatches),
                            "an imported CUDA array has wrong elements after its producer was dropped");
         }},

    // CUDA-STREAM-10: A consumer uses the array on the stream that it passed, or in an order after it. A consumer that
    // passes no stream may do so, but then it has to come after the legacy default stream: that is only recorded.
    {.id = "cuda/imports/are-used-on-the-announced-stream",
     .rules = {"CUDA-STREAM-10"},
     .examples = Examples::kTable,
     .table = kRows,
     .python = true,
     .blocked = TakesPlain,
     .draw = DrawBesideWork,
     .judge =
         JudgeOrder(false, "the consumer reads the array before pending work on the stream that it passed is done")},

    // CUDA-STREAM-20: A consumer that passes -1 orders the work itself: the producer's pending work comes first, or the
    // documentation leaves that to the caller. It is only recorded.
    {.id = "cuda/imports/take-the-order-over",
     .rules = {"CUDA-STREAM-20"},
     .examples = Examples::kTable,
     .table = kRows,
     .python = true,
     .blocked = TakesPlain,
     .draw = DrawBesideWork,
     .judge = JudgeOrder(
         true, "a consumer that passes stream=-1 reads the array before the producer's pending work is done")},

    // XAPI-STREAM-06: After an export through the table, the consumer queries the work stream, and uses it or orders
    // its
    // own work behind it. Waiting for the device does too.
    {.id = "cuda/imports/come-behind-the-work-stream-of-a-table",
     .rules = {"XAPI-STREAM-06"},
     .examples = Examples::kTable,
     .table = kRows,
     .python = true,
     .blocked = LooksForTables,
     .draw = DrawBesideWorkOfTable,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ImportLedger& import = ledger.imports[0];
           const uint8_t exports =
               FunctionBit(TableFunction::kFromObject).bits | FunctionBit(TableFunction::kView).bits;
           if ((import.table.called & exports) == 0)
             return judgement.SaysNothing("the library did not import the tensor through the exchange table");
           if (import.cuda_ordered == Answer::kUnknown) return judgement.SaysNothing(kNoFetch);
           judgement.Expect("import0.cuda_ordered", Is(Answer::kYes),
                            "the consumer of an exchange table reads the array before pending work on the table's work "
                            "stream is done");
         }},
};

}  // namespace
}  // namespace dlpack_cts
