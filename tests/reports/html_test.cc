// tests/reports/html_test.cc: the page holds everything, needs no network, and lets no text out of its place.
#include "reports/html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "reports/html_case.h"
#include "tests/reports/sample_run.h"

namespace dlpack_cts {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Page(const Run& run, const std::string& folder = "/nonexistent") {
  std::ostringstream out;
  PrintHtml(run, SampleContext(), folder, out);
  return out.str();
}

/// A folder with findings/negative-strides.py and, next to that folder, a file that no page may show.
class HtmlFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(root_);
    std::filesystem::create_directories(root_ / "out/findings");
    std::ofstream(root_ / "out/findings/negative-strides.py") << "print('REPRODUCED <now>')\n";
    std::ofstream(root_ / "secret.py") << "top secret\n";
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  const std::filesystem::path root_ =
      std::filesystem::path(::testing::TempDir()) / ("cts_html_" + std::to_string(getpid()));
};

TEST(Html, ShowsWordMessageRuleAndSourceOfAFailure) {
  const std::string page = Page(SampleRun());
  EXPECT_THAT(page, HasSubstr("<span class=\"v FAIL\">FAIL</span>"));
  EXPECT_THAT(page, HasSubstr("an element has other bits than the offer"));
  EXPECT_THAT(page, HasSubstr("element [0,1] = 1.0"));
  EXPECT_THAT(page, HasSubstr("NULL strides mean compact row-major order."));
  EXPECT_THAT(page, HasSubstr("<a href=\"https://example.org/dlpack.h#L3\">dlpack.h, line 3</a>"));
  EXPECT_THAT(page, HasSubstr("MUST; a violation counts as FAIL"));
  EXPECT_THAT(page, HasSubstr("<td>offer.strides</td><td class=\"mono\">[-3,1]</td>"));
  EXPECT_THAT(page, HasSubstr("capsule renamed from dltensor to used_dltensor"));
}

// Each finding once: headline, severity and stake, rule with its source, values, script, replay, folded cases, id.
TEST(Html, HasACardForEachCause) {
  const std::string page = Page(SampleRun());
  const size_t begin = page.find("<h2>Causes</h2>");
  const std::string card = page.substr(begin, page.find("</li>", begin) - begin);
  size_t last = 0;
  for (const char* part :
       {"<b>an element has other bits than the offer</b> <span class=\"tag\">unexpected</span>",
        "rule C-STRIDES-06: Strides may be negative; &lt;b&gt;bold&lt;/b&gt; stays text.",
        "(MUST; <a href=\"https://example.org/dlpack.h#L3\">dlpack.h, line 3</a>)", "example <code>",
        "expected <code>element [1] = 1.0</code>", "got <code>element [1] = 0.0</code>",
        "script <a href=\"findings/negative-strides.py\">", "replay <code>dlpack-cts replay ",
        "<details><summary><u>1 case</u></summary><a href=\"#c-abi/strides/negative-strides-are-read-backwards\">",
        "<small class=\"soft\">import/place/negative-strides; <a href=\"#wrong\">I think this finding is wrong</a>"}) {
    const size_t found = card.find(part);
    ASSERT_NE(found, std::string::npos) << part << "\n" << card;
    EXPECT_GE(found, last) << part << " is too early";
    last = found;
  }
  EXPECT_THAT(page, HasSubstr("id=\"wrong\""));
}

TEST(Html, ShowsTheProfileOfTheLibrary) {
  const std::string page = Page(SampleRun());
  EXPECT_THAT(
      page, HasSubstr("<tr><td>imports</td><td>legacy and versioned structs; all types except &lt;bfloat16&gt;</td>"));
  dlpack_cts::Run older = SampleRun();
  older.header.profile.clear();
  EXPECT_THAT(Page(older), Not(HasSubstr("Profile")));
}

TEST(Html, ShowsTheEvidenceOfFailuresAndNotes) {
  const std::string page = Page(SampleRun());
  EXPECT_THAT(page, HasSubstr("<br>example <code>float32, shape (2,3), strides (-3,1), versioned 1.3"));
  EXPECT_THAT(page, HasSubstr("<br>expected <code>element [0,1] = 1.0</code><br>got <code>element [0,1] = 0.0</code>"));
  EXPECT_THAT(page, HasSubstr("<p>Example: <code>float32, shape (), versioned 1.3; import</code></p>"));
  EXPECT_THAT(page, HasSubstr("<h4>Also fine</h4><pre class=\"wrap\">used_dltensor</pre>"));
  EXPECT_THAT(page, HasSubstr("<h4>Observed</h4><pre class=\"wrap\">dltensor</pre>"));
  EXPECT_THAT(page, HasSubstr("<h4>Observed</h4><pre class=\"wrap\">ValueError: &lt;no&gt;</pre>"));
}

TEST(Html, LoadsNoExternalResource) {
  const std::string page = Page(SampleRun());
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  for (const char* loads : {"src=", "<link", "url(", "@import"}) EXPECT_THAT(page, Not(HasSubstr(loads)));
  // A link that a reader follows loads nothing.
  for (size_t at = page.find("href=\"http"); at != std::string::npos; at = page.find("href=\"http", at + 1))
    EXPECT_EQ(page.substr(at - 3, 3), "<a ") << page.substr(at, 80);
}

TEST(Html, EscapesTextOfLibrariesAndRules) {
  const std::string page = Page(SampleRun());
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert"));
  EXPECT_THAT(page, Not(HasSubstr("<b>bold</b>")));
  EXPECT_THAT(page, Not(HasSubstr("\x1b")));
  EXPECT_THAT(page, Not(HasSubstr("\xff")));
}

TEST_F(HtmlFolder, EmbedsItsReproducers) {
  EXPECT_THAT(Page(SampleRun(), (root_ / "out").string()), HasSubstr("print(&#39;REPRODUCED &lt;now&gt;&#39;)"));
}

TEST_F(HtmlFolder, ShowsNoFileOutsideTheFolder) {
  auto run = SampleRun();
  run.results[1].reproducer = "findings/../../secret.py";
  EXPECT_THAT(Page(run, (root_ / "out").string()), Not(HasSubstr("top secret")));
  run.results[1].reproducer = (root_ / "secret.py").string();
  EXPECT_THAT(Page(run, (root_ / "out").string()), Not(HasSubstr("top secret")));
}

TEST_F(HtmlFolder, DoesNotFollowLinks) {
  std::filesystem::create_symlink(root_ / "secret.py", root_ / "out/findings/link.py");
  std::filesystem::create_directory_symlink(root_, root_ / "out/elsewhere");
  std::filesystem::create_directory_symlink(root_ / "out", root_ / "linked-out");
  auto run = SampleRun();
  for (const char* name : {"findings/link.py", "elsewhere/secret.py"}) {
    run.results[1].reproducer = name;
    EXPECT_THAT(Page(run, (root_ / "out").string()), Not(HasSubstr("top secret"))) << name;
  }
  // The folder itself may be named through a link.
  EXPECT_THAT(Page(SampleRun(), (root_ / "linked-out").string()), HasSubstr("REPRODUCED &lt;now&gt;"));
}

TEST_F(HtmlFolder, EmbedsTheSharedCodeOfReproducersOnce) {
  std::ofstream(root_ / "out/findings/negative-strides.py") << "own part\n# ---- Supporting code: x.\n"
                                                            << std::string(500, 'm');
  auto run = SampleRun();
  run.results.push_back(run.results[1]);
  run.results.back().seen.case_id += "-too";
  const std::string page = Page(run, (root_ / "out").string());
  const size_t first = page.find("# ---- Supporting code");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(page.find("# ---- Supporting code", first + 1), std::string::npos);
  EXPECT_THAT(page, HasSubstr(" support1\" hidden"));
}

TEST_F(HtmlFolder, LimitsTheSizeOfReproducers) {
  std::ofstream(root_ / "out/findings/negative-strides.py") << std::string(60'000, 'x');
  auto run = SampleRun();
  const Result failing = run.results[1];
  for (int i = 0; i < 200; ++i) {
    run.results.push_back(failing);
    run.results.back().seen.case_id += std::to_string(i);
  }
  EXPECT_LT(Page(run, (root_ / "out").string()).size(), 1'600'000u);
}

TEST(HtmlTimeline, AcceptsAnyJson) {
  EXPECT_TRUE(HtmlTimeline(nlohmann::json()).empty());
  EXPECT_TRUE(HtmlTimeline(nlohmann::json::array()).empty());
  const std::string odd =
      HtmlTimeline(nlohmann::json::array({1, {{"slot", "x"}}, {{"slot", -7}, {"seen", "fault"}}})).text();
  EXPECT_THAT(odd, HasSubstr("class=\"s1 fault\""));
}

}  // namespace
}  // namespace dlpack_cts
