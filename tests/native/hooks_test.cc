// tests/native/hooks_test.cc: docs/adapters.md lists the functions of an adapter as the table of hooks has them.
#include "subject/hooks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace dlpack_cts {
namespace {

std::string PageLine(const HookRow& row) {
  const bool required = row.IsNeededBy(ClaimBit(Claim::kConsumer) | ClaimBit(Claim::kProducer));
  return "| `" + std::string(row.python) + std::string(row.parameters) + "`" + (required ? "*" : "") + " | " +
         std::string(row.scope) + " | " + std::string(row.doc) + " |";
}

/// CTS_UPDATE_ADAPTERS_PAGE=1 writes the lines into the page instead.
TEST(HooksTest, PageEqualsTheTable) {
  std::vector<std::string> wanted;
  for (const HookRow& row : Hooks()) {
    if (!row.python.empty()) wanted.push_back(PageLine(row));
  }
  std::ifstream page(CTS_ADAPTERS_PAGE);
  std::vector<std::string> listed;
  std::string renewed;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    const bool heads = line.starts_with("| function | role |");
    inside = heads || (inside && line.starts_with("|"));
    if (inside && line.starts_with("| `")) {
      listed.push_back(line);
      continue;
    }
    renewed += line + "\n";
    if (!inside || heads) continue;
    for (const std::string& row : wanted) renewed += row + "\n";
  }
  page.close();
  if (std::getenv("CTS_UPDATE_ADAPTERS_PAGE") != nullptr) std::ofstream(CTS_ADAPTERS_PAGE) << renewed;
  EXPECT_THAT(listed, testing::ContainerEq(wanted));
}

/// A plug-in's function lies in the table where the row says.
TEST(HooksTest, EachRowBelongsToAnAdapterOrAPlugin) {
  for (const HookRow& row : Hooks()) {
    EXPECT_EQ(row.native.empty(), row.in_table == 0) << row.python;
    EXPECT_EQ(row.python.empty(), row.doc.empty()) << row.native;
    EXPECT_FALSE(row.python.empty() && row.native.empty());
  }
}

}  // namespace
}  // namespace dlpack_cts
