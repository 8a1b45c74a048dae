// tests/suites/draw_test.cc: normalizing does not change what a case sets in a recipe.
//
// Recipes are normalized before they run. If normalizing changes a value that a case sets, the case silently tests
// another exchange and still passes.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "harness/case/case.h"
#include "harness/case/generous.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/fields.h"
#include "harness/recipe/normalize.h"

namespace dlpack_cts {
namespace {

constexpr int kExamples = 300;

Profile LegacyOnly() {
  Profile profile = Generous();
  profile.takes_versioned = profile.makes_versioned = profile.takes_keywords = 0;
  return profile;
}

Profile VersionedOnly() {
  Profile profile = Generous();
  profile.takes_legacy = profile.makes_legacy = 0;
  return profile;
}

/// Clears entries that are unused with these dims and strides_kind. A case may leave random values there.
template <typename Tensor>
void ForgetUnread(Tensor& tensor) {
  const int kept = tensor.strides_kind == StridesKind::kExplicit ? tensor.dims : 0;
  std::fill(tensor.shape + tensor.dims, std::end(tensor.shape), 0);
  std::fill(tensor.strides + kept, std::end(tensor.strides), 0);
}

/// The first field that differs, with its value before and after; "" when nothing does.
std::string Difference(const Recipe& before, const Recipe& after) {
  if (Same(before, after)) return "";
  const auto* old_bytes = reinterpret_cast<const uint8_t*>(&before);
  const auto* new_bytes = reinterpret_cast<const uint8_t*>(&after);
  for (const BlockType& type : BlockTypes()) {
    if (old_bytes[type.used] != new_bytes[type.used]) return std::string(type.name) + ": the number of blocks differs";
    for (int i = 0; i < new_bytes[type.used]; ++i) {
      const size_t at = type.offset + static_cast<size_t>(i) * type.size;
      for (const Field& field : type.fields) {
        for (int entry = 0; entry < field.count; ++entry) {
          const auto was = static_cast<int64_t>(ReadField(field, old_bytes + at, entry));
          const auto is = static_cast<int64_t>(ReadField(field, new_bytes + at, entry));
          if (was == is) continue;
          return std::string(type.name) + "[" + std::to_string(i) + "]." + std::string(field.name) + "[" +
                 std::to_string(entry) + "]: " + std::to_string(was) + " becomes " + std::to_string(is);
        }
      }
    }
  }
  return "the header or reserved bytes differ";
}

class Drawn : public testing::TestWithParam<int> {};

TEST_P(Drawn, RecipesOfEveryCaseAreNormal) {
  const Profile profiles[] = {Generous(), LegacyOnly(), VersionedOnly()};
  const Profile& profile = profiles[GetParam()];
  int drawn = 0;
  for (const Case& tested : Catalogue()) {
    if (tested.blocked != nullptr && !tested.blocked(profile).empty()) continue;
    const int rows = tested.examples == Examples::kTable ? tested.table : kExamples;
    for (int row = 0; row < rows; ++row) {
      Draw draw{Random(static_cast<uint64_t>(row) * 77 + 5), row, profile};
      Recipe recipe = tested.draw(draw);
      for (int i = 0; i < recipe.used.offers; ++i) ForgetUnread(recipe.offers[i]);
      for (int i = 0; i < recipe.used.requests; ++i) ForgetUnread(recipe.requests[i]);
      Recipe normal = recipe;
      Normalize(normal);
      for (int i = 0; i < recipe.used.requests; ++i)
        recipe.requests[i].offset = normal.requests[i].offset;  // filled in
      ++drawn;
      const std::string difference = Difference(recipe, normal);
      EXPECT_EQ(difference, "") << tested.id << ", row " << row;
      if (!difference.empty()) break;  // one difference per case is enough
    }
  }
  EXPECT_GT(drawn, 10000);
}

INSTANTIATE_TEST_SUITE_P(Profiles, Drawn, testing::Values(0, 1, 2));

constexpr int kSwept = 2000;

/// Visits the recipes that the case draws for that profile.
template <typename Visit>
void ForEachDrawn(const Case& tested, const Profile& profile, Visit visit) {
  if (tested.blocked != nullptr && !tested.blocked(profile).empty()) return;
  const int rows = tested.examples == Examples::kTable   ? tested.table
                   : tested.examples == Examples::kSweep ? kSwept
                                                         : kExamples;
  for (int row = 0; row < rows; ++row) {
    Draw draw{Random(static_cast<uint64_t>(row) * 91 + 3), row, profile};
    visit(tested.draw(draw));
  }
}

// The sweep remembers the kind that a case draws, and skips the case for the other kind.
TEST_P(Drawn, RecipesOfACaseAreAllOfOneKind) {
  const Profile profiles[] = {Generous(), LegacyOnly(), VersionedOnly()};
  for (const Case& tested : Catalogue()) {
    std::set<RecipeKind> kinds;
    ForEachDrawn(tested, profiles[GetParam()], [&](const Recipe& recipe) { kinds.insert(recipe.kind); });
    EXPECT_LE(kinds.size(), 1u) << tested.id;
  }
}

// A control that changes nothing would make every refusal inconclusive.
TEST(Drawn, ControlsRemoveWhatTheirCaseDraws) {
  Profile profile = Generous();
  profile.looks_for_tables = 1;
  int controlled = 0;
  for (const Case& tested : Catalogue()) {
    if (tested.control == nullptr) continue;
    ++controlled;
    bool differs = false;
    ForEachDrawn(tested, profile, [&](const Recipe& recipe) {
      Recipe normal = recipe;
      Normalize(normal);
      Recipe control = normal;
      tested.control(profile, control);
      Normalize(control);
      differs = differs || !Same(control, normal);
      EXPECT_EQ(control.kind, normal.kind) << tested.id;
      EXPECT_EQ(control.used.steps, normal.used.steps) << tested.id;
    });
    EXPECT_TRUE(differs) << tested.id;
  }
  EXPECT_GT(controlled, 40);
}

TEST(Drawn, StructsAreReadInTheRankThatTheSubjectHas) {
  for (const int rank : {1, 2, 3, 4, 5}) {
    Profile profile = Generous();
    profile.takes_ranks = 1u << rank;
    profile.takes_scalar = 0;
    for (const char* id :
         {"c-abi/layout/tensor-fields-are-read-in-their-places", "c-abi/layout/legacy-struct-is-read-in-its-layout",
          "c-abi/layout/versioned-struct-is-read-in-its-layout"}) {
      ForEachDrawn(*FindCase(id), profile, [&](Recipe recipe) {
        Normalize(recipe);
        EXPECT_EQ(recipe.offer().dims, rank) << id;
        EXPECT_GT(recipe.offer().shape[0], 1) << id;
      });
    }
  }
}

/// Cases whose tensors may have any rank and size.
constexpr const char* kAnySize[] = {"c-abi/strides/any-layout-is-honoured",
                                    "c-abi/shape/exported-metadata-describes-the-array"};

TEST(Drawn, TensorsOfAnySizeAreDeepWhereTheSubjectHasThemAndLarge) {
  Profile profile = Generous();
  profile.takes_deepest = profile.makes_deepest = 32;
  for (const char* id : kAnySize) {
    int deep = 0;
    int large = 0;
    ForEachDrawn(*FindCase(id), profile, [&](const Recipe& recipe) {
      const bool import = recipe.kind == RecipeKind::kImport;
      const int dims = import ? recipe.offer().dims : recipe.request().dims;
      EXPECT_LE(dims, 32);
      deep += dims > kWalkedDims;
      large += import ? recipe.offer().large : recipe.request().large;
    });
    EXPECT_GT(deep, 20) << id;
    EXPECT_GT(large, 2) << id;
  }
}

TEST(Drawn, NoCaseAsksForDeepTensorsWhereTheSubjectHasNone) {
  const Profile profile = Generous();
  for (const Case& tested : Catalogue()) {
    ForEachDrawn(tested, profile, [&](const Recipe& recipe) {
      EXPECT_LE(std::max(recipe.offer().dims, recipe.request().dims), kWalkedDims) << tested.id;
    });
  }
}

TEST(Drawn, FarOffsetsOfTheTableAreThoseThatItNames) {
  const Profile profile = Generous();
  const Case* tested = FindCase("c-abi/data/byte-offset-has-64-bits");
  ASSERT_NE(tested, nullptr);
  // Each of them with a scalar, with one element and with more, by each entry point.
  std::map<std::tuple<int, int, Op>, int> seen;
  for (int row = 0; row < tested->table; ++row) {
    Draw draw{Random(1), row, profile};
    Recipe recipe = tested->draw(draw);
    const uint64_t drawn = recipe.offer().byte_offset;
    Normalize(recipe);
    const Offer& offer = recipe.offer();
    EXPECT_EQ(offer.byte_offset, drawn);
    EXPECT_EQ(offer.placement, Placement::kFarOffset);
    const Op first = recipe.steps[0].op;
    const Op entry = first == Op::kMake ? recipe.steps[1].op : first;
    const int64_t elements = ElementCount(offer.shape, offer.dims);
    const int kind = offer.dims == 0 ? 0 : elements == 1 ? 1 : 2;
    for (const int bits : {15, 16, 31, 32}) seen[{bits, kind, entry}] += offer.byte_offset == uint64_t{1} << bits;
  }
  for (const int bits : {15, 16, 31, 32}) {
    for (const Op entry : {Op::kImport, Op::kImportCapsule, Op::kTableImport}) {
      EXPECT_GT((seen[{bits, 0, entry}]), 0) << "2^" << bits;
      EXPECT_GT((seen[{bits, 1, entry}]), 0) << "2^" << bits;
    }
    EXPECT_GT((seen[{bits, 2, Op::kImport}]), 0) << "2^" << bits;
  }
}

}  // namespace
}  // namespace dlpack_cts
