// tests/worker/domain_test.cc: a simplified example keeps what every example of its case has, and nothing else.
#include "worker/diagnose/domain.h"

#include <gtest/gtest.h>

#include "harness/case/arguments.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/normalize.h"

namespace dlpack_cts::worker {
namespace {

constexpr abi::DLDevice kCpu{abi::kDLCPU, 0};

/// An export with dl_device, and with a max_version or without one.
Recipe Export(Argument dl_device, Argument max_version = {}) {
  Recipe recipe = MakeRecipe(RecipeKind::kExport);
  SetPlainLife(recipe);
  recipe.call().dl_device = dl_device;
  recipe.call().max_version = max_version;
  Normalize(recipe);
  return recipe;
}

Argument On(abi::DLDevice device) { return argument::Pair(device.device_type, device.device_id); }

/// Each example has a dl_device. Only every second one has a max_version, which the first one has.
Recipe DrawExport(Draw& draw) { return Export(On(kCpu), draw.index % 2 == 0 ? kNewestVersion : Argument{}); }

struct DomainTest : testing::Test {
  bool Keeps(const Case& tested, const Recipe& example, const Recipe& candidate) const {
    return Domain(tested, profile, example).Holds(candidate);
  }

  Profile profile{};
  Case property{.id = "domain/export/asks", .rules = {"C-TEST-01"}, .draw = DrawExport};
};

TEST_F(DomainTest, OfAPropertyHasWhatEveryExampleHas) { EXPECT_FALSE(Keeps(property, Export(On(kCpu)), Export({}))); }

TEST_F(DomainTest, OfAPropertyDoesNotHaveWhatOnlyTheFirstExampleHas) {
  EXPECT_TRUE(Keeps(property, Export(On(kCpu), kNewestVersion), Export(On(kCpu))));
}

TEST_F(DomainTest, HasTheValuesOfTheFailingExampleToo) {
  const Recipe rare = Export(On({abi::kDLCPU, 3}));
  EXPECT_TRUE(Keeps(property, rare, Export(On({abi::kDLCPU, 3}))));
  EXPECT_TRUE(Keeps(property, rare, Export(On(kCpu))));
  EXPECT_FALSE(Keeps(property, rare, Export({})));
}

TEST_F(DomainTest, KeepsEqualWhatIsEqualInBothCallsOfEveryExample) {
  const auto two = [](Argument one, Argument other, Argument copy = {}) {
    Recipe recipe = Export({}, one);
    AddCall(recipe, recipe.call()).max_version = other;
    recipe.call().copy = copy;
    return recipe;
  };
  const Argument newest = kNewestVersion;
  const Argument objects = {ArgumentKind::kIndexPair, {}, newest.a, newest.b};
  property.draw = [](Draw& draw) {
    Recipe recipe = Export({}, {ArgumentKind::kIndexPair, {}, kNewestVersion.a, kNewestVersion.b});
    AddCall(recipe, recipe.call()).max_version = kNewestVersion;
    if (draw.index % 2 == 0) recipe.call().copy = argument::kNone;
    return recipe;
  };
  const Recipe example = two(objects, newest);
  EXPECT_TRUE(Keeps(property, example, example));
  EXPECT_TRUE(Keeps(property, example, two(newest, newest)));
  EXPECT_TRUE(Keeps(property, example, two(newest, newest, argument::kNone)));
  EXPECT_FALSE(Keeps(property, example, two(argument::Pair(0, 0), newest)));
  EXPECT_TRUE(Keeps(property, two(argument::Pair(0, 0), newest), two(argument::Pair(0, 1), newest)));
}

TEST_F(DomainTest, OfATableHasWhatEveryRowHas) {
  Case table = property;
  table.examples = Examples::kTable;
  table.table = 1;
  EXPECT_FALSE(Keeps(table, Export(On(kCpu), kNewestVersion), Export(On(kCpu))));
}

TEST_F(DomainTest, DoesNotHaveWhatTheExampleItselfLacks) { EXPECT_TRUE(Keeps(property, Export({}), Export({}))); }

}  // namespace
}  // namespace dlpack_cts::worker
