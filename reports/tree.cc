// reports/tree.cc: the tree that a run prints on the terminal.
#include <fmt/format.h>

#include <algorithm>

#include "reports/outline.h"
#include "reports/reports.h"
#include "reports/text.h"

namespace dlpack_cts {
namespace {

constexpr size_t kVerdictWidth = 8;
constexpr size_t kSentence = 400;  // bytes that a line shows of a text
constexpr size_t kCommand = 4096;  // a command that is cut cannot be copied

std::string_view ColourOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
      return "32";
    case Verdict::kWarn:
      return "33";
    case Verdict::kNote:
      return "36";
    case Verdict::kSkip:
    case Verdict::kBlocked:
      return "2";
    case Verdict::kFail:
    case Verdict::kCrash:
    case Verdict::kTimeout:
    case Verdict::kLeak:
    case Verdict::kUnsafe:
      break;
  }
  return "1;31";
}

std::string Joined(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : " ") + text;
  return joined;
}

class TreePrinter {
 public:
  TreePrinter(std::ostream& out, bool color, std::string folder)
      : out_(out), color_(color), folder_(std::move(folder)) {}

  void PrintSubject(const SubjectOutline& subject) {
    out_ << Paint(OneLine(subject.name), "1") << '\n';
    std::string suite;
    for (const Chapter& chapter : subject.chapters) {
      const size_t slash = chapter.path.find('/');
      const std::string first = chapter.path.substr(0, slash);
      if (first != suite) {
        suite = first;
        out_ << "  " << OneLine(suite) << '\n';
      }
      const std::string rest = slash == std::string::npos ? "(cases)" : chapter.path.substr(slash + 1);
      out_ << fmt::format("    {:<24} {}\n", OneLine(rest), CountsText(Count(chapter)));
      for (const Result* result : chapter.results) {
        if (!IsPlainPass(*result)) PrintResult(*result);
      }
    }
  }

  void PrintSummary(const Run& run) {
    const Tally tally = Count(run.results, Scope::kConformance);
    const Tally hostile = Count(run.results, Scope::kHostile);
    const int64_t unexpected = tally.unexpected + hostile.unexpected;
    out_ << '\n' << fmt::format("Summary     {} cases: {}\n", tally.total, CountsText(tally));
    if (hostile.total > 0) {
      out_ << fmt::format("Hostile     {} cases, counted apart: {}\n", hostile.total, CountsText(hostile));
    }
    out_ << fmt::format("Deviations  {}, {} as listed\n",
                        Paint(fmt::format("{} unexpected", unexpected), unexpected > 0 ? "1;31" : "32"),
                        tally.listed + hostile.listed);
    out_ << fmt::format("Run         {}, seed {}\n", Duration(run.footer.seconds), run.header.seed);
    if (run.footer.interrupted) {
      out_ << "Interrupted: cases that are not counted above did not run\n";
    }
  }

 private:
  std::string Paint(const std::string& text, std::string_view code) const {
    return color_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
  }

  void PrintResult(const Result& result) {
    const std::string word(ToText(result.verdict));
    const std::string blanks(kVerdictWidth - std::min(word.size(), kVerdictWidth) + 1, ' ');
    const std::vector<std::string>& rules = result.breached.empty() ? result.rules : result.breached;
    out_ << "      " << Paint(word, ColourOf(result.verdict)) << blanks << OneLine(LeafOf(result.seen.case_id));
    if (IsDeviation(result.verdict) && !rules.empty()) out_ << "  [" << OneLine(Joined(rules)) << ']';
    if (IsListed(result)) out_ << "  as listed: " << OneLine(result.expectation);
    if (result.as_expected && !result.seen.message.empty() && !IsListed(result))
      out_ << ": " << OneLine(Sentence(result));
    out_ << '\n';
    if (result.as_expected) return;
    PrintDetail("", Sentence(result));
    PrintDetail("wanted", result.seen.wanted);
    PrintDetail("got", result.seen.got);
    PrintDetail("reproduce", result.reproducer.empty() ? "" : folder_ + result.reproducer, kCommand);
    PrintDetail("replay", result.replay, kCommand);
  }

  void PrintDetail(std::string_view name, const std::string& text, size_t limit = kSentence) {
    if (text.empty()) return;
    const std::string blanks(6 + kVerdictWidth + 1, ' ');
    out_ << blanks << (name.empty() ? "" : fmt::format("{:<10}", name)) << OneLine(text, limit) << '\n';
  }

  std::ostream& out_;
  bool color_;
  std::string folder_;  // of the page, with its slash: reproducers lie below it
};

}  // namespace

void PrintTree(const Run& run, std::ostream& out, bool color, const std::string& html) {
  TreePrinter printer(out, color, html.substr(0, html.rfind('/') + 1));
  for (const SubjectOutline& subject : OutlineOf(run)) printer.PrintSubject(subject);
  printer.PrintSummary(run);
  if (!html.empty()) out << "Report      " << OneLine(html, kCommand) << '\n';
}

}  // namespace dlpack_cts
