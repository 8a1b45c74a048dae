// tests/reports/text_test.cc: any bytes become printable text.
#include "reports/text.h"

#include <gtest/gtest.h>

namespace dlpack_cts {
namespace {

TEST(Text, EscapesInvalidUtf8) {
  EXPECT_EQ(Clean("a\xff"
                  "b"),
            "a\\xffb");
  EXPECT_EQ(Clean("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"), "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
  EXPECT_EQ(Clean("\xc0\xaf"), "\\xc0\\xaf") << "overlong";
  EXPECT_EQ(Clean("\xe2\x82"), "\\xe2\\x82") << "cut off";
  EXPECT_EQ(Clean("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "surrogate";
  EXPECT_EQ(Clean("\xef\xbf\xbf"), "\\xef\\xbf\\xbf") << "no character of XML";
}

TEST(Text, EscapesControlCharacters) {
  EXPECT_EQ(Clean(std::string_view("\x1b\0\x7f", 3)), "\\x1b\\x00\\x7f");
  EXPECT_EQ(Clean("\xc2\x9b"), "\\u009b") << "a terminal takes U+009B for an escape";
  EXPECT_EQ(Clean("a\n\tb\r"), "a\n\tb\\r");
}

TEST(Text, EscapesBidirectionalAndInvisibleCharacters) {
  EXPECT_EQ(Clean("a\xe2\x80\xae"
                  "b\xe2\x81\xa6"),
            "a\\u202eb\\u2066");
  EXPECT_EQ(Clean("\xe2\x80\x8b\xe2\x80\xa8\xef\xbb\xbf\xf3\xa0\x81\x81"), "\\u200b\\u2028\\ufeff\\ue0041");
}

TEST(Text, TruncatesBetweenCharactersWithTheLength) {
  EXPECT_EQ(OneLine("a\nb"), "a\\nb");
  EXPECT_EQ(OneLine("ab\xe2\x82\xac", 3), "ab... (5 bytes)");
  EXPECT_EQ(OneLine("abc", 3), "abc");
  EXPECT_EQ(OneLine(std::string(10'000'000, 'x')).size(), 400 + std::string("... (10000000 bytes)").size());
  EXPECT_EQ(Clean(std::string(10'000'000, '\x1b')).size(), 4 * kLongText + std::string("... (10000000 bytes)").size());
  EXPECT_EQ(Cut("\x80\x80\x80\x80\x80\x80", 4), "\x80... (6 bytes)") << "no character to keep whole";
}

TEST(Text, IsFoldedAtBlanks) {
  EXPECT_EQ(Folded("one two three", 0, 0, 0), "one two three");
  EXPECT_EQ(Folded("one two three", 0, 2, 7), "one two\n  three");
  EXPECT_EQ(Folded("one two", 4, 4, 7), "one\n    two") << "what stands before it counts";
  EXPECT_EQ(Folded("a-very-long-word b", 0, 1, 5), "a-very-long-word\n b") << "a word stays whole";
  EXPECT_EQ(Folded("\xe2\x82\xac\xe2\x82\xac \xe2\x82\xac\xe2\x82\xac", 0, 0, 5).find('\n'), std::string::npos)
      << "five characters";
  EXPECT_EQ(Folded("", 3, 3, 5), "");
}

TEST(Text, QuotesEachForeignLine) {
  EXPECT_EQ(QuotedLines("", 100), "");
  EXPECT_EQ(QuotedLines("a\n  dlpack-cts: b\x1b[2J\n", 100), "  | a\n  |   dlpack-cts: b\\x1b[2J\n");
  EXPECT_EQ(QuotedLines("first line, then a long middle, and last", 12),
            "  | fir\n  | ... (40 bytes) ...\n  |  and last\n");
}

TEST(DumpLine, IsAsciiAndOfBoundedLength) {
  const std::string line =
      DumpLine({{"a\xff", "\x1b\x7f\xc2\x9b\xe2\x80\xae"}, {"b", {{"c", std::string(10'000'000, 'x')}}}});
  EXPECT_EQ(line.substr(0, 52), R"({"a\ufffd":"\u001b\u007f\u009b\u202e","b":{"c":"xxxx)");
  EXPECT_LT(line.size(), kLongText + 100);
  EXPECT_TRUE(line.ends_with("x... (10000000 bytes)\"}}"));
}

TEST(Text, EscapesForXml) {
  EXPECT_EQ(EscapeXml("<a b='c' d=\"e\">&"), "&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt;&amp;");
}

TEST(Text, KeepsMarkdownTablesWhole) {
  EXPECT_EQ(EscapeMarkdown("from_dlpack, __dlpack__"), "from_dlpack, \\_\\_dlpack\\_\\_");
  EXPECT_EQ(MarkdownCode("a|b", true), "`a\\|b`");
  EXPECT_EQ(MarkdownCode("a\\|b", true), R"(a\\\|b)");
  EXPECT_EQ(EscapeMarkdown("a|b\n_c_"), "a\\|b\\\\n_c\\_");
  EXPECT_EQ(MarkdownCode("a|b", true), "`a\\|b`");
  EXPECT_EQ(MarkdownCode("a|b"), "`a|b`");
  EXPECT_EQ(MarkdownCode("a`b"), "`` a`b ``");
  EXPECT_EQ(MarkdownCode(""), "");
}

TEST(Text, KeepsMarkdownFromBeginningAListOrATitle) {
  EXPECT_EQ(EscapeMarkdown("- a"), "\\- a");
  EXPECT_EQ(EscapeMarkdown("12. a"), "12\\. a");
  EXPECT_EQ(EscapeMarkdown("1.5 is"), "1.5 is");
  EXPECT_EQ(EscapeMarkdown("    code"), "code");
}

TEST(Text, FormatsDurations) {
  EXPECT_EQ(Duration(0.0124), "12 ms");
  EXPECT_EQ(Duration(4.25), "4.2 s");
}

}  // namespace
}  // namespace dlpack_cts
