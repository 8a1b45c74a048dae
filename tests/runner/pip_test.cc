// tests/runner/pip_test.cc: the reason of a failed installation is taken from the output of pip.
#include "runner/environment/pip.h"

#include <gtest/gtest.h>

#include <string>

namespace dlpack_cts::runner {
namespace {

constexpr char kOtherPython[] =
    "ERROR: Ignored the following versions that require a different python version: 1.21.2 Requires-Python "
    ">=3.7,<3.11; 2.5.1 Requires-Python >=3.12; 2.5.10 Requires-Python >=3.14\n"
    "ERROR: Could not find a version that satisfies the requirement numpy==2.5.1 (from versions: 1.3.0, 2.4.6)\n"
    "ERROR: No matching distribution found for numpy==2.5.1\n";

TEST(PipReason, IsRequiresPythonOfTheWantedVersion) {
  const PipReason reason = ReasonOf(kOtherPython, {"other==1", "numpy==2.5.1"});
  EXPECT_EQ(reason.text, "numpy 2.5.1 Requires-Python >=3.12");
  EXPECT_EQ(reason.requires_python, ">=3.12");
  EXPECT_TRUE(reason.no_distribution);
  EXPECT_FALSE(reason.no_connection);
}

TEST(PipReason, IsTheLastErrorForAVersionThatDoesNotExist) {
  const PipReason reason = ReasonOf(kOtherPython, {"numpy==9"});
  EXPECT_EQ(reason.text, "No matching distribution found for numpy==2.5.1");
  EXPECT_EQ(reason.requires_python, "");
}

TEST(PipReason, SeesThatTheIndexCannotBeReached) {
  const PipReason reason = ReasonOf(
      "WARNING: Retrying (Retry(total=4)) after connection broken by 'NewConnectionError'\n"
      "ERROR: Could not find a version that satisfies the requirement numpy==2 (from versions: none)\n"
      "ERROR: No matching distribution found for numpy==2\n",
      {"numpy==2"});
  EXPECT_TRUE(reason.no_connection);
}

TEST(PipReason, IsTheLastLineIfPipNamesNoError) {
  EXPECT_EQ(ReasonOf("Traceback\nOSError: No space left on device\n", {}).text, "OSError: No space left on device");
  EXPECT_EQ(ReasonOf("", {}).text, "");
}

TEST(Specifier, ExcludesVersionsOutsideItsBounds) {
  EXPECT_TRUE(MayAllow(">=3.12", "3.12"));
  EXPECT_FALSE(MayAllow(">=3.12", "3.11"));
  EXPECT_FALSE(MayAllow(">=3.7,<3.11", "3.11"));
  EXPECT_TRUE(MayAllow(">=3.7, <3.11", "3.10"));
  EXPECT_TRUE(MayAllow(">=3.8, <3.12.4", "3.12"));
  EXPECT_FALSE(MayAllow("<3.12.4", "3.13"));
}

TEST(Specifier, AllowsWhatIsNotUnderstood) {
  EXPECT_TRUE(MayAllow("!=3.9.*,~=3.8", "3.13"));
  EXPECT_TRUE(MayAllow("", "3.13"));
}

}  // namespace
}  // namespace dlpack_cts::runner
