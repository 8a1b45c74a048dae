// tests/reports/pair_cell_test.cc: what the run of a pair says in its cell, and the matrix on a terminal.
#include "reports/pair_cell.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "reports/pair_matrix.h"

namespace dlpack_cts {
namespace {

using ::testing::HasSubstr;

Run RunWith(const std::string& memory, Verdict verdict, int64_t held) {
  Run run;
  if (!memory.empty()) run.header.profile = {{"pair", "memory", memory}, {"pair", "structs", "legacy structs"}};
  Result result;
  result.seen.case_id = "interop/pair/both-arrays-die";
  result.seen.message = "no example was conclusive";
  result.seen.held = held;
  result.verdict = verdict;
  run.results = {result};
  return run;
}

PairCell CellOf(const Run& run) {
  PairCell cell;
  FillCell(run, cell);
  return cell;
}

void AddCause(Verdict verdict, Run& run) {
  Cause cause;
  cause.id = "import/strides/rank-1";
  cause.verdict = verdict;
  cause.message = "the elements are wrong";
  cause.accused = "torch, the consumer";
  cause.cases = {"interop/pair/both-arrays-die"};
  run.causes.push_back(cause);
}

TEST(PairCell, TheSimplestExchangeDecidesIfNothingIsWrong) {
  EXPECT_EQ(CellOf(RunWith("shares the memory", Verdict::kPass, 9)).state, PairState::kShares);
  EXPECT_EQ(CellOf(RunWith("copies", Verdict::kPass, 9)).state, PairState::kCopies);
  EXPECT_EQ(CellOf(RunWith("accepts", Verdict::kPass, 9)).state, PairState::kAccepts);
  EXPECT_EQ(CellOf(RunWith("copies", Verdict::kPass, 9)).structs, "legacy structs");
}

TEST(PairCell, OnlyARefusalOfEverythingIsOne) {
  const PairCell cell = CellOf(RunWith("refuses: BufferError: no", Verdict::kSkip, 0));
  EXPECT_EQ(cell.state, PairState::kRefuses);
  EXPECT_EQ(cell.why, "BufferError: no");
  EXPECT_EQ(cell.judged, 0);
  // One case allows a refusal, and holds.
  dlpack_cts::Run run = RunWith("refuses: BufferError: no", Verdict::kPass, 3);
  EXPECT_EQ(CellOf(run).state, PairState::kRefuses);
  run.results.push_back(run.results.front());
  EXPECT_EQ(CellOf(run).state, PairState::kAccepts);
}

TEST(PairCell, WhatCouldNotRunIsNotARefusal) {
  const PairCell cell = CellOf(RunWith("", Verdict::kSkip, 0));
  EXPECT_EQ(cell.state, PairState::kNotTested);
  EXPECT_EQ(cell.why, "no example was conclusive");
}

TEST(PairCell, TheWorstCauseDecides) {
  dlpack_cts::Run run = RunWith("shares the memory", Verdict::kFail, 9);
  AddCause(Verdict::kWarn, run);
  const PairCell wrong = CellOf(run);
  EXPECT_EQ(wrong.state, PairState::kWrong);
  ASSERT_EQ(wrong.causes.size(), 1);  // the case that failed because of it adds nothing
  EXPECT_EQ(wrong.causes[0].accused, "torch, the consumer");
  AddCause(Verdict::kCrash, run);
  EXPECT_EQ(CellOf(run).state, PairState::kCrashes);
  EXPECT_EQ(CellOf(run).memory, "shares the memory");
}

TEST(PairCell, AFailureWithoutACauseIsShown) {
  const PairCell cell = CellOf(RunWith("shares the memory", Verdict::kLeak, 9));
  EXPECT_EQ(cell.state, PairState::kWrong);
  ASSERT_EQ(cell.causes.size(), 1);
  EXPECT_EQ(cell.causes[0].id, "interop/pair/both-arrays-die");
}

TEST(PairMatrix, HasALetterForEachPair) {
  Pairs pairs;
  const auto add = [&](const char* producer, const char* consumer, PairState state, const char* structs) {
    PairCell& cell = pairs.cells.emplace_back();
    cell.producer = producer;
    cell.consumer = consumer;
    cell.state = state;
    cell.structs = structs;
  };
  add("numpy", "numpy", PairState::kShares, "versioned structs");
  add("numpy", "mlx", PairState::kCopies, "legacy structs");
  add("tvm", "numpy", PairState::kNotTogether, "");
  std::ostringstream out;
  PrintMatrix(pairs, out);
  EXPECT_THAT(out.str(), HasSubstr("  numpy Sv Cl\n  tvm    -   "));
  EXPECT_THAT(out.str(), HasSubstr("  -    1  not installable together"));
}

}  // namespace
}  // namespace dlpack_cts
