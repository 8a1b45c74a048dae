// tests/reference/refusal_test.cc: every refusal says why and releases the tensor once; its mutants do not.
#include <gtest/gtest.h>

#include <functional>

#include "reference/array.h"

namespace dlpack_cts {
namespace {

/// A tensor on the stack that counts its releases.
struct Tensor {
  int64_t shape[2] = {2, 3};
  int64_t strides[2] = {3, 1};
  float data[6] = {1, 2, 3, 4, 5, 6};
  int releases = 0;
  abi::DLManagedTensorVersioned managed = {
      {1, 3},
      this,
      [](abi::DLManagedTensorVersioned* self) { ++static_cast<Tensor*>(self->manager_ctx)->releases; },
      0,
      {data, {abi::kDLCPU, 0}, 2, {abi::kDLFloat, 32, 1}, shape, strides, 0}};
};

struct Refused {
  const char* name;
  Path path;
  std::function<void(Tensor&)> change;
};

const Refused kRefused[] = {
    {"Version", kPathVersion, [](Tensor& t) { t.managed.version.major = 2; }},
    {"MajorZero", kPathVersion, [](Tensor& t) { t.managed.version.major = 0; }},
    {"WrappedMajor", kPathVersion, [](Tensor& t) { t.managed.version.major = 0x10001; }},
    {"Device", kPathDevice, [](Tensor& t) { t.managed.dl_tensor.device.device_type = abi::kDLCUDA; }},
    {"WrappedDevice", kPathDevice, [](Tensor& t) { t.managed.dl_tensor.device.device_type = 0x10001; }},
    {"Dtype", kPathDtype, [](Tensor& t) { t.managed.dl_tensor.dtype = {abi::kDLFloat, 24, 1}; }},
    {"Code", kPathDtype, [](Tensor& t) { t.managed.dl_tensor.dtype = {200, 32, 1}; }},
    {"Lanes", kPathLanes, [](Tensor& t) { t.managed.dl_tensor.dtype.lanes = 257; }},
    {"NegativeDims", kPathDims, [](Tensor& t) { t.managed.dl_tensor.ndim = -1; }},
    {"ManyDims", kPathDims, [](Tensor& t) { t.managed.dl_tensor.ndim = 65; }},
    {"NullShape", kPathNoShape, [](Tensor& t) { t.managed.dl_tensor.shape = nullptr; }},
    {"NegativeExtent", kPathShape, [](Tensor& t) { t.shape[0] = -1; }},
    {"Overflow", kPathExtents, [](Tensor& t) { t.shape[0] = int64_t{1} << 62; }},
    {"WildStrides", kPathStrides, [](Tensor& t) { t.strides[0] = INT64_MAX; }},
    {"NullData", kPathNullData, [](Tensor& t) { t.managed.dl_tensor.data = nullptr; }},
};

class RefusalTest : public testing::TestWithParam<Refused> {
 protected:
  Reference reference_;
  Acting acting_{reference_};
  Tensor tensor_;
  Denial denial_;
};

TEST_P(RefusalTest, HasAReasonAndReleasesOnce) {
  GetParam().change(tensor_);
  EXPECT_EQ(ImportManaged(true, &tensor_.managed, {}, &denial_), nullptr);
  EXPECT_EQ(denial_.path, GetParam().path);
  EXPECT_STRNE(denial_.text, "");
  EXPECT_EQ(tensor_.releases, 1);
}

TEST_P(RefusalTest, MutantLeaksOnlyOnItsPath) {
  reference_.behaviour.refusing.leaks = GetParam().path;
  GetParam().change(tensor_);
  EXPECT_EQ(ImportManaged(true, &tensor_.managed, {}, &denial_), nullptr);
  EXPECT_EQ(tensor_.releases, 0);
  reference_.behaviour.refusing.leaks = kPathAnyTensor & ~GetParam().path;
  EXPECT_EQ(ImportManaged(true, &tensor_.managed, {}, &denial_), nullptr);
  EXPECT_EQ(tensor_.releases, 1);
}

TEST_P(RefusalTest, MutantReleasesTwiceOnItsPath) {
  reference_.behaviour.refusing.releases_twice = GetParam().path;
  GetParam().change(tensor_);
  EXPECT_EQ(ImportManaged(true, &tensor_.managed, {}, &denial_), nullptr);
  EXPECT_EQ(tensor_.releases, 2);
}

TEST_P(RefusalTest, NullDeleterIsNotCalled) {
  GetParam().change(tensor_);
  tensor_.managed.deleter = nullptr;
  EXPECT_EQ(ImportManaged(true, &tensor_.managed, {}, &denial_), nullptr);
  EXPECT_EQ(tensor_.releases, 0);
}

INSTANTIATE_TEST_SUITE_P(Paths, RefusalTest, testing::ValuesIn(kRefused),
                         [](const auto& refused) { return refused.param.name; });

class ImportTest : public testing::Test {
 protected:
  float At(const Array& array, int row, int column) {
    return *reinterpret_cast<const float*>(array.first + row * array.steps[0] + column * array.steps[1]);
  }

  Reference reference_;
  Acting acting_{reference_};
  Tensor tensor_;
  Denial denial_;
};

TEST_F(ImportTest, SharesTheMemoryAndReleasesWithTheLastView) {
  std::unique_ptr<Array> array = ImportManaged(true, &tensor_.managed, {}, &denial_);
  const std::unique_ptr<Array> view = array->View();
  array.reset();
  EXPECT_EQ(tensor_.releases, 0);
  tensor_.data[4] = 9;
  EXPECT_EQ(At(*view, 1, 1), 9);
}

TEST_F(ImportTest, ReadsNegativeStridesAndOffsets) {
  tensor_.strides[1] = -1;
  tensor_.managed.dl_tensor.byte_offset = 8;
  const std::unique_ptr<Array> array = ImportManaged(true, &tensor_.managed, {}, &denial_);
  ASSERT_NE(array, nullptr);
  EXPECT_EQ(At(*array, 0, 0), 3);
  EXPECT_EQ(At(*array, 1, 2), 4);
}

TEST_F(ImportTest, ReadsNullStridesAsRowMajorAndAMutantDoesNot) {
  tensor_.managed.dl_tensor.strides = nullptr;
  tensor_.managed.version.minor = 1;
  EXPECT_EQ(At(*ImportManaged(true, &tensor_.managed, {}, &denial_), 1, 0), 4);
  reference_.behaviour.importing.null_strides_are_column_major = When::Of(When::Trait::kNullStrides);
  EXPECT_EQ(At(*ImportManaged(true, &tensor_.managed, {}, &denial_), 1, 0), 2);
}

TEST_F(ImportTest, AcceptsAnEmptyTensorWithInvalidStridesAndNullData) {
  tensor_.shape[1] = 0;
  tensor_.shape[0] = INT64_MAX;
  tensor_.strides[0] = INT64_MIN;
  tensor_.managed.dl_tensor.data = nullptr;
  std::unique_ptr<Array> array = ImportManaged(true, &tensor_.managed, {}, &denial_);
  ASSERT_NE(array, nullptr) << denial_.text;
  EXPECT_EQ(array->Count(), 0);
  array.reset();
  EXPECT_EQ(tensor_.releases, 1);
}

TEST_F(ImportTest, DefersReleasesUntilTheFlush) {
  reference_.behaviour.owning.release = Release::kCollect;
  ImportManaged(true, &tensor_.managed, {}, &denial_).reset();
  EXPECT_EQ(tensor_.releases, 0);
  reference_.Flush();
  EXPECT_EQ(tensor_.releases, 1);
}

TEST_F(ImportTest, MutantsOfOwnershipAreDetected) {
  reference_.behaviour.owning.releases_twice = When::Of(When::Trait::kRank, 2);
  ImportManaged(true, &tensor_.managed, {}, &denial_).reset();
  EXPECT_EQ(tensor_.releases, 2);
  reference_.behaviour = CorrectBehaviour();
  reference_.behaviour.owning.leaks = When::Of(When::Trait::kRank, 2);
  ImportManaged(true, &tensor_.managed, {}, &denial_).reset();
  EXPECT_EQ(tensor_.releases, 2);
  reference_.behaviour = CorrectBehaviour();
  reference_.behaviour.owning.releases_early = When::Always();
  const std::unique_ptr<Array> array = ImportManaged(true, &tensor_.managed, {}, &denial_);
  EXPECT_EQ(tensor_.releases, 3);
}

}  // namespace
}  // namespace dlpack_cts
