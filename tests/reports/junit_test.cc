// tests/reports/junit_test.cc: JUnit XML says that a run ended early.
#include "reports/junit.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>

#include "tests/reports/sample_run.h"

namespace dlpack_cts {
namespace {

/// The values of the property `incomplete`.
std::multiset<std::string> Reasons(const Run& run) {
  std::ostringstream out;
  PrintJunit(run, out);
  std::multiset<std::string> found;
  std::istringstream lines(out.str());
  for (std::string line; std::getline(lines, line);) {
    if (line.find("\"incomplete\"") != std::string::npos) found.insert(line.substr(line.find("value=")));
  }
  return found;
}

TEST(JUnit, SaysInEachSuiteThatTheRunEndedEarly) {
  constexpr size_t kSuites = 6;
  dlpack_cts::Run run = SampleRun();
  run.footer.interrupted = false;
  run.footer.complete = true;
  EXPECT_TRUE(Reasons(run).empty());
  run.footer.complete = false;
  EXPECT_EQ(Reasons(run).count("value=\"The time limit of the run passed\"/>"), kSuites);
  run.footer.interrupted = true;
  EXPECT_EQ(Reasons(run).count("value=\"The run was interrupted\"/>"), kSuites);
  run.header.provisional = true;
  EXPECT_EQ(Reasons(run).count("value=\"The run did not end, and its verdicts are provisional\"/>"), kSuites);
}

}  // namespace
}  // namespace dlpack_cts
