// suites/exchange-api/table_calls.h: what cases about the library's exchange table share: arrays of every kind, and the
// result of a call.
#ifndef DLPACK_CTS_SUITES_EXCHANGE_API_TABLE_CALLS_H_
#define DLPACK_CTS_SUITES_EXCHANGE_API_TABLE_CALLS_H_

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>

#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"
#include "harness/case/table_results.h"
#include "harness/case/thresholds.h"
#include "harness/recipe/packing.h"

namespace dlpack_cts {

/// An export recipe whose life is making the array, followed by `steps`.
inline Recipe MadeThen(Recipe recipe, std::initializer_list<Step> steps) {
  SetLife(recipe, {Op::kMake});
  for (const Step& step : steps) AddStep(recipe, step);
  return recipe;
}

/// Gives it a sub-byte type, packed or padded as the library does it. It is often a view that begins inside a byte, and
/// often has a few elements, whose last byte is not full.
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

/// Makes its elements vectors: dtype.lanes is above 1.
inline void MakeVectors(Draw& draw, Request& request) {
  constexpr abi::DLDataType kTypes[] = {{abi::kDLFloat, 32, 4},        {abi::kDLFloat, 32, 2}, {abi::kDLInt, 8, 4},
                                        {abi::kDLFloat4_e2m1fn, 4, 2}, {abi::kDLInt, 16, 2},   {abi::kDLFloat, 64, 2}};
  request.dtype = kTypes[draw.Pick(6)];
  request.large = 0;
}

/// An array that the library can make: also one of a sub-byte type, of vectors, or of a subclass. The functions of a
/// table may support fewer of these than __dlpack__.
inline Recipe AnyArray(Draw& draw) {
  Limits limits = draw.made();
  limits.read_only = limits.read_only && draw.profile.Claims(Claim::kReadOnly);
  limits.deepest = draw.profile.makes_deepest;
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

/// As AnyArray, and a few arrays of more than 64 KiB or 1 MiB.
inline Recipe AnyArrayOfAnySize(Draw& draw) {
  constexpr int kEvery = 32;
  if (draw.index % kEvery != kEvery - 1) return AnyArray(draw);
  Recipe recipe = MakeRecipe(RecipeKind::kExport);
  recipe.request() = draw.PlainRequest();
  MakeLarge(draw.MadeRank(2), draw.index % (2 * kEvery) == kEvery - 1, false, recipe.request());
  return recipe;
}

inline const TableCall& CallOf(const Ledger& ledger, TableFunction function) {
  return ledger.tables[0].calls[static_cast<size_t>(function)];
}

/// The name of the function in dlpack.h.
inline std::string HeaderName(TableFunction function) {
  constexpr std::string_view kNames[] = {"managed_tensor_allocator", "managed_tensor_from_py_object_no_sync",
                                         "managed_tensor_to_py_object_no_sync", "dltensor_from_py_object_no_sync",
                                         "current_work_stream"};
  static_assert(std::size(kNames) == kTableFunctions);
  return std::string(kNames[static_cast<size_t>(function)]);
}

/// False (and the judgement says why) where the function was not called.
inline bool WasCalled(const Ledger& ledger, Judgement& judgement, TableFunction function) {
  if (CallOf(ledger, function).called != 0) return true;
  const std::string name = HeaderName(function);
  judgement.SaysNothing(ledger.tables[0].looked == 0  ? "this subject does not support the lookup of an exchange table"
                        : ledger.tables[0].found == 0 ? "the array type does not publish a usable exchange table"
                        : ledger.tables[0].null_slots != 0 ? name + " was not called, and the table has a NULL function"
                                                           : name + " was not called");
  return false;
}

/// Status, exception and out parameter of one call have to agree.
inline void JudgeReturn(const Ledger& ledger, Judgement& judgement, TableFunction function) {
  const TableCall& call = CallOf(ledger, function);
  const std::string name = HeaderName(function);
  judgement.Expect("table0.T.overran", Is(false), name + " writes memory behind its out parameter",
                   {.rule = "XAPI-RET-04", .index = static_cast<int>(function)});
  if (HidesFailure(call)) {
    judgement.Expect("table0.T.status", IsNot(0, -1), name + " returned 0 although it failed with a Python exception",
                     {.rule = "XAPI-RET-01", .index = static_cast<int>(function)});
    return;
  }
  if (call.status != 0 && call.status != -1) {
    judgement.Expect("table0.T.status", AnyOf(0, -1), name + " returned a status other than 0 and -1",
                     {.rule = "XAPI-RET-01", .index = static_cast<int>(function), .degree = Degree::kNote});
  }
  if (function != TableFunction::kAllocator) {
    if (call.status == 0) {
      judgement.Expect("table0.T.exception", Is(false), name + " returned 0 with a Python exception set",
                       {.rule = "XAPI-RET-02", .index = static_cast<int>(function), .degree = Degree::kWarn});
    } else {
      judgement.Expect("table0.T.exception", Is(true), name + " failed without setting a Python exception",
                       {.rule = "XAPI-RET-02", .index = static_cast<int>(function)});
    }
  }
  if (call.status == 0) {
    judgement.Expect("table0.T.out_written", Is(true), name + " returned 0 without writing its out parameter",
                     {.rule = function == TableFunction::kAllocator ? "XAPI-ALLOC-08" : "XAPI-RET-04",
                      .index = static_cast<int>(function)});
  }
}

/// False where the function was not called; otherwise its call is judged.
inline bool Returned(const Ledger& ledger, Judgement& judgement, TableFunction function) {
  if (!WasCalled(ledger, judgement, function)) return false;
  JudgeReturn(ledger, judgement, function);
  return true;
}

/// False where the elements of an export were wrong at once, so that they show nothing about what happened since.
inline bool WasRight(const Ledger& ledger, Judgement& judgement, int slot) {
  if (ledger.exports[slot].first_elements.reading != Reading::kDiffers) return true;
  judgement.SaysNothing("the elements of the exported tensor are wrong as soon as it is exported");
  return false;
}

/// Judges the parts of an exported tensor that do not depend on how it was exported. A wrong dtype or shape violates
/// `rule`, wrong elements `of_elements`.
inline bool DescribesSource(const Recipe& recipe, const Ledger& ledger, Judgement& judgement, std::string_view rule,
                            std::string_view of_elements) {
  const ExportLedger& record = ledger.exports[0];
  if (record.metadata_readable == 0) {
    return judgement.Expect("export0.metadata_readable", Is(true),
                            "dl_tensor.shape or dl_tensor.strides of the exported tensor cannot be read",
                            {.rule = rule});
  }
  const abi::DLDataType made = recipe.request().dtype;
  const abi::DLDataType got = record.tensor.dtype;
  if (IsSubByte(made) && got.lanes == 2 && got.code == made.code && got.bits == made.bits) {
    judgement.SaysNothing("the sub-byte elements are exported in pairs, with dtype.lanes 2");
    return false;
  }
  const bool same_shape = record.tensor.ndim == recipe.request().dims &&
                          std::equal(record.shape, record.shape + recipe.request().dims, recipe.request().shape);
  if (!same_shape) {
    return judgement.Expect("export0.shape",
                            Is(std::span<const int64_t>(recipe.request().shape, recipe.request().dims)),
                            "dl_tensor.shape is not the shape of the array", {.rule = rule});
  }
  if (!(record.tensor.dtype == recipe.request().dtype)) {
    return judgement.Expect("export0.dtype", Is(recipe.request().dtype),
                            "dl_tensor.dtype is not the dtype of the array", {.rule = rule});
  }
  return ExportMatches(judgement, "the elements of the tensor from the exchange table are not those of the array",
                       {.rule = of_elements});
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_SUITES_EXCHANGE_API_TABLE_CALLS_H_
