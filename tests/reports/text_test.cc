// tests/reports/text_test.cc: any bytes become printable text.
#include "reports/text.h"

#include <gtest/gtest.h>

namespace dlpack_cts {
namespace {

TEST(Text, ReplacesWhatIsNoUtf8) {
  EXPECT_EQ(Clean("a\xff"
                  "b"),
            "a\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(Clean("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"), "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
  EXPECT_EQ(Clean("\xc0\xaf"), "\xEF\xBF\xBD\xEF\xBF\xBD") << "overlong";
  EXPECT_EQ(Clean("\xe2\x82"), "\xEF\xBF\xBD\xEF\xBF\xBD") << "cut off";
  EXPECT_EQ(Clean("\xed\xa0\x80").find('\xed'), std::string::npos) << "surrogate";
}

TEST(Text, ReplacesControlCharacters) {
  EXPECT_EQ(Clean(std::string_view("\x1b\0\x7f", 3)), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(Clean("\xc2\x9b"), "\xEF\xBF\xBD") << "a terminal takes U+009B for an escape";
  EXPECT_EQ(Clean("a\n\tb"), "a\n\tb");
}

TEST(Text, CutsALineBetweenCharacters) {
  EXPECT_EQ(OneLine("a\nb"), "a\\nb");
  EXPECT_EQ(OneLine("ab\xe2\x82\xac", 3), "ab...");
  EXPECT_EQ(OneLine("abc", 3), "abc");
}

TEST(Text, EscapesForXml) {
  EXPECT_EQ(EscapeXml("<a b='c' d=\"e\">&"), "&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt;&amp;");
}

TEST(Text, KeepsMarkdownTablesWhole) {
  EXPECT_EQ(EscapeMarkdown("a|b\n_c_"), "a\\|b\\\\n\\_c\\_");
  EXPECT_EQ(MarkdownCode("a|b", true), "`a\\|b`");
  EXPECT_EQ(MarkdownCode("a|b"), "`a|b`");
  EXPECT_EQ(MarkdownCode("a`b"), "`` a`b ``");
  EXPECT_EQ(MarkdownCode(""), "");
}

TEST(Text, SaysDurations) {
  EXPECT_EQ(Duration(0.0124), "12 ms");
  EXPECT_EQ(Duration(4.25), "4.2 s");
}

}  // namespace
}  // namespace dlpack_cts
