// tests/reports/junit_test.cc: JUnit XML has the verdict sentence once, and says that a run ended early.
#include "reports/junit.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>

#include "reports/verdict_sentence.h"
#include "tests/reports/sample_run.h"

namespace dlpack_cts {
namespace {

/// The values of a property, in all suites.
std::multiset<std::string> ValuesOf(const Run& run, const std::string& property) {
  std::ostringstream out;
  PrintJunit(run, SampleContext(), out);
  std::multiset<std::string> found;
  std::istringstream lines(out.str());
  for (std::string line; std::getline(lines, line);) {
    if (line.find("\"" + property + "\"") != std::string::npos) found.insert(line.substr(line.find("value=")));
  }
  return found;
}

std::multiset<std::string> Reasons(const Run& run) { return ValuesOf(run, "incomplete"); }

TEST(JUnit, HasTheVerdictSentenceOnce) {
  const dlpack_cts::Run run = SampleRun();
  EXPECT_EQ(ValuesOf(run, "conclusion"),
            std::multiset<std::string>{"value=\"" + VerdictSentence(run, SampleContext()) + "\"/>"});
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
