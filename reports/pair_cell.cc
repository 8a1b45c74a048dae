// reports/pair_cell.cc: what the results, causes and probes of a pair say in one cell.
#include "reports/pair_cell.h"

#include <algorithm>

#include "reports/evidence.h"
#include "reports/limitations.h"
#include "results/tally.h"

namespace dlpack_cts {
namespace {

constexpr std::string_view kRefuses = "refuses: ";

std::string PairLine(const Run& run, std::string_view id) {
  for (const ProfileLine& line : run.header.profile) {
    if (line.part == "pair" && line.id == id) return line.words;
  }
  return "";
}

std::vector<PairCause> CausesIn(const Run& run) {
  std::vector<PairCause> causes;
  std::vector<std::string> explained;
  for (const Cause* const cause : CausesToFix(run)) {
    if (!IsDeviation(cause->verdict)) continue;
    causes.push_back({.id = cause->id,
                      .rule = cause->rule,
                      .verdict = cause->verdict,
                      .accused = cause->accused,
                      .sentence = Headline(run, *cause),
                      .example = cause->words.example,
                      .known = cause->expectation});
    explained.insert(explained.end(), cause->cases.begin(), cause->cases.end());
  }
  for (const Result& result : run.results) {
    const bool alone = std::ranges::find(explained, result.seen.case_id) == explained.end();
    if (!IsDeviation(result.verdict) || !alone) continue;
    const std::vector<std::string>& rules = RulesNamed(result);
    causes.push_back({.id = result.seen.case_id,
                      .rule = rules.empty() ? "" : rules.front(),
                      .verdict = result.verdict,
                      .accused = "",
                      .sentence = result.seen.message,
                      .example = result.seen.words.example,
                      .known = result.expectation});
  }
  return causes;
}

/// Why no exchange was accepted: the refusal of the simplest one, or what the first case says.
void FillRefusal(const Run& run, const std::string& memory, PairCell& cell) {
  const auto refused = std::ranges::find_if(run.results, [](const Result& one) { return one.seen.refused > 0; });
  cell.state = PairState::kRefuses;
  if (memory.starts_with(kRefuses)) {
    cell.why = memory.substr(kRefuses.size());
  } else if (refused != run.results.end()) {
    cell.why = refused->seen.got.empty() ? refused->seen.message : refused->seen.got;
  } else {
    cell.state = PairState::kNotTested;
    cell.why = run.results.empty() ? "no case ran" : run.results.front().seen.message;
  }
}

}  // namespace

void FillCell(const Run& run, PairCell& cell) {
  const std::string memory = PairLine(run, "memory");
  cell.memory = memory.starts_with(kRefuses) ? "" : memory;
  cell.structs = PairLine(run, "structs");
  cell.causes = CausesIn(run);
  for (const LimitationGroup& group : LimitationsOf(run)) cell.limits.push_back(group.text);
  cell.judged = std::ranges::count_if(run.results, [](const Result& one) { return IsJudged(one.verdict); });
  cell.unexpected = run.footer.unexpected;
  // The case about reversed arrays holds also if everything is refused.
  const auto held = std::ranges::count_if(run.results, [](const Result& one) { return one.seen.held > 0; });
  const bool works = held > (memory.starts_with(kRefuses) ? 1 : 0);
  const auto is = [](Verdict verdict) {
    return [verdict](const PairCause& cause) { return cause.verdict == verdict; };
  };
  if (std::ranges::any_of(cell.causes, is(Verdict::kCrash))) {
    cell.state = PairState::kCrashes;
  } else if (!cell.causes.empty()) {
    cell.state = PairState::kWrong;
  } else if (!works) {
    FillRefusal(run, memory, cell);
  } else {
    cell.state = memory == "shares the memory" ? PairState::kShares
                 : memory == "copies"          ? PairState::kCopies
                                               : PairState::kAccepts;
  }
}

}  // namespace dlpack_cts
