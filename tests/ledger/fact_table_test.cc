// tests/ledger/fact_table_test.cc: rows name each fact once, and ledgers differ in the rows of what differs.
#include "harness/ledger/fact_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <set>

#include "harness/ledger/facts.h"

namespace dlpack_cts {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class FactTableTest : public ::testing::Test {
 protected:
  /// Keys of the facts that differ after `change` to one of two equal ledgers.
  std::vector<std::string> ChangedBy(const std::function<void(Ledger&)>& change) {
    *b_ = *a_;
    change(*b_);
    std::vector<int> rows;
    Differences(*a_, *b_, rows);
    std::vector<std::string> keys;
    for (const int row : rows) keys.push_back(FactRowAt(row).key);
    Differences(*b_, *a_, rows);
    EXPECT_EQ(rows.size(), keys.size()) << "the order of the two does not matter";
    return keys;
  }

  static const FactRow& Row(std::string_view key) { return FactRowAt(FactIndex(key)); }

  std::unique_ptr<Ledger> a_ = std::make_unique<Ledger>();
  std::unique_ptr<Ledger> b_ = std::make_unique<Ledger>();
};

TEST_F(FactTableTest, EachKeyNamesOneRow) {
  for (size_t i = 0; i < FactRows().size(); ++i) {
    ASSERT_EQ(FactIndex(FactRows()[i].key), static_cast<int>(i)) << FactRows()[i].key << " is there twice";
    ASSERT_NE(Fact(*a_, FactRows()[i].key), "?") << FactRows()[i].key;
    ASSERT_FALSE(FactRows()[i].meaning.empty()) << FactRows()[i].key;
  }
  EXPECT_EQ(FactIndex("import0.colour"), -1);
  EXPECT_EQ(FactIndex(""), -1);
}

TEST_F(FactTableTest, EverySlotHasTheSameFacts) {
  for (int slot = 1; slot < kSlots; ++slot) {
    for (const std::string block : {"import", "export", "source", "table"}) {
      std::set<std::string> first;
      std::set<std::string> other;
      for (const FactRow& row : FactRows()) {
        if (row.key.starts_with(block + "0")) first.insert(row.pattern);
        if (row.key.starts_with(block + std::to_string(slot))) other.insert(row.pattern);
      }
      EXPECT_GT(first.size(), 20u);
      EXPECT_EQ(first, other);
    }
  }
}

TEST_F(FactTableTest, ADifferenceIsFoundInItsRow) {
  EXPECT_THAT(ChangedBy([](Ledger&) {}), IsEmpty());
  EXPECT_THAT(ChangedBy([](Ledger& l) { l.imports[3].deleter.calls = 2; }), ElementsAre("import3.deleter.calls"));
  EXPECT_THAT(ChangedBy([](Ledger& l) { l.imports[1].calls[2].copy.kind = ArgumentKind::kTrue; }),
              ElementsAre("import1.call2.keywords", "import1.call2.copy"));
  EXPECT_THAT(ChangedBy([](Ledger& l) { l.imports[0].calls[0].stream.b = 7; }), ElementsAre("import0.call0.stream"));
  EXPECT_THAT(ChangedBy([](Ledger& l) { l.sources[2].alive_known = 1; }), ElementsAre("source2.alive_at_end"));
  EXPECT_THAT(ChangedBy([](Ledger& l) { l.tables[0].calls[3].called = 1; }),
              ElementsAre("table0.view.called", "table0.view.status", "table0.view.exception",
                          "table0.view.out_written", "table0.view.overran"));
  EXPECT_THAT(ChangedBy([](Ledger& l) { l.imports[0].import.type.Set("BufferError"); }),
              ElementsAre("import0.exception"));
  EXPECT_THAT(ChangedBy([](Ledger& l) { l.imports[0].place = {Area::kData, 0, {}, 4}; }),
              ElementsAre("import0.place", "import0.aliases"));
}

TEST_F(FactTableTest, DeleterCallsAndFaultsAreFacts) {
  DeleterCall call{};
  call.slot = 1;
  call.thread = ThreadKind::kForeign;
  call.lane = -1;
  call.gil = Answer::kNo;
  call.step = 3;
  a_->Add(call);
  EXPECT_EQ(Fact(*a_, "deleters"), "1");
  EXPECT_EQ(Fact(*a_, "deleter0.slot"), "1");
  EXPECT_EQ(Fact(*a_, "deleter0.thread"), "foreign");
  EXPECT_EQ(Fact(*a_, "deleter0.lane"), "-1");
  EXPECT_EQ(Fact(*a_, "deleter0.gil"), "no");
  EXPECT_EQ(Fact(*a_, "deleter0.pending"), "unknown");
  EXPECT_EQ(Fact(*a_, "deleter0.step"), "3");
  EXPECT_EQ(Fact(*a_, "deleter1.slot"), "none");
  a_->faults[0] = {Region::kGuard, 1, 0, 0, 8, 2};
  a_->fault_count = 1;
  EXPECT_EQ(FamilyOf(Row("fault0"), *a_), Family::kPlace);
  a_->faults[0].region = Region::kShape;
  EXPECT_EQ(FamilyOf(Row("fault0"), *a_), Family::kWrites);
  a_->faults[0].write = 0;
  EXPECT_EQ(FamilyOf(Row("fault0"), *a_), Family::kMemoryInCall);
  a_->faults[0].region = Region::kData;
  EXPECT_EQ(FamilyOf(Row("fault0"), *a_), Family::kPlace);
  a_->faults[0].after_deleter = 1;
  EXPECT_EQ(FamilyOf(Row("fault0"), *a_), Family::kRelease);
}

TEST_F(FactTableTest, OnlyTheUsedPartOfTuplesAndTextsIsCompared) {
  Description& array = a_->imports[0].result;
  array.valid = array.has_shape = 1;
  array.has_strides = 1;
  array.ndim = 2;
  EXPECT_THAT(ChangedBy([](Ledger& l) { l.imports[0].result.shape[1] = 9; }), ElementsAre("import0.shape"));
  EXPECT_THAT(ChangedBy([](Ledger& l) { l.imports[0].result.shape[2] = 9; }), IsEmpty()) << "behind the last dimension";
  EXPECT_THAT(ChangedBy([](Ledger& l) { l.imports[0].result.ndim = 3; }),
              ElementsAre("import0.ndim", "import0.shape", "import0.strides"));
  array.dtype_name.Set("float32");
  EXPECT_THAT(ChangedBy([](Ledger& l) {
                l.imports[0].result.dtype_name.bytes[20] = 'x';  // behind the end of the text
              }),
              IsEmpty());
  array.ndim = kDims + 1;
  EXPECT_TRUE(Fact(*a_, "import0.shape").ends_with("0, ...)"));
}

TEST_F(FactTableTest, AddressesAreNotFacts) {
  ExportLedger& exported = a_->exports[0];
  exported.struct_address = 64;
  exported.tensor.data = reinterpret_cast<void*>(uint64_t{0x1000});
  EXPECT_THAT(ChangedBy([](Ledger& l) {
                l.exports[0].struct_address = 128;
                l.imports[0].result.pointer = 17;
                l.tables[0].address = 17;
                l.exports[0].tensor.shape = reinterpret_cast<int64_t*>(uint64_t{8});
              }),
              IsEmpty());
  const std::vector<std::string> keys =
      ChangedBy([](Ledger& l) { l.exports[0].tensor.data = reinterpret_cast<void*>(uint64_t{0x2000}); });
  EXPECT_THAT(keys, ElementsAre("export0.alignment", "export0.data_alignment"));
  for (const std::string& key : keys) EXPECT_TRUE(Row(key).varies) << key;
}

TEST_F(FactTableTest, FactsOfStepsThatDidNotRunAreUnknown) {
  for (const FactRow& row : FactRows()) EXPECT_EQ(IsKnown(row, *a_), row.known == Known::kAlways) << row.key;
  a_->sources[1].device_call.outcome = Outcome::kAccepted;
  EXPECT_TRUE(IsKnown(Row("source1.device_is_pair"), *a_)) << "0 is an answer";
  a_->imports[0].producer_calls = 2;
  EXPECT_TRUE(IsKnown(Row("import0.call1.copy"), *a_)) << "absent is one, too";
  EXPECT_FALSE(IsKnown(Row("import0.call2.copy"), *a_));
  a_->exports[0].export_call.outcome = Outcome::kAccepted;
  EXPECT_TRUE(IsKnown(Row("export0.is_capsule"), *a_));
  EXPECT_FALSE(IsKnown(Row("export0.flags"), *a_));
}

TEST_F(FactTableTest, FamiliesAreInCausalOrder) {
  EXPECT_LT(Row("import0.call0.copy").family, Row("import0.outcome").family);
  EXPECT_LT(Row("source0.device_call").family, Row("export0.outcome").family);
  EXPECT_LT(Row("export0.outcome").family, Row("export0.exception").family);
  EXPECT_LT(Row("export0.dtype").family, Row("export0.shape").family);
  EXPECT_LT(Row("export0.strides").family, Row("export0.place").family);
  EXPECT_LT(Row("import0.changed").family, Row("import0.deleter.calls").family);
  EXPECT_EQ(Row("import0.message").family, Family::kReported);
}

}  // namespace
}  // namespace dlpack_cts
