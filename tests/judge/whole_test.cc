// tests/judge/whole_test.cc: the reference judges itself, what conforms, and what does not.
#include "harness/compare/whole.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "harness/ledger/facts.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/normalize.h"
#include "mutants/mutant.h"
#include "reference/plugin.h"
#include "subject/native_subject.h"

namespace dlpack_cts {
namespace {

constexpr int kExchanges = 300;

struct Library {
  Reference reference;
  NativeSubject subject{ReferencePlugin(reference), &reference};
  Engine engine{subject};
  Ledger ledger;

  const Ledger& Run(const Recipe& recipe) {
    engine.Run(recipe, ledger);
    return ledger;
  }
};

Recipe Plain(RecipeKind kind, StructKind of) {
  Recipe recipe = kind == RecipeKind::kImport ? PlainImport(of) : MakeRecipe(kind);
  if (kind == RecipeKind::kExport && of == StructKind::kVersioned) recipe.call().max_version = kNewestVersion;
  SetPlainLife(recipe);
  Normalize(recipe);
  return recipe;
}

class WholeTest : public testing::Test {
 protected:
  void SetUp() override { Forge::InstallFaultHandler(); }

  /// Makes the subject that mutant or variant, and finds out about its constants.
  void Become(const Mutant& mutant) {
    Activate(&mutant, subject_.reference);
    profile_ = Profile{};
    profile_.claims = ~0u;
    Declare(mutant, profile_);
    for (const RecipeKind kind : {RecipeKind::kImport, RecipeKind::kExport}) {
      for (const StructKind of : {StructKind::kVersioned, StructKind::kLegacy}) LearnFrom(Plain(kind, of));
    }
    Recipe scalar = Plain(RecipeKind::kImport, StructKind::kVersioned);
    scalar.offer().dims = 0;
    scalar.offer().ndim = 0;
    Normalize(scalar);
    LearnFrom(scalar);
    Recipe vector = Plain(RecipeKind::kExport, StructKind::kVersioned);
    vector.request().dims = 1;
    vector.request().shape[0] = 6;
    for (const ArgumentKind version : {ArgumentKind::kPair, ArgumentKind::kAbsent}) {
      vector.call().max_version.kind = version;
      Normalize(vector);
      LearnFrom(vector);
    }
  }

  void LearnFrom(const Recipe& recipe) {
    correct_.Run(recipe);
    Learn({recipe, subject_.Run(recipe), correct_.ledger, profile_}, profile_.choices);
  }

  static size_t IndexOf(std::string_view id) {
    size_t index = 0;
    while (index < Choices().size() && Choices()[index].id != id) ++index;
    return index;
  }

  const std::vector<Deviation>& Judge(const Recipe& recipe) {
    correct_.Run(recipe);
    Compare({recipe, subject_.Run(recipe), correct_.ledger, profile_}, found_);
    return found_;
  }

  /// The first deviation of the exchange, in words.
  std::string Words() const {
    if (found_.empty()) return "nothing";
    return std::string(ToText(found_[0].family)) + ": " + FactRowAt(found_[0].row).key + " wanted " +
           WantedText(found_[0], correct_.ledger) + ", got " + GotText(found_[0], subject_.ledger);
  }

  /// Exchanges of every kind that are legal, and others that a library may refuse.
  static std::vector<Recipe> Exchanges() {
    std::vector<Recipe> recipes;
    Random random(11);
    for (int i = 0; i < kExchanges; ++i) {
      const Tier tier = i % 4 == 3 ? Tier::kEdge : Tier::kLegal;
      recipes.push_back(i % 2 == 0 ? DrawImport(random, i, tier, Limits{}) : DrawExport(random, i, tier, Limits{}));
      Normalize(recipes.back());
    }
    return recipes;
  }

  /// The first deviation that was shown before that step; nothing where there was none.
  std::string ShownBefore(const Recipe& recipe, Op op) {
    const auto life = recipe.life();
    const auto step = std::find_if(life.begin(), life.end(), [&](const Step& one) { return one.op == op; });
    CompareBefore({recipe, subject_.ledger, correct_.ledger, profile_}, static_cast<int>(step - life.begin()), found_);
    return found_.empty() ? "" : std::string(FactRowAt(found_[0].row).pattern);
  }

  Library correct_;
  Library subject_;
  Profile profile_{};
  std::vector<Deviation> found_;
};

TEST_F(WholeTest, ConformingVariantsDoNotDeviate) {
  const std::vector<Recipe> recipes = Exchanges();
  int variants = 0;
  for (const Mutant& variant : Mutants()) {
    if (!variant.conforming || variant.inconstant) continue;
    ++variants;
    Become(variant);
    for (size_t i = 0; i < recipes.size(); ++i) {
      ASSERT_TRUE(Judge(recipes[i]).empty()) << variant.name << ", exchange " << i << ": " << Words();
    }
  }
  EXPECT_GT(variants, 40);
}

TEST_F(WholeTest, FirstDeviationOfMutantsIsMostlyInTheFamilyOfTheDefect) {
  const std::vector<Recipe> recipes = Exchanges();
  const struct {
    const char* name;
    Family family;
  } kRows[] = {
      {"ignores-byte-offset", Family::kPlace},
      {"never-releases", Family::kRelease},
      {"releases-twice", Family::kRelease},
      {"exports-base-pointer", Family::kPlace},
      {"reads-beyond-the-strides", Family::kMemoryInCall},
      {"exports-column-major-strides", Family::kStrides},
  };
  for (const auto& row : kRows) {
    const Mutant* const mutant = FindMutant(row.name);
    ASSERT_NE(mutant, nullptr) << row.name;
    Become(*mutant);
    std::map<Family, int> seen;
    for (const Recipe& recipe : recipes) {
      if (!Judge(recipe).empty()) ++seen[found_[0].family];
    }
    ASSERT_FALSE(seen.empty()) << row.name;
    const auto most = std::max_element(seen.begin(), seen.end(), [](auto a, auto b) { return a.second < b.second; });
    EXPECT_EQ(most->first, row.family) << row.name << ": mostly " << ToText(most->first);
  }
}

TEST_F(WholeTest, WantedNumberOfDeleterCallsIsThatOfTheCapsules) {
  Become(*FindMutant("releases-refused-devices-twice"));
  Recipe recipe = Plain(RecipeKind::kImport, StructKind::kVersioned);
  recipe.offer().device = recipe.offer().reported_device = {abi::kDLOpenCL, 0};
  recipe.offer().placement = Placement::kUnmapped;
  Judge(recipe);
  EXPECT_EQ(Words(), "release: import0.deleter.calls wanted 1, got 2");
}

TEST_F(WholeTest, ConstantChoiceIsAllowedOnlyIfProbesSawIt) {
  Become(*FindMutant("declares-1-1"));
  const Recipe recipe = Plain(RecipeKind::kExport, StructKind::kVersioned);
  EXPECT_TRUE(Judge(recipe).empty()) << Words();
  profile_.choices = {};
  ASSERT_EQ(Judge(recipe).size(), 1u);
  EXPECT_EQ(Words(), "version: export0.version wanted (1, 3), got (1, 1)");
}

TEST_F(WholeTest, ExchangeThatBreaksAHabitOfImportsDeviates) {
  Become(*FindMutant("copies-all-but-version-1-1"));
  Recipe recipe = Plain(RecipeKind::kImport, StructKind::kVersioned);
  EXPECT_TRUE(Judge(recipe).empty()) << Words();
  recipe.offer().minor = 1;
  ASSERT_EQ(Judge(recipe).size(), 1u);
  EXPECT_EQ(Words(), "way: import0.aliases wanted 0, as in every default exchange, got 1");
  // One default exchange is not enough, and a habit that was broken once is not checked.
  const ChoicesSeen seen = profile_.choices;
  profile_.choices.again = 0;
  EXPECT_TRUE(Judge(recipe).empty()) << Words();
  profile_.choices = seen;
  LearnFrom(recipe);
  EXPECT_TRUE(Judge(recipe).empty()) << Words();
}

TEST_F(WholeTest, CopyThatBreaksAHabitOfExportsDeviates) {
  Become(*FindMutant("declares-1-1-but-of-copies"));
  Recipe recipe = Plain(RecipeKind::kExport, StructKind::kVersioned);
  EXPECT_TRUE(Judge(recipe).empty()) << Words();
  recipe.call().copy.kind = ArgumentKind::kTrue;
  ASSERT_EQ(Judge(recipe).size(), 1u);
  EXPECT_EQ(Words(), "way: export0.version wanted another minor version, as in every default exchange, got (1, 3)");
}

TEST_F(WholeTest, KeptDestructorIsADeviationIfOthersWereCleared) {
  Become(*FindMutant("never-copies"));
  Recipe recipe = Plain(RecipeKind::kImport, StructKind::kVersioned);
  Judge(recipe);
  const uint64_t bit = uint64_t{1} << IndexOf("clears-destructors");
  profile_.choices = {.used = bit, .again = bit, .left = 0};
  // Capsules are Python's: what this subject has not shown of one is put in.
  for (Ledger* const ledger : {&subject_.ledger, &correct_.ledger}) {
    ledger->imports[0].name_before = NameSeen::kVersioned;
    ledger->imports[0].name_after = NameSeen::kUsedVersioned;
  }
  const Exchange exchange{recipe, subject_.ledger, correct_.ledger, profile_};
  Compare(exchange, found_);
  ASSERT_EQ(found_.size(), 1u);
  EXPECT_EQ(found_[0].family, Family::kChoice) << Words();
  subject_.ledger.imports[0].capsule_destructor_changed = 1;
  Compare(exchange, found_);
  EXPECT_TRUE(found_.empty()) << Words();
  subject_.ledger.imports[0].capsule_destructor_changed = 0;
  recipe.offer().destructor = DestructorKind::kNone;  // no destructor to clear
  Compare(exchange, found_);
  EXPECT_TRUE(found_.empty()) << Words();
}

TEST_F(WholeTest, RefusalIsNotADeviationButALeakAfterItIs) {
  Recipe recipe = Plain(RecipeKind::kImport, StructKind::kVersioned);
  subject_.reference.behaviour.importing.refuses = When::Always();
  EXPECT_TRUE(Judge(recipe).empty()) << Words();
  recipe.offer().device = recipe.offer().reported_device = {99, 0};
  Become(*FindMutant("leaks-refused-devices"));
  ASSERT_FALSE(Judge(recipe).empty());
  EXPECT_EQ(found_[0].family, Family::kRelease) << Words();
}

// What a library dies of where it uses elements that it had read wrongly before.
TEST_F(WholeTest, WrongElementsAreFoundBeforeTheStepThatUsesThem) {
  Become(*FindMutant("ignores-byte-offset"));
  Recipe recipe = Plain(RecipeKind::kImport, StructKind::kVersioned);
  recipe.offer().byte_offset = 64;
  Normalize(recipe);
  ASSERT_FALSE(Judge(recipe).empty());
  EXPECT_EQ(ShownBefore(recipe, Op::kCompute), "importS.memory");
  EXPECT_EQ(ShownBefore(recipe, Op::kRead), "") << "nothing was read before";
  EXPECT_EQ(ShownBefore(recipe, Op::kDropArray), "") << "a release uses no elements";
}

}  // namespace
}  // namespace dlpack_cts
