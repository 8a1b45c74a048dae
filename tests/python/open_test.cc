// tests/python/open_test.cc: what a person reads when an adapter cannot be opened.
#include "base/failure.h"
#include "tests/python/bridge_test.h"

namespace dlpack_cts {
namespace {

Failure ErrorOf(const std::string& folder) {
  BridgeConfig config = g_opened.config;
  config.adapter = g_opened.tests + "/broken_adapters/" + folder;
  const Failure failure = FailureOf([&] { OpenInPython(config); }).value_or(Failure("opened"));
  EXPECT_EQ(std::string_view(failure.what()).find('\n'), std::string_view::npos) << failure.what();
  EXPECT_FALSE(failure.hint().empty());
  return failure;
}

bool Contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

TEST_F(BridgeTest, InterpreterAndLibraryReportTheirVersions) {
  const SubjectInfo info = g_opened.subject->Info();
  EXPECT_EQ(info.name, g_opened.config.library);
  EXPECT_FALSE(info.version.empty());
  EXPECT_EQ(info.interpreter.rfind("CPython 3.", 0), 0u) << info.interpreter;
}

TEST_F(BridgeTest, PythonEnvironmentVariablesAreRemoved) { EXPECT_EQ(getenv("PYTHONHOME"), nullptr); }

TEST_F(BridgeTest, SyntaxErrorNamesFileAndLine) {
  const Failure failure = ErrorOf("syntax_error");
  EXPECT_TRUE(Contains(failure.what(), "syntax_error/adapter.py has a syntax error")) << failure.what();
  EXPECT_TRUE(Contains(failure.what(), "line 2")) << failure.what();
}

TEST_F(BridgeTest, MissingFunctionIsNamed) {
  const Failure failure = ErrorOf("no_describe");
  EXPECT_TRUE(Contains(failure.what(), "has no function describe")) << failure.what();
}

TEST_F(BridgeTest, LibraryThatIsNotInstalledIsNamedWithoutATraceback) {
  const Failure failure = ErrorOf("import_fails");
  EXPECT_TRUE(Contains(failure.what(), "the module a_library_that_nobody_has")) << failure.what();
  EXPECT_EQ(failure.detail(), "");
}

TEST_F(BridgeTest, FailedImportReportsThePythonError) {
  const Failure failure = ErrorOf("raises");
  EXPECT_TRUE(Contains(failure.what(), "RuntimeError: out of order")) << failure.what();
  EXPECT_TRUE(Contains(failure.detail(), "Traceback")) << failure.detail();
}

TEST_F(BridgeTest, FolderWithoutAdapterIsNamed) {
  const Failure failure = ErrorOf("there_is_no_such_folder");
  EXPECT_TRUE(Contains(failure.what(), "has no readable adapter.py")) << failure.what();
}

}  // namespace
}  // namespace dlpack_cts
