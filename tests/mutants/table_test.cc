// tests/mutants/table_test.cc: the table of mutants is sound, and applying one changes the reference.
#include <gtest/gtest.h>

#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

TEST(MutantsTest, HasMutantsAndConformingVariants) {
  size_t conforming = 0;
  for (const Mutant& mutant : Mutants()) conforming += mutant.conforming ? 1 : 0;
  EXPECT_GE(conforming, 8u);
  EXPECT_GE(Mutants().size() - conforming, 25u);
}

TEST(MutantsTest, EachOneChangesTheBehaviour) {
  Reference reference;
  for (const Mutant& mutant : Mutants()) {
    Activate(&mutant, reference);
    EXPECT_FALSE(reference.behaviour == CorrectBehaviour()) << mutant.name;
  }
  Activate(nullptr, reference);
  EXPECT_TRUE(reference.behaviour == CorrectBehaviour());
}

TEST(MutantsTest, AreFoundByName) {
  ASSERT_NE(FindMutant("ignores-byte-offset"), nullptr);
  EXPECT_EQ(FindMutant("ignores-byte-offset")->rules.front(), "C-DATA-01");
  EXPECT_EQ(FindMutant("no-such-mutant"), nullptr);
}

}  // namespace
}  // namespace dlpack_cts
