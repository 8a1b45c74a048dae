// tests/base/descendants_test.cc: processes that left their group are adopted and ended.
#include "base/descendants.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

#include "base/child.h"
#include "tests/base/forked.h"

namespace dlpack_cts {
namespace {

/// Starts processes in `work`, whose parent ends.
void Orphan(const std::function<void()>& work) {
  WaitFor(Forked([&] { Forked(work); }));
}

class Descendants : public testing::Test {
 protected:
  void SetUp() override { AdoptDescendants(); }
  void TearDown() override { EndChildren({}); }
};

TEST_F(Descendants, EndInOtherSessionsAndGroups) {
  Orphan([] {
    setsid();
    Forked([] { pause(); });
    pause();
  });
  Orphan([] {
    setpgid(0, 0);
    std::signal(SIGTERM, SIG_IGN);
    pause();
  });
  EXPECT_EQ(Children().size(), 2U);
  EndChildren({});
  EXPECT_TRUE(Children().empty());
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
}

TEST_F(Descendants, EndWhileTheyForkAgain) {
  Orphan([] {
    setsid();
    while (fork() == 0) usleep(300);
  });
  EndChildren({});
  EXPECT_TRUE(Children().empty());
}

TEST_F(Descendants, AreRemovedWhenTheyHaveEnded) {
  const pid_t kept = Forked([] {});
  siginfo_t info{};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(kept), &info, WEXITED | WNOWAIT), 0);
  Orphan([] {});
  while (Children().size() > 1) ReapChildren({kept});
  EXPECT_EQ(Children(), std::vector<pid_t>{kept});
  EXPECT_TRUE(EndOf(kept).has_value());
}

TEST_F(Descendants, StayIfTheyWereThereBefore) {
  const pid_t kept = Forked([] { pause(); });
  Orphan([] { pause(); });
  EndChildren({kept});
  EXPECT_EQ(Children(), std::vector<pid_t>{kept});
  EXPECT_FALSE(EndOf(kept).has_value());
}

}  // namespace
}  // namespace dlpack_cts
