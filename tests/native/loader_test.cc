// tests/native/loader_test.cc: what the loader says of plug-ins that can and cannot be used.
#include "subject/native_loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>

#include "reference/plugin.h"
#include "subject/hooks.h"

namespace dlpack_cts {
namespace {

using testing::HasSubstr;

PluginError Load(const std::string& file, uint32_t claims = ClaimBit(Claim::kConsumer)) {
  dlpack_cts_plugin_table table;
  PluginError error;
  const bool loaded = LoadPlugin(std::string(PLUGINS) + "/" + file, claims, &table, &error);
  EXPECT_EQ(loaded, error.message.empty());
  EXPECT_EQ(error.message.empty(), error.hint.empty()) << error.message;
  return error;
}

TEST(LoaderTest, APluginWithAllThatIsNeededIsLoaded) { EXPECT_EQ(Load("plugin_none.so").message, ""); }

TEST(LoaderTest, EachDefectHasItsOwnSentence) {
  EXPECT_THAT(Load("nowhere.so").message, HasSubstr("cannot be read: No such file"));
  EXPECT_THAT(Load("plugin_other_abi.so").message, HasSubstr("has version 3 of the plug-in ABI"));
  EXPECT_THAT(Load("plugin_no_symbol.so").message, HasSubstr("does not export the symbol dlpack_cts_plugin"));
  EXPECT_THAT(Load("plugin_null_table.so").message, HasSubstr("returned NULL"));
  EXPECT_THAT(Load("plugin_null_function.so").message, HasSubstr("has no function values"));
  EXPECT_THAT(Load("plugin_null_name.so").message, HasSubstr("returned NULL"));
  EXPECT_THAT(Load("plugin_small.so").message, HasSubstr("gives its size as 4 bytes"));
  EXPECT_THAT(Load("plugin_unresolved.so").message, HasSubstr("a_function_that_nobody_defines"));
}

TEST(LoaderTest, AFileThatIsNoLibraryIsNamed) {
  const std::string path = testing::TempDir() + "/text.so";
  std::ofstream(path) << "no library\n";
  dlpack_cts_plugin_table table;
  PluginError error;
  EXPECT_FALSE(LoadPlugin(path, 0, &table, &error));
  EXPECT_THAT(error.message, HasSubstr("could not be loaded: " + path));
}

TEST(LoaderTest, RolesAndClaimsNeedTheirFunctions) {
  EXPECT_THAT(Load("plugin_none.so", ClaimBit(Claim::kProducer)).message, HasSubstr("has no function make"));
  EXPECT_THAT(Load("plugin_none.so", ClaimBit(Claim::kWrite)).message, HasSubstr("has no function write"));
  EXPECT_THAT(Load("plugin_none.so", ClaimBit(Claim::kCompute)).message, HasSubstr("has no function compute"));
  EXPECT_THAT(Load("plugin_none.so", ClaimBit(Claim::kView)).message, HasSubstr("has no function view"));
  EXPECT_THAT(Load("plugin_none.so", ClaimBit(Claim::kResizeInPlace)).message, HasSubstr("has no function change"));
}

TEST(LoaderTest, AnOlderTableLacksTheFunctionsBehindItsEnd) {
  Reference reference;
  dlpack_cts_plugin_table older = ReferencePlugin(reference);
  older.size = offsetof(dlpack_cts_plugin_table, collect);
  dlpack_cts_plugin_table table;
  PluginError error;
  ASSERT_TRUE(CheckTable(&older, "the older table", ClaimBit(Claim::kConsumer) | ClaimBit(Claim::kReshapeInPlace),
                         &table, &error));
  EXPECT_EQ(table.change, ReferencePlugin(reference).change);
  EXPECT_EQ(table.collect, nullptr);
  EXPECT_EQ(table.live, nullptr);
}

}  // namespace
}  // namespace dlpack_cts
