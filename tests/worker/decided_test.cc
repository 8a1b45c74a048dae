// tests/worker/decided_test.cc: wrong units and cut copies are recognised by the values that were seen.
#include "worker/diagnose/decided.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "harness/abi/dlpack.h"
#include "harness/ledger/facts.h"
#include "harness/recipe/elements.h"
#include "harness/recipe/generator.h"

namespace dlpack_cts::worker {
namespace {

const FactRow& RowOf(const std::string& key) {
  const int index = FactIndex(key);
  EXPECT_GE(index, 0) << key;
  return FactRowAt(index);
}

/// The import of a matrix of float32 with those strides, as a correct library describes it.
struct Import {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  Ledger right = {};
  Ledger wrong = {};

  Import(int64_t rows, int64_t columns) {
    Offer& offer = recipe.offer();
    offer.dims = 2;
    offer.ndim = 2;
    offer.shape[0] = rows;
    offer.shape[1] = columns;
    Description& result = right.imports[0].result;
    result.has_shape = result.has_strides = 1;
    result.ndim = 2;
    std::copy_n(offer.shape, 2, result.shape);
    result.byte_strides[0] = columns * 4;
    result.byte_strides[1] = 4;
    wrong = right;
  }

  std::string Decided(const std::string& key, Family family) const {
    return std::string(DecidedBy(RowOf(key), family, {recipe, wrong, right, Profile{}}));
  }
};

TEST(Decided, StridesThatWereNotMultipliedCountBytes) {
  Import import(2, 4);
  import.wrong.imports[0].result.byte_strides[0] = 4;
  EXPECT_EQ(import.Decided("import0.strides", Family::kStrides), "C-STRIDES-05");
  import.wrong.imports[0].result.byte_strides[0] = 8;
  EXPECT_EQ(import.Decided("import0.strides", Family::kStrides), "");
}

TEST(Decided, CompactStridesMayHaveBeenIgnored) {
  Import import(2, 1);
  import.right.imports[0].result.byte_strides[0] = 16;
  import.wrong.imports[0].result.byte_strides[0] = 4;
  EXPECT_EQ(import.Decided("import0.strides", Family::kStrides), "");
}

TEST(Decided, ElementAtItsDistanceInBytesCountsBytes) {
  Import import(1, 2);
  ElementReading& reading = import.wrong.imports[0].library;
  reading.reading = Reading::kDiffers;
  reading.first_difference = 1;
  uint8_t store[8];
  ElementBits(import.recipe.offer().dtype, import.recipe.offer().seed, 0, store);
  ElementBits(import.recipe.offer().dtype, import.recipe.offer().seed, 1, store + 4);
  std::memcpy(&reading.got_bits, store + 1, 4);
  EXPECT_EQ(import.Decided("import0.library", Family::kPlace), "C-STRIDES-05");
  ++reading.got_bits;
  EXPECT_EQ(import.Decided("import0.library", Family::kPlace), "");
}

TEST(Decided, CopyWithoutItsLastElementsIsTooShort) {
  Recipe recipe = MakeRecipe(RecipeKind::kExport);
  recipe.request().dims = 1;
  recipe.request().shape[0] = 2;
  recipe.call().copy.kind = ArgumentKind::kTrue;
  Ledger right = {};
  Ledger wrong = {};
  ExportLedger& exported = wrong.exports[0];
  exported.tensor.ndim = 1;
  exported.tensor.dtype = {abi::kDLFloat, 32, 1};
  exported.shape[0] = 2;
  exported.strides[0] = 1;
  exported.first_elements.reading = Reading::kDiffers;
  exported.first_elements.first_difference = 1;
  const auto decided = [&] {
    return std::string(DecidedBy(RowOf("export0.first_elements"), Family::kPlace, {recipe, wrong, right, Profile{}}));
  };
  EXPECT_EQ(decided(), "C-DATA-13");
  ElementBits(exported.tensor.dtype, recipe.request().seed, 0,
              reinterpret_cast<uint8_t*>(&exported.first_elements.got_bits));
  EXPECT_EQ(decided(), "") << "another element is in its place";
  exported.first_elements.got_bits = 0;
  exported.strides[0] = 2;
  EXPECT_EQ(decided(), "") << "its strides are wrong";
  exported.strides[0] = 1;
  recipe.call().copy.kind = ArgumentKind::kAbsent;
  EXPECT_EQ(decided(), "") << "it is not a copy";
}

}  // namespace
}  // namespace dlpack_cts::worker
