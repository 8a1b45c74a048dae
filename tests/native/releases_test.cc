// tests/native/releases_test.cc: which missing releases a life waits for.
#include <gtest/gtest.h>

#include "engine/engine.h"
#include "harness/recipe/normalize.h"
#include "reference/plugin.h"
#include "subject/native_subject.h"

namespace dlpack_cts {
namespace {

/// Refuses each tensor and leaves its capsule as it is. Counts how often it is asked to collect garbage, which happens
/// before and after each wait.
class Refusing : public NativeSubject {
 public:
  using NativeSubject::NativeSubject;
  int collections = 0;

  Handle Import(const Offer&, const Call&, int slot, const Offered&, bool, Ledger& ledger) override {
    ImportLedger& record = ledger.imports[slot];
    record.capsules = 1;
    record.name_before = record.name_after = NameSeen::kVersioned;
    record.import.outcome = Outcome::kRefused;
    return nullptr;
  }
  void Collect() override { ++collections; }
};

int CollectionsAfterARefusal(CapsuleName name, DestructorKind destructor) {
  Reference reference;
  Refusing subject(ReferencePlugin(reference));
  Engine engine(subject);
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  recipe.offer().kind = StructKind::kVersioned;
  recipe.offer().name = name;
  recipe.offer().destructor = destructor;
  SetLife(recipe, {Op::kImport});
  Normalize(recipe);
  Ledger ledger;
  engine.Run(recipe, ledger);
  EXPECT_EQ(ledger.imports[0].released, 0);
  return subject.collections;
}

TEST(Releases, AreNotAwaitedIfNobodyOwesThem) {
  const int awaited = CollectionsAfterARefusal(CapsuleName::kOwn, DestructorKind::kReleases);
  const int without_destructor = CollectionsAfterARefusal(CapsuleName::kOwn, DestructorKind::kNone);
  EXPECT_GT(awaited, without_destructor + 5);
  EXPECT_EQ(CollectionsAfterARefusal(CapsuleName::kForeign, DestructorKind::kReleases), without_destructor);
  EXPECT_EQ(CollectionsAfterARefusal(CapsuleName::kUsed, DestructorKind::kReleases), without_destructor);
}

}  // namespace
}  // namespace dlpack_cts
