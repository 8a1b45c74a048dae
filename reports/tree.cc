// reports/tree.cc: prints the report of a run on the terminal.
#include <fmt/color.h>
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/text.h"
#include "reports/brief.h"
#include "reports/conclusion.h"
#include "reports/evidence.h"
#include "reports/limitations.h"
#include "reports/markup.h"
#include "reports/outline.h"
#include "reports/reports.h"
#include "reports/script.h"
#include "reports/sources.h"
#include "reports/text.h"
#include "results/uncounted.h"

namespace dlpack_cts {
namespace {

constexpr size_t kVerdictWidth = 8;
constexpr size_t kNumberWidth = 3;
constexpr size_t kDetailWidth = 10;
constexpr size_t kSuiteWidth = 13;
constexpr size_t kSentence = 400;  // bytes of a text that a line shows
constexpr size_t kCommand = 4096;  // a command that is cut cannot be copied

fmt::text_style LookOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
      return fmt::fg(fmt::terminal_color::green);
    case Verdict::kWarn:
      return fmt::fg(fmt::terminal_color::yellow);
    case Verdict::kNote:
      return fmt::fg(fmt::terminal_color::cyan);
    case Verdict::kSkip:
    case Verdict::kBlocked:
      return fmt::emphasis::faint;
    case Verdict::kFail:
    case Verdict::kCrash:
    case Verdict::kTimeout:
    case Verdict::kLeak:
    case Verdict::kUnsafe:
      break;
  }
  return fmt::fg(fmt::terminal_color::red);
}

/// The first part of a case's id.
std::string SuiteOf(const Chapter& chapter) { return chapter.path.substr(0, chapter.path.find('/')); }

class TreePrinter {
 public:
  TreePrinter(const TextStyle& style, std::string folder) : style_(style), folder_(std::move(folder)) {}

  const std::string& page() const { return page_.text(); }

  /// One sentence first: does the library conform? Then the worst deviation, its rule and the next command.
  void PrintConclusion(const Run& run, const ReportContext& context) {
    const Conclusion conclusion = ConclusionOf(run, context, folder_);
    page_ << Paint(Fold(conclusion.verdict, 0, 0), fmt::emphasis::bold) << "\n"
          << Fold(conclusion.details, 0, 0) << "\n\n";
    for (const ReportRow& row : conclusion.rows) {
      page_ << Terminal("  {:<{}} ", row.name, kSuiteWidth)
            << (row.is_command ? Command(row.text) : Fold(row.text, kProfileColumn, kProfileColumn)) << "\n";
    }
    page_ << "\n";
  }

  void PrintSubject(const Run& run, const SubjectOutline& subject, bool with_name) {
    PrintBeginning(run, subject, with_name);
    PrintKnown(run, subject);
    const std::vector<const Result*> unexpected = ShownResults(subject, false);
    if (style_.verbose && !unexpected.empty()) page_ << "\n  " << Alarm("Unexpected:") << "\n";
    for (const Result* result : unexpected) {
      if (style_.verbose) PrintUnexpected(*result);
    }
  }

  /// The causes to fix, worst first. Only `verbose` shows unexpected ones here, and details.
  void PrintCauses(const Run& run, const ReportContext& context) {
    std::vector<const Cause*> causes = CausesToFix(run);
    if (style_.verbose) {
      PrintCausesInFull(run, context, causes);
      return;
    }
    std::erase_if(causes, [](const Cause* cause) { return !cause->as_expected; });
    const auto uncounted =
        std::ranges::stable_partition(causes, [](auto* cause) { return !IsUncounted(cause->expectation); });
    const auto print = [&](std::string_view title, std::span<const Cause* const> shown) {
      if (!shown.empty()) page_ << "\n  " << Terminal("{}", title) << ":\n";
      for (const Cause* cause : shown) {
        const std::string why = WhyExpected(cause->expectation);
        PrintOneLine(cause->verdict, true,
                     OneLine(cause->id) + RuleAndTag(run, *cause) + "  " + (why.empty() ? Headline(run, *cause) : why));
      }
    };
    print("Known causes and notes", {causes.begin(), uncounted.begin()});
    print("Causes that do not count", uncounted);
  }

  /// What the library does not support, and no rule asks for.
  void PrintLimitations(const Run& run) {
    const std::vector<LimitationGroup> groups = LimitationsOf(run);
    if (!groups.empty()) page_ << "\n  Observed limitations:\n";
    for (const LimitationGroup& group : groups) {
      if (!style_.verbose) {
        PrintOneLine(Verdict::kNote, group.as_expected,
                     OneLine(group.text) + (group.expectation.empty() ? "" : "  " + WhyExpected(group.expectation)));
        continue;
      }
      page_ << "    ";
      PrintVerdict(Verdict::kNote, group.as_expected);
      page_ << Fold(OneLine(group.text), kIndent, kIndent, kCommand) << "\n";
      PrintDetail(IsUncounted(group.expectation) ? "why" : "known", group.expectation);
      PrintDetail("got", group.got);
      PrintDetail("limit", group.id);
    }
  }

  /// What is unexpected, worst first, on at most 40 lines of a terminal. Each cause of a pair takes one line more.
  void PrintLast(const Run& run, const ReportContext& context) {
    constexpr size_t kShown = 5;
    constexpr size_t kLines = 40;
    const std::vector<Unexpected> all = UnexpectedOf(run);
    if (all.empty()) return;
    page_ << "\n" << Alarm("Unexpected:") << "\n";
    const std::span shown = std::span(all).first(std::min(kShown, all.size()));
    for (const Unexpected& one : shown) PrintShort(run, one, context, kLines / shown.size());
    if (all.size() > kShown) page_ << Terminal("  and {} more; --verbose shows all\n", all.size() - kShown);
  }

  /// The choices that the library made where the specification leaves one.
  void PrintReadings(const Run& run) {
    if (run.readings.empty() || !style_.readings) return;
    page_ << "\n  Unspecified behaviour:\n";
    for (const ObservedChoices& readings : run.readings) {
      const std::string text = fmt::format("{}: {}  [{}]", readings.question, TextOf(readings), readings.rule);
      page_ << Terminal("    {:<{}} ", readings.id, kVerdictWidth) << Fold(text, kIndent, kIndent) << "\n";
    }
  }

  void PrintSummary(const Run& run) {
    const Tally tally = Count(run.results, Scope::kConformance);
    const Tally hostile = Count(run.results, Scope::kHostile);
    const int64_t unexpected = CountUnexpected(run);
    const int64_t stale = run.footer.unexpected - unexpected;
    page_ << "\n";
    PrintLine("Summary", fmt::format("{}: {}", Plural(tally.total, "case"), CountsText(tally)));
    if (hostile.total > 0) {
      PrintLine("Invalid", fmt::format("{} with invalid input, counted apart: {}", Plural(hostile.total, "case"),
                                       CountsText(hostile)));
    }
    const std::string count = fmt::format("{} unexpected", unexpected);
    const int64_t uncounted = CountUncounted(run);
    page_ << Terminal("Deviations  {}, {} known{}{}\n",
                      unexpected > 0 ? Alarm(count) : Paint(Terminal("{}", count), LookOf(Verdict::kPass)),
                      tally.listed + hostile.listed,
                      uncounted > 0 ? fmt::format(", {} {} not count", uncounted, uncounted == 1 ? "does" : "do") : "",
                      stale > 0 ? Alarm(fmt::format(", {} listed but no longer seen", stale)) : Terminal());
    if (const std::vector<const Cause*> causes = CausesToFix(run); !causes.empty()) {
      const auto unlisted =
          std::count_if(causes.begin(), causes.end(), [](const Cause* cause) { return !cause->as_expected; });
      PrintLine("Causes", fmt::format("{}, {} unexpected", causes.size(), unlisted));
    }
    if (const std::vector<LimitationGroup> groups = LimitationsOf(run); !groups.empty()) {
      const auto unlisted =
          std::count_if(groups.begin(), groups.end(), [](const auto& one) { return !one.as_expected; });
      PrintLine("Limits", fmt::format("{} observed, {} unexpected",
                                      Plural(static_cast<int64_t>(groups.size()), "limitation"), unlisted));
    }
    if (!run.readings.empty()) {
      PrintLine("Unspecified", fmt::format("behaviour: {} choices observed{}", run.readings.size(),
                                           style_.readings ? "" : "; --census lists them"));
    }
    PrintExamples(run);
    PrintLine("Run", fmt::format("{}, seed {}", Duration(run.footer.seconds), run.header.seed));
    if (run.footer.time_limits > 0) {
      PrintLine("Hangs", Plural(run.footer.time_limits, "example") + " took the whole time limit");
    }
    if (const std::string_view why = EarlyEnd(run); !why.empty()) page_ << why << ": the other cases did not run\n";
  }

  void PrintPath(const std::string& html) {
    if (!html.empty()) page_ << "Report      " << Command(html) << "\n";
  }

 private:
  void PrintBeginning(const Run& run, const SubjectOutline& subject, bool with_name) {
    if (with_name) page_ << Paint(Terminal("{}", subject.name), fmt::emphasis::bold) << "\n";
    PrintProfile(run.header.profile);
    PrintSuites(subject);
    PrintNotJudged(subject);
  }

  void PrintCausesInFull(const Run& run, const ReportContext& context, const std::vector<const Cause*>& causes) {
    if (!causes.empty()) page_ << "\n  Causes:\n";
    for (const Cause* const shown : causes) {
      const Cause& cause = *shown;
      page_ << "    ";
      PrintVerdict(cause.verdict, cause.as_expected);
      page_ << Fold(OneLine(Headline(run, cause)) + RuleAndTag(run, cause), kIndent, kIndent, kCommand) << "\n";
      if (!cause.expectation.empty()) {
        PrintDetail(IsUncounted(cause.expectation) ? "why" : "known", cause.expectation);
        PrintDetail("cause", cause.id);
        continue;
      }
      const auto text = std::ranges::find(context.rules, cause.rule, &RuleText::id);
      if (text != context.rules.end()) {
        PrintDetail("rule", text->requirement);
        PrintDetail("strength", text->strength);
        for (const Source& source : text->sources) PrintDetail("source", WithLink(source));
      }
      PrintRows(EvidenceOf(run, cause));
      const std::string script = ScriptOf(run, cause);
      PrintCommand("reproduce", script.empty() ? "" : folder_ + script);
      PrintDetail("cause", cause.id);
      PrintDetail("seen in", CasesText(cause));
      PrintCommand("replay", cause.replay);
    }
  }

  static std::string RuleAndTag(const Run& run, const Cause& cause) {
    const bool tagged = IsOnInvalidInput(run, cause) && cause.expectation != kOnInvalidInput;
    return "  [" + OneLine(cause.rule) + "]" + (tagged ? "  invalid input" : "");
  }

  void PrintKnown(const Run& run, const SubjectOutline& subject) {
    std::vector<const Result*> expected = ShownResults(subject, true);
    const auto uncounted = std::ranges::stable_partition(expected, [](auto* result) { return !IsUncounted(*result); });
    const auto print = [&](const auto& results) {
      for (const Result* result : results) PrintExpected(run, *result);
    };
    const std::span known(expected.begin(), uncounted.begin());
    if (!known.empty()) page_ << "\n  Known deviations and notes:\n";
    print(known);
    if (!uncounted.empty()) page_ << "\n  Deviations that do not count:\n";
    print(uncounted);
  }

  /// One cause, limitation or case of PrintLast(), on that many lines. Headline and rule have what the others leave.
  void PrintShort(const Run& run, const Unexpected& one, const ReportContext& context, size_t lines) {
    constexpr size_t kHeadLines = 2;
    const auto cause = std::ranges::find(run.causes, one.where, &Cause::id);
    const bool is_cause = cause != run.causes.end() && !cause->as_expected;
    const auto result =
        std::ranges::find_if(run.results, [&](const Result& other) { return other.seen.case_id == one.where; });
    const Result* const shown = is_cause                      ? ResultWithScript(run, *cause)
                                : result == run.results.end() ? nullptr
                                                              : &*result;
    Evidence evidence;
    if (is_cause || shown != nullptr) {
      evidence = is_cause ? EvidenceOf(run, *cause) : EvidenceOf(shown->seen, shown->verdict);
    }
    const std::string script = shown == nullptr || shown->reproducer.empty() ? "" : folder_ + shown->reproducer;
    const std::string replay = is_cause ? cause->replay : shown != nullptr ? shown->replay : "";
    std::string head = one.rule.empty() ? "" : "[" + OneLine(one.rule) + "]  ";
    head += OneLine(one.text);
    if (is_cause) head += WhereSeen(run, *cause);
    head = Folded(head, kIndent, kIndent, HeadWidth());
    const auto text = std::ranges::find(context.rules, one.rule, &RuleText::id);
    const std::string rule = text == context.rules.end()
                                 ? ""
                                 : Folded(OneLine(text->requirement, kSentence), kTextColumn, kTextColumn, HeadWidth());
    std::vector<ReportRow> rows = ShortRows(evidence);
    const auto left = [&] { return lines - rows.size() - 1 - (script.empty() ? 0 : 1) - (replay.empty() ? 0 : 1); };
    if (LinesOf(head) + LinesOf(rule) > left()) JoinValues(evidence, rows);
    const size_t head_lines = std::min({LinesOf(head), kHeadLines, left() - 1});

    page_ << "    ";
    PrintVerdict(one.verdict, false);
    page_ << Terminal::AlreadySafe(FirstLines(head, head_lines)) << "\n";
    if (!rule.empty()) {
      page_ << NameOfDetail("rule") << Terminal::AlreadySafe(FirstLines(rule, left() - head_lines)) << "\n";
    }
    PrintCut("whose", evidence.whose);
    for (const ReportRow& row : rows) PrintCut(row.name, row.text);
    PrintCut(is_cause ? "cause" : shown != nullptr ? "case" : "limit", one.where);
    PrintCommand("reproduce", script);
    PrintCommand("replay", replay);
  }

  /// " (in 47 cases; leads to UNSAFE in 2 cases)", or nothing of a cause in one case.
  static std::string WhereSeen(const Run& run, const Cause& cause) {
    if (cause.cases.size() < 2) return "";
    const std::string end = GraverEnd(run, cause);
    return fmt::format(" (in {} cases{}{})", cause.cases.size(), end.empty() ? "" : "; leads to ", end);
  }

  static size_t LinesOf(const std::string& text) {
    return text.empty() ? 0 : 1 + static_cast<size_t>(std::ranges::count(text, '\n'));
  }

  static std::vector<ReportRow> ShortRows(const Evidence& evidence) {
    std::vector<ReportRow> rows = {{"example", evidence.example},
                                   {evidence.ExpectedName(), evidence.expected},
                                   {evidence.GotName(), evidence.got}};
    std::erase_if(rows, [](const ReportRow& row) { return row.text.empty(); });
    return rows;
  }

  /// Puts what was expected and what was seen on one line, if they fit.
  void JoinValues(const Evidence& evidence, std::vector<ReportRow>& rows) const {
    if (evidence.expected.empty() || evidence.got.empty()) return;
    const std::string both = fmt::format("{}; {} {}", evidence.expected, evidence.GotName(), evidence.got);
    if (kTextColumn + Columns(OneLine(both, kSentence)) > style_.width) return;
    rows.pop_back();
    rows.back().text = both;
  }

  /// Leaves room for "...".
  size_t HeadWidth() const { return style_.width - std::min(style_.width, std::string_view(" ...").size()); }

  /// The first lines of a folded text, with "..." for the others.
  static std::string FirstLines(const std::string& text, size_t lines) {
    size_t end = 0;
    for (; lines > 0 && end < text.size(); --lines) end = std::min(text.find('\n', end + 1), text.size());
    return text.substr(0, end) + (end < text.size() ? " ..." : "");
  }

  /// The text, cut where the line of a terminal ends.
  std::string Fitting(const std::string& text, size_t first) const {
    constexpr std::string_view kMore = "...";
    if (style_.width <= first + kMore.size() || first + Columns(text) <= style_.width) return text;
    return FirstColumns(text, style_.width - first - kMore.size()) + std::string(kMore);
  }

  static Terminal NameOfDetail(std::string_view name) {
    return Terminal("{:{}}{:<{}}", std::string_view(), kIndent, name, kDetailWidth);
  }

  /// A detail on one line.
  void PrintCut(std::string_view name, const std::string& text) {
    if (text.empty()) return;
    page_ << NameOfDetail(name) << Terminal::AlreadySafe(Fitting(OneLine(text, kSentence), kTextColumn)) << "\n";
  }

  /// A verdict and a text, which is clean, on one line.
  void PrintOneLine(Verdict verdict, bool as_expected, const std::string& text) {
    page_ << "    ";
    PrintVerdict(verdict, as_expected);
    page_ << Terminal::AlreadySafe(Fitting(OneLine(text, kCommand), kIndent)) << "\n";
  }

  Terminal Paint(const Terminal& text, const fmt::text_style& look) const {
    return style_.color ? Terminal::AlreadySafe(fmt::format(look, "{}", text.text())) : text;
  }

  Terminal Alarm(std::string_view text) const {
    return Paint(Terminal("{}", text), fmt::emphasis::bold | fmt::fg(fmt::terminal_color::red));
  }

  /// On lines that fit the terminal.
  Terminal Fold(std::string_view text, size_t first, size_t indent, size_t limit = kSentence) const {
    return Terminal::AlreadySafe(Folded(OneLine(text, limit), first, indent, style_.width));
  }

  /// On one line, because it is copied.
  static Terminal Command(std::string_view text) { return Terminal::AlreadySafe(OneLine(text, kCommand)); }

  void PrintLine(std::string_view name, const std::string& text) {
    constexpr size_t kColumn = 12;
    page_ << Terminal("{:<{}}", name, kColumn) << Fold(text, kColumn, kColumn) << "\n";
  }

  /// How many examples of the cases that pass decided their verdicts.
  void PrintExamples(const Run& run) {
    int64_t drawn = 0;
    int64_t conclusive = 0;
    for (const Result& result : run.results) {
      if (result.verdict != Verdict::kPass) continue;
      drawn += result.seen.examples;
      conclusive += result.seen.examples - result.seen.refused - result.seen.nothing;
    }
    if (drawn > 0) {
      PrintLine("Examples", fmt::format("{} of {} in the cases that pass were conclusive", conclusive, drawn));
    }
  }

  /// What the library accepts and makes, and its observed choices.
  void PrintProfile(const ProfileLines& profile) {
    for (const ProfilePart& part : PartsOf(profile)) {
      page_ << Terminal("  {:<{}} ", part.name, kSuiteWidth)
            << Fold(part.text, kProfileColumn, kProfileColumn, kCommand) << "\n";
    }
    if (!profile.empty()) page_ << "\n";
  }

  void PrintSuites(const SubjectOutline& subject) {
    for (auto chapter = subject.chapters.begin(); chapter != subject.chapters.end();) {
      const std::string suite = SuiteOf(*chapter);
      Tally tally;
      for (; chapter != subject.chapters.end() && SuiteOf(*chapter) == suite; ++chapter) {
        for (const Result* result : chapter->results) Add(*result, tally);
      }
      page_ << Terminal("  {:<{}} {}\n", suite, kSuiteWidth, CountsText(tally));
    }
  }

  void PrintNotJudged(const SubjectOutline& subject) {
    const std::vector<NotJudged> reasons = NotJudgedOf(subject);
    if (!reasons.empty()) page_ << "\n  Not judged:\n";
    for (const NotJudged& reason : reasons) {
      const std::string before = fmt::format("    {:>{}} ", reason.results.size(), kNumberWidth);
      page_ << before;
      PrintVerdict(reason.verdict, true);
      const size_t column = before.size() + kVerdictWidth + 1;
      const bool alone = reason.results.size() == 1;
      const std::string which = alone ? " (" + OneLine(reason.results.front()->seen.case_id) + ")" : "";
      page_ << Fold(OneLine(reason.reason) + which, column, column, kCommand) << "\n";
    }
  }

  void PrintVerdict(Verdict verdict, bool as_expected) {
    const std::string word(ToText(verdict));
    page_ << (as_expected ? Paint(Terminal("{}", word), LookOf(verdict)) : Alarm(word))
          << std::string(kVerdictWidth - std::min(word.size(), kVerdictWidth) + 1, ' ');
  }

  /// Verdict, case and rules, then `text` on the same line.
  void PrintHead(const Result& result, const std::string& text) {
    const std::vector<std::string>& rules = RulesNamed(result);
    page_ << "    ";
    PrintVerdict(result.verdict, result.as_expected);
    std::string head = OneLine(result.seen.case_id);
    if (!rules.empty()) head += "  [" + OneLine(Joined(rules, " ")) + ']';
    if (result.hostile && result.expectation != kOnInvalidInput) head += "  invalid input";
    const bool short_line = result.as_expected && !style_.verbose;
    page_ << (short_line ? Terminal::AlreadySafe(Fitting(OneLine(head + text, kCommand), kIndent))
                         : Fold(head + text, kIndent, kIndent, kCommand))
          << "\n";
  }

  void PrintExpected(const Run& run, const Result& result) {
    const bool listed = IsListed(result) || IsUncounted(result);
    std::string why = listed ? WhyExpected(result.expectation) : Sentence(result);
    if (!result.seen.deviations.empty()) {
      // The causes already show what a sweep found, if there are any.
      const bool shown = !CausesOf(run, result).empty();
      why = (result.seen.ended.empty() ? "" : why + "; ") + "differs from the reference";
      const bool listed_here = !shown && style_.verbose;
      PrintHead(result, "  " + OneLine(why) + (shown ? "; see the causes" : listed_here ? ":" : ""));
      if (listed_here) PrintDeviations(result);
      return;
    }
    if (!listed) {
      const Evidence evidence = EvidenceOf(result.seen, result.verdict);
      for (const ReportRow& row : evidence.Rows()) {
        const bool value = row.name == evidence.ExpectedName() || row.name == evidence.GotName();
        if (value) why += fmt::format("; {} {}", row.name, row.text);
      }
    }
    PrintHead(result, "  " + OneLine(why));
  }

  void PrintDeviations(const Result& result) {
    for (const std::string& text : DeviationTexts(result.seen)) PrintDetail("", text);
  }

  void PrintUnexpected(const Result& result) {
    PrintHead(result, "");
    PrintDetail("", Sentence(result));
    PrintRows(EvidenceOf(result.seen, result.verdict));
    PrintDeviations(result);
    PrintCommand("reproduce", result.reproducer.empty() ? "" : folder_ + result.reproducer);
    PrintCommand("replay", result.replay);
  }

  void PrintRows(const Evidence& evidence) {
    for (const ReportRow& row : evidence.Rows()) PrintDetail(row.name, row.text);
  }

  void PrintDetail(std::string_view name, const std::string& text) {
    if (text.empty()) return;
    const size_t indent = kIndent + (name.empty() ? 0 : kDetailWidth);
    page_ << std::string(kIndent, ' ') << Terminal("{:<{}}", name, indent - kIndent) << Fold(text, indent, indent)
          << "\n";
  }

  void PrintCommand(std::string_view name, const std::string& text) {
    if (text.empty()) return;
    page_ << NameOfDetail(name) << Command(text) << "\n";
  }

  static constexpr size_t kIndent = 4 + kVerdictWidth + 1;
  static constexpr size_t kTextColumn = kIndent + kDetailWidth;
  static constexpr size_t kProfileColumn = kSuiteWidth + 3;

  Terminal page_;
  TextStyle style_;
  std::string folder_;  // path of the page's folder with a slash at its end, where the reproducers are
};

}  // namespace

void PrintTree(const Run& run, const ReportContext& context, std::ostream& out, const TextStyle& style,
               const std::string& html) {
  TreePrinter printer(style, html.substr(0, html.rfind('/') + 1));
  printer.PrintConclusion(run, context);
  const std::vector<SubjectOutline> subjects = OutlineOf(run);
  for (const SubjectOutline& subject : subjects) printer.PrintSubject(run, subject, subjects.size() > 1);
  printer.PrintReadings(run);
  printer.PrintCauses(run, context);
  printer.PrintLimitations(run);
  printer.PrintSummary(run);
  if (!style.verbose) printer.PrintLast(run, context);
  printer.PrintPath(html);
  out << printer.page();
}

}  // namespace dlpack_cts
