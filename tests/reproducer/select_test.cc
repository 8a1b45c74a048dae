// tests/reproducer/select_test.cc: a script holds what its steps need of the prelude, and nothing else.
#include "harness/reproducer/select.h"

#include <gtest/gtest.h>

#include <string>

namespace dlpack_cts {
namespace {

constexpr const char* kPrelude = R"py(# a comment at the edge
import gc
import os

SIZE = 4
UNUSED = 5


class Life:
    """Describes itself."""

    def __init__(self):
        self.facts = {}
        self.read = 0
        self.unread = other()

    def step(self, key):
        """Names another() and os in words only."""
        self.facts[key + "outcome"] = helper("other()")
        self.facts[key + "shape"] = gc.collect()
        if SIZE:
            self.facts[key + "rank"] = 1
        first = self.library.values(self.read)  #? tagged.by
        last = 2  #? !tagged
        return last


def helper(text):
    return text


def other():
    return os.getpid()


class Life:
    def later(self):
        pass
)py";

Selection Of(const std::string& code, const std::string& fact, const std::set<std::string>& tags) {
  Needs needs;
  needs.code = code;
  needs.fact = fact;
  needs.tags = tags;
  return Select(kPrelude, needs);
}

bool Has(const Selection& selection, const std::string& text) { return selection.code.find(text) != std::string::npos; }

TEST(Select, KeepsNamedDefinitionsAndTheirDependencies) {
  const Selection selection = Of("Life().step()", "import0.outcome", {});
  EXPECT_TRUE(Has(selection, "class Life:\n    \"\"\"Describes itself.\"\"\"\n    def __init__"));
  EXPECT_TRUE(Has(selection, "def helper(text)"));
  EXPECT_FALSE(Has(selection, "def other"));
  EXPECT_FALSE(Has(selection, "def later"));
  EXPECT_FALSE(Has(selection, "UNUSED"));
  EXPECT_EQ(selection.imports, "");
}

TEST(Select, RecordsOnlyTheWatchedFact) {
  const Selection selection = Of("Life().step()", "import0.outcome", {});
  EXPECT_TRUE(Has(selection, "\"outcome\""));
  EXPECT_FALSE(Has(selection, "\"shape\""));
  EXPECT_FALSE(Has(selection, "if SIZE"));
  EXPECT_TRUE(Has(Of("Life().step()", "export1.rank", {}), "        if SIZE:\n            self.facts[key + \"rank\"]"));
  EXPECT_EQ(Of("Life().step()", "import2.shape", {}).imports, "gc");
}

TEST(Select, ObeysTags) {
  const Selection without = Of("Life().step()", "import0.outcome", {});
  EXPECT_TRUE(Has(without, "        last = 2\n"));
  EXPECT_FALSE(Has(without, "library.values"));
  const Selection with = Of("Life().step()", "import0.outcome", {"tagged.by.this"});
  EXPECT_FALSE(Has(with, "last = 2"));
  EXPECT_TRUE(Has(with, "        first = self.library.values(self.read)\n"));
}

TEST(Select, DropsAttributesThatNothingReads) {
  EXPECT_FALSE(Has(Of("Life().step()", "import0.outcome", {}), "self.read ="));
  EXPECT_TRUE(Has(Of("Life().step()", "import0.outcome", {"tagged.by"}), "self.read = 0"));
  EXPECT_FALSE(Has(Of("Life().step()", "import0.outcome", {}), "self.unread"));
}

TEST(Select, JoinsTheMethodsOfAClass) {
  const Selection selection = Of("Life().later()", "", {});
  EXPECT_EQ(selection.code.find("class Life"), selection.code.rfind("class Life"));
  EXPECT_TRUE(Has(selection, "    def later(self):\n        pass\n"));
}

}  // namespace
}  // namespace dlpack_cts
