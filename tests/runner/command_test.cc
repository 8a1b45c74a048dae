// tests/runner/command_test.cc: a program that does not end, or prints for ever, is killed after its limit.
#include "runner/base/command.h"

#include <gtest/gtest.h>

#include "base/clock.h"

namespace dlpack_cts::runner {
namespace {

TEST(CommandTest, ReturnsWhatAProgramPrinted) {
  const Finished finished = RunCommand({"sh", "-c", "echo a; exit 3"}, {.seconds = 20});
  EXPECT_FALSE(finished.late);
  EXPECT_EQ(finished.status, 3);
  EXPECT_EQ(finished.output, "a\n");
}

TEST(CommandTest, EndsAProgramThatDoesNotAnswer) {
  const double began = Now();
  EXPECT_TRUE(RunCommand({"sleep", "100"}, {.seconds = 0.2}).late);
  EXPECT_TRUE(RunCommand({"sh", "-c", "exec >&- 2>&-; sleep 100"}, {.seconds = 0.2}).late);
  EXPECT_LT(Now() - began, 20);
}

TEST(CommandTest, EndsAProgramThatPrintsForEver) {
  const double began = Now();
  const Finished finished = RunCommand({"yes"}, {.seconds = 100, .most = 10000});
  EXPECT_TRUE(finished.late);
  EXPECT_EQ(finished.output.size(), 10000u);
  EXPECT_LT(Now() - began, 50);
}

}  // namespace
}  // namespace dlpack_cts::runner
