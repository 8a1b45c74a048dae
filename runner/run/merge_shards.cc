// runner/run/merge_shards.cc: adds up results, causes, limitations, observed choices and footers.
#include "runner/run/merge_shards.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "results/limit.h"
#include "results/tally.h"
#include "runner/run/fail_on.h"
#include "runner/run/options.h"
#include "runner/run/shard.h"
#include "runner/verdict/attribution.h"
#include "runner/verdict/limits.h"
#include "runner/verdict/verdict.h"

namespace dlpack_cts::runner {
namespace {

using Shards = std::vector<const Run*>;

template <typename Item>
using ById = std::map<std::string, std::vector<const Item*>>;

/// The copies of each cause in the shards.
ById<Cause> CausesOf(const Shards& shards) {
  ById<Cause> copies;
  for (const Run* const shard : shards) {
    for (const Cause& cause : shard->causes) copies[cause.id].push_back(&cause);
  }
  return copies;
}

/// Whether the first copy has the graver verdict, or of equal ones the simpler example.
bool IsBetter(const Cause* a, const Cause* b) {
  const auto key = [](const Cause& cause) {
    return std::make_tuple(-WeightOf(cause.verdict), cause.recipe.dump().size());
  };
  return key(*a) < key(*b);
}

/// Sets whether the cause is expected: in each shard that can tell.
void Expect(const std::vector<const Cause*>& copies, Cause& cause) {
  cause.as_expected = false;
  cause.expectation.clear();
  for (const Cause* const copy : copies) {
    if (IsLeftOut(*copy)) continue;
    cause.as_expected = copy->as_expected;
    cause.expectation = copy->expectation;
    if (!copy->as_expected) return;
  }
}

Cause Merged(const Catalogue& catalogue, const std::vector<const Cause*>& copies) {
  Cause cause = **std::min_element(copies.begin(), copies.end(), IsBetter);
  Expect(copies, cause);
  std::set<std::string> cases;
  cause.count = 0;
  for (const Cause* const copy : copies) {
    cause.count += copy->count;
    cases.insert(copy->cases.begin(), copy->cases.end());
  }
  cause.cases.assign(cases.begin(), cases.end());
  std::ranges::stable_sort(cause.cases, {}, [&](const std::string& id) { return catalogue.PlaceOf(id); });
  return cause;
}

/// The limitations that no cause and no result of another shard reports.
std::vector<Cause> LimitationsIn(const ById<Cause>& copies_of, size_t shards, const Run& run) {
  std::vector<Cause> limitations = LostLimitations(
      run, [&](const std::string& value) { return !copies_of.contains(std::string(kLostPrefix) + value); });
  for (Cause& cause : limitations) Expect(copies_of.at(cause.id), cause);
  for (const auto& [id, copies] : copies_of) {
    const Cause& first = *copies.front();
    if (!first.limitation || id.starts_with(kLostPrefix)) continue;
    // A shard leaves out a limitation that one of its causes explains, or whose rule none of its cases tests.
    const bool reported = first.rule.empty() ? copies.size() < shards : ReportsDeviation(first.rule, run);
    if (!reported) limitations.push_back(first);
  }
  return limitations;
}

void AddCauses(const Catalogue& catalogue, const Shards& shards, Run& run) {
  const ById<Cause> copies_of = CausesOf(shards);
  for (const auto& [id, copies] : copies_of) {
    if (!copies.front()->limitation) run.causes.push_back(Merged(catalogue, copies));
  }
  std::stable_sort(run.causes.begin(), run.causes.end(), [](const Cause& a, const Cause& b) {
    return std::make_tuple(WeightOf(a.verdict), a.cases.size()) > std::make_tuple(WeightOf(b.verdict), b.cases.size());
  });
  Distribute(catalogue, run.causes, run.results);
  if (!run.footer.complete) return;  // not every limitation is known
  const bool is_list = std::ranges::any_of(shards, [](const Run* shard) { return shard->footer.lists_limitations; });
  for (Cause& cause : LimitationsIn(copies_of, shards.size(), run)) {
    if (is_list && !IsDeviation(cause.verdict)) cause.as_expected = !cause.expectation.empty();
    run.causes.push_back(std::move(cause));
  }
  std::ranges::stable_sort(run.causes, std::ranges::greater(),
                           [](const Cause& cause) { return WeightOf(cause.verdict); });
}

/// The observed choices. A weak observation counts only if no other exists.
std::vector<ObservedChoices> ChoicesOf(const nlohmann::json& choices, const Shards& shards) {
  std::map<std::string, ObservedChoices> by_id;
  for (const Run* const shard : shards) {
    for (const ObservedChoices& choices : shard->readings) {
      const auto [merged, added] = by_id.try_emplace(choices.id, choices);
      if (added) continue;
      for (const ObservedChoices::Reading& one : choices.shown) {
        auto& shown = merged->second.shown;
        const auto same = std::ranges::find(shown, one.words, &ObservedChoices::Reading::words);
        if (same == shown.end()) {
          shown.push_back(one);
        } else {
          same->count += one.count;
        }
      }
    }
  }
  std::vector<ObservedChoices> all;
  for (const nlohmann::json& choice : choices) {
    const auto found = by_id.find(choice.at("choice"));
    if (found == by_id.end()) continue;
    auto& shown = found->second.shown;
    const std::vector<std::string> words = choice.at("answers");
    if (const int64_t weak = choice.at("weak"); weak >= 0 && shown.size() > 1) {
      std::erase_if(shown, [&](const auto& one) { return one.words == words.at(static_cast<size_t>(weak)); });
    }
    std::ranges::stable_sort(shown, {}, [&](const auto& one) { return std::ranges::find(words, one.words); });
    all.push_back(found->second);
  }
  return all;
}

/// An entry is stale if nothing met it in any shard, and one shard at least ran what would show it.
std::vector<std::string> StaleIn(const Shards& shards) {
  std::vector<std::string> stale;
  for (const UnmetEntry& entry : shards.front()->footer.unmet) {
    std::string sentence = entry.sentence;
    const bool everywhere = std::ranges::all_of(shards, [&](const Run* shard) {
      const auto same = std::ranges::find(shard->footer.unmet, entry.entry, &UnmetEntry::entry);
      if (same == shard->footer.unmet.end()) return false;
      if (sentence.empty()) sentence = same->sentence;
      return true;
    });
    if (everywhere && !sentence.empty()) stale.push_back(sentence);
  }
  return stale;
}

Header HeaderOf(const Shards& shards) {
  Header header = shards.front()->header;
  const std::string option = " --shard " + header.shard;
  if (const size_t at = header.command.find(option); at != std::string::npos) header.command.erase(at, option.size());
  header.shard.clear();
  for (const Run* const shard : shards) {
    header.started = std::min(header.started, shard->header.started);
    if (header.profile.empty()) header.profile = shard->header.profile;
  }
  return header;
}

}  // namespace

Run MergeShards(const Catalogue& catalogue, const nlohmann::json& choices, const std::vector<const Run*>& shards) {
  Run run;
  run.header = HeaderOf(shards);
  for (const Run* const shard : shards) {
    run.results.insert(run.results.end(), shard->results.begin(), shard->results.end());
    run.footer.interrupted = run.footer.interrupted || shard->footer.interrupted;
    run.footer.complete = run.footer.complete && shard->footer.complete;
    run.footer.seconds += shard->footer.seconds;
    run.footer.time_limits += shard->footer.time_limits;
  }
  std::ranges::stable_sort(run.results, {},
                           [&](const Result& result) { return catalogue.PlaceOf(result.seen.case_id); });
  AddCauses(catalogue, shards, run);
  run.readings = ChoicesOf(choices, shards);
  const nlohmann::json& options = run.header.options;
  const std::string fail_on = options.value("fail_on", Options().fail_on);
  if (IsNarrowed(options)) LeaveOtherCauses(run);
  ApplyFailOn(fail_on, options.value("strict", false), run);
  if (run.footer.complete) run.footer.stale = StaleIn(shards);
  run.footer.counts = CountsOf(run.results);
  const auto stale = static_cast<int64_t>(run.footer.stale.size());
  run.footer.unexpected = CountUnexpected(run) + (fail_on == "never" ? 0 : stale);
  return run;
}

}  // namespace dlpack_cts::runner
