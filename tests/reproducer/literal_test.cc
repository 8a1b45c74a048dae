// tests/reproducer/literal_test.cc: any bytes come back from Python as they were, and none becomes code.
#include "harness/reproducer/literal.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "harness/recipe/normalize.h"
#include "harness/reproducer/plain.h"
#include "harness/reproducer/reproducer.h"

namespace dlpack_cts {
namespace {

using python::CommentText;
using python::Literal;
using python::SourceLiteral;

std::string AllBytes() {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  return bytes;
}

/// Texts that end a literal, a comment or a line of code where they are pasted in.
std::vector<std::string> NastyTexts() {
  return {"",
          "plain",
          "ends in a backslash \\",
          "\\",
          "ends in a quote \"",
          "'",
          "''",
          "'''\nimport os\nos._exit(3)\n'''",
          "\"\"\"\nimport os\nos._exit(3)\n\"\"\"",
          "\"\nimport os\nos._exit(3)\n#",
          "\rimport os; os._exit(3)",
          "\r\nimport os; os._exit(3)\r\n",
          "coding: no-such-codec",
          "-*- coding: utf-16 -*-",
          "\x0cimport os",
          "\xe2\x80\xa8import os",
          "{braces} %s %(name)s \\x41 \\u0041 \\N{DIGIT ONE}",
          "caf\xe9",
          "caf\xc3\xa9 \xf0\x9f\x98\x80",
          "\xed\xa0\x80",
          "\x1b[31mred\x1b]0;title\x07",
          std::string("a\0b", 3),
          "# -*- coding: latin-1 -*-\nNAME = 'caf\xe9'\n",
          "x = 1\r\ny = r'''\\'''\r\n",
          "last line without an end",
          AllBytes(),
          AllBytes() + AllBytes() + "\n"};
}

std::string Hex(const std::string& bytes) {
  std::string hex;
  for (const char c : bytes) hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return hex;
}

/// The exit status of Python on that script.
int StatusOf(const std::string& script) {
  const std::string path = ::testing::TempDir() + "cts_literal_" + std::to_string(getpid()) + ".py";
  std::ofstream(path, std::ios::binary) << script;
  const int status = std::system(("python3 -I " + path).c_str());
  std::remove(path.c_str());
  return status;
}

TEST(Literal, IsEvaluatedByPythonToTheSameText) {
  std::string script = "import sys\n";
  for (const std::string& text : NastyTexts()) {
    const std::string literal = Literal(text);
    EXPECT_EQ(literal.find('\n'), std::string::npos) << literal;
    script += fmt::format("assert {}.encode('utf-8', 'surrogateescape') == bytes.fromhex('{}')\n", literal, Hex(text));
    script += fmt::format("assert {} == bytes.fromhex('{}')\n", SourceLiteral(text), Hex(text));
    EXPECT_EQ(CommentText(text).find_first_of("\r\n"), std::string::npos);
    script += "# " + CommentText(text) + "\n";
  }
  EXPECT_EQ(StatusOf(script + "sys.exit(7)\n") >> 8, 7);
}

TEST(Literal, KeepsReadableSourceReadable) {
  EXPECT_EQ(SourceLiteral("x = \"it's\"\n"), "rb'''x = \"it's\"\n'''");
  EXPECT_EQ(SourceLiteral("a\r\nb"), "(\n    b\"a\\x0d\\n\"\n    b\"b\"\n)");
}

TEST(CommentText, IsCutWithANoteOfItsLength) {
  EXPECT_EQ(CommentText("abcdef", 3), "abc... (6 bytes)");
  EXPECT_LT(CommentText(std::string(10'000'000, 'x')).size(), 2100u);
}

/// Every text that a library, an adapter or an environment can put into a script.
ReproducerInput Filled(const std::string& text) {
  ReproducerInput input;
  input.case_id = "c-abi/own/released-once";
  input.verdict = "FAIL";
  input.rule = "C-OWN-01";
  input.requirement = text;
  input.source = text;
  input.message = text;
  input.fact = "import0.deleter.calls";
  input.wanted = text;
  input.got = text;
  input.library = text;
  input.library_version = text;
  input.requirements = {text, text};
  input.environment = {{text, text}};
  input.adapter = text;
  input.recipe = Recipe{};
  Normalize(input.recipe);
  return input;
}

TEST(Reproducer, ExpectsTheEndOfTheProcess) {
  ReproducerInput input = Filled("a C++ exception escaped from the library");
  input.verdict = "CRASH";
  input.fact = "";
  EXPECT_EQ(WhyNoReproducer(input), "a script does not limit its memory");
  input.ended = "SIGABRT";
  EXPECT_EQ(WhyNoReproducer(input), "");
  EXPECT_NE(Reproducer(input).find("EXPECTED_END = [\"SIGABRT\"]"), std::string::npos) << Reproducer(input);
}

TEST(Reproducer, IsValidPythonForAnyText) {
  // Each script is compiled and its top part run as a module: what the texts hold is data, and the data is whole.
  std::string all =
      "def load(script):\n    names = {'__name__': 'script'}\n    exec(compile(script, 's', 'exec'), names)\n"
      "    return names\n";
  for (const std::string& text : NastyTexts()) {
    const std::string script = Reproducer(Filled(text));
    EXPECT_TRUE(std::all_of(script.begin(), script.end(),
                            [](char c) { return c == '\n' || c == '\t' || (c >= 32 && c < 127); }));
    all += fmt::format(
        "names, wanted = load(bytes.fromhex('{}')), bytes.fromhex('{}')\n"
        "texts = [*names['ENVIRONMENT'], *names['ENVIRONMENT'].values(),]\n"
        "assert all(text.encode('utf-8', 'surrogateescape') == wanted for text in texts), wanted\n"
        "assert not names['is_wrong'](wanted.decode('utf-8', 'surrogateescape')), wanted\n"
        "assert names['ADAPTER'] == wanted, wanted\n",
        Hex(script), Hex(text));
  }
  EXPECT_EQ(StatusOf(all + "raise SystemExit(7)\n") >> 8, 7);
}

TEST(Reproducer, IsValidPythonForAnyTextInAPlainFinding) {
  std::string all = "import ast\n";
  for (const std::string& text : NastyTexts()) {
    ReproducerInput input = Filled(text);
    input.fact = "import0.outcome";
    input.recipe.kind = RecipeKind::kImport;
    SetLife(input.recipe, {Op::kImport});
    ASSERT_TRUE(IsPlain(input) || text.find("ndim") != std::string::npos);
    const std::string script = Reproducer(input);
    EXPECT_TRUE(std::all_of(script.begin(), script.end(),
                            [](char c) { return c == '\n' || c == '\t' || (c >= 32 && c < 127); }));
    all += fmt::format(
        "names = {{n.targets[0].id: n.value for n in ast.parse(bytes.fromhex('{}')).body if isinstance(n, ast.Assign)\n"
        "         and isinstance(n.targets[0], ast.Name)}}\n"
        "assert ast.literal_eval(names['ADAPTER']) == bytes.fromhex('{}')\n",
        Hex(script), Hex(text));
  }
  EXPECT_EQ(StatusOf(all + "raise SystemExit(7)\n") >> 8, 7);
}

}  // namespace
}  // namespace dlpack_cts
