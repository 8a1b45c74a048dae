// tests/ledger/facts_test.cc: facts have canonical texts, and docs/facts.md lists exactly the keys that exist.
#include "harness/ledger/facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <set>

#include "base/enum_words.h"
#include "harness/ledger/fact_table.h"
#include "harness/ledger/in_words.h"

namespace dlpack_cts {
namespace {

class FactsTest : public ::testing::Test {
 protected:
  void SetUp() override { Clear(ledger_); }
  Ledger ledger_;
};

TEST_F(FactsTest, EmptyLedgerHasNoValues) {
  EXPECT_EQ(Fact(ledger_, "import0.outcome"), "not-run");
  EXPECT_EQ(Fact(ledger_, "import0.exception"), "none");
  EXPECT_EQ(Fact(ledger_, "import0.shape"), "none");
  EXPECT_EQ(Fact(ledger_, "import0.memory"), "not-read");
  EXPECT_EQ(Fact(ledger_, "import0.changed"), "none");
  EXPECT_EQ(Fact(ledger_, "export0.name"), "not-seen");
  EXPECT_EQ(Fact(ledger_, "faults"), "0");
  EXPECT_EQ(Fact(ledger_, "fault0"), "none");
}

TEST_F(FactsTest, UnknownKeyIsAQuestionMark) {
  EXPECT_EQ(Fact(ledger_, "import0.colour"), "?");
  EXPECT_EQ(Fact(ledger_, "import4.outcome"), "?");
  EXPECT_EQ(Fact(ledger_, ""), "?");
}

TEST_F(FactsTest, ImportFactsAreCanonical) {
  ImportLedger& import = ledger_.imports[1];
  import.import.outcome = Outcome::kRefused;
  import.import.type.Set("BufferError");
  import.deleter.calls = 2;
  import.name_after = NameSeen::kUsedVersioned;
  import.result.valid = import.result.has_shape = 1;
  import.result.known_dtype = 1;
  import.result.dtype = {abi::kDLFloat, 32, 1};
  import.result.ndim = 2;
  import.result.shape[0] = 4;
  import.result.shape[1] = 6;
  import.result.has_strides = 1;
  import.result.byte_strides[0] = -24;
  import.result.byte_strides[1] = 4;
  import.result.writable = Answer::kNo;
  import.changed_parts = kPartFlags | kPartShape;
  EXPECT_EQ(Fact(ledger_, "import1.outcome"), "refused");
  EXPECT_EQ(Fact(ledger_, "import1.exception"), "BufferError");
  EXPECT_EQ(Fact(ledger_, "import1.deleter.calls"), "2");
  EXPECT_EQ(Fact(ledger_, "import1.name_after"), "used_dltensor_versioned");
  EXPECT_EQ(Fact(ledger_, "import1.dtype"), "(2, 32, 1)");
  EXPECT_EQ(Fact(ledger_, "import1.shape"), "(4, 6)");
  EXPECT_EQ(Fact(ledger_, "import1.strides"), "(-24, 4)");
  EXPECT_EQ(Fact(ledger_, "import1.writable"), "0");
  EXPECT_EQ(Fact(ledger_, "import1.changed"), "flags shape");
  import.result.writable = Answer::kUnknown;
  EXPECT_EQ(Fact(ledger_, "import1.writable"), "none");
  EXPECT_EQ(Fact(ledger_, "import0.outcome"), "not-run");
}

TEST_F(FactsTest, TuplesLookAsInPython) {
  Description& result = ledger_.imports[0].result;
  result.valid = result.has_shape = 1;
  EXPECT_EQ(Fact(ledger_, "import0.shape"), "()");
  result.ndim = 1;
  result.shape[0] = 3;
  EXPECT_EQ(Fact(ledger_, "import0.shape"), "(3,)");
  result.ndim = kDims + 1;
  std::string cut = "(3, ";
  for (int d = 1; d < kDims; ++d) cut += "0, ";
  EXPECT_EQ(Fact(ledger_, "import0.shape"), cut + "...)");
}

TEST_F(FactsTest, CallsShowTheirKeywords) {
  ProducerCall& call = ledger_.imports[0].calls[1];
  ledger_.imports[0].producer_calls = 2;
  call.max_version = {ArgumentKind::kPair, {}, 1, 3};
  call.copy.kind = ArgumentKind::kNone;
  EXPECT_EQ(Fact(ledger_, "import0.call1.keywords"), "max_version copy");
  EXPECT_EQ(Fact(ledger_, "import0.call1.max_version"), "(1, 3)");
  EXPECT_EQ(Fact(ledger_, "import0.call1.copy"), "None");
  EXPECT_EQ(Fact(ledger_, "import0.call1.stream"), "absent");
  EXPECT_EQ(Fact(ledger_, "import0.calls"), "2");
}

TEST_F(FactsTest, ExportFactsAreCanonical) {
  ExportLedger& exported = ledger_.exports[0];
  exported.struct_address = 4096;
  exported.versioned = 1;
  exported.version = {1, 3};
  exported.flags = 2;
  exported.tensor.ndim = 1;
  exported.shape[0] = 5;
  exported.strides[0] = 2;
  exported.tensor.data = reinterpret_cast<void*>(uint64_t{0x1040});
  exported.tensor.byte_offset = 0x40;
  exported.place.area = Area::kData;
  EXPECT_EQ(Fact(ledger_, "export0.version"), "(1, 3)");
  EXPECT_EQ(Fact(ledger_, "export0.flags"), "2");
  EXPECT_EQ(Fact(ledger_, "export0.shape"), "(5,)");
  EXPECT_EQ(Fact(ledger_, "export0.strides"), "(2,)");
  EXPECT_EQ(Fact(ledger_, "export0.alignment"), "128");
  EXPECT_EQ(Fact(ledger_, "export0.data_alignment"), "64");
  EXPECT_EQ(Fact(ledger_, "export0.points_at_source"), "1");
  exported.null_strides = 1;
  exported.versioned = 0;
  EXPECT_EQ(Fact(ledger_, "export0.strides"), "none");
  EXPECT_EQ(Fact(ledger_, "export0.version"), "none");
}

TEST_F(FactsTest, FaultsReadAsAccessRegionOffset) {
  ledger_.fault_count = 2;
  ledger_.faults[0] = {Region::kStruct, 0, 0, 0, 40, 1};
  ledger_.faults[1] = {Region::kData, 1, 2, 1, 0, 3};
  EXPECT_EQ(Fact(ledger_, "fault0"), "read struct+40");
  EXPECT_EQ(Fact(ledger_, "fault1"), "write data+0");
  EXPECT_EQ(Fact(ledger_, "fault1.slot"), "2");
  EXPECT_EQ(Fact(ledger_, "fault1.after_deleter"), "1");
  EXPECT_EQ(Fact(ledger_, "fault2"), "none");
}

TEST_F(FactsTest, EveryEnumeratorHasAUniqueWord) {
  std::set<std::string_view> words;
  for (int op = 0; op < static_cast<int>(Op::kCount); ++op) words.insert(ToText(static_cast<Op>(op)));
  EXPECT_EQ(words.size(), static_cast<size_t>(Op::kCount));
  EXPECT_FALSE(words.contains(kUndefinedWord));
  EXPECT_EQ(ToText(Op::kUseSource), "use-source");
  EXPECT_EQ(ToText(Region::kContext), "context");
  EXPECT_EQ(ToText(Seen::kDropped), "dropped");
  EXPECT_EQ(ToText(static_cast<Outcome>(77)), kUndefinedWord);
  EXPECT_EQ(PartsToText(kPartStrides | kPartVersion), "version strides");
}

TEST_F(FactsTest, EveryValueOfAWordHasAUniqueText) {
  for (const FactRow& row : FactRows()) {
    if (row.slot > 0 || row.index > 0) continue;
    if (row.type != FactType::kWord && row.type != FactType::kReading) continue;
    if (row.pattern.ends_with(".method")) continue;  // of two values
    std::set<std::string> texts;
    for (int64_t value = 0;; ++value) {
      const std::string text = row.text(FactValue::Number(value));
      if (text == kUndefinedWord) break;
      ASSERT_LT(value, 256) << row.key;
      EXPECT_FALSE(text.empty()) << row.key << " " << value;
      EXPECT_EQ(text.find('?'), std::string::npos) << row.key << " " << text;
      EXPECT_TRUE(texts.insert(text).second) << row.key << " " << text;
      const FactInWords evidence = WordsOfFact(row.key, MakeRecipe(RecipeKind::kImport), ledger_, text, text);
      EXPECT_FALSE(evidence.meaning.empty()) << row.key;
      EXPECT_FALSE(evidence.wanted.empty()) << row.key << " " << text;
      EXPECT_EQ(evidence.wanted, evidence.got) << row.key;
    }
    EXPECT_GE(texts.size(), 3u) << row.key;
  }
}

TEST_F(FactsTest, EveryKindOfArgumentHasAUniqueText) {
  std::set<std::string> texts;
  for (size_t kind = 0; kind < kEnumerators<ArgumentKind>; ++kind) {
    ledger_.imports[0].producer_calls = 1;
    ledger_.imports[0].calls[0].copy = {static_cast<ArgumentKind>(kind), {}, 7, 8};
    const std::string text = Fact(ledger_, "import0.call0.copy");
    EXPECT_NE(text, kUndefinedWord);
    EXPECT_TRUE(texts.insert(text).second) << text;
  }
}

/// The line of docs/facts.md that says what the table says of this fact.
std::string PageLine(const FactRow& row) {
  return "| `" + row.pattern + "` | " + std::string(ToText(row.type)) + " | " + std::string(ToText(row.family)) +
         " | " + std::string(ToText(row.known)) + " | " + std::string(row.meaning) + (row.varies ? "; varies" : "") +
         " |";
}

/// CTS_UPDATE_FACTS_PAGE=1 writes the lines into the page instead; its n-th table is that of the n-th block.
TEST_F(FactsTest, PageEqualsTheTable) {
  constexpr size_t kBlocks = 5;
  std::array<std::vector<std::string>, kBlocks> wanted;
  std::set<std::string> patterns;
  for (const FactRow& row : FactRows()) {
    if (patterns.insert(row.pattern).second) wanted[static_cast<size_t>(row.block)].push_back(PageLine(row));
  }
  std::ifstream page(CTS_FACTS_PAGE);
  std::array<std::vector<std::string>, kBlocks> listed;
  std::string renewed;
  size_t tables = 0;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("| `")) {
      ASSERT_TRUE(tables > 0 && tables <= kBlocks);
      listed[tables - 1].push_back(line);
      continue;
    }
    renewed += line + "\n";
    if (!line.starts_with("|---")) continue;
    ASSERT_LT(tables, kBlocks);
    for (const std::string& row : wanted[tables]) renewed += row + "\n";
    ++tables;
  }
  page.close();
  if (std::getenv("CTS_UPDATE_FACTS_PAGE") != nullptr) std::ofstream(CTS_FACTS_PAGE) << renewed;
  for (size_t block = 0; block < kBlocks; ++block) EXPECT_THAT(listed[block], ::testing::ContainerEq(wanted[block]));
}

}  // namespace
}  // namespace dlpack_cts
