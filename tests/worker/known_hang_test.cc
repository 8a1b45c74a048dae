// tests/worker/known_hang_test.cc: which exchanges may show a known hang, and what a case without them reports.
#include "worker/diagnose/known_hang.h"

#include <gtest/gtest.h>

#include "tests/worker/fakes.h"
#include "worker/diagnose/violated_fact.h"

namespace dlpack_cts::worker {
namespace {

Finding HangOf(Op op, const std::vector<std::string>& triggers = {}, Side side = Side::kImport) {
  Finding finding;
  finding.side = side;
  finding.family = Family::kHang;
  finding.triggers = triggers;
  finding.fact = HangFact(op);
  finding.observed = Observed::kTimeout;
  finding.words.example = "an import";
  finding.recipe = nlohmann::json::parse(dlpack_cts::ToJson(Rich()));
  return finding;
}

TEST(KnownHang, IsAFindingOfAHang) {
  EXPECT_TRUE(HangIn(HangOf(Op::kImport)));
  Finding other = HangOf(Op::kImport);
  other.observed = Observed::kOwn;
  EXPECT_TRUE(HangIn(other));
  for (const Observed observed : {Observed::kCrash, Observed::kBreach, Observed::kHeld}) {
    other.observed = observed;
    EXPECT_FALSE(HangIn(other)) << ToText(observed);
  }
  other = HangOf(Op::kImport);
  other.family = Family::kPlace;
  EXPECT_FALSE(HangIn(other));
  other = HangOf(Op::kImport);
  other.recipe = {{"kind", "no kind"}};
  EXPECT_FALSE(HangIn(other));
}

TEST(KnownHang, IsShownByTheStepThatHangs) {
  EXPECT_TRUE(HangIn(HangOf(Op::kImport))->MayShow(Plain()));
  EXPECT_FALSE(HangIn(HangOf(Op::kImportTogether))->MayShow(Plain()));
  EXPECT_FALSE(HangIn(HangOf(Op::kImport))->MayShow(Plain(RecipeKind::kExport)));
}

TEST(KnownHang, WhileObjectsAreDroppedIsShownByAnyExchangeOfThatSide) {
  EXPECT_TRUE(HangIn(HangOf(Op::kEnd))->MayShow(Plain()));
  EXPECT_FALSE(HangIn(HangOf(Op::kEnd))->MayShow(Plain(RecipeKind::kExport)));
  EXPECT_TRUE(HangIn(HangOf(Op::kEnd, {}, Side::kExport))->MayShow(Plain(RecipeKind::kExport)));
}

TEST(KnownHang, IsShownOnlyWithItsTriggers) {
  const KnownHang hang = *HangIn(HangOf(Op::kImport, {"byte-offset"}));
  EXPECT_TRUE(hang.MayShow(Rich()));
  Recipe without = Rich();
  without.offer().byte_offset = 0;
  EXPECT_FALSE(hang.MayShow(without));
}

TEST(KnownHang, IsReportedWithItsExample) {
  Observation observation;
  const KnownHang hang = *HangIn(HangOf(Op::kImport));
  hang.Report(observation);
  EXPECT_EQ(observation.observed, Observed::kTimeout);
  EXPECT_EQ(observation.degree, Degree::kRule);
  EXPECT_EQ(observation.message, "did not end within its time limit during import");
  EXPECT_EQ(observation.got, "not run: the exchange hangs");
  EXPECT_EQ(observation.words.example, "an import");
  EXPECT_EQ(observation.recipe, hang.finding.recipe);
  HangIn(HangOf(Op::kEnd))->Report(observation);
  EXPECT_EQ(observation.message, "did not end within its time limit while all objects were dropped");
}

}  // namespace
}  // namespace dlpack_cts::worker
