// tests/fuzz/mutate_test.cc: whatever bytes come, the mutator makes recipes that its tier may offer.
#include "fuzz/mutate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "fuzz/finding.h"
#include "harness/recipe/codec.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/fields.h"
#include "harness/recipe/laws.h"
#include "harness/recipe/normalize.h"
#include "tests/recipe/normal.h"

namespace dlpack_cts::fuzz {
namespace {

constexpr uint64_t kRounds = 6000;
const Target& kImport = *FindTarget("import");
const Target& kExport = *FindTarget("export");

std::vector<uint8_t> WildBytes(Random& random) {
  std::vector<uint8_t> bytes(random.Below(1024));
  for (uint8_t& byte : bytes) byte = random.OneIn(3) ? 0 : static_cast<uint8_t>(random.Next());
  if (bytes.size() > 8 && random.OneIn(2)) {
    // A drawn recipe with a few wild bytes in it comes further than noise does.
    const auto drawn = Encode(DrawImport(random, static_cast<int>(random.Below(1000)), Tier::kHostile, Limits{}));
    bytes = drawn;
    for (int i = 0; i < 6; ++i) bytes[random.Below(bytes.size())] = static_cast<uint8_t>(random.Next());
  }
  return bytes;
}

/// The laws that a tier must keep.
uint32_t Forbidden(Tier tier) { return tier == Tier::kLegal ? ~0u : tier == Tier::kEdge ? kHostileLaws : 0u; }

void ExpectOffered(const Recipe& recipe, const Offering& offering, uint64_t seed) {
  const Offer& offer = recipe.offer();
  const std::string json = ToJson(recipe);
  ASSERT_EQ(BrokenLaws(offer) & Forbidden(offering.tier), 0u) << "seed " << seed << ": " << json;
  ASSERT_EQ(recipe.steps[0].op, Op::kImport) << "seed " << seed << ": " << json;
  if (!offering.capsules) {
    ASSERT_EQ(offer.name, CapsuleName::kOwn) << json;
    ASSERT_EQ(offer.gives, Gives::kCapsule) << json;
  }
  ASSERT_NE(offer.kind, StructKind::kView) << "seed " << seed;
  for (int d = 0; d < offer.dims && !offering.negative; ++d) ASSERT_GE(offer.strides[d], 0) << json;
}

/// Below the edge tier a call has no argument that callers do not use.
bool IsUsual(const Call& call) {
  for (const Argument* argument : {&call.max_version, &call.dl_device, &call.copy, &call.stream}) {
    if (argument->kind > ArgumentKind::kFalse || argument->kind == ArgumentKind::kInt) return false;
  }
  return call.unknown_keyword == 0;
}

void ExpectFolded(const Target& target, const Recipe& recipe, const Offering& offering, uint64_t seed) {
  const std::string json = ToJson(recipe);
  ASSERT_EQ(recipe.kind, target.role == "consumer" ? RecipeKind::kImport : RecipeKind::kExport) << "seed " << seed;
  ASSERT_TRUE(IsNormal(recipe)) << "seed " << seed << ": " << json;
  Recipe again = recipe;
  target.fold(again, offering);
  ASSERT_TRUE(Same(again, recipe)) << "seed " << seed << ": " << json << " folds again to " << ToJson(again);
  if (recipe.kind == RecipeKind::kImport) return ExpectOffered(recipe, offering, seed);
  ASSERT_EQ(recipe.steps[0].op, Op::kMake) << "seed " << seed << ": " << json;
  const auto is_export = [](const Step& step) { return step.op == Op::kExport && step.slot == 0; };
  ASSERT_EQ(std::ranges::count_if(recipe.life(), is_export), 1) << "seed " << seed << ": " << json;
  if (offering.tier != Tier::kLegal) return;
  ASSERT_TRUE(IsUsual(recipe.call())) << "seed " << seed << ": " << json;
  ASSERT_EQ(recipe.request().oddity, Oddity::kNone) << "seed " << seed << ": " << json;
}

class Tiers : public testing::TestWithParam<std::tuple<const Target*, Offering>> {
 protected:
  const Target& target() const { return *std::get<0>(GetParam()); }
  const Offering& offering() const { return std::get<1>(GetParam()); }
};

TEST_P(Tiers, AnyBytesFoldToARecipeOfTheTier) {
  for (uint64_t seed = 0; seed < kRounds; ++seed) {
    Random random(seed);
    Recipe recipe = DecodeAny(WildBytes(random));
    target().fold(recipe, offering());
    ASSERT_NO_FATAL_FAILURE(ExpectFolded(target(), recipe, offering(), seed));
  }
}

TEST_P(Tiers, LongWalksOfTheMutatorStayInTheTier) {
  Random random(1);
  Recipe recipe = DecodeAny({});
  for (uint64_t step = 0; step < kRounds; ++step) {
    recipe = Mutate(target(), recipe, offering(), random);
    ASSERT_NO_FATAL_FAILURE(ExpectFolded(target(), recipe, offering(), step));
  }
}

TEST_P(Tiers, CrossedRecipesStayInTheTier) {
  for (uint64_t seed = 0; seed < kRounds; ++seed) {
    Random random(seed);
    const Recipe a = DecodeAny(WildBytes(random));
    const Recipe b = DecodeAny(WildBytes(random));
    ASSERT_NO_FATAL_FAILURE(ExpectFolded(target(), Cross(target(), a, b, offering(), random), offering(), seed));
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Tiers,
                         testing::Combine(testing::ValuesIn(Targets().begin(), Targets().end()),
                                          testing::Values(Offering{Tier::kLegal, true}, Offering{Tier::kLegal, false},
                                                          Offering{Tier::kEdge, true}, Offering{Tier::kEdge, false},
                                                          Offering{Tier::kHostile, true},
                                                          Offering{Tier::kEdge, true, false},
                                                          Offering{Tier::kHostile, true, false})));

/// FoldHeader() keeps only what the bytes of a header can express.
TEST(Headers, BytesOfAFoldedRecipeGiveTheSameRecipe) {
  const Target& header = *FindTarget("header");
  for (const Tier tier : {Tier::kLegal, Tier::kEdge, Tier::kHostile}) {
    const Offering offering{tier};
    for (uint64_t seed = 0; seed < kRounds; ++seed) {
      Random random(seed);
      Recipe recipe = random.OneIn(2) ? header.decode(WildBytes(random)) : DecodeAny(WildBytes(random));
      header.fold(recipe, offering);
      Recipe again = header.decode(header.encode(recipe));
      header.fold(again, offering);
      ASSERT_TRUE(Same(again, recipe)) << "seed " << seed << ": " << ToJson(recipe) << " becomes " << ToJson(again);
    }
  }
}

/// The image of a struct, with the entries of shape and strides behind it.
std::vector<uint8_t> BytesOf(const abi::DLManagedTensorVersioned& managed, std::initializer_list<int64_t> entries) {
  std::vector<uint8_t> bytes(sizeof(managed) + entries.size() * sizeof(int64_t));
  std::memcpy(bytes.data(), &managed, sizeof(managed));
  std::memcpy(bytes.data() + sizeof(managed), entries.begin(), entries.size() * sizeof(int64_t));
  return bytes;
}

Offer OfferOfBytes(const abi::DLManagedTensorVersioned& managed, std::initializer_list<int64_t> entries) {
  const Target& header = *FindTarget("header");
  Recipe recipe = header.decode(BytesOf(managed, entries));
  header.fold(recipe, Offering{Tier::kHostile});
  return recipe.offer();
}

abi::DLManagedTensorVersioned PlainStruct() {
  abi::DLManagedTensorVersioned managed = {};
  managed.version = {1, 3};
  managed.dl_tensor.device = {abi::kDLCPU, 0};
  managed.dl_tensor.dtype = {abi::kDLFloat, 32, 1};
  managed.dl_tensor.ndim = 2;
  managed.dl_tensor.strides = reinterpret_cast<int64_t*>(uint64_t{2});  // the entries of the input
  return managed;
}

TEST(Headers, AValidStructStaysAsItIs) {
  const Offer offer = OfferOfBytes(PlainStruct(), {3, 2, -2, 1});
  EXPECT_EQ(BrokenLaws(offer), 0u);
  EXPECT_EQ(offer.minor, 3u);
  EXPECT_EQ(offer.dims, 2);
  EXPECT_EQ(offer.shape[0], 3);
  EXPECT_EQ(offer.strides[0], -2);
}

TEST(Headers, VisiblyWrongValuesStayAsTheyAre) {
  abi::DLManagedTensorVersioned managed = PlainStruct();
  managed.dl_tensor.ndim = -7;
  EXPECT_EQ(OfferOfBytes(managed, {}).ndim, -7);
  EXPECT_EQ(OfferOfBytes(PlainStruct(), {3, -9}).shape[1], -9);
  EXPECT_EQ(OfferOfBytes(PlainStruct(), {int64_t{1} << 62, 4}).shape[0], int64_t{1} << 62);
  managed = PlainStruct();
  managed.flags = ~uint64_t{0};
  managed.dl_tensor.device = {77, -1};
  managed.dl_tensor.dtype = {200, 3, 5};
  const Offer offer = OfferOfBytes(managed, {});
  EXPECT_EQ(offer.flags, ~uint64_t{0});
  EXPECT_EQ(offer.device.device_type, 77);
  EXPECT_EQ(offer.placement, Placement::kUnmapped);
  EXPECT_EQ(offer.dtype.code, 200);
}

/// No consumer could know that these bytes describe memory that does not exist.
TEST(Headers, MemoryThatCouldExistIsReducedToMemoryThatDoes) {
  const Offer offer = OfferOfBytes(PlainStruct(), {1'000'000, 50, int64_t{1} << 40, 1});
  EXPECT_EQ(BrokenLaws(offer) & kHostileLaws, 0u);
  EXPECT_LE(ElementCount(offer.shape, offer.dims), 1 << 16);
  abi::DLManagedTensorVersioned managed = PlainStruct();
  managed.dl_tensor.ndim = std::numeric_limits<int32_t>::max();
  EXPECT_LE(OfferOfBytes(managed, {}).ndim, 1000);
  managed = PlainStruct();
  managed.dl_tensor.data = reinterpret_cast<void*>(uint64_t{5});  // 0x1, on the CPU
  EXPECT_EQ(OfferOfBytes(managed, {2, 2}).placement, Placement::kEndsAtGuard);
}

TEST(Targets, HaveUniqueNamesAndChecksOfTheCatalogue) {
  std::set<std::string_view> names;
  for (const Target* target : Targets()) {
    EXPECT_TRUE(names.insert(target->name).second) << target->name;
    EXPECT_EQ(FindTarget(target->name), target);
    EXPECT_EQ(Jury(*target).MissingCase(), "") << target->name;
    EXPECT_FALSE(target->questions.empty()) << target->name;
  }
  EXPECT_EQ(FindTarget("unknown"), nullptr);
}

TEST(Targets, VaryOnlyFieldsOfRecipes) {
  for (const Target* target : Targets()) {
    for (const std::string_view beginning : target->fields) {
      const std::string_view block = beginning.substr(0, beginning.find('.'));
      const auto fields = block == "offer" ? OfferFields() : block == "request" ? RequestFields() : CallFields();
      EXPECT_TRUE(block == "offer" || block == "request" || block == "call") << beginning;
      const auto begins = [&](const Field& field) {
        return (std::string(block) + "." + std::string(field.name)).starts_with(beginning);
      };
      EXPECT_TRUE(std::ranges::any_of(fields, begins)) << target->name << " " << beginning;
    }
  }
}

TEST(Mutate, IsAFunctionOfItsSeed) {
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    Random first(seed);
    Random second(seed);
    const Recipe a = Mutate(kImport, DecodeAny({}), Offering{}, first);
    ASSERT_TRUE(Same(a, Mutate(kImport, DecodeAny({}), Offering{}, second))) << "seed " << seed;
  }
}

TEST(Mutate, StoredBytesDecodeToTheSameRecipe) {
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    Random random(seed);
    const Recipe recipe = Mutate(kImport, DecodeAny({}), Offering{}, random);
    ASSERT_TRUE(Same(recipe, DecodeAny(Encode(recipe)))) << "seed " << seed;
  }
}

/// Some types of less than a byte come by the way.
size_t WholeByteTypesIn(const std::set<int>& types) {
  return static_cast<size_t>(std::count_if(types.begin(), types.end(), [](int index) {
    return index >= 0 && index < static_cast<int>(WholeByteTypes().size());
  }));
}

TEST(Mutate, AWalkInTheLegalTierReachesEveryTypeRankAndLayout) {
  std::set<int> types;
  std::set<int> ranks;
  std::set<StridesKind> layouts;
  std::set<StructKind> kinds;
  Random random(7);
  Recipe recipe = DecodeAny({});
  for (int step = 0; step < 4000; ++step) {
    recipe = Mutate(kImport, recipe, Offering{Tier::kLegal, true}, random);
    types.insert(DataTypeIndex(recipe.offer().dtype));
    ranks.insert(recipe.offer().dims);
    layouts.insert(recipe.offer().strides_kind);
    kinds.insert(recipe.offer().kind);
  }
  EXPECT_EQ(WholeByteTypesIn(types), WholeByteTypes().size());
  for (int rank = 0; rank <= 8; ++rank) EXPECT_TRUE(ranks.contains(rank)) << rank;
  EXPECT_GT(*ranks.rbegin(), 32);
  EXPECT_EQ(layouts.size(), 3u);
  EXPECT_EQ(kinds.size(), 2u);
}

TEST(Mutate, AWalkOfExportsReachesEveryTypeRankLayoutAndArgument) {
  std::set<int> types;
  std::set<int> ranks;
  std::set<StridesKind> layouts;
  std::set<ArgumentKind> versions;
  std::set<ArgumentKind> copies;
  Random random(7);
  Recipe recipe = DecodeAny({});
  for (int step = 0; step < 8000; ++step) {
    recipe = Mutate(kExport, recipe, Offering{}, random);
    types.insert(DataTypeIndex(recipe.request().dtype));
    ranks.insert(recipe.request().dims);
    layouts.insert(recipe.request().strides_kind);
    versions.insert(recipe.call().max_version.kind);
    copies.insert(recipe.call().copy.kind);
  }
  EXPECT_EQ(WholeByteTypesIn(types), WholeByteTypes().size());
  for (int rank = 0; rank <= 8; ++rank) EXPECT_TRUE(ranks.contains(rank)) << rank;
  EXPECT_GT(*ranks.rbegin(), 32);
  EXPECT_EQ(layouts.size(), 2u);
  EXPECT_EQ(versions.size(), static_cast<size_t>(ArgumentKind::kIndexInt) + 1);
  EXPECT_EQ(copies.size(), static_cast<size_t>(ArgumentKind::kIndexInt) + 1);
}

TEST(Mutate, AWalkInTheEdgeTierBreaksEveryLawThatATierMayBreak) {
  uint32_t seen = 0;
  Random random(7);
  Recipe recipe = DecodeAny({});
  for (int step = 0; step < 20000; ++step) {
    recipe = Mutate(kImport, recipe, Offering{}, random);
    seen |= BrokenLaws(recipe.offer());
  }
  for (const uint32_t law :
       {kLawMajor, kLawName, kLawDevice, kLawDtype, kLawFlags, kLawRelease, kLawManners, kLawNdim, kLawFar, kLawHuge}) {
    EXPECT_NE(seen & law, 0u) << law;
  }
}

}  // namespace
}  // namespace dlpack_cts::fuzz
