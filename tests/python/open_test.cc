// tests/python/open_test.cc: what a person reads when an adapter cannot be opened.
#include "tests/python/bridge_test.h"

namespace dlpack_cts {
namespace {

BridgeError ErrorOf(const std::string& folder) {
  BridgeConfig config = g_opened.config;
  config.adapter = g_opened.tests + "/broken_adapters/" + folder;
  BridgeError error;
  EXPECT_EQ(g_opened.open(config, &error), nullptr);
  EXPECT_EQ(error.message.find('\n'), std::string::npos) << error.message;
  EXPECT_FALSE(error.hint.empty());
  return error;
}

TEST_F(BridgeTest, InterpreterAndLibraryReportTheirVersions) {
  const SubjectInfo info = g_opened.subject->Info();
  EXPECT_EQ(info.name, g_opened.config.library);
  EXPECT_FALSE(info.version.empty());
  EXPECT_EQ(info.interpreter.rfind("CPython 3.", 0), 0u) << info.interpreter;
}

TEST_F(BridgeTest, PythonEnvironmentVariablesAreRemoved) { EXPECT_EQ(getenv("PYTHONHOME"), nullptr); }

TEST_F(BridgeTest, SyntaxErrorNamesFileAndLine) {
  const BridgeError error = ErrorOf("syntax_error");
  EXPECT_NE(error.message.find("syntax_error/adapter.py has a syntax error"), std::string::npos) << error.message;
  EXPECT_NE(error.message.find("line 2"), std::string::npos) << error.message;
}

TEST_F(BridgeTest, MissingFunctionIsNamed) {
  const BridgeError error = ErrorOf("no_describe");
  EXPECT_NE(error.message.find("has no function describe"), std::string::npos) << error.message;
}

TEST_F(BridgeTest, FailedImportReportsThePythonError) {
  const BridgeError error = ErrorOf("import_fails");
  EXPECT_NE(error.message.find("a_library_that_nobody_has"), std::string::npos) << error.message;
  EXPECT_NE(error.traceback.find("Traceback"), std::string::npos) << error.traceback;
}

TEST_F(BridgeTest, FolderWithoutAdapterIsNamed) {
  const BridgeError error = ErrorOf("there_is_no_such_folder");
  EXPECT_NE(error.message.find("has no readable adapter.py"), std::string::npos) << error.message;
}

}  // namespace
}  // namespace dlpack_cts
