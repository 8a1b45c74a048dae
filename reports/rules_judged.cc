// reports/rules_judged.cc: counts the rules that a run judged, and groups the others by reason.
#include "reports/rules_judged.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "reports/outline.h"
#include "reports/text.h"
#include "results/tally.h"

namespace dlpack_cts {
namespace {

/// The message of a SKIP or BLOCKED, or the beginning of several, and its short form.
struct Phrase {
  std::string_view beginning;
  std::string_view words;
};

// The first that fits counts.
constexpr Phrase kPhrases[] = {
    {"this machine has no CUDA", "no CUDA device"},
    {"blocked by the cause", "masked by another defect"},
    {"no example was conclusive", "no conclusive example"},
    {"most examples were not conclusive", "few conclusive examples"},
    {"refused with an exception", "refused by the library"},
    {"no sweep was requested", "no sweep requested"},
    {"the adapter does not claim exchange_api", "exchange table not claimed"},
    {"the adapter does not claim consumer", "imports not claimed"},
    {"the adapter does not claim producer", "exports not claimed"},
    {"the adapter claims cuda", "no tensors on CUDA"},
    {"the adapter claims neither copy_keyword", "no keyword claimed"},
    {"the adapter claims neither reshape_in_place", "arrays not changed in place"},
    {"the producer's adapter claims none of reshape_in_place", "arrays not changed in place"},
    {"the library does not look up __dlpack_c_exchange_api__", "exchange table not used"},
    {"the library does not import sub-byte types", "no sub-byte types"},
    {"the library does not make arrays of sub-byte types", "no sub-byte types"},
    {"the library does not import versioned capsules", "no versioned imports"},
    {"the library does not import legacy capsules", "no legacy imports"},
    {"the library does not export versioned capsules", "no versioned exports"},
    {"the library does not export legacy capsules", "no legacy exports"},
    {"the library exports neither legacy nor versioned", "no exports"},
    {"the library imports neither legacy nor versioned", "no imports"},
    {"the library imports only bare capsules", "only bare capsules imported"},
    {"the library has functions instead of", "no __dlpack__ method"},
    {"the library's __dlpack__ does not accept max_version", "max_version not accepted"},
    {"the library refuses host memory", "host memory refused"},
    {"the library imports memory of CUDA devices only", "host memory refused"},
    {"the library imports only compact tensors", "only compact imports"},
    {"the library imports only aligned data", "only aligned imports"},
    {"the library imports at most one dimension", "imports of rank 1"},
    {"the library imports every tensor as read-only", "read-only imports"},
    {"the library makes no arrays of more than 8", "no arrays of rank 9"},
    {"the library does not import elements that lie far apart", "no far-apart elements"},
    {"an imported array uses the tensor through its producer", "imports keep their producer"},
    {"library.toml declares that an imported array needs", "imports keep their producer"},
};

constexpr std::string_view kNotClaimed = "the adapter does not claim ";

/// Why no case of the run tests the rule.
std::string_view WhyNoCase(const Run& run, const RuleText& rule) {
  if (rule.untestable) return "not testable";
  if (IsOfPair(run)) return "not about pairs";
  if (!run.header.shard.empty()) return "in other shards";
  return run.header.provisional || !run.footer.complete ? "run ended early" : "not selected";
}

}  // namespace

std::string PhraseOf(std::string_view message) {
  const auto* const found =
      std::ranges::find_if(kPhrases, [&](const Phrase& phrase) { return message.starts_with(phrase.beginning); });
  if (found != std::end(kPhrases)) return std::string(found->words);
  if (!message.starts_with(kNotClaimed)) return "";
  return fmt::format("{} not claimed", OneLine(message.substr(kNotClaimed.size())));
}

RulesJudged RulesJudgedOf(const Run& run, const ReportContext& context) {
  std::set<std::string_view> judged;
  std::map<std::string_view, std::map<std::string, int64_t>> phrases;  // by rule
  for (const Result& result : run.results) {
    for (const std::string& rule : result.rules) {
      if (IsJudged(result.verdict)) {
        judged.insert(rule);
      } else {
        ++phrases[rule][PhraseOf(result.seen.message)];
      }
    }
  }
  RulesJudged rules{.judged = 0, .all = static_cast<int64_t>(context.rules.size()), .why_not = {}};
  std::map<std::string, int64_t> numbers;
  for (const RuleText& rule : context.rules) {
    if (judged.contains(rule.id)) {
      ++rules.judged;
      continue;
    }
    const std::map<std::string, int64_t>& counts = phrases[rule.id];
    const auto most = std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
    ++numbers[most == counts.end() ? std::string(WhyNoCase(run, rule)) : most->first];
  }
  for (const auto& [phrase, number] : numbers) rules.why_not.push_back({phrase, number});
  std::ranges::stable_sort(rules.why_not, [](const WhyNot& a, const WhyNot& b) {
    return a.phrase.empty() != b.phrase.empty() ? b.phrase.empty() : a.rules > b.rules;
  });
  return rules;
}

std::string WhyNotText(const RulesJudged& rules) {
  constexpr size_t kShown = 3;
  std::vector<std::string_view> shown;
  for (const WhyNot& why : rules.why_not) {
    if (shown.size() < kShown && !why.phrase.empty()) shown.push_back(why.phrase);
  }
  std::string text = Joined(shown, ", ");
  if (!shown.empty() && shown.size() < rules.why_not.size()) text += ", and others";
  return text;
}

}  // namespace dlpack_cts
