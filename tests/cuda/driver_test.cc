// tests/cuda/driver_test.cc: finding and calling the CUDA driver, here a test double (fake_driver.cc).
#include "engine/cuda_driver.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <thread>

namespace dlpack_cts {
namespace {

/// A function of the test double, called directly as a library under test calls it.
template <typename Function>
Function* Fake(const char* name) {
  return reinterpret_cast<Function*>(dlsym(dlopen("libcuda.so.1", RTLD_NOW), name));
}

uint64_t Allocated(const char* function, int device) {
  void* context = nullptr;
  uint64_t address = 0;
  Fake<int(void**, int)>("cuDevicePrimaryCtxRetain")(&context, device);
  Fake<int(void*)>("cuCtxSetCurrent")(context);
  EXPECT_EQ(Fake<int(uint64_t*, size_t)>(function)(&address, 100), 0);
  Fake<int(void*)>("cuCtxSetCurrent")(nullptr);
  return address;
}

class Driver : public testing::Test {
 protected:
  void SetUp() override { ASSERT_NE(CudaDriver::Open(), nullptr) << CudaDriver::WhyNone(); }
  const CudaDriver& driver() const { return *CudaDriver::Opened(); }
};

TEST_F(Driver, CountsDevices) { EXPECT_EQ(driver().devices(), 2); }

TEST_F(Driver, KnowsMemoryAndItsDevice) {
  const CudaDriver::Memory device = driver().Ask(Allocated("cuMemAlloc_v2", 1) + 99);
  EXPECT_EQ(device.kind, CudaMemory::kDevice);
  EXPECT_EQ(device.device, 1);
  EXPECT_EQ(driver().Ask(Allocated("cuMemAllocHost_v2", 0)).kind, CudaMemory::kHost);
  const int on_stack = 0;
  EXPECT_EQ(driver().Ask(reinterpret_cast<uint64_t>(&on_stack)).kind, CudaMemory::kUnknown);
}

TEST_F(Driver, WithOtherDeviceRestoresTheCurrentDevice) {
  EXPECT_EQ(driver().Current(), -1);
  int meanwhile = -1;
  EXPECT_EQ(driver().WithOtherDevice(0, [&] { meanwhile = driver().Current(); }), Answer::kYes);
  EXPECT_EQ(meanwhile, 1);
  EXPECT_EQ(driver().Current(), -1);
  EXPECT_EQ(driver().WithOtherDevice(0, [] { Fake<int(void*)>("cuCtxSetCurrent")(nullptr); }), Answer::kNo);
}

TEST_F(Driver, InCaptureReportsWhetherTheCaptureIsIntact) {
  EXPECT_EQ(driver().InCapture(1, [] {}), Answer::kYes);
  EXPECT_EQ(driver().InCapture(1, [] { Fake<int(void*)>("cuStreamSynchronize")(nullptr); }), Answer::kNo);
  EXPECT_EQ(driver().Current(), -1);
}

TEST_F(Driver, KnowsTheDeviceOfAStream) {
  void* context = nullptr;
  void* stream = nullptr;
  Fake<int(void**, int)>("cuDevicePrimaryCtxRetain")(&context, 1);
  Fake<int(void*)>("cuCtxSetCurrent")(context);
  Fake<int(void**, unsigned)>("cuStreamCreate")(&stream, 0);
  Fake<int(void*)>("cuCtxSetCurrent")(nullptr);
  EXPECT_EQ(driver().DeviceOf(reinterpret_cast<uint64_t>(stream)), 1);
  EXPECT_EQ(driver().DeviceOf(4096), -1);
  EXPECT_EQ(driver().Current(), -1);
}

TEST_F(Driver, CurrentDeviceIsPerThread) {
  std::thread([this] { EXPECT_EQ(driver().Current(), -1); }).join();
}

}  // namespace
}  // namespace dlpack_cts
