// tests/recipe/dtypes_test.cc: names of element types, as adapters write them and as they do not.
#include "harness/recipe/dtypes.h"

#include <gtest/gtest.h>

namespace dlpack_cts {
namespace {

constexpr abi::DLDataType kFloat32{abi::kDLFloat, 32, 1};
constexpr abi::DLDataType kInt64{abi::kDLInt, 64, 1};
constexpr abi::DLDataType kBool{abi::kDLBool, 8, 1};

TEST(MeansDataType, KnowsUsualNames) {
  for (const char* name : {"f4", "<f4", "f32", "float", "single", "torch.float32", "dtype('float32')", "FLOAT32"}) {
    EXPECT_TRUE(MeansDataType(name, kFloat32)) << name;
  }
  for (const char* name : {"i8", "i64", "long", "int", "jnp.int64"}) EXPECT_TRUE(MeansDataType(name, kInt64)) << name;
  for (const char* name : {"bool_", "?", "b1", "boolean"}) EXPECT_TRUE(MeansDataType(name, kBool)) << name;
}

TEST(MeansDataType, RejectsNamesOfOtherTypes) {
  for (const char* name : {"f8", "i4", "double", "half", "str", "", "float4_e2m1fn_x2"}) {
    EXPECT_FALSE(MeansDataType(name, kFloat32)) << name;
  }
}

TEST(IsNarrower, ComparesTypesOfOneKind) {
  EXPECT_TRUE(IsNarrower(kFloat32, {abi::kDLFloat, 64, 1}));
  EXPECT_FALSE(IsNarrower({abi::kDLFloat, 64, 1}, kFloat32));
  EXPECT_FALSE(IsNarrower(kFloat32, kFloat32));
  EXPECT_FALSE(IsNarrower(kFloat32, kInt64));
  EXPECT_FALSE(IsNarrower(kBool, {abi::kDLBool, 16, 1}));
}

}  // namespace
}  // namespace dlpack_cts
