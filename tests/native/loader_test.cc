// tests/native/loader_test.cc: what the loader says of plug-ins that can and cannot be used.
#include "subject/native_loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>

#include "reference/plugin.h"
#include "subject/hooks.h"
#include "tests/message_of.h"

namespace dlpack_cts {
namespace {

using testing::HasSubstr;

std::string ErrorOf(const std::string& file, uint32_t claims = ClaimBit(Claim::kConsumer)) {
  const auto failure = FailureOf([&] { LoadPlugin(std::string(PLUGINS) + "/" + file, claims); });
  EXPECT_FALSE(failure && failure->hint().empty()) << failure->what();
  return failure ? failure->what() : "";
}

TEST(LoaderTest, CompletePluginIsLoaded) { EXPECT_EQ(ErrorOf("plugin_none.so"), ""); }

TEST(LoaderTest, EachDefectHasItsOwnMessage) {
  EXPECT_THAT(ErrorOf("nowhere.so"), HasSubstr("cannot be read: No such file"));
  EXPECT_THAT(ErrorOf("plugin_other_abi.so"), HasSubstr("has version 3 of the plug-in ABI"));
  EXPECT_THAT(ErrorOf("plugin_no_symbol.so"), HasSubstr("does not export the symbol dlpack_cts_plugin"));
  EXPECT_THAT(ErrorOf("plugin_null_table.so"), HasSubstr("returned NULL"));
  EXPECT_THAT(ErrorOf("plugin_null_function.so"), HasSubstr("has no function values"));
  EXPECT_THAT(ErrorOf("plugin_null_name.so"), HasSubstr("returned NULL"));
  EXPECT_THAT(ErrorOf("plugin_small.so"), HasSubstr("gives its size as 4 bytes"));
  EXPECT_THAT(ErrorOf("plugin_unresolved.so"), HasSubstr("a_function_that_nobody_defines"));
}

TEST(LoaderTest, FileThatIsNotALibraryIsNamed) {
  const std::string path = testing::TempDir() + "/text.so";
  std::ofstream(path) << "no library\n";
  EXPECT_THAT(MessageOf([&] { LoadPlugin(path, 0); }), HasSubstr("could not be loaded: " + path));
}

TEST(LoaderTest, RolesAndClaimsNeedTheirFunctions) {
  EXPECT_THAT(ErrorOf("plugin_none.so", ClaimBit(Claim::kProducer)), HasSubstr("has no function make"));
  EXPECT_THAT(ErrorOf("plugin_none.so", ClaimBit(Claim::kWrite)), HasSubstr("has no function write"));
  EXPECT_THAT(ErrorOf("plugin_none.so", ClaimBit(Claim::kCompute)), HasSubstr("has no function compute"));
  EXPECT_THAT(ErrorOf("plugin_none.so", ClaimBit(Claim::kView)), HasSubstr("has no function view"));
  EXPECT_THAT(ErrorOf("plugin_none.so", ClaimBit(Claim::kResizeInPlace)), HasSubstr("has no function change"));
}

TEST(LoaderTest, OlderTableHasNullForLaterFunctions) {
  Reference reference;
  dlpack_cts_plugin_table older = ReferencePlugin(reference);
  older.size = offsetof(dlpack_cts_plugin_table, collect);
  const dlpack_cts_plugin_table table =
      CheckTable(&older, "the older table", ClaimBit(Claim::kConsumer) | ClaimBit(Claim::kReshapeInPlace));
  EXPECT_EQ(table.change, ReferencePlugin(reference).change);
  EXPECT_EQ(table.collect, nullptr);
  EXPECT_EQ(table.live, nullptr);
}

}  // namespace
}  // namespace dlpack_cts
