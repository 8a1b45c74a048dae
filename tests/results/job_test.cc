// tests/results/job_test.cc: a job survives its file, and a wrong field is named.
#include "results/job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/message_of.h"

namespace dlpack_cts {
namespace {

using ::testing::HasSubstr;

JobFile Full() {
  JobFile job;
  job.tested = {"numpy", "python", "/adapters/numpy", {"consumer", "write"}, {{"ranks", {1, 2}}}};
  job.partner = JobLibrary{"torch", "python", "/adapters/torch", {"consumer"}, nlohmann::json::object()};
  job.python = "/env/bin/python";
  job.path = {"/more"};
  job.cases = {"c-abi/a/b"};
  job.mutants = {"reads-behind-the-end"};
  job.mutated = "consumer";
  job.seed = UINT64_MAX;
  job.examples = 7;
  job.case_seconds = 0.5;
  job.memory_bytes = int64_t{1} << 40;
  job.fork = false;
  job.replayed = {{"kind", "import"}};
  job.run_before = {{{"kind", "export"}}};
  job.left_out["c-abi/a/b"] = {{Side::kExport, {"rank-1"}, {{"kind", "export"}}, true}};
  job.board = "/somewhere/board";
  return job;
}

std::string ErrorOf(const nlohmann::json& json) {
  return MessageOf([&] { FromJson<JobFile>(json); });
}

std::string ErrorWith(const char* field, const nlohmann::json& value) {
  nlohmann::json json = ToJson(Full());
  json[field] = value;
  return ErrorOf(json);
}

TEST(JobFile, SurvivesARoundTrip) {
  const nlohmann::json json = ToJson(Full());
  const auto read = FromJson<JobFile>(nlohmann::json::parse(json.dump()));
  EXPECT_EQ(ToJson(read), json);
  EXPECT_EQ(read.seed, UINT64_MAX);
  EXPECT_EQ(read.partner->library, "torch");
  EXPECT_EQ(read.left_out, Full().left_out);
  EXPECT_EQ(json["avoid"]["c-abi/a/b"][0]["side"], "export");
}

TEST(JobFile, HasNullForNoPairAndNoReplay) {
  const nlohmann::json json = ToJson(JobFile{});
  EXPECT_TRUE(json["pair"].is_null());
  EXPECT_TRUE(json["replay"].is_null());
  EXPECT_EQ(ErrorOf(json), "");
}

TEST(JobFile, RefusesMissingAndUnknownFields) {
  const nlohmann::json full = ToJson(Full());
  for (const auto& [field, value] : full.items()) {
    nlohmann::json json = full;
    json.erase(field);
    EXPECT_EQ(ErrorOf(json), "field \"" + field + "\": is missing");
  }
  EXPECT_EQ(ErrorWith("sed", 1), "field \"sed\": is not a known field");
}

TEST(JobFile, NamesTheFieldOfAWrongType) {
  EXPECT_EQ(ErrorWith("library", 1), "field \"library\": expected a string, got a number");
  EXPECT_EQ(ErrorWith("fork", "yes"), "field \"fork\": expected true or false, got a string");
  EXPECT_EQ(ErrorWith("examples", int64_t{1} << 31), "field \"examples\": the number is too large");
  EXPECT_THAT(ErrorWith("pair", {{"library", "x"}}), HasSubstr("field \"pair\": field \"kind\": is missing"));
  EXPECT_THAT(ErrorWith("avoid", nlohmann::json::array()), HasSubstr("field \"avoid\": expected an object"));
  EXPECT_THAT(ErrorWith("avoid", {{"c-abi/a/b", {{{"side", "left"}}}}}),
              HasSubstr("field \"avoid\": an entry: field \"side\": \"left\" is not one of import, export"));
}

TEST(JobFile, IsDescribedInTheDocumentation) {
  std::stringstream page;
  page << std::ifstream(CTS_PROCESSES_PAGE).rdbuf();
  const nlohmann::json full = ToJson(Full());
  for (const auto& [field, value] : full.items()) {
    EXPECT_THAT(page.str(), HasSubstr("`" + field + "`")) << "docs/processes.md";
  }
}

}  // namespace
}  // namespace dlpack_cts
