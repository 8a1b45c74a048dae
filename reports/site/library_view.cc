// reports/site/library_view.cc: the verdict of each rule and chapter for one library.
#include "reports/site/library_view.h"

#include <algorithm>
#include <tuple>

#include "reports/evidence.h"
#include "reports/outline.h"
#include "reports/rule_view.h"
#include "results/tally.h"

namespace dlpack_cts {
namespace {

void AddOnce(const std::string& text, std::vector<std::string>& texts) {
  if (!text.empty() && std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
}

RuleState StateOf(const RuleView& rule) {
  RuleState state{.verdict = rule.verdict, .hostile_only = rule.hostile_only, .why = {}};
  for (const Result* const result : rule.results) {
    const bool counts = result->hostile == rule.hostile_only;
    if (counts && VerdictFor(*result, rule.text.id) == rule.verdict) AddOnce(Sentence(*result), state.why);
  }
  return state;
}

/// A case may report a cause with a less severe verdict than that of the cause, or the case of its rule did not run.
void AddCause(const Run& run, const Cause& cause, std::map<std::string, RuleState>& rules) {
  if (cause.rule.empty() || !IsDeviation(cause.verdict) || IsOnInvalidInput(run, cause)) return;
  RuleState& state = rules[cause.rule];
  const std::string why = Headline(run, cause);
  if (state.hostile_only || !IsDeviation(state.verdict)) {
    state = {.verdict = cause.verdict, .hostile_only = false, .why = {why}};
    return;
  }
  if (Rank(cause.verdict) < Rank(state.verdict)) state.verdict = cause.verdict;
  AddOnce(why, state.why);
}

void AddRule(const RuleState& rule, ChapterState& chapter) {
  if (rule.hostile_only) return;
  if (!IsJudged(rule.verdict)) {
    ++chapter.not_judged;
    return;
  }
  ++(IsDeviation(rule.verdict) ? chapter.violated : chapter.held);
  if (Rank(rule.verdict) < Rank(chapter.worst)) chapter.worst = rule.verdict;
}

/// Less is worse.
int RankOf(std::string_view word) {
  constexpr std::string_view kWords[] = {"does not conform", "conforms", "incomplete", "not judged"};
  return static_cast<int>(std::ranges::find(kWords, word) - std::begin(kWords));
}

int WorstRank(const LibraryView& library) {
  int worst = Rank(Verdict::kSkip);
  for (const auto& [name, chapter] : library.chapters) worst = std::min(worst, Rank(chapter.worst));
  return worst;
}

}  // namespace

std::string ChapterOf(const std::string& rule) { return rule.substr(0, rule.rfind('-')); }

LibraryView ViewOf(const Run& run, const std::string& key, const ReportContext& context,
                   const std::vector<Feature>& features) {
  LibraryView view{.run = &run,
                   .name = NameOf(run.header.library, run.header.library_version),
                   .key = key,
                   .conclusion = ConclusionOf(run, context, ""),
                   .word = WordFor(run),
                   .rules = {},
                   .chapters = {},
                   .answers = {}};
  for (const Feature& feature : features) view.answers[feature.id] = AnswerOf(feature, run);
  for (const SubjectOutline& subject : OutlineOf(run)) {
    for (const RuleChapter& chapter : RulesOf(subject, context)) {
      for (const RuleView& rule : chapter.rules) view.rules[rule.text.id] = StateOf(rule);
    }
  }
  for (const Cause& cause : run.causes) AddCause(run, cause, view.rules);
  for (const auto& [id, rule] : view.rules) AddRule(rule, view.chapters[ChapterOf(id)]);
  for (const auto& [name, chapter] : view.chapters) {
    view.violated += chapter.violated;
    view.judged += chapter.judged();
  }
  return view;
}

bool IsWorse(const LibraryView& a, const LibraryView& b) {
  const auto key = [](const LibraryView& one) {
    return std::make_tuple(RankOf(one.word), WorstRank(one), -one.violated, one.name);
  };
  return key(a) < key(b);
}

}  // namespace dlpack_cts
