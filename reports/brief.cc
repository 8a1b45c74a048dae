// reports/brief.cc: lists what is unexpected, and prints it in one line each.
#include "reports/brief.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "reports/evidence.h"
#include "reports/limitations.h"
#include "reports/outline.h"
#include "reports/text.h"
#include "results/tally.h"

namespace dlpack_cts {
namespace {

/// The value of a workflow command, or, with `property`, of one of its properties.
std::string Escaped(std::string_view text, bool property) {
  std::string escaped;
  for (const char c : text) {
    const bool special = c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','));
    escaped += special ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return escaped;
}

std::string_view CommandFor(Verdict verdict) {
  if (verdict == Verdict::kNote) return "notice";
  return verdict == Verdict::kWarn ? "warning" : "error";
}

}  // namespace

std::vector<Unexpected> UnexpectedOf(const Run& run) {
  std::vector<Unexpected> found;
  std::set<std::string> explained;
  for (const Cause* const cause : CausesToFix(run)) {
    if (cause->as_expected) continue;
    found.push_back({cause->verdict, cause->rule, cause->id, Headline(run, *cause)});
    explained.insert(cause->cases.begin(), cause->cases.end());
  }
  for (const LimitationGroup& group : LimitationsOf(run)) {
    if (!group.as_expected) found.push_back({Verdict::kNote, "", group.id, group.text});
  }
  for (const Result& result : run.results) {
    if (result.as_expected || explained.contains(result.seen.case_id)) continue;
    const std::vector<std::string>& rules = RulesNamed(result);
    found.push_back({result.verdict, rules.empty() ? "" : rules.front(), result.seen.case_id, Sentence(result)});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Unexpected& a, const Unexpected& b) { return Rank(a.verdict) < Rank(b.verdict); });
  return found;
}

void PrintBrief(const Run& run, std::ostream& out) {
  const std::string library = NameOf(run.header.library, run.header.library_version);
  for (const Unexpected& one : UnexpectedOf(run)) {
    out << library << ": " << ToText(one.verdict) << ' ' << OneLine(one.rule.empty() ? "limitation" : one.rule) << ' '
        << OneLine(one.where) << ": " << OneLine(one.text) << "\n";
  }
}

void PrintAnnotations(const Run& run, std::ostream& out) {
  const std::string library = NameOf(run.header.library, run.header.library_version);
  const auto print = [&](Verdict verdict, const std::string& title, const std::string& text) {
    out << fmt::format("::{} title={}::{}\n", CommandFor(verdict), Escaped(library + ": " + title, true),
                       Escaped(text, false));
  };
  for (const Unexpected& one : UnexpectedOf(run)) {
    const std::string what = OneLine(one.rule.empty() ? "limitation" : one.rule);
    print(one.verdict, fmt::format("{} {}", ToText(one.verdict), what),
          fmt::format("{} ({})", OneLine(one.text), OneLine(one.where)));
  }
  for (const std::string& stale : run.footer.stale) print(Verdict::kFail, "stale expectation", OneLine(stale));
}

}  // namespace dlpack_cts
