// tests/reproducer/adapter_test.cc: a script has the parts of an adapter that it uses, and those that these use.
#include "harness/reproducer/adapter.h"

#include <gtest/gtest.h>

#include <string>

namespace dlpack_cts {
namespace {

constexpr const char* kText = R"py(# A library.
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "helpers"))
import library  # noqa: E402
import strided  # noqa: E402

NAMES = ("float32",)


def from_dlpack(obj):
    return library.take(checked(obj))


def checked(obj):
    """Returns it."""
    return obj


# What it makes.
def make(request):
    return strided.made(request)


@library.registered
def hidden():
    pass


class Unused:
    def checked(self):
        pass


if NAMES:
    def version():
        return 1
)py";

AdapterText Used(const std::string& text, const std::string& code) {
  return WithoutUnused({text, {{"strided.py", "def made(request): pass\n"}}}, code);
}

bool Has(const AdapterText& adapter, const std::string& text) { return adapter.text.find(text) != std::string::npos; }

TEST(WithoutUnused, KeepsWhatTheCodeNamesAndWhatThatNames) {
  const AdapterText used = Used(kText, "library.from_dlpack(1)  # make");
  EXPECT_TRUE(Has(used, "def from_dlpack") && Has(used, "def checked(obj)")) << used.text;
  EXPECT_FALSE(Has(used, "make") || Has(used, "What it makes") || Has(used, "Unused")) << used.text;
}

TEST(WithoutUnused, KeepsAllOtherStatements) {
  const AdapterText used = Used(kText, "");
  for (const char* text : {"# A library.", "import os", "import library", "NAMES = ", "@library.registered\ndef hidden",
                           "if NAMES:\n    def version()"}) {
    EXPECT_TRUE(Has(used, text)) << text << used.text;
  }
  EXPECT_FALSE(Has(used, "def from_dlpack")) << used.text;
}

TEST(WithoutUnused, KeepsModulesOnlyForTheirImport) {
  const AdapterText with = Used(kText, "library.make(2)");
  EXPECT_TRUE(Has(with, "import strided") && Has(with, "sys.path.insert")) << with.text;
  EXPECT_EQ(with.modules.size(), 1u);
  const AdapterText without = Used(kText, "library.from_dlpack(1)");
  EXPECT_FALSE(Has(without, "strided") || Has(without, "sys.path")) << without.text;
  EXPECT_TRUE(without.modules.empty());
}

TEST(WithoutUnused, KeepsModulesWhoseNamesAreNotListed) {
  const AdapterText used = Used("from strided import *\n\n\ndef unused():\n    pass\n", "");
  EXPECT_EQ(used.text, "from strided import *\n");
  EXPECT_EQ(used.modules.size(), 1u);
}

TEST(WithoutUnused, LeavesWholeWhatItMightMisread) {
  const std::string unused = "import os\ndef unused():\n    pass\n";
  EXPECT_EQ(Used(unused, "").text, "import os\n");
  for (const char* more : {"TEXT = \"\"\"\ndef f():\n\"\"\"\n", "A = 1 + \\\n2\n", "B = 1\r\n",
                           "globals()[\"unused\"]()\n", "C = '''a\"\"\"b''' '''c'''\n"}) {
    EXPECT_EQ(Used(unused + more, "").text, unused + more);
  }
  const std::string open = "import os\ndef unused(text=(\n1)):\n    pass\n";
  EXPECT_EQ(Used(open, "").text, open);
}

TEST(WithoutUnused, KeepsTheFirstLineAndTheBytesOfAWholeAdapter) {
  const std::string coding = "# -*- coding: latin-1 -*-\ndef unused():\n    pass\nA = 1";
  EXPECT_EQ(Used(coding, "").text, coding);
}

}  // namespace
}  // namespace dlpack_cts
