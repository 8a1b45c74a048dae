// reports/evidence.cc: the rows about a failing example, with the worker's texts if it wrote any.
#include "reports/evidence.h"

#include <fmt/format.h>

#include <utility>

#include "reports/outline.h"
#include "reports/text.h"
#include "results/tally.h"

namespace dlpack_cts {
namespace {

std::string FactText(const std::string& fact, const std::string& meaning) {
  return meaning.empty() ? fact : fmt::format("{} ({})", meaning, fact);
}

/// The texts, with the bare value for each missing text.
template <typename Shown>
Words InWords(const Shown& shown) {
  const auto either = [](const std::string& word, const std::string& value) { return word.empty() ? value : word; };
  const Words& words = shown.words;
  return {words.example, either(words.meaning, shown.fact), either(words.wanted, shown.wanted),
          either(words.got, shown.got)};
}

template <typename Shown>
Evidence Of(const Shown& shown, Verdict verdict = Verdict::kFail) {
  const Words words = InWords(shown);
  return {.whose = "",
          .example = words.example,
          .wrong = FactText(shown.fact, shown.words.meaning),
          .expected = words.wanted,
          .got = words.got,
          .leads_to = "",
          .accuses = verdict != Verdict::kNote};
}

bool IsEnd(Verdict verdict) {
  return verdict == Verdict::kCrash || verdict == Verdict::kTimeout || verdict == Verdict::kLeak ||
         verdict == Verdict::kUnsafe;
}

/// The results of the cause with the worst end, if that is graver than the verdict of the cause.
std::vector<const Result*> GraverResults(const Run& run, const Cause& cause) {
  std::vector<const Result*> graver;
  for (const Result& result : run.results) {
    if (result.cause != cause.id || !IsEnd(result.verdict) || Rank(result.verdict) >= Rank(cause.verdict)) continue;
    if (!graver.empty() && Rank(result.verdict) > Rank(graver.front()->verdict)) continue;
    if (!graver.empty() && Rank(result.verdict) < Rank(graver.front()->verdict)) graver.clear();
    graver.push_back(&result);
  }
  return graver;
}

}  // namespace

std::string GraverEnd(const Run& run, const Cause& cause) {
  const std::vector<const Result*> graver = GraverResults(run, cause);
  if (graver.empty()) return "";
  return fmt::format("{} in {}", ToText(graver.front()->verdict), Plural(static_cast<int64_t>(graver.size()), "case"));
}

std::vector<ReportRow> Evidence::Rows() const {
  std::vector<ReportRow> rows = {{"whose", whose},           {"example", example}, {accuses ? "wrong" : "fact", wrong},
                                 {ExpectedName(), expected}, {GotName(), got},     {"leads to", leads_to}};
  // A NOTE says what was observed, and then that the other answer is allowed too.
  if (!accuses) std::swap(rows[3], rows[4]);
  std::erase_if(rows, [](const ReportRow& row) { return row.text.empty(); });
  return rows;
}

Evidence EvidenceOf(const Observation& seen, Verdict verdict) { return Of(seen, verdict); }

Evidence EvidenceOf(const Cause& cause) {
  Evidence evidence = Of(cause, cause.verdict);
  evidence.whose = cause.accused;
  return evidence;
}

Evidence EvidenceOf(const Run& run, const Cause& cause) {
  Evidence evidence = EvidenceOf(cause);
  const std::vector<const Result*> graver = GraverResults(run, cause);
  if (!graver.empty()) evidence.leads_to = GraverEnd(run, cause) + ": " + graver.front()->seen.message;
  return evidence;
}

std::string Headline(const Run& run, const Cause& cause) {
  if (!cause.message.empty()) return cause.message;
  for (const Result& result : run.results) {
    const bool shows_it = result.seen.case_id == cause.case_id && result.cause == cause.id &&
                          IsDeviation(result.verdict) && (!IsEnd(result.verdict) || result.verdict == cause.verdict);
    if (shows_it && result.seen.deviations.empty() && !result.seen.message.empty()) return result.seen.message;
  }
  const Words words = InWords(cause);
  if (words.wanted.empty() && words.got.empty()) return words.meaning;
  if (cause.verdict == Verdict::kNote) {
    return fmt::format("{}: {}{}", words.meaning, words.got.empty() ? "nothing" : words.got,
                       words.wanted.empty() ? "" : fmt::format("; {} is allowed too", words.wanted));
  }
  return fmt::format("{}: expected {}, got {}", words.meaning, words.wanted.empty() ? "nothing" : words.wanted,
                     words.got.empty() ? "nothing" : words.got);
}

std::vector<std::string> DeviationTexts(const Observation& seen) {
  std::vector<std::string> texts;
  for (const SweptFact& swept : seen.deviations) {
    const Evidence evidence = Of(swept);
    texts.push_back(fmt::format("{}: expected {}, got {}, in {} of {} exchanges{}", evidence.wrong, evidence.expected,
                                evidence.got, swept.count, seen.examples,
                                evidence.example.empty() ? "" : ", for example " + evidence.example));
  }
  return texts;
}

}  // namespace dlpack_cts
