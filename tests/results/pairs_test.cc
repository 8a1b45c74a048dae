// tests/results/pairs_test.cc: a set of pairs is read as it was written, and a shortened file is refused.
#include "results/pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/failure.h"

namespace dlpack_cts {
namespace {

using ::testing::HasSubstr;

Pairs Sample() {
  Pairs pairs;
  pairs.header.program_version = "1.0";
  pairs.header.command = "dlpack-cts interop numpy torch --seed 1";
  PairCell wrong;
  wrong.producer = "numpy";
  wrong.consumer = "torch";
  wrong.producer_version = "2.4.6";
  wrong.state = PairState::kWrong;
  wrong.memory = "shares the memory";
  wrong.structs = "versioned structs";
  wrong.causes = {{.id = "import/strides/rank-1",
                   .rule = "C-STRIDES-08",
                   .verdict = Verdict::kWarn,
                   .accused = "torch, the consumer",
                   .sentence = "the elements are wrong",
                   .example = "float32, shape (2,)",
                   .known = ""}};
  wrong.limits = {"the consumer refuses arrays of the producer of dtype bfloat16"};
  wrong.judged = 6;
  wrong.unexpected = 1;
  PairCell apart;
  apart.producer = "torch";
  apart.consumer = "numpy";
  apart.state = PairState::kNotTogether;
  apart.why = "pip: no such version";
  pairs.cells = {wrong, apart};
  return pairs;
}

std::string Written(const std::string& name, const std::string& text) {
  std::string path = (std::filesystem::path(::testing::TempDir()) / name).string();
  std::ofstream(path) << text;
  return path;
}

TEST(Pairs, AreReadAsTheyWereWritten) {
  const std::string path = Written("whole.ndjson", PairsText(Sample()));
  EXPECT_TRUE(IsPairsFile(path));
  const Pairs read = ReadPairs(path);
  EXPECT_EQ(read.header.count, 2);
  EXPECT_EQ(PairsText(read), PairsText(Sample()));
  EXPECT_EQ(read.cells[0].causes[0].verdict, Verdict::kWarn);
  EXPECT_EQ(read.cells[1].state, PairState::kNotTogether);
}

TEST(Pairs, AShortenedFileIsRefused) {
  const std::string text = PairsText(Sample());
  const std::string path = Written("short.ndjson", text.substr(0, text.rfind("{")));
  EXPECT_THAT(FailureOf([&] { ReadPairs(path); })->what(), HasSubstr("the file is truncated: it has 1 of 2 pairs"));
}

TEST(Pairs, AnotherFileIsNotASet) {
  EXPECT_FALSE(IsPairsFile(Written("other.ndjson", R"({"compact":1,"type":"compact"})")));
  EXPECT_FALSE(IsPairsFile(::testing::TempDir()));
}

TEST(Pairs, AWrongLineIsNamed) {
  std::string text = PairsText(Sample());
  text.replace(text.find("\"wrong\""), 7, "\"bad\"");
  const std::string path = Written("wrong.ndjson", text);
  EXPECT_THAT(FailureOf([&] { ReadPairs(path); })->what(), HasSubstr("line 3: field \"state\""));
}

}  // namespace
}  // namespace dlpack_cts
