// suites/exchange-api/table_calls.h: what cases about a library's own table share: arrays of every kind, and how a call
// ends.
#ifndef DLPACK_CTS_SUITES_EXCHANGE_API_TABLE_CALLS_H_
#define DLPACK_CTS_SUITES_EXCHANGE_API_TABLE_CALLS_H_

#include <initializer_list>
#include <string>
#include <string_view>

#include "harness/case/case.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"
#include "harness/recipe/packing.h"

namespace dlpack_cts {

/// An export recipe whose life is `steps`, behind the making of the array.
inline Recipe WithLife(Recipe recipe, std::initializer_list<Step> steps) {
  SetLife(recipe, {Op::kMake});
  for (const Step& step : steps) AddStep(recipe, step);
  return recipe;
}

/// Makes it one of elements of less than a byte, packed or padded as the library has them; often a view that begins
/// inside a byte, and often one of a few elements, whose last byte is not full.
inline void MakeSubByte(Draw& draw, Request& request) {
  constexpr int64_t kFew = 9;
  request.dtype = draw.SubByteType();
  request.large = 0;
  if (request.dims == 1 && draw.Pick(2) == 0) request.shape[0] = draw.random.Between(1, kFew);
  request.strides_kind = StridesKind::kCompact;
  const bool view = draw.made().offset && draw.Pick(2) == 0;
  request.making = view ? Making::kView : Making::kFresh;
  request.offset = view ? draw.random.Between(1, kFew) : 0;
}

/// Makes its elements vectors of that type.
inline void MakeVectors(Draw& draw, Request& request) {
  constexpr abi::DLDataType kTypes[] = {{abi::kDLFloat, 32, 4},        {abi::kDLFloat, 32, 2}, {abi::kDLInt, 8, 4},
                                        {abi::kDLFloat4_e2m1fn, 4, 2}, {abi::kDLInt, 16, 2},   {abi::kDLFloat, 64, 2}};
  request.dtype = kTypes[draw.Pick(6)];
  request.large = 0;
}

/// An array that the library can make: also one of elements of less than a byte, of vectors, or of a subclass, of which
/// the function of a table may know less than __dlpack__.
inline Recipe AnyArray(Draw& draw) {
  Limits limits = draw.made();
  limits.read_only = limits.read_only && draw.profile.Claims(Claim::kReadOnly);
  Recipe recipe = draw.Export(limits);
  switch (draw.Pick(8)) {
    case 0:
    case 1:
      if (MakesSubBytes(draw.profile).empty()) MakeSubByte(draw, recipe.request());
      break;
    case 2:
      MakeVectors(draw, recipe.request());
      break;
    case 3:
      if (draw.profile.Claims(Claim::kOddities)) recipe.request().oddity = Oddity::kSubclass;
      break;
    default:
      break;
  }
  return recipe;
}

inline const TableCall& CallOf(const Ledger& ledger, TableFunction function) {
  return ledger.tables[0].calls[static_cast<size_t>(function)];
}

inline std::string_view NameOf(TableFunction function) {
  constexpr std::string_view kNames[] = {"table0.allocator", "table0.from_object", "table0.to_object", "table0.view",
                                         "table0.stream"};
  return kNames[static_cast<size_t>(function)];
}

inline std::string Key(TableFunction function, std::string_view part) {
  return std::string(NameOf(function)).append(part);
}

/// False (and the judgement says why) where the function was not called.
inline bool WasCalled(const Ledger& ledger, Judgement& judgement, TableFunction function) {
  if (CallOf(ledger, function).called != 0) return true;
  judgement.SaysNothing(ledger.tables[0].looked == 0       ? "the subject cannot look a table up"
                        : ledger.tables[0].found == 0      ? "the type publishes no usable exchange API"
                        : ledger.tables[0].null_slots != 0 ? "the function's slot is NULL"
                                                           : "the function was not called");
  return false;
}

/// Status, exception and out parameter of one call have to agree.
inline void JudgeReturn(const Ledger& ledger, Judgement& judgement, TableFunction function) {
  const TableCall& call = CallOf(ledger, function);
  if (call.status != 0 && call.status != -1) {
    Check(false, ledger, judgement, "XAPI-RET-01", Key(function, ".status"), "0 | -1",
          "a failing function returned something other than -1", Degree::kNote);
  }
  if (function != TableFunction::kAllocator) {
    if (call.status == 0) {
      Check(call.exception == 0, ledger, judgement, "XAPI-RET-02", Key(function, ".exception"), "0",
            "a function succeeded and left an exception behind", Degree::kWarn);
    } else {
      Check(call.exception != 0, ledger, judgement, "XAPI-RET-02", Key(function, ".exception"), "1",
            "a function failed and set no exception");
    }
  }
  if (call.status == 0) {
    Check(call.out_written != 0, ledger, judgement,
          function == TableFunction::kAllocator ? "XAPI-ALLOC-08" : "XAPI-RET-04", Key(function, ".out_written"), "1",
          "a function returned 0 and did not write its out parameter");
  }
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_SUITES_EXCHANGE_API_TABLE_CALLS_H_
