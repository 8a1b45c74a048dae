// reports/junit.cc: a run as JUnit XML.
#include "reports/junit.h"

#include <fmt/format.h>

#include "reports/example.h"
#include "reports/outline.h"
#include "reports/text.h"

namespace dlpack_cts {
namespace {

constexpr size_t kExample = 4096;

enum class Kind : uint8_t { kPass, kFailure, kError, kSkipped };

Kind KindOf(const Result& result) {
  const bool dead = result.verdict == Verdict::kCrash || result.verdict == Verdict::kTimeout;
  if (!result.as_expected) return dead ? Kind::kError : Kind::kFailure;
  const bool skipped = result.verdict == Verdict::kSkip || result.verdict == Verdict::kBlocked;
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
  std::string Attributes() const {
    return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\"", tests, failures,
                       errors, skipped, seconds);
  }
};

std::string Details(const Result& result) {
  std::string text;
  const auto add = [&text](std::string_view name, const std::string& value) {
    if (!value.empty()) text += fmt::format("{}: {}\n", name, value);
  };
  std::string rules;
  for (const std::string& rule : result.breached) rules += (rules.empty() ? "" : " ") + rule;
  add("rules", rules);
  add("example", OneLine(ExampleText(result.seen.recipe), kExample));
  add("wanted", result.seen.wanted);
  add("got", result.seen.got);
  for (const std::string& text : DeviationTexts(result.seen)) add("differs from the reference", text);
  add("reproducer", result.reproducer);
  add("replay", result.replay);
  return text;
}

void PrintCase(const Result& result, const std::string& class_name, std::ostream& out) {
  out << fmt::format("    <testcase name=\"{}\" classname=\"{}\" time=\"{:.3f}\"",
                     EscapeXml(LeafOf(result.seen.case_id)), EscapeXml(class_name), result.seen.seconds);
  const std::string word(ToText(result.verdict));
  const std::string message = EscapeXml(OneLine(Sentence(result)));
  switch (KindOf(result)) {
    case Kind::kFailure:
    case Kind::kError: {
      const std::string_view element = KindOf(result) == Kind::kError ? "error" : "failure";
      out << fmt::format(">\n      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n    </testcase>\n", element, word,
                         message, EscapeXml(Details(result)));
      return;
    }
    case Kind::kSkipped:
      out << fmt::format(">\n      <skipped message=\"{}: {}\"/>\n    </testcase>\n", word, message);
      return;
    case Kind::kPass:
      break;
  }
  if (result.verdict == Verdict::kPass) {
    out << "/>\n";
  } else if (IsListed(result)) {
    out << fmt::format(">\n      <system-out>{} as listed: {}\nmessage: {}\n{}</system-out>\n    </testcase>\n", word,
                       EscapeXml(result.expectation), message, EscapeXml(Details(result)));
  } else {
    out << fmt::format(">\n      <system-out>{}: {}\n{}</system-out>\n    </testcase>\n", word, message,
                       EscapeXml(Details(result)));
  }
}

}  // namespace

void PrintJunit(const Run& run, std::ostream& out) {
  Numbers all;
  for (const Result& result : run.results) all.Add(result);
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"dlpack-cts\" " << all.Attributes() << ">\n";
  for (const SubjectOutline& subject : OutlineOf(run)) {
    for (const Chapter& chapter : subject.chapters) {
      Numbers numbers;
      for (const Result* result : chapter.results) numbers.Add(*result);
      out << fmt::format("  <testsuite name=\"{}: {}\" timestamp=\"{}\" {}>\n", EscapeXml(subject.name),
                         EscapeXml(chapter.path), EscapeXml(run.header.started), numbers.Attributes());
      out << fmt::format("    <properties>\n      <property name=\"seed\" value=\"{}\"/>\n    </properties>\n",
                         run.header.seed);
      for (const Result* result : chapter.results) PrintCase(*result, subject.name + "/" + chapter.path, out);
      out << "  </testsuite>\n";
    }
  }
  out << "</testsuites>\n";
}

}  // namespace dlpack_cts
