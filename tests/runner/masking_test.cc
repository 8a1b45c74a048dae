// tests/runner/masking_test.cc: every id in the rows of masking exists, and every row masks something.
#include "runner/verdict/masking.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "harness/attribute/attribution.h"
#include "harness/attribute/properties.h"
#include "harness/ledger/fact_table.h"
#include "harness/ledger/facts.h"

namespace dlpack_cts::runner {
namespace {

bool IsTrigger(std::string_view id) {
  if (!id.ends_with('*')) return TriggerIndex(id) >= 0;
  id.remove_suffix(1);
  const std::span<const Trigger* const> all = AllTriggers();
  return std::any_of(all.begin(), all.end(), [&](const Trigger* one) { return one->id.starts_with(id); });
}

/// "stumbled" is not a fact of a ledger: only the attribution table names it. Nor is a crash in a step.
bool IsFact(std::string_view pattern) {
  for (const std::string_view end : {"death-", "thrown-"}) {
    if (!pattern.starts_with(end)) continue;
    for (size_t op = 0; op < kEnumerators<Op>; ++op) {
      if (pattern.substr(end.size()) == dlpack_cts::ToText(static_cast<Op>(op))) return true;
    }
  }
  const auto rows = FactRows();
  const auto attributions = Attributions();
  return std::any_of(rows.begin(), rows.end(), [&](const FactRow& row) { return row.pattern == pattern; }) ||
         std::any_of(attributions.begin(), attributions.end(),
                     [&](const AttributionRow& row) { return row.facts.find(pattern) != std::string_view::npos; });
}

void ExpectTriggers(const Ids& ids, std::string_view why) {
  for (const std::string_view id : ids) EXPECT_TRUE(id.empty() || IsTrigger(id)) << id << ": " << why;
}

TEST(MaskingRows, NameTriggersAndFactsThatExist) {
  for (const Masking& row : Maskings()) {
    for (const Pattern& pattern : {row.mask, row.masked}) {
      for (const std::string_view fact : pattern.facts) EXPECT_TRUE(fact.empty() || IsFact(fact)) << fact << row.why;
      ExpectTriggers(pattern.has, row.why);
      ExpectTriggers(pattern.has_all, row.why);
      ExpectTriggers(pattern.lacks, row.why);
    }
    ExpectTriggers(row.except, row.why);
  }
  for (const Implied& implied : ImpliedByTriggers()) {
    EXPECT_TRUE(IsTrigger(implied.trigger)) << implied.trigger;
    ExpectTriggers(implied.triggers, implied.why);
  }
}

TEST(MaskingRows, HaveAChapterInTheDocumentation) {
  std::ifstream file(std::string(DLPACK_CTS_SOURCE_DIR) + "/docs/causes.md");
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  for (const Masking& row : Maskings()) {
    EXPECT_NE(text.find("\n### " + std::string(row.chapter) + "\n"), std::string::npos) << row.chapter;
    EXPECT_FALSE(row.why.empty());
  }
}

FindingGroup Import(Family family, const std::vector<std::string>& triggers, const std::string& fact = "") {
  return {.side = Side::kImport, .family = family, .triggers = triggers, .fact = fact, .verdict = Verdict::kFail};
}

TEST(Masks, DefectOfEitherRoleInImportsOfOwnExports) {
  FindingGroup mask = Import(Family::kPlace, {"copy-true"});
  mask.side = Side::kExport;
  EXPECT_TRUE(Masks(mask, Import(Family::kPlace, {"copy-true", "step-import-source"})));
  EXPECT_FALSE(Masks(mask, Import(Family::kPlace, {"copy-true", "step-take-view"})));
}

TEST(Masks, IgnoringImpliedTriggers) {
  const FindingGroup mask = Import(Family::kDtype, {"max_version-1.3", "rank-1"});
  EXPECT_TRUE(Masks(mask, Import(Family::kDtype, {"rank-1", "step-table-export"})));
  EXPECT_FALSE(Masks(mask, Import(Family::kDtype, {"rank-1", "step-table-view"})));
  const FindingGroup view = Import(Family::kPlace, {"step-reexport", "view"});
  EXPECT_FALSE(Masks(view, Import(Family::kPlace, {"rank-1", "step-reexport"}))) << "both have the trigger";
}

TEST(Masks, AForeignDeviceByTableIfACapsuleShowsIt) {
  const FindingGroup capsule = Import(Family::kPlace, {"foreign-device", "no-memory", "step-import-capsule"});
  EXPECT_TRUE(
      Masks(capsule, Import(Family::kPlace, {"foreign-device", "no-memory", "step-make", "step-table-import"})));
  EXPECT_FALSE(Masks(capsule, Import(Family::kPlace, {"foreign-device", "no-memory", "two-devices"})));
  EXPECT_FALSE(Masks(capsule, Import(Family::kPlace, {"foreign-device", "no-memory"})));
  const FindingGroup offset = Import(Family::kPlace, {"byte-offset", "step-import-capsule"});
  EXPECT_FALSE(Masks(offset, Import(Family::kPlace, {"byte-offset", "step-make", "step-table-import"})));
}

TEST(Masks, ElementsOfAWrongDtypeOrShapeThatIsAsSimple) {
  const FindingGroup dtype = Import(Family::kDtype, {"scalar"});
  EXPECT_TRUE(Masks(dtype, Import(Family::kPlace, {"dtype-float8_e3m4", "scalar"})));
  EXPECT_FALSE(Masks(dtype, Import(Family::kPlace, {"dtype-float8_e3m4", "rank-1"})));
  EXPECT_TRUE(
      Masks(Import(Family::kShape, {"rank-1", "rank-2"}), Import(Family::kPlace, {"rank-1", "rank-2", "rank-3"})));
}

TEST(Masks, NoMoreSevereFinding) {
  FindingGroup mask = Import(Family::kPlace, {});
  const FindingGroup masked = Import(Family::kPlace, {"rank-1"});
  EXPECT_TRUE(Masks(mask, masked));
  mask.verdict = Verdict::kWarn;
  EXPECT_FALSE(Masks(mask, masked));
  mask.verdict = Verdict::kFail;
  mask.invalid_input = true;
  EXPECT_FALSE(Masks(mask, masked));
}

TEST(Masks, TheSameErrorWithMoreTriggersOrLaterOnes) {
  const FindingGroup first = Import(Family::kException, {"lanes"}, "stumbled");
  const FindingGroup second = Import(Family::kException, {"major-2"}, "stumbled");
  EXPECT_TRUE(Masks(first, second));
  EXPECT_FALSE(Masks(second, first));
  FindingGroup other = second;
  other.got = "another text";
  EXPECT_FALSE(Masks(first, other));
}

TEST(Masks, NoErrorWithAnotherText) {
  FindingGroup first = Import(Family::kException, {"read-only"}, "stumbled");
  first.got = "IndexError: index 3 of (2, 3)";
  FindingGroup second = Import(Family::kException, {"rank-1", "read-only"}, "stumbled");
  second.got = "IndexError: index 7 of (5,)";
  EXPECT_TRUE(Masks(first, second));
  second.got = "KeyError: 7";
  EXPECT_FALSE(Masks(first, second));
  second.fact = "importS.exception";
  EXPECT_TRUE(Masks(first, second)) << "only bugs are distinguished by their texts";
}

TEST(Masks, TwoCrashesTogetherShowSwappedSlots) {
  FindingGroup mask = Import(Family::kMemoryInCall, {"step-table-export"}, "death-table-export");
  mask.side = Side::kExport;
  const FindingGroup masked = Import(Family::kMemoryInCall, {"null-context", "step-make", "step-table-import"});
  EXPECT_TRUE(Masks(mask, masked));
  EXPECT_EQ(RuleByMasking(mask, masked), "C-LAYOUT-09");
  mask.triggers = {"rank-1", "step-table-export"};
  EXPECT_EQ(RuleByMasking(mask, masked), "");
}

TEST(Masks, CrashOfManyImportsIfOneCrashes) {
  const FindingGroup one = Import(Family::kMemoryInCall, {"legacy"}, "death-import");
  const std::string together = "death-import-together";
  EXPECT_TRUE(Masks(one, Import(Family::kRelease, {"legacy", "many-imports", "step-import-together"}, together)));
  EXPECT_FALSE(Masks(one, Import(Family::kRelease, {"step-import-together"}, together))) << "of versioned structs, too";
  EXPECT_FALSE(Masks(one, Import(Family::kRelease, {"legacy", "step-import-together"}, "importS.race")));
  const FindingGroup thread = Import(Family::kMemoryInCall, {"legacy", "raw-thread", "threads"}, "death-import");
  EXPECT_FALSE(Masks(thread, Import(Family::kRelease, {"legacy", "step-import-together"}, together)));
  const FindingGroup bare = Import(Family::kMemoryInCall, {"step-import-capsule"}, "death-import-capsule");
  EXPECT_TRUE(Masks(bare, Import(Family::kRelease, {"many-bare-imports", "step-import-together"}, together)));
  EXPECT_FALSE(Masks(bare, Import(Family::kRelease, {"many-imports", "step-import-together"}, together)));
  const FindingGroup described = Import(Family::kPlace, {"rank-1"}, "death-describe");
  EXPECT_TRUE(Masks(described, Import(Family::kRelease, {"rank-1", "step-import-together"}, together)));
}

TEST(Masks, OnlyExportsThatShareAStruct) {
  FindingGroup mask = Import(Family::kRelease, {"several-tensors", "step-export-together"}, "exportS.race");
  mask.side = Side::kExport;
  const FindingGroup masked = Import(Family::kRelease, {"many-reexports", "step-import-together"}, "importS.race");
  mask.got = "changed";
  EXPECT_FALSE(Masks(mask, masked));
  mask.got = "one-struct-twice";
  EXPECT_TRUE(Masks(mask, masked));
}

}  // namespace
}  // namespace dlpack_cts::runner
