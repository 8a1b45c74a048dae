// tests/base/shortage_test.cc: what is said if the system gives too little.
#include "base/shortage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace dlpack_cts {
namespace {

using testing::HasSubstr;

TEST(Shortage, NamesTheLimitToRaise) {
  const Failure files = Shortage("a pipe cannot be created", EMFILE);
  EXPECT_STREQ(files.what(), "a pipe cannot be created: Too many open files");
  EXPECT_EQ(files.status(), kUsage);
  EXPECT_THAT(files.hint(), HasSubstr("ulimit -n"));
  EXPECT_THAT(Shortage("x", EAGAIN).hint(), HasSubstr("ulimit -u"));
  EXPECT_THAT(Shortage("x", ENOMEM).hint(), HasSubstr("ulimit -v"));
  EXPECT_THAT(Shortage("x", ENOSPC).hint(), HasSubstr("free some space"));
}

TEST(ShortageDeathTest, EndsTheProcessWithOneSentence) {
  EXPECT_DEATH(StopForShortage("a thread cannot be started", EAGAIN),
               "dlpack-cts: a thread cannot be started: .*\n  hint: ");
}

TEST(ShortageDeathTest, IsGivenToTheHandler) {
  const auto stop = [] {
    SetShortageHandler([](const Failure& failure) { _exit(failure.hint().empty() ? 1 : 42); });
    StopForShortage("memory cannot be reserved", ENOMEM);
  };
  EXPECT_EXIT(stop(), testing::ExitedWithCode(42), "");
}

TEST(Threads, AreStartedIfPossible) {
  bool ran = false;
  std::optional<std::thread> thread = TryThread([&] { ran = true; });
  ASSERT_TRUE(thread.has_value());
  thread->join();
  NeedThread([] {}).join();
  EXPECT_TRUE(ran);
}

}  // namespace
}  // namespace dlpack_cts
