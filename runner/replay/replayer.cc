// runner/replay/replayer.cc: one job for each exchange, and its verdict.
#include "runner/replay/replayer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/failure.h"
#include "reports/evidence.h"
#include "reports/text.h"
#include "results/tally.h"
#include "runner/base/interrupt.h"
#include "runner/campaign/leg.h"
#include "runner/run/assemble.h"
#include "runner/run/finding.h"

namespace dlpack_cts::runner {
namespace {

Assignment Prepared(const Catalogue& catalogue, const ReplayFile& file, Options& options) {
  options.out.clear();
  return PrepareOne(LibraryOf(catalogue, file, options), options);
}

}  // namespace

bool Shows(const ReplayedExchange& replayed) { return IsDeviation(replayed.result.verdict); }

std::string TextOf(const ReplayedExchange& replayed) {
  const Result& result = replayed.result;
  return fmt::format("{} {}: {}", ToText(result.verdict), RulesNamed(result).front(), OneLine(replayed.sentence));
}

Replayer::Replayer(const Catalogue& catalogue, const ReplayFile& file, Options options)
    : catalogue_(catalogue),
      assignment_(Prepared(catalogue, file, options)),
      session_(assignment_.library),
      of_mutants_(assignment_.library) {}

ReplayedExchange Replayer::Run(const ReplayFile& file) {
  if (catalogue_.Find(file.case_id) == nullptr) {
    throw Failure(file.path + ": there is no case " + file.case_id, "dlpack-cts list cases shows all cases");
  }
  JobFile job = assignment_.job;
  job.cases = {file.case_id};
  SetReplay(file, job);
  const LegReport report = RunJob(file.mutant.empty() ? session_ : of_mutants_, std::move(job));
  if (Interrupted()) throw Failure("interrupted", "", kInterrupted);
  if (report.failure) throw *report.failure;
  version_ = report.outcome.library_version;
  Rounds rounds = RoundsOf(catalogue_, assignment_, report);
  Expectations& expectations = assignment_.expectations;
  Attributed attributed = rounds.Conclude([&](Attributed& all) {
    for (Result& result : all.results) Complete(assignment_, version_, expectations, result);
    for (Cause& cause : all.causes) expectations.Apply(cause, version_);
  });
  if (const std::optional<Failure>& trouble = rounds.trouble()) throw *trouble;
  ReplayedExchange replayed;
  replayed.version = version_;
  replayed.result = std::move(attributed.results.at(0));
  replayed.sentence = replayed.result.seen.message;
  replayed.case_id = file.case_id;
  const auto cause = std::ranges::find(attributed.causes, replayed.result.cause, &Cause::id);
  if (cause == attributed.causes.end()) return replayed;
  dlpack_cts::Run run;
  run.results = {replayed.result};
  replayed.sentence = Headline(run, *cause);
  replayed.case_id = CaseFor(catalogue_, run, *cause);
  replayed.cause = std::move(*cause);
  return replayed;
}

}  // namespace dlpack_cts::runner
