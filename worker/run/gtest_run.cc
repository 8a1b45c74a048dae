// worker/run/gtest_run.cc: runs the cases as GoogleTest tests.
#include "worker/run/gtest_run.h"

#include <gtest/gtest.h>

namespace dlpack_cts::worker {
namespace {

class CaseTest : public testing::Test {
 public:
  explicit CaseTest(std::function<Observation()> run) : run_(std::move(run)) {}

  void TestBody() override {
    const Observation observation = run_();
    const bool judged = observation.observed == "held" || observation.observed == "skip";
    EXPECT_TRUE(judged) << observation.observed << ": " << observation.message;
  }

 private:
  std::function<Observation()> run_;
};

}  // namespace

void StartGoogleTest() {
  int argc = 1;
  char name[] = "dlpack-cts-worker";
  char* argv[] = {name, nullptr};
  testing::InitGoogleTest(&argc, argv);
  // GoogleTest would catch and print an exception, and the case would be lost. It has to end the process instead.
  GTEST_FLAG_SET(catch_exceptions, false);
  // The observations are the output; GoogleTest's own printer would fill the library's log.
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
}

void RunWithGoogleTest(const std::vector<std::string>& cases, int first, int end,
                       const std::function<Observation(int, const Case&)>& run) {
  for (int index = first; index < end; ++index) {
    const Case* tested = FindCase(cases[static_cast<size_t>(index)]);
    testing::RegisterTest(std::string(SuiteOf(tested->id)).c_str(), TestName(tested->id).c_str(), nullptr, nullptr,
                          __FILE__, __LINE__,
                          [=]() -> testing::Test* { return new CaseTest([=] { return run(index, *tested); }); });
  }
  // The exit status says nothing here: every case has written its observation.
  [[maybe_unused]] const int failed = RUN_ALL_TESTS();
}

}  // namespace dlpack_cts::worker
