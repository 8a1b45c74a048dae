// reports/junit.cc: writes a run as JUnit XML.
#include "reports/junit.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "reports/evidence.h"
#include "reports/limitations.h"
#include "reports/markup.h"
#include "reports/outline.h"
#include "reports/text.h"
#include "reports/verdict_sentence.h"
#include "results/tally.h"
#include "results/uncounted.h"

namespace dlpack_cts {
namespace {

constexpr size_t kLine = 4096;

enum class Kind : uint8_t { kPass, kFailure, kError, kSkipped };

Kind KindOf(const Result& result) {
  const bool ended = result.verdict == Verdict::kCrash || result.verdict == Verdict::kTimeout;
  if (!result.as_expected) return ended ? Kind::kError : Kind::kFailure;
  const bool skipped = !IsJudged(result.verdict);
  return skipped ? Kind::kSkipped : Kind::kPass;
}

struct Numbers {
  int64_t tests = 0;
  int64_t failures = 0;
  int64_t errors = 0;
  int64_t skipped = 0;
  double seconds = 0;

  void Add(const Result& result) {
    const Kind kind = KindOf(result);
    ++tests;
    failures += kind == Kind::kFailure;
    errors += kind == Kind::kError;
    skipped += kind == Kind::kSkipped;
    seconds += result.seen.seconds;
  }
  Xml Attributes() const {
    return Xml("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\"", tests, failures, errors,
               skipped, seconds);
  }
};

/// The evidence of a result, and the causes that it showed.
std::string Details(const Run& run, const Result& result) {
  std::string text;
  const auto add = [&text](std::string_view name, const std::string& value) {
    if (!value.empty()) text += fmt::format("{}: {}\n", name, OneLine(value, kLine));
  };
  add("rules", Joined(result.breached, " "));
  for (const ReportRow& row : EvidenceOf(result.seen, result.verdict).Rows()) add(row.name, row.text);
  for (const std::string& text_of_one : DeviationTexts(result.seen)) add("differs from the reference", text_of_one);
  add("reproducer", result.reproducer);
  add("replay", result.replay);
  for (const Cause* cause : CausesOf(run, result)) {
    add("cause",
        fmt::format("{}: {} [{}] ({})", ToText(cause->verdict), Headline(run, *cause), cause->rule, cause->id));
    for (const ReportRow& row : EvidenceOf(run, *cause).Rows()) add(fmt::format("cause {}", row.name), row.text);
    add("cause replay", cause->replay);
  }
  return text;
}

void PrintCase(const Run& run, const Result& result, const std::string& class_name, Xml& page) {
  page << Xml("    <testcase name=\"{}\" classname=\"{}\" time=\"{:.3f}\"", LeafOf(result.seen.case_id), class_name,
              result.seen.seconds);
  const std::string word(ToText(result.verdict));
  const std::string message = OneLine(Sentence(result));
  switch (KindOf(result)) {
    case Kind::kFailure:
    case Kind::kError: {
      const std::string_view element = KindOf(result) == Kind::kError ? "error" : "failure";
      page << Xml(">\n      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n    </testcase>\n", element, word, message,
                  Details(run, result));
      return;
    }
    case Kind::kSkipped:
      page << Xml(">\n      <skipped message=\"{}: {}\"/>\n    </testcase>\n", word, message);
      return;
    case Kind::kPass:
      break;
  }
  if (result.verdict == Verdict::kPass) {
    page << "/>\n";
  } else if (IsListed(result)) {
    page << Xml(">\n      <system-out>known {}: {}\nmessage: {}\n{}</system-out>\n    </testcase>\n", word,
                result.expectation, message, Details(run, result));
  } else if (IsUncounted(result)) {
    page << Xml(">\n      <system-out>{}: {}\nmessage: {}\n{}</system-out>\n    </testcase>\n", word,
                result.expectation, message, Details(run, result));
  } else {
    page << Xml(">\n      <system-out>{}: {}\n{}</system-out>\n    </testcase>\n", word, message, Details(run, result));
  }
}

/// Unexpected results that belong to no case: a cause whose cases are all known, and a listed deviation that no longer
/// occurs. Each is a failing test case, so that JUnit counts as many failures as the other reports.
struct FailureLine {
  std::string name;
  std::string message;
};

std::vector<FailureLine> FailuresBesideCases(const Run& run) {
  std::vector<FailureLine> failures;
  for (const Cause& cause : run.causes) {
    if (IsUnexpectedAlone(run, cause))
      failures.push_back({cause.id, fmt::format("{}: {} [{}]; this cause is not listed", ToText(cause.verdict),
                                                Headline(run, cause), cause.rule)});
  }
  for (const std::string& sentence : run.footer.stale)
    failures.push_back({"a listed deviation no longer occurs", sentence});
  return failures;
}

void PrintFailures(const Run& run, const std::vector<FailureLine>& failures, Xml& page) {
  if (failures.empty()) return;
  Numbers numbers;
  numbers.tests = numbers.failures = static_cast<int64_t>(failures.size());
  page << Xml("  <testsuite name=\"{}: expectations\" timestamp=\"{}\" {}>\n", run.header.library, run.header.started,
              numbers.Attributes());
  for (const FailureLine& failure : failures) {
    page << Xml(
        "    <testcase name=\"{}\" classname=\"{}/expectations\" time=\"0.000\">\n      <failure "
        "message=\"{}\"/>\n    </testcase>\n",
        failure.name, run.header.library, OneLine(failure.message));
  }
  page << "  </testsuite>\n";
}

}  // namespace

void PrintJunit(const Run& run, const ReportContext& context, std::ostream& out) {
  Numbers all;
  for (const Result& result : run.results) all.Add(result);
  const std::vector<FailureLine> failures = FailuresBesideCases(run);
  all.tests += static_cast<int64_t>(failures.size());
  all.failures += static_cast<int64_t>(failures.size());
  Xml page;
  page << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"dlpack-cts\" " << all.Attributes() << ">\n";
  std::string conclusion = VerdictSentence(run, context);  // printed once, with the first suite, as what follows
  std::vector<ProfilePart> profile = PartsOf(run.header.profile);
  std::vector<ObservedChoices> census = run.readings;
  std::vector<LimitationGroup> limitations = LimitationsOf(run);
  for (const SubjectOutline& subject : OutlineOf(run)) {
    for (const Chapter& chapter : subject.chapters) {
      Numbers numbers;
      for (const Result* result : chapter.results) numbers.Add(*result);
      page << Xml("  <testsuite name=\"{}: {}\" timestamp=\"{}\" {}>\n", subject.name, chapter.path, run.header.started,
                  numbers.Attributes());
      page << Xml("    <properties>\n      <property name=\"seed\" value=\"{}\"/>\n", run.header.seed);
      if (!EarlyEnd(run).empty()) page << Xml("      <property name=\"incomplete\" value=\"{}\"/>\n", EarlyEnd(run));
      if (const std::string text = std::exchange(conclusion, ""); !text.empty())
        page << Xml("      <property name=\"conclusion\" value=\"{}\"/>\n", OneLine(text, kLine));
      for (const ProfilePart& part : std::exchange(profile, {})) {
        page << Xml("      <property name=\"{}\" value=\"{}\"/>\n", part.name, OneLine(part.text, kLine));
      }
      for (const LimitationGroup& group : std::exchange(limitations, {})) {
        page << Xml("      <property name=\"{}\" value=\"{}; got {}\"/>\n", group.id, OneLine(group.text, kLine),
                    OneLine(group.got, kLine));
      }
      for (const ObservedChoices& readings : std::exchange(census, {})) {
        page << Xml("      <property name=\"{}: {}\" value=\"{}\"/>\n", readings.id, OneLine(readings.question),
                    OneLine(TextOf(readings), kLine));
      }
      page << "    </properties>\n";
      for (const Result* result : chapter.results) PrintCase(run, *result, subject.name + "/" + chapter.path, page);
      page << "  </testsuite>\n";
    }
  }
  PrintFailures(run, failures, page);
  page << "</testsuites>\n";
  out << page.text();
}

}  // namespace dlpack_cts
