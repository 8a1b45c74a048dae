// tests/cuda/kernels_test.cc: the kernels of the harness, which the test double runs on host memory (fake_kernels.cc).
#include "engine/cuda_kernels.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/cuda_arguments.h"
#include "engine/device_blocks.h"

namespace dlpack_cts {
namespace {

constexpr abi::DLDevice kCuda = {abi::kDLCUDA, 0};

int Launches(const char* name) {
  return reinterpret_cast<int (*)(const char*)>(dlsym(dlopen("libcuda.so.1", RTLD_NOW), "fakeLaunches"))(name);
}

class Kernels : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_NE(CudaDriver::Open(), nullptr) << CudaDriver::WhyNone();
    if (!HasCudaKernels()) GTEST_SKIP() << "built without nvcc";
  }
  const CudaDriver& driver() const { return *CudaDriver::Opened(); }
};

TEST_F(Kernels, CountTheBytesThatAreNotThePattern) {
  DeviceBlocks blocks(driver());
  const uint64_t start = blocks.Block(0, kCuda, 3000);
  std::vector<uint8_t> image(3000, 7);
  image[0] = image[999] = image[2000] = image[2999] = 8;  // 999 and 2000 are next to the ranges
  ASSERT_TRUE(blocks.ToDevice(kCuda, start, image.data(), image.size()));
  const DeviceRange beside[] = {{start, start + 999}, {start + 2001, start + 3000}};
  const int before = Launches(kCountKernel);
  EXPECT_EQ(blocks.CountOthers(kCuda, beside, 7), 2);
  EXPECT_EQ(blocks.CountOthers(kCuda, {{{start, start}}}, 7), 0);
  EXPECT_EQ(Launches(kCountKernel), before + 2);
}

TEST_F(Kernels, AreMissingWhereNoDeviceIsCurrent) {
  CountTask task = {};
  EXPECT_FALSE(LaunchKernel(driver(), 1, kCountKernel, &task, 1));
}

TEST_F(Kernels, AreKnownByName) {
  const CudaDriver::OnDevice there(driver(), 0);
  EXPECT_FALSE(LaunchKernel(driver(), 1, "no_such_kernel", nullptr, 1));
}

TEST(ProgramWithoutKernels, DoesNotCount) {
  ASSERT_NE(CudaDriver::Open(), nullptr) << CudaDriver::WhyNone();
  if (HasCudaKernels()) GTEST_SKIP() << "built with nvcc";
  DeviceBlocks blocks(*CudaDriver::Opened());
  const uint64_t start = blocks.Block(0, kCuda, 8);
  EXPECT_EQ(blocks.CountOthers(kCuda, {{{start, start + 8}}}, 7), std::nullopt);
}

}  // namespace
}  // namespace dlpack_cts
