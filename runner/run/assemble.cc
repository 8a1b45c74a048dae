// runner/run/assemble.cc: makes the results, causes, header and footer of a run.
#include "runner/run/assemble.h"

#include <algorithm>
#include <map>
#include <utility>

#include "reports/text.h"
#include "results/tally.h"
#include "runner/base/interrupt.h"
#include "runner/base/print.h"
#include "runner/run/fail_on.h"
#include "runner/verdict/limits.h"
#include "runner/verdict/verdict.h"

namespace dlpack_cts::runner {
namespace {

KnownNames NamesOf(const Catalogue& catalogue) {
  KnownNames known;
  for (const CaseInfo& info : catalogue.cases) known.cases.push_back(info.id);
  for (const auto& [id, unused] : catalogue.rules) known.rules.push_back(id);
  return known;
}

/// In a pair: the library that the cause belongs to. The worker ran each library with the reference as the other one.
std::string AccusedOf(const Assignment& assignment, const Cause& cause) {
  if (!assignment.IsPair()) return "";
  if (const std::optional<PairRole> accused = AccusedIn(cause)) {
    return (accused == PairRole::kProducer ? assignment.producer + ", the producer"
                                           : assignment.consumer + ", the consumer") +
           ": it shows the same with the reference as partner";
  }
  if (cause.at_times || cause.id == kEarlierExchanges) {
    return "one of the two: a single exchange does not always show it, so it was not tried with the reference as "
           "partner";
  }
  return "only the two together: neither library shows it with the reference as partner";
}

/// Moves the observed choices out of the results, and counts them. A weak observation counts only if no other exists.
std::vector<ObservedChoices> CensusOf(std::vector<Result>& results) {
  const auto shows = [](const Result& result) { return !result.seen.choices.empty(); };
  if (std::none_of(results.begin(), results.end(), shows)) return {};
  const nlohmann::json choices = WorkerList("choices");
  std::vector<std::map<size_t, int64_t>> counts(choices.size());
  for (Result& result : results) {
    for (const ChoiceSeen& one : std::exchange(result.seen.choices, {})) {
      // A library can write anything to its worker's output.
      if (one.row >= counts.size() || one.reading >= choices[one.row].at("answers").size()) continue;
      counts[one.row][one.reading] += one.count;
    }
  }
  std::vector<ObservedChoices> census;
  for (size_t row = 0; row < counts.size(); ++row) {
    const nlohmann::json& choice = choices[row];
    if (counts[row].size() > 1 && choice.at("weak") >= 0) counts[row].erase(choice.at("weak").get<size_t>());
    if (counts[row].empty()) continue;
    ObservedChoices& readings = census.emplace_back();
    choice.at("choice").get_to(readings.id);
    choice.at("rule").get_to(readings.rule);
    choice.at("question").get_to(readings.question);
    for (const auto& [reading, count] : counts[row]) readings.shown.push_back({choice.at("answers")[reading], count});
  }
  return census;
}

/// The result of a case that the time limit of the run left out.
Observation NotInTime(const std::string& case_id) {
  Observation observation;
  observation.case_id = case_id;
  observation.observed = Observed::kSkip;
  observation.message = "time limit of the run";
  return observation;
}

/// Whether each limitation has to be known: somebody wrote down what the library does, or supports.
bool HasToListLimitations(const Assignment& assignment, const Expectations& expectations) {
  return !assignment.IsPair() && (expectations.IsList() || !assignment.library.profile.empty());
}

/// Adds what the probes found that the library does not support. A NOTE is known unless limitations have to be listed.
void AddLimitations(const Catalogue& catalogue, const Assignment& assignment, bool selected, Expectations& expectations,
                    Assembled& assembled) {
  Run& run = assembled.run;
  const bool array_api = assignment.library.Claims("array_api");
  const bool is_list = !selected && HasToListLimitations(assignment, expectations);
  std::vector<Cause> limitations = LimitationsOf(catalogue, array_api, assembled.limits, run);
  for (Cause& cause : limitations) {
    if (!cause.case_id.empty()) cause.replay = ReplayOfCase(assignment, cause.case_id);
    expectations.Apply(cause, run.header.library_version);
    cause.as_expected = !cause.expectation.empty() || (!IsDeviation(cause.verdict) && !is_list);
  }
  run.causes.insert(run.causes.end(), limitations.begin(), limitations.end());
  std::stable_sort(run.causes.begin(), run.causes.end(),
                   [](const Cause& a, const Cause& b) { return WeightOf(a.verdict) > WeightOf(b.verdict); });
}

/// Sets the header and the footer from the parts. A case without a result because its part failed gets one with the
/// reason.
void AddParts(const Assignment& assignment, const std::vector<Part>& parts, Rounds& rounds, Assembled& assembled) {
  Header& header = assembled.run.header;
  header = HeaderOf(assignment);
  for (const Part& part : parts) {
    Footer& footer = assembled.run.footer;
    footer.complete = footer.complete && !part.outcome.interrupted;
    footer.interrupted = !footer.complete && Interrupted();
    // A case that could not run again keeps its earlier result.
    if (part.failure && part.avoid.empty() && !assembled.trouble) {
      assembled.trouble = part.failure;
      Tell(QuotedLines(part.outcome.detail));
    }
    if (part.outcome.shortage && part.avoid.empty() && !assembled.trouble) assembled.trouble = part.outcome.shortage;
    if (!part.outcome.greeted) continue;
    header.library_version = part.outcome.library_version;
    assembled.partner_version = part.outcome.partner_version;
    header.interpreter = part.outcome.interpreter;
    // Every part has run the same library.
    if (header.profile.empty()) header.profile = part.outcome.profile;
    if (assembled.limits.empty()) assembled.limits = part.outcome.limits;
  }
  header.run_id = RunIdOf(header, assignment.options.shard, GivenRunId(assignment.options.run_id));
  if (assembled.trouble && rounds.empty()) throw *assembled.trouble;
  const Footer& footer = assembled.run.footer;
  for (const Part& part : parts) {
    if (footer.complete || footer.interrupted) break;
    for (const std::string& id : part.cases) {
      if (!rounds.Knows(id)) rounds.See(NotInTime(id));
    }
  }
  for (const Part& part : parts) {
    if (!part.failure || !part.avoid.empty()) continue;
    const std::string why = part.failure->what();
    for (const std::string& id : part.cases) {
      if (rounds.Knows(id)) continue;
      rounds.See(NotRun(id, why));
    }
  }
}

}  // namespace

void Complete(const Assignment& assignment, const std::string& version, Expectations& expectations, Result& result) {
  result.library_version = version;
  result.producer = assignment.producer;
  result.consumer = assignment.consumer;
  result.replay = ReplayOfCase(assignment, result.seen.case_id);
  expectations.Apply(result);
}

Assembled Assemble(const Catalogue& catalogue, Assignment& assignment, const std::vector<Part>& parts, Rounds& rounds) {
  Assembled assembled;
  Run& run = assembled.run;
  AddParts(assignment, parts, rounds, assembled);
  Expectations& expectations = assignment.expectations;
  expectations.SetConsumerVersion(assembled.partner_version);
  const std::string& version = run.header.library_version;
  // The earlier result of a case that ran again may also be a known deviation.
  for (Result result : rounds.superseded()) {
    result.library_version = version;
    expectations.Apply(result);
  }
  Attributed attributed = rounds.Conclude([&](Attributed& seen) {
    for (Result& result : seen.results) Complete(assignment, version, expectations, result);
    for (Cause& cause : seen.causes) {
      cause.replay = ReplayOfCase(assignment, cause.case_id);
      cause.accused = AccusedOf(assignment, cause);
      expectations.Apply(cause, version);
    }
  });
  run.results = std::move(attributed.results);
  run.causes = std::move(attributed.causes);
  run.readings = CensusOf(run.results);
  if (!assembled.trouble) assembled.trouble = rounds.trouble();
  const bool is_shard = !assignment.IsPair() && !run.header.shard.empty();
  const bool narrowed = IsNarrowed(run.header.options);
  const bool selected = narrowed || is_shard;
  if (run.footer.complete) AddLimitations(catalogue, assignment, selected, expectations, assembled);
  // A replay of one exchange cannot show that an expectation is stale.
  if (run.footer.complete && !assembled.trouble && assignment.job.replayed.is_null()) {
    KnownNames known = NamesOf(catalogue);
    known.selected = selected;
    if (known.selected) LeaveOtherCauses(run);
    // Without a sweep the cases of a pair show what its lists have: a cause that only the sweep shows is seldom.
    known.swept = assignment.IsPair() || assignment.options.run.sweep >= assignment.library.sweep;
    assembled.stale = expectations.Stale(run.results, version, known);
    for (const StaleEntry& stale : assembled.stale) run.footer.stale.push_back(stale.sentence);
    if (is_shard) {
      known.selected = narrowed;
      run.footer.unmet = expectations.Unmet(expectations.Stale(run.results, version, known));
      run.footer.lists_limitations = !narrowed && HasToListLimitations(assignment, expectations);
    }
  }
  const std::string& least = assignment.options.fail_on;
  ApplyFailOn(least, assignment.options.strict, run);
  run.footer.counts = CountsOf(run.results);
  const auto stale = static_cast<int64_t>(run.footer.stale.size());
  run.footer.unexpected = CountUnexpected(run) + (least == "never" ? 0 : stale);
  run.footer.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - assignment.clock).count();
  return assembled;
}

}  // namespace dlpack_cts::runner
