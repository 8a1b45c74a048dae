// tests/cuda/hold_test.cc: holding a stream with a kernel or a host function, on the test double of the driver.
#include "engine/cuda_hold.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include "engine/cuda_arguments.h"
#include "engine/cuda_kernels.h"
#include "engine/cuda_order.h"

namespace dlpack_cts {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLong{20000};
constexpr milliseconds kShort{30};

class Hold : public testing::TestWithParam<HoldStream> {
 protected:
  void SetUp() override {
    ASSERT_NE(CudaDriver::Open(), nullptr) << CudaDriver::WhyNone();
    if (GetParam() == &HoldByKernel && !HasCudaKernels()) GTEST_SKIP() << "built without nvcc";
    there_ = std::make_unique<CudaDriver::OnDevice>(driver(), 0);
    stream_ = driver().NewStream();
  }
  void TearDown() override { driver().EndStream(stream_); }
  static const CudaDriver& driver() { return *CudaDriver::Opened(); }

  std::unique_ptr<CudaDriver::OnDevice> there_;
  uint64_t stream_ = 0;
};
INSTANTIATE_TEST_SUITE_P(Ways, Hold, testing::ValuesIn(kHolds), [](const auto& way) {
  return way.param == &HoldByKernel ? std::string("ByKernel") : std::string("ByHostFunction");
});

TEST_P(Hold, DelaysLaterWorkUntilItEnds) {
  const auto hold = GetParam()(driver(), stream_, kLong);
  ASSERT_NE(hold, nullptr);
  auto* const bytes = static_cast<uint8_t*>(driver().AllocateHost(2));
  bytes[0] = 7;
  bytes[1] = 0;
  const auto address = reinterpret_cast<uint64_t>(bytes);
  ASSERT_TRUE(driver().CopyOn(stream_, address + 1, address, 1));
  std::this_thread::sleep_for(kShort);
  EXPECT_FALSE(hold->IsOver());
  EXPECT_FALSE(driver().IsDone(stream_));
  hold->End();
  EXPECT_TRUE(driver().Wait(stream_));
  EXPECT_TRUE(hold->IsOver());
  EXPECT_EQ(bytes[1], 7);
  driver().FreeHost(bytes);
}

TEST_P(Hold, EndsByItself) {
  const auto hold = GetParam()(driver(), stream_, kShort);
  ASSERT_NE(hold, nullptr);
  EXPECT_TRUE(driver().Wait(stream_));
  EXPECT_TRUE(hold->IsOver());
}

TEST_P(Hold, OutlivesItsObject) {
  {
    const auto hold = GetParam()(driver(), stream_, kShort);
  }
  const auto next = GetParam()(driver(), stream_, kLong);
  ASSERT_NE(next, nullptr);
  std::this_thread::sleep_for(2 * kShort);
  EXPECT_FALSE(next->IsOver());
  next->End();
  EXPECT_TRUE(driver().Wait(stream_));
}

TEST_P(Hold, IsCapturedWithItsStream) {
  EXPECT_EQ(driver().LeavesAlone(stream_, [] {}), Answer::kYes);
  EXPECT_EQ(driver().LeavesAlone(stream_, [&] { GetParam()(driver(), stream_, kShort); }), Answer::kNo);
  EXPECT_TRUE(driver().IsDone(stream_));
}

TEST_P(Hold, NeedsAStreamOfTheDriver) {
  there_.reset();
  EXPECT_EQ(GetParam()(driver(), 1, kShort), nullptr);
}

TEST_P(Hold, IsChosenByTheGate) {
  if (GetParam() != &HoldByKernel) GTEST_SKIP() << "the kernel is chosen";
  const auto launches = reinterpret_cast<int (*)(const char*)>(dlsym(dlopen("libcuda.so.1", RTLD_NOW), "fakeLaunches"));
  const int before = launches(kHoldKernel);
  Gate gate(driver(), stream_, kLong);
  EXPECT_TRUE(gate.IsClosed());
  EXPECT_EQ(launches(kHoldKernel), before + 1);
  gate.Open();
  driver().Wait(stream_);
  EXPECT_FALSE(gate.IsClosed());
}

}  // namespace
}  // namespace dlpack_cts
