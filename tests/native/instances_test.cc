// tests/native/instances_test.cc: the reference and a mutant of it side by side in one process, behind plug-in tables.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#include "engine/engine.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/normalize.h"
#include "mutants/mutant.h"
#include "reference/plugin.h"
#include "subject/native_subject.h"

namespace dlpack_cts {
namespace {

/// Does something in the middle of a life.
class Interrupted : public NativeSubject {
 public:
  using NativeSubject::NativeSubject;
  std::function<void()> when_described;

  void Describe(Handle array, Description& description) override {
    if (when_described) when_described();
    NativeSubject::Describe(array, description);
  }
};

/// An instance of the reference with its subject and engine.
struct Library {
  Reference reference;
  Interrupted subject{ReferencePlugin(reference), &reference};
  Engine engine{subject};

  Ledger Run(const Recipe& recipe) {
    Ledger ledger;
    engine.Run(recipe, ledger);
    return ledger;
  }
};

/// The address differs behind an exchange that left a tensor: another part of the memory takes over.
bool SameImport(Ledger a, Ledger b) {
  a.imports[0].result.pointer = b.imports[0].result.pointer = 0;
  return std::memcmp(&a.imports[0], &b.imports[0], sizeof(ImportLedger)) == 0;
}

class InstancesTest : public testing::Test {
 protected:
  void SetUp() override { Forge::InstallFaultHandler(); }

  static std::vector<Recipe> Imports() {
    std::vector<Recipe> recipes;
    Random random(3);
    for (int index = 0; index < 300; ++index) {
      recipes.push_back(DrawImport(random, index, Tier::kLegal, Limits{}));
      Normalize(recipes.back());
    }
    return recipes;
  }

  static Recipe PlainImport() {
    Recipe recipe = MakeRecipe(RecipeKind::kImport);
    recipe.offer().kind = StructKind::kVersioned;
    SetLife(recipe, {Op::kImport, Op::kDescribe, Op::kRead});
    Normalize(recipe);
    return recipe;
  }

  Library correct_;
  Library mutant_;
};

TEST_F(InstancesTest, InterleavedExchangesHaveTheLedgersOfSeparateOnes) {
  for (const char* name : {"ignores-byte-offset", "never-releases", "releases-twice"}) {
    const std::vector<Recipe> recipes = Imports();
    std::vector<Ledger> correct;
    std::vector<Ledger> changed;
    Activate(FindMutant(name), mutant_.reference);
    for (const Recipe& recipe : recipes) correct.push_back(correct_.Run(recipe));
    for (const Recipe& recipe : recipes) changed.push_back(mutant_.Run(recipe));
    int differ = 0;
    for (size_t i = 0; i < recipes.size(); ++i) {
      ASSERT_TRUE(SameImport(mutant_.Run(recipes[i]), changed[i])) << name << ", recipe " << i;
      ASSERT_TRUE(SameImport(correct_.Run(recipes[i]), correct[i])) << name << ", recipe " << i;
      differ += correct[i].imports[0].deleter.calls != changed[i].imports[0].deleter.calls ||
                correct[i].imports[0].library.reading != changed[i].imports[0].library.reading;
    }
    EXPECT_GT(differ, 0) << name;
  }
}

TEST_F(InstancesTest, LatestExportIsPerInstance) {
  mutant_.reference.behaviour.exporting.shares_struct = When::Always();
  Recipe recipe = MakeRecipe(RecipeKind::kExport);
  recipe.call().max_version = {ArgumentKind::kPair, {}, 1, 3};
  SetLife(recipe, {Op::kMake, Op::kExport, Op::kInspect});
  Normalize(recipe);
  mutant_.subject.when_described = [&] { correct_.Run(recipe); };
  const Ledger ledger = mutant_.Run(recipe);
  EXPECT_EQ(ledger.exports[0].export_call.outcome, Outcome::kAccepted);
  EXPECT_EQ(ledger.exports[0].elements.reading, Reading::kMatches);
  EXPECT_EQ(ledger.sources[0].alive_at_end, 0);
  EXPECT_EQ(correct_.reference.live_exports, 0);
}

TEST_F(InstancesTest, ReleaseFollowsTheBehaviourOfTheInstanceThatImported) {
  mutant_.reference.behaviour.owning.leaks = When::Always();
  const Ledger leaked = mutant_.Run(PlainImport());
  const Ledger released = correct_.Run(PlainImport());
  EXPECT_EQ(leaked.imports[0].released, 0);
  EXPECT_EQ(released.imports[0].released, 1);
}

TEST_F(InstancesTest, LateReleaseIsCountedForItsOwnLibrary) {
  const Ledger alone = correct_.Run(PlainImport());
  dlpack_cts_plugin_table table = ReferencePlugin(mutant_.reference);
  table.collect = nullptr;
  NativeSubject late(table, &mutant_.reference);
  mutant_.reference.behaviour.owning.release = Release::kCollect;
  Engine engine(late);
  Ledger left;
  engine.Run(PlainImport(), left);
  ASSERT_EQ(left.imports[0].released, 0);
  correct_.subject.when_described = [&] { std::thread([&] { mutant_.reference.Flush(); }).join(); };
  const Ledger beside = correct_.Run(PlainImport());
  EXPECT_TRUE(SameImport(beside, alone));
  EXPECT_EQ(beside.imports[0].deleter.calls, 1);
  EXPECT_EQ(beside.imports[0].deleter.wrong_self, 0);
  EXPECT_EQ(engine.forge().LateDeletes(), 1);
  EXPECT_EQ(correct_.engine.forge().LateDeletes(), 0);
}

TEST_F(InstancesTest, EscapedCppExceptionEndsTheProcess) {
  dlpack_cts_plugin_table table = ReferencePlugin(correct_.reference);
  table.import_tensor = [](void*, void*, const dlpack_cts_import_options*, dlpack_cts_array*,
                           dlpack_cts_error*) -> int { throw 1; };
  NativeSubject subject(table);
  Engine engine(subject);
  Ledger ledger;
  EXPECT_DEATH(engine.Run(PlainImport(), ledger), "");
}

}  // namespace
}  // namespace dlpack_cts
