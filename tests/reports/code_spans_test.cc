// tests/reports/code_spans_test.cc: what is between backticks becomes code, and everything is escaped.
#include "reports/code_spans.h"

#include <gtest/gtest.h>

namespace dlpack_cts {
namespace {

TEST(WithCode, MarksWhatIsBetweenBackticks) {
  EXPECT_EQ(WithCode("`strides` has `ndim` entries.").text(), "<code>strides</code> has <code>ndim</code> entries.");
  EXPECT_EQ(WithCode("no code").text(), "no code");
  EXPECT_EQ(WithCode("").text(), "");
}

TEST(WithCode, EscapesTextAndCode) { EXPECT_EQ(WithCode("a<b `c<d`").text(), "a&lt;b <code>c&lt;d</code>"); }

TEST(WithCode, LeavesABacktickWithoutASecondOne) { EXPECT_EQ(WithCode("`a` and `b").text(), "<code>a</code> and `b"); }

}  // namespace
}  // namespace dlpack_cts
