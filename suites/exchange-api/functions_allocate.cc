// suites/exchange-api/functions_allocate.cc: what the allocator of the exchange table returns, and how it reports a
// failure.
#include <algorithm>

#include "harness/recipe/laws.h"
#include "suites/exchange-api/table_calls.h"

namespace dlpack_cts {
namespace {

/// Any layout is right in which no two elements have the same address.
bool HasRoom(const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
  const ExportLedger& record = ledger.exports[0];
  if (record.metadata_readable == 0 || record.null_strides != 0 || IsEmpty(recipe.request())) return true;
  if (record.tensor.ndim != recipe.request().dims) return true;
  int64_t compact[kDims] = {};
  int64_t stride = 1;
  bool shares = false;
  for (int d = recipe.request().dims - 1; d >= 0; --d) {
    compact[d] = stride;
    stride *= record.shape[d];
    shares = shares || (record.shape[d] > 1 && record.strides[d] == 0);
  }
  return judgement.Expect("export0.strides", Is(std::span<const int64_t>(compact, recipe.request().dims)),
                          "two elements of the allocated tensor have the same address",
                          {.rule = "XAPI-ALLOC-10", .when = shares});
}

/// An unlikely request was allocated nevertheless: then the tensor must be exactly what was requested.
void JudgeUnlikely(const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
  const ExportLedger& record = ledger.exports[0];
  if (!Exported(ledger) || record.struct_address == 0) return;
  constexpr int32_t kNoDevice = 77;
  switch (static_cast<Prototype>(recipe.steps[1].argument)) {
    case Prototype::kForeignDevice:
      judgement.Expect("export0.device", OfType(abi::DLDevice{kNoDevice, 0}),
                       "the allocated tensor is not on the requested device", {.rule = "XAPI-ALLOC-02"});
      return;
    case Prototype::kForeignType:
      judgement.Expect("export0.dtype", Is(abi::DLDataType{200, 7, 1}),
                       "dl_tensor.dtype of the allocated tensor is not the requested dtype", {.rule = "XAPI-ALLOC-03"});
      return;
    case Prototype::kNegativeExtent:
      judgement.Expect("table0.allocator.status", Is(-1), "managed_tensor_allocator returned 0 for a negative extent",
                       {.rule = "XAPI-ALLOC-08", .degree = Degree::kWarn});
      return;
    case Prototype::kHuge:
      // The address space of a machine is too small for these elements.
      judgement.Expect("table0.allocator.status", Is(-1),
                       "managed_tensor_allocator returned 0 for more elements than the address space can hold",
                       {.rule = "XAPI-ALLOC-03"});
      return;
    default:
      return;
  }
}

/// Each unlikely prototype is a row. The product that is too large has another row with two extents, where it wraps.
constexpr int kUnlikely = static_cast<int>(Prototype::kCount);

/// The simplest array of that rank, or of the nearest rank that the library makes.
Recipe OfRank(Draw& draw, int rank) {
  Recipe recipe = MakeRecipe(RecipeKind::kExport);
  recipe.request() = draw.PlainRequest();
  recipe.request().dims = static_cast<uint8_t>(draw.MadeRank(rank));
  std::fill_n(recipe.request().shape, recipe.request().dims, 2);
  return recipe;
}

const RegisterCases<OfPythonExchange> kCases = {
    // XAPI-ALLOC-01, XAPI-ALLOC-04, XAPI-ALLOC-09: The allocator reads dtype, ndim, shape and device of its prototype.
    // It does not keep pointers into the prototype and does not write to it. XAPI-ALLOC-02, XAPI-ALLOC-03: The tensor
    // is new and writable, and has the requested shape, dtype and device. C-OWN-17: A DLTensor does not carry
    // ownership: the allocator does not free or keep the prototype. XAPI-ALLOC-05: SetError is not called on success.
    // XAPI-ALLOC-08: On success there is a tensor.
    {.id = "exchange-api/functions/the-allocator-gives-what-was-asked-for",
     .rules = {"XAPI-ALLOC-03", "XAPI-ALLOC-01", "XAPI-ALLOC-02", "XAPI-ALLOC-04", "XAPI-ALLOC-05", "XAPI-ALLOC-08",
               "XAPI-ALLOC-09", "XAPI-ALLOC-10", "C-OWN-17"},
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           Recipe recipe = AnyArray(draw);
           Request& request = recipe.request();
           // Many vectors, so that memory that is too small for them is noticed.
           if (request.dtype.lanes > 1 && draw.MadeRank(1) == 1) {
             request.dims = 1;
             request.shape[0] = draw.random.Between(100, 300);
             request.strides_kind = StridesKind::kCompact;
             request.making = Making::kFresh;
             request.offset = 0;
           }
           return MadeThen(recipe, {{Op::kTableAllocate}, {Op::kReadExport}, {Op::kDelete}});
         },
     .uncontrolled = uncontrolled::kResults,
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (!Returned(ledger, judgement, TableFunction::kAllocator)) return;
           judgement.Expect("table0.prototype_changed", Is(false), "managed_tensor_allocator wrote to its prototype",
                            {.rule = "XAPI-ALLOC-09"});
           const ExportLedger& record = ledger.exports[0];
           if (!Exported(ledger) || record.struct_address == 0) return judgement.SaysNothing("nothing was allocated");
           judgement.Expect("table0.set_errors", Is(0), "managed_tensor_allocator returned 0 and called SetError",
                            {.rule = "XAPI-ALLOC-05"});
           judgement.Expect("export0.device", OfType(abi::DLDevice{1, 0}),
                            "the allocated tensor is not on the requested device", {.rule = "XAPI-ALLOC-02"});
           judgement.Expect("export0.flags", LacksFlag(abi::kFlagReadOnly),
                            "DLPACK_FLAG_BITMASK_READ_ONLY is set on the allocated tensor");
           if (record.metadata_readable != 0 && record.tensor.ndim > 0 && record.tensor.ndim <= kDims &&
               record.shape[0] == 0x5A5A5A5A5A5A5A5A) {
             judgement.Expect("export0.shape",
                              Is(std::span<const int64_t>(recipe.request().shape, recipe.request().dims)),
                              "dl_tensor.shape of the allocated tensor points to the shape of the prototype",
                              {.rule = "XAPI-ALLOC-04"});
             return;
           }
           if (!HasRoom(recipe, ledger, judgement)) return;
           if (!judgement.Expect("export0.null_data", Is(false),
                                 "dl_tensor.data of the allocated tensor is NULL although the tensor has elements",
                                 {.when = !IsEmpty(recipe.request())})) {
             return;
           }
           const bool writable =
               record.tensor.device.device_type == abi::kDLCPU && (record.flags & abi::kFlagReadOnly) == 0;
           judgement.Expect("export0.write_export", AnyOf(WriteShown::kNotRun, WriteShown::kShown),
                            "the elements of the allocated tensor extend beyond its memory", {.when = writable});
           DescribesSource(recipe, ledger, judgement, "XAPI-ALLOC-03", "XAPI-ALLOC-03");
         }},

    // XAPI-ALLOC-05: SetError is called if and only if the allocator fails.
    // XAPI-ALLOC-06: SetError gets the caller's context and two texts.
    // XAPI-ALLOC-02, XAPI-ALLOC-03: If the allocation succeeds, the tensor has that device, that dtype and enough
    // memory.
    {.id = "exchange-api/functions/the-allocator-reports-failure-once",
     .rules = {"XAPI-ALLOC-05", "XAPI-ALLOC-06", "XAPI-ALLOC-08", "XAPI-RET-03", "XAPI-ALLOC-02", "XAPI-ALLOC-03"},
     .examples = Examples::kTable,
     .table = kUnlikely,
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           const int kind = std::min(draw.index + 1, static_cast<int>(Prototype::kHuge));
           const bool huge = kind == static_cast<int>(Prototype::kHuge);
           const bool negative = kind == static_cast<int>(Prototype::kNegativeExtent);
           return MadeThen(huge       ? OfRank(draw, 1 + draw.index % 2)
                           : negative ? OfRank(draw, 1)
                                      : AnyArray(draw),
                           {{.op = Op::kTableAllocate, .argument = kind}, {Op::kDelete}});
         },
     .uncontrolled = uncontrolled::kResults,
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (!Returned(ledger, judgement, TableFunction::kAllocator)) return;
           const TableLedger& table = ledger.tables[0];
           if (CallOf(ledger, TableFunction::kAllocator).status == 0) {
             judgement.Expect("table0.set_errors", Is(0), "managed_tensor_allocator returned 0 and called SetError");
             return JudgeUnlikely(recipe, ledger, judgement);
           }
           if (!judgement.Expect("table0.set_errors", Is(1), "managed_tensor_allocator failed without calling SetError",
                                 {.when = table.set_errors <= 0})) {
             return;
           }
           judgement.Expect("table0.set_errors", Is(1), "managed_tensor_allocator called SetError more than once",
                            {.degree = Degree::kNote});
           judgement.Expect("table0.error_context_wrong", Is(false),
                            "managed_tensor_allocator did not pass the caller's error_ctx to SetError",
                            {.rule = "XAPI-ALLOC-06"});
           judgement.Expect("table0.error_text_missing", Is(false),
                            "managed_tensor_allocator passed a NULL kind or message to SetError",
                            {.rule = "XAPI-ALLOC-06"});
         }},
};

}  // namespace
}  // namespace dlpack_cts
