// tests/runner/line_reader_test.cc: a worker's lines are found in whatever surrounds them.
#include "runner/base/line_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace dlpack_cts::runner {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kMark[] = "mark ";

std::vector<std::string> LinesOf(const std::vector<std::string>& pieces) {
  LineReader reader(kMark);
  std::vector<std::string> lines;
  for (const std::string& piece : pieces) {
    reader.Feed(piece);
    for (std::string line; reader.Next(&line);) lines.push_back(line);
  }
  return lines;
}

TEST(LineReaderTest, ReturnsLinesWithoutTheirMark) {
  EXPECT_THAT(LinesOf({"\nmark one\n\nmark two\n"}), ElementsAre("one", "two"));
}

TEST(LineReaderTest, JoinsPieces) {
  const std::string text = "\nmark one\nother\nmark two\n";
  std::vector<std::string> pieces;
  for (const char c : text) pieces.emplace_back(1, c);
  EXPECT_THAT(LinesOf(pieces), ElementsAre("one", "two"));
}

TEST(LineReaderTest, DropsLinesWithoutTheMark) {
  EXPECT_THAT(LinesOf({"one\n mark two\nmarktwo\nmar\n\n\nmark \nMARK x\n"}), IsEmpty());
}

TEST(LineReaderTest, KeepsALineAfterAnIncompleteOne) {
  for (const char* garbage : {"x", "ma", "mark", "mark {\"half\":", "\0\xff"}) {
    EXPECT_EQ(LinesOf({garbage, "\nmark one\n"}).back(), "one") << garbage;
  }
}

TEST(LineReaderTest, KeepsNoGarbage) {
  LineReader reader(kMark);
  const std::string megabyte(1 << 20, 'x');
  for (int i = 0; i < 10000; ++i) reader.Feed(megabyte);
  reader.Feed("\nmark one\n");
  std::string line;
  ASSERT_TRUE(reader.Next(&line));
  EXPECT_EQ(line, "one");
}

TEST(LineReaderTest, DropsALineThatIsTooLong) {
  LineReader reader(kMark);
  reader.Feed("\nmark ");
  const std::string megabyte(1 << 20, 'x');
  for (size_t fed = 0; fed <= LineReader::kLongest; fed += megabyte.size()) reader.Feed(megabyte);
  reader.Feed("\nmark one\n");
  std::string line;
  ASSERT_TRUE(reader.Next(&line));
  EXPECT_EQ(line, "one");
}

TEST(DrawMarkTest, IsRandom) { EXPECT_NE(DrawMark(), DrawMark()); }

}  // namespace
}  // namespace dlpack_cts::runner
