// reports/outline.cc: subjects, chapters and cases in the order of every report.
#include "reports/outline.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>

#include "reports/text.h"

namespace dlpack_cts {
namespace {

constexpr size_t kLongName = 200;
constexpr Verdict kWorstFirst[] = {Verdict::kUnsafe,  Verdict::kCrash, Verdict::kLeak, Verdict::kTimeout,
                                   Verdict::kFail,    Verdict::kWarn,  Verdict::kNote, Verdict::kPass,
                                   Verdict::kBlocked, Verdict::kSkip};

template <typename Item>
Item& FindOrAdd(std::vector<Item>& items, const std::string& name, std::string Item::* key) {
  const auto found = std::find_if(items.begin(), items.end(), [&](const Item& item) { return item.*key == name; });
  if (found != items.end()) return *found;
  Item& added = items.emplace_back();
  added.*key = name;
  return added;
}

}  // namespace

std::string NameOf(const std::string& library, const std::string& version) {
  return OneLine(version.empty() ? library : library + " " + version, kLongName);
}

std::string SubjectOf(const Result& result) {
  if (result.producer.empty() && result.consumer.empty()) return NameOf(result.library, result.library_version);
  return OneLine(result.producer, kLongName) + " -> " + OneLine(result.consumer, kLongName);
}

bool IsOfPair(const Run& run) { return !run.results.empty() && !run.results.front().producer.empty(); }

std::string_view EarlyEnd(const Run& run) {
  return run.header.provisional   ? "The run did not end, and its verdicts are provisional"
         : run.footer.interrupted ? "The run was interrupted"
         : !run.footer.complete   ? "The time limit of the run passed"
                                  : "";
}

std::string LeafOf(const std::string& case_id) { return case_id.substr(case_id.rfind('/') + 1); }

std::vector<SubjectOutline> OutlineOf(const Run& run) {
  std::vector<SubjectOutline> subjects;
  for (const Result& result : run.results) {
    const size_t slash = result.seen.case_id.rfind('/');
    const std::string path = slash == std::string::npos ? result.suite : result.seen.case_id.substr(0, slash);
    SubjectOutline& subject = FindOrAdd(subjects, SubjectOf(result), &SubjectOutline::name);
    FindOrAdd(subject.chapters, path, &Chapter::path).results.push_back(&result);
  }
  return subjects;
}

int Rank(Verdict verdict) {
  return static_cast<int>(std::find(std::begin(kWorstFirst), std::end(kWorstFirst), verdict) - std::begin(kWorstFirst));
}

const std::vector<Verdict>& VerdictOrder() {
  static const std::vector<Verdict> order = [] {
    std::vector<Verdict> verdicts = {Verdict::kPass};
    for (const Verdict verdict : kWorstFirst) {
      if (verdict != Verdict::kPass) verdicts.push_back(verdict);
    }
    return verdicts;
  }();
  return order;
}

std::string CountsText(const Tally& tally) {
  std::string text;
  for (const Verdict verdict : VerdictOrder()) {
    if (tally.of(verdict) == 0) continue;
    if (!text.empty()) text += ", ";
    text += std::to_string(tally.of(verdict)) + " " + std::string(ToText(verdict));
  }
  return text.empty() ? "none" : text;
}

Tally Count(const Chapter& chapter) {
  Tally tally;
  for (const Result* result : chapter.results) Add(*result, tally);
  return tally;
}

bool IsPlainPass(const Result& result) { return result.verdict == Verdict::kPass && result.as_expected; }

std::string Sentence(const Result& result) {
  const std::string why = !IsJudged(result.verdict) && !result.seen.got.empty() ? ": " + result.seen.got : "";
  if (result.as_expected || IsDeviation(result.verdict)) return result.seen.message + why;
  // Such a verdict is unexpected only if the expectations list a deviation.
  std::string text = "a listed deviation no longer occurs";
  if (!result.expectation.empty()) text += ": " + result.expectation;
  if (!result.seen.message.empty()) text += "; " + result.seen.message + why;
  return text;
}

std::vector<const Result*> ShownResults(const SubjectOutline& subject, bool as_expected) {
  std::vector<const Result*> shown;
  for (const Chapter& chapter : subject.chapters) {
    for (const Result* result : chapter.results) {
      const bool counted = result->as_expected && (result->verdict == Verdict::kPass || !IsJudged(result->verdict));
      if (!counted && result->as_expected == as_expected) shown.push_back(result);
    }
  }
  std::stable_sort(shown.begin(), shown.end(),
                   [](const Result* a, const Result* b) { return Rank(a->verdict) < Rank(b->verdict); });
  return shown;
}

std::vector<NotJudged> NotJudgedOf(const SubjectOutline& subject) {
  std::map<std::pair<Verdict, std::string>, std::vector<const Result*>> by_message;
  for (const Chapter& chapter : subject.chapters) {
    for (const Result* result : chapter.results) {
      if (result->as_expected && !IsJudged(result->verdict))
        by_message[{result->verdict, result->seen.message}].push_back(result);
    }
  }
  std::vector<NotJudged> reasons;
  for (const auto& [key, results] : by_message) {
    std::set<std::string> words;
    for (const Result* result : results) words.insert(result->seen.got);
    words.erase("");
    const std::string before = words.size() > 1 ? ", for example: " : words.empty() ? "" : ": ";
    reasons.push_back({key.first, key.second + before + (words.empty() ? "" : *words.begin()), results});
  }
  std::stable_sort(reasons.begin(), reasons.end(),
                   [](const NotJudged& a, const NotJudged& b) { return a.results.size() > b.results.size(); });
  return reasons;
}

std::vector<const Cause*> CausesOf(const Run& run, const Result& result) {
  std::vector<const Cause*> causes;
  for (const Cause& cause : run.causes) {
    if (std::find(cause.cases.begin(), cause.cases.end(), result.seen.case_id) != cause.cases.end()) {
      causes.push_back(&cause);
    }
  }
  return causes;
}

std::vector<ProfilePart> PartsOf(const ProfileLines& profile) {
  const auto heading = [](const std::string& part) -> std::string {
    return part == "takes"   ? "imports"
           : part == "makes" ? "exports"
           : part == "ways"  ? "choices"
           : part == "pair"  ? "exchange"
                             : part;
  };
  std::vector<ProfilePart> parts;
  for (const ProfileLine& line : profile) {
    const std::string name = heading(line.part);
    if (parts.empty() || parts.back().name != name) {
      parts.push_back({name, line.words});
    } else {
      parts.back().text += "; " + line.words;
    }
  }
  return parts;
}

std::string CasesText(const Cause& cause) {
  constexpr size_t kShown = 3;
  std::string text = Plural(static_cast<int64_t>(cause.cases.size()), "case");
  for (size_t i = 0; i < std::min(kShown, cause.cases.size()); ++i) text += (i == 0 ? ": " : ", ") + cause.cases[i];
  if (cause.cases.size() > kShown) text += fmt::format(", and {} more", cause.cases.size() - kShown);
  return text;
}

/// Whether the value was drawn often, and judged seldom. A value that was never judged is in `lost`.
bool IsSeldomJudged(const ValueShare& share) {
  constexpr int64_t kOften = 20;
  return share.drawn >= kOften && share.conclusive != 0 && 2 * share.conclusive < share.drawn;
}

std::string ExamplesText(const Observation& seen) {
  std::string text = Plural(seen.examples, "example");
  std::string_view before = ": ";
  const auto add = [&](int64_t number, std::string_view what) {
    if (number == 0) return;
    text += std::string(before) + std::to_string(number) + " " + std::string(what);
    before = ", ";
  };
  add(seen.held, "held");
  add(seen.refused, "refused");
  add(seen.nothing, "were inconclusive");
  for (const LostValue& lost : seen.lost)
    text += fmt::format("; not one of the {} in which {} was conclusive", lost.drawn, lost.words);
  std::string seldom;
  for (const ValueShare& share : seen.shares) {
    if (!IsSeldomJudged(share)) continue;
    seldom += fmt::format("{}{} ({} of {})", seldom.empty() ? "" : ", ", share.value, share.conclusive, share.drawn);
  }
  if (!seldom.empty()) text += "; values of which less than half of the examples were conclusive: " + seldom;
  return text;
}

}  // namespace dlpack_cts
