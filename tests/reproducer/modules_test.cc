// tests/reproducer/modules_test.cc: a script embeds what its adapter imports, also from helpers/ beside the adapter.
#include "harness/reproducer/modules.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/runner/files.h"

namespace dlpack_cts {
namespace {

class ModulesBesideTest : public ::testing::Test {
 protected:
  void Write(const std::string& path, const std::string& text) const { folder_.Write(path, text); }

  /// The modules of the adapter of the library "own".
  std::map<std::string, std::string> Found(const std::string& adapter) const {
    Write("own/adapter.py", adapter);
    return ModulesBeside(folder_.path() + "/own", adapter);
  }

 private:
  runner::TestFolder folder_;
};

TEST_F(ModulesBesideTest, IncludeThoseOfTheAdaptersFolder) {
  Write("own/tools.py", "import more");
  Write("own/more.py", "pass");
  Write("own/other.py", "pass");
  const auto modules = Found("import tools");
  EXPECT_EQ(modules.size(), 2u);
  EXPECT_TRUE(modules.contains("tools.py") && modules.contains("more.py"));
}

TEST_F(ModulesBesideTest, IncludeTheHelpersThatAreImported) {
  Write("helpers/strided.py", "pass");
  Write("helpers/unused.py", "pass");
  EXPECT_EQ(Found("import strided"), (std::map<std::string, std::string>{{"strided.py", "pass"}}));
}

TEST_F(ModulesBesideTest, IncludeTheAdapterThatIsTheBaseAndWhatItImports) {
  Write("helpers/strided.py", "pass");
  Write("a-base/adapter.py", "import strided");
  const auto modules = Found("VIEWS = helpers.adapter_of(\"a-base\")");
  EXPECT_EQ(modules.size(), 2u);
  EXPECT_EQ(modules.at("a-base/adapter.py"), "import strided");
  EXPECT_TRUE(modules.contains("strided.py"));
}

}  // namespace
}  // namespace dlpack_cts
