// tests/runner/together_test.cc: which libraries share an environment, for an answer of pip that the test decides.
#include "runner/environment/together.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/text.h"

namespace dlpack_cts::runner {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Library Of(const std::string& name, std::vector<std::string> requirements,
           std::vector<std::string> pythons = {"3.11"}) {
  Library library;
  library.name = name;
  library.kind = "python";
  library.requirements = std::move(requirements);
  library.pythons = std::move(pythons);
  return library;
}

std::string Fits(const Library&) { return ""; }

TEST(Together, AllThatFitShareOneEnvironment) {
  const std::vector<Library> libraries = {Of("a", {"numpy==2", "a==1"}), Of("b", {"b==1"}), Of("c", {"c==1"})};
  const PairEnvironments plan = PlanEnvironments(libraries, Fits);
  ASSERT_EQ(plan.environments.size(), 1);
  EXPECT_THAT(plan.environments[0].requirements, ElementsAre("a==1", "b==1", "c==1", "numpy==2"));
  EXPECT_EQ(plan.places.size(), 9);
}

TEST(Together, TheOrderOfTheLibrariesDoesNotMatter) {
  const Library a = Of("a", {"numpy==2", "a==1"});
  const Library b = Of("b", {"numpy==2", "b==1"});
  const Library there = PlanEnvironments({a, b}, Fits).environments[0];
  const Library back = PlanEnvironments({b, a}, Fits).environments[0];
  EXPECT_EQ(there.requirements, back.requirements);
  EXPECT_EQ(there.name, back.name);
}

TEST(Together, TheEnvironmentOfOneLibraryServesIfItHasAll) {
  const PairEnvironments plan =
      PlanEnvironments({Of("numpy", {"numpy==2"}), Of("torch", {"torch==1", "numpy==2"})}, Fits);
  ASSERT_EQ(plan.environments.size(), 1);
  EXPECT_EQ(plan.environments[0].name, "torch");
  EXPECT_THAT(plan.environments[0].requirements, ElementsAre("torch==1", "numpy==2"));
}

TEST(Together, ConflictingPinsAreAReason) {
  const std::vector<Library> libraries = {Of("a", {"numpy==2"}), Of("b", {"numpy==1"}), Of("c", {"c==1"})};
  const PairEnvironments plan = PlanEnvironments(libraries, Fits);
  EXPECT_THAT(plan.Of(libraries[0], libraries[1]).reason, HasSubstr("a needs numpy==2 and b needs numpy==1"));
  EXPECT_EQ(plan.Of(libraries[0], libraries[2]).reason, "");
  EXPECT_EQ(plan.Of(libraries[2], libraries[1]).reason, "");
  EXPECT_EQ(plan.environments.size(), 2);
}

TEST(Together, VersionsOfPythonThatExcludeEachOtherAreAReason) {
  const std::vector<Library> libraries = {Of("a", {"a==1"}, {"3.11"}), Of("b", {"b==1"}, {"3.12"})};
  EXPECT_EQ(PlanEnvironments(libraries, Fits).Of(libraries[0], libraries[1]).reason,
            "a is tested with Python 3.11, and b with Python 3.12");
}

TEST(Together, OnePairThatPipRefusesLeavesTheOthersTogether) {
  const std::vector<Library> libraries = {Of("a", {"a==1"}), Of("b", {"b==1"}), Of("c", {"c==1"}), Of("d", {"d==1"})};
  const auto has = [](const Library& all, const char* name) {
    return std::ranges::find(all.requirements, name) != all.requirements.end();
  };
  const PairEnvironments plan = PlanEnvironments(libraries, [&](const Library& all) -> std::string {
    return has(all, "b==1") && has(all, "c==1") ? "pip: b and c conflict" : "";
  });
  EXPECT_EQ(plan.Of(libraries[1], libraries[2]).reason, "pip: b and c conflict");
  for (const Library& one : libraries) {
    for (const Library& other : libraries) {
      const PairPlace& place = plan.Of(one, other);
      if (!place.reason.empty()) continue;
      EXPECT_TRUE(has(plan.environments[place.environment], one.requirements[0].c_str())) << one.name;
      EXPECT_TRUE(has(plan.environments[place.environment], other.requirements[0].c_str())) << other.name;
    }
  }
  EXPECT_EQ(plan.environments.size(), 2);
}

TEST(Together, HomeOfALibraryWithItselfIsTheLibrary) {
  EXPECT_EQ(HomeOf(Of("a", {"a==1"}), Of("a", {"a==1"})).name, "a");
}

}  // namespace
}  // namespace dlpack_cts::runner
