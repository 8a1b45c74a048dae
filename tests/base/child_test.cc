// tests/base/child_test.cc: how children are started, awaited and killed.
#include "base/child.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <string>

#include "base/clock.h"
#include "tests/base/forked.h"

namespace dlpack_cts {
namespace {

using How = ChildEnd::How;

/// What a program writes to its standard output.
std::string OutputOf(Program program) {
  int ends[2];
  EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
  program.descriptors = {{ends[1], STDOUT_FILENO}};
  const Started started = Start(program);
  close(ends[1]);
  EXPECT_EQ(started.error, 0);
  char text[256] = {};
  std::string output;
  for (ssize_t n = 0; (n = read(ends[0], text, sizeof(text))) > 0;) output.append(text, static_cast<size_t>(n));
  close(ends[0]);
  EXPECT_EQ(WaitFor(started.pid).ShellStatus(), 0);
  return output;
}

TEST(Child, ExitStatusIsReported) {
  EXPECT_EQ(WaitFor(Forked([] { _exit(7); })), (ChildEnd{How::kExited, 7}));
  EXPECT_EQ(WaitFor(Forked([] {})).ShellStatus(), 0);
}

TEST(Child, SignalIsReported) {
  const ChildEnd end = WaitFor(Forked([] { raise(SIGKILL); }));
  EXPECT_EQ(end, (ChildEnd{How::kSignalled, SIGKILL}));
  EXPECT_NE(end.ShellStatus(), 0);
  EXPECT_EQ(end.ShellStatus(), 128 + SIGKILL);
}

TEST(Child, RunningChildHasNoEnd) {
  const pid_t child = Forked([] { pause(); });
  EXPECT_FALSE(EndOf(child).has_value());
  kill(child, SIGTERM);
  EXPECT_EQ(WaitFor(child), (ChildEnd{How::kSignalled, SIGTERM}));
}

TEST(Child, StoppedChildHasNoEnd) {
  const pid_t child = Forked([] { raise(SIGSTOP); });
  usleep(20000);
  EXPECT_FALSE(EndOf(child).has_value());
  kill(child, SIGKILL);
  WaitFor(child);
}

TEST(Child, IsKilledAtItsLimit) {
  const double began = Now();
  const pid_t child = Forked([] { pause(); });
  EXPECT_FALSE(WaitFor(child, 0.05).has_value());
  EXPECT_GE(Now() - began, 0.05);
  EXPECT_NE(kill(child, 0), 0) << "it still exists";
}

TEST(Child, EndWithinTheLimitIsReported) {
  const auto end = WaitFor(Forked([] { _exit(3); }), 30);
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(end->code, 3);
}

// A library may ignore SIGCHLD. Then the kernel reaps children, and their exit statuses are lost.
TEST(Child, WaitReturnsIfTheKernelHasReapedTheChild) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  const double began = Now();
  EXPECT_TRUE(WaitFor(Forked([] { _exit(3); }), 30).has_value());
  EXPECT_LT(Now() - began, 20);
  (void)std::signal(SIGCHLD, before);
}

TEST(Start, RunsAProgramFromThePath) { EXPECT_EQ(OutputOf({.arguments = {"echo", "a b"}}), "a b\n"); }

TEST(Start, StandardInputIsEmpty) { EXPECT_EQ(OutputOf({.arguments = {"cat"}}), ""); }

TEST(Start, GivenEnvironmentReplacesTheInheritedOne) {
  EXPECT_EQ(OutputOf({.arguments = {"/usr/bin/env"}, .environment = {{"ONLY=this"}}}), "ONLY=this\n");
  EXPECT_NE(OutputOf({.arguments = {"/usr/bin/env"}}), "ONLY=this\n");
}

TEST(Start, ProgramLeadsItsOwnGroup) {
  const Started started = Start({.arguments = {"sleep", "30"}});
  EXPECT_EQ(getpgid(started.pid), started.pid);
  kill(-started.pid, SIGKILL);
  EXPECT_EQ(WaitFor(started.pid).code, SIGKILL);
}

TEST(Start, MissingProgramIsAnError) { EXPECT_EQ(Start({.arguments = {"/nowhere/program"}}).error, ENOENT); }

}  // namespace
}  // namespace dlpack_cts
