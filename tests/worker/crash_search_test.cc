// tests/worker/crash_search_test.cc: a search among recipes that crash uses few processes, and believes no crash of a
// used one.
#include "worker/diagnose/crash_search.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "tests/worker/fakes.h"

namespace dlpack_cts::worker {
namespace {

constexpr Budget kBudget = {60, 1000};

/// Asks for scalars with these offsets in turn, and notes the offsets of those that crash in the same way.
struct Offsets {
  std::vector<uint64_t> asked;
  std::function<bool(const Recipe&)> counts = [](const Recipe&) { return true; };
  std::vector<uint64_t> crashed = {};

  void Search(FakeProcesses& processes, const Budget& budget = kBudget) {
    const auto crashes = [](Tried& tried) { return tried.CrashedInExchange(); };
    SearchCrash(processes, {kCase, 1, counts, crashes}, budget, [&](const Predicate& fails, const Budget&) {
      crashed.clear();
      for (const uint64_t offset : asked) {
        Recipe recipe = MakeRecipe(RecipeKind::kImport);
        recipe.offer().byte_offset = offset;
        if (fails(recipe)) crashed.push_back(offset);
      }
    });
  }
};

bool IsOdd(const Recipe& recipe) { return recipe.offer().byte_offset % 2 != 0; }

TEST(CrashSearchTest, RecipesThatCrashNothingShareAProcess) {
  FakeProcesses processes;
  Offsets offsets{{2, 4, 6, 8}};
  offsets.Search(processes);
  EXPECT_TRUE(offsets.crashed.empty());
  EXPECT_EQ(processes.runs, 1);
}

TEST(CrashSearchTest, ACrashOfAUsedProcessIsTriedAlone) {
  FakeProcesses processes;
  processes.crashes = IsOdd;
  Offsets offsets{{2, 3, 4}};
  offsets.Search(processes);
  EXPECT_EQ(offsets.crashed, std::vector<uint64_t>{3});
  EXPECT_EQ(processes.runs, 3);  // 2 and 3; 3 alone; 4
}

TEST(CrashSearchTest, ACrashOfANewProcessIsNotTriedAgain) {
  FakeProcesses processes;
  processes.crashes = IsOdd;
  Offsets offsets{{1, 3, 5}};
  offsets.Search(processes);
  EXPECT_EQ(offsets.crashed, (std::vector<uint64_t>{1, 3, 5}));
  EXPECT_EQ(processes.runs, 4);  // one for each, and one that has nothing to do
}

TEST(CrashSearchTest, ACrashThatAnEarlierRecipeCausesIsNotCounted) {
  FakeProcesses processes;
  processes.crashes_later = IsOdd;
  Offsets offsets{{2, 3, 4}};
  offsets.Search(processes);
  EXPECT_TRUE(offsets.crashed.empty());
}

TEST(CrashSearchTest, RecipesThatDoNotCountAreNotRun) {
  FakeProcesses processes;
  processes.crashes = IsOdd;
  Offsets offsets{{1, 2, 3}};
  offsets.counts = [](const Recipe& recipe) { return recipe.offer().byte_offset != 1; };
  offsets.Search(processes);
  EXPECT_EQ(offsets.crashed, std::vector<uint64_t>{3});
}

TEST(CrashSearchTest, ASpentBudgetStartsNoProcess) {
  FakeProcesses processes;
  processes.crashes = IsOdd;
  Offsets offsets{{1, 2, 3}};
  offsets.Search(processes, {60, 0});
  EXPECT_TRUE(offsets.crashed.empty());
  EXPECT_EQ(processes.runs, 0);
}

}  // namespace
}  // namespace dlpack_cts::worker
