// runner/campaign/regression.cc: replays kept findings, library by library.
#include "runner/campaign/regression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/failure.h"
#include "base/paths.h"
#include "reports/evidence.h"
#include "reports/text.h"
#include "results/tally.h"
#include "runner/base/interrupt.h"
#include "runner/base/print.h"
#include "runner/campaign/keep.h"
#include "runner/campaign/leg.h"
#include "runner/run/assemble.h"
#include "runner/session/session.h"

namespace dlpack_cts::runner {
namespace {

// A finding that depends on the order of threads does not show each time.
constexpr int kAttempts = 3;

enum class State : uint8_t { kKnown, kShown, kFixed, kSeldom, kNotJudged, kUnlisted, kGone, kWithoutMutant };

struct StateRow {
  std::string_view word;
  bool fine;  // it is as the expectations say
};

constexpr std::array<StateRow, 8> kStates = {{
    {"known", true},
    {"shown", true},
    {"fixed", true},
    {"seldom", true},
    {"not judged", true},
    {"unlisted", false},
    {"gone", false},
    {"wrong", false},
}};

const StateRow& RowOf(State state) { return kStates.at(static_cast<size_t>(state)); }

struct Verdicted {
  State state = State::kKnown;
  std::string text;
};

bool Shows(const ReplayedExchange& replayed) { return IsDeviation(replayed.result.verdict); }

std::string TextOf(const ReplayedExchange& replayed) {
  const Result& result = replayed.result;
  return fmt::format("{} {}: {}", ToText(result.verdict), RulesNamed(result).front(), OneLine(replayed.sentence));
}

/// What the expectations have to list.
Cause WantedBy(const ReplayFile& file) {
  Cause cause;
  cause.id = file.cause;
  cause.rule = file.rule;
  cause.verdict = file.verdict.value_or(Verdict::kFail);
  cause.case_id = file.case_id;
  cause.message = file.message;
  return cause;
}

/// The findings of one library.
class OneLibrary {
 public:
  OneLibrary(const Catalogue& catalogue, const ReplayFile& first, Options options)
      : catalogue_(catalogue),
        assignment_(Prepared(catalogue, first, options)),
        session_(assignment_.library),
        of_mutants_(assignment_.library) {}

  /// Runs the exchange, again if it has to show but does not. Throws Failure if the library cannot be tested.
  ReplayedExchange Run(const ReplayFile& file, bool has_to_show);
  Verdicted Judge(const ReplayFile& file, ReplayedExchange& replayed);

  /// The entry that lists the finding. NULL before the first exchange has run, because the version is not known.
  const Expectation* ListingOf(const ReplayFile& file) const {
    return version_.empty() ? nullptr : assignment_.expectations.FindAny(WantedBy(file), version_);
  }

  std::string Name() const { return assignment_.library.name + (version_.empty() ? "" : " " + version_); }

 private:
  static Assignment Prepared(const Catalogue& catalogue, const ReplayFile& first, Options& options) {
    options.out.clear();
    return PrepareOne(LibraryOf(catalogue, first, options), options);
  }
  ReplayedExchange RunOnce(const ReplayFile& file);

  const Catalogue& catalogue_;
  Assignment assignment_;
  Session session_;
  Session of_mutants_;  // a worker keeps its last mutant
  std::string version_;
};

ReplayedExchange OneLibrary::RunOnce(const ReplayFile& file) {
  JobFile job = assignment_.job;
  job.cases = {file.case_id};
  SetReplay(file, job);
  const LegReport report = RunJob(file.mutant.empty() ? session_ : of_mutants_, std::move(job));
  if (report.failure) throw *report.failure;
  if (Interrupted()) throw Failure("interrupted", "", kInterrupted);
  version_ = report.outcome.library_version;
  Rounds rounds = RoundsOf(catalogue_, assignment_, report);
  Expectations& expectations = assignment_.expectations;
  Attributed attributed = rounds.Conclude([&](Attributed& all) {
    for (Result& result : all.results) Complete(assignment_, version_, expectations, result);
    for (Cause& cause : all.causes) expectations.Apply(cause, version_);
  });
  if (rounds.trouble()) throw *rounds.trouble();
  ReplayedExchange replayed;
  replayed.version = version_;
  replayed.result = std::move(attributed.results.at(0));
  replayed.sentence = replayed.result.seen.message;
  dlpack_cts::Run run;
  run.results = {replayed.result};
  for (const Cause& cause : attributed.causes) {
    if (cause.id == replayed.result.cause) replayed.sentence = Headline(run, cause);
  }
  return replayed;
}

ReplayedExchange OneLibrary::Run(const ReplayFile& file, bool has_to_show) {
  ReplayedExchange replayed = RunOnce(file);
  for (int i = 1; i < kAttempts && has_to_show && !Shows(replayed) && IsJudged(replayed.result.verdict); ++i) {
    replayed = RunOnce(file);
  }
  return replayed;
}

Verdicted OneLibrary::Judge(const ReplayFile& file, ReplayedExchange& replayed) {
  if (!file.mutant.empty()) {
    if (!Shows(replayed)) return {State::kGone, "the mutant " + file.mutant + " does not show it"};
    ReplayFile without = file;
    without.mutant.clear();
    const ReplayedExchange plain = RunOnce(without);
    if (Shows(plain)) return {State::kWithoutMutant, "the reference without a mutant shows " + TextOf(plain)};
    return {State::kShown, TextOf(replayed) + ", with the mutant " + file.mutant};
  }
  const Expectation* const entry = ListingOf(file);
  const Verdict verdict = replayed.result.verdict;
  if (Shows(replayed)) {
    if (replayed.result.as_expected) return {State::kKnown, TextOf(replayed)};
    // One exchange alone may show another degree of the same violation.
    if (entry != nullptr && RulesNamed(replayed.result).front() == file.rule) {
      return {State::kKnown, TextOf(replayed) + fmt::format("; listed as {}", ToText(entry->verdict))};
    }
    return {State::kUnlisted, TextOf(replayed) + "; the expectations do not list it for " + Name()};
  }
  if (!IsJudged(verdict)) {
    return {entry == nullptr || entry->seldom ? State::kNotJudged : State::kGone,
            fmt::format("{}: {}", ToText(verdict), OneLine(replayed.result.seen.message))};
  }
  if (entry == nullptr && verdict == Verdict::kNote) return {State::kShown, TextOf(replayed)};
  if (entry == nullptr) return {State::kFixed, "does not occur in " + Name()};
  const std::string listed = fmt::format("listed as {} for {}", ToText(entry->verdict), Name());
  if (entry->seldom) return {State::kSeldom, listed + " and as seldom; did not occur this time"};
  return {State::kGone, listed + ", but does not occur: remove the entry, or restrict its versions"};
}

/// Files with the same key can use one process.
std::string KeyOf(const ReplayFile& file) {
  std::string key = file.library + '\n' + file.python;
  for (const std::string& folder : file.adapters) key += "\nadapter " + folder;
  for (const std::string& folder : file.pythonpath) key += "\npath " + folder;
  return key;
}

}  // namespace

int ReplayFindings(const Catalogue& catalogue, const Options& options, const std::vector<ReplayFile>& files) {
  const double start = Now();
  int status = kAsExpected;
  std::set<std::string> done;
  for (const ReplayFile& first : files) {
    const std::string key = KeyOf(first);
    if (!done.insert(key).second) continue;
    OneLibrary library(catalogue, first, options);
    std::array<int64_t, kStates.size()> counts{};
    for (const ReplayFile& file : files) {
      if (KeyOf(file) != key) continue;
      if (catalogue.Find(file.case_id) == nullptr) {
        throw Failure(file.path + ": there is no case " + file.case_id, "dlpack-cts list cases shows all cases");
      }
      const bool has_to_show = !file.mutant.empty() || !options.keep.empty() || library.ListingOf(file) != nullptr;
      ReplayedExchange replayed = library.Run(file, has_to_show);
      const Verdicted judged = library.Judge(file, replayed);
      ++counts.at(static_cast<size_t>(judged.state));
      if (!RowOf(judged.state).fine) status = kUnexpected;
      Print(fmt::format("{:<10} {}: {}\n", RowOf(judged.state).word, file.path, judged.text));
      if (options.keep.empty()) continue;
      Print("  " + (Shows(replayed) ? KeepFinding(file, replayed, options.keep) : "not kept: no deviation") + "\n");
    }
    std::string summary;
    for (size_t i = 0; i < counts.size(); ++i) {
      if (counts.at(i) > 0)
        summary += fmt::format("{} {} {}", summary.empty() ? "" : ",", counts.at(i), kStates.at(i).word);
    }
    Print(library.Name() + ":" + summary + "\n");
  }
  Print(fmt::format("{} in {:.1f} s\n", Plural(static_cast<int64_t>(files.size()), "finding"), Now() - start));
  return status;
}

}  // namespace dlpack_cts::runner
