// runner/replay/regression.cc: replays kept findings, library by library.
#include "runner/replay/regression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/failure.h"
#include "reports/text.h"
#include "results/tally.h"
#include "runner/base/print.h"
#include "runner/replay/keep.h"
#include "runner/replay/replayer.h"

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

/// The entry that lists the finding for this version of the library, or NULL.
const Expectation* ListingOf(const Replayer& library, const ReplayFile& file) {
  return library.expectations().FindAny(WantedBy(file), library.version());
}

/// Runs the exchange, again if it has to show but does not.
ReplayedExchange RunSome(Replayer& library, const ReplayFile& file, bool keeps) {
  ReplayedExchange replayed = library.Run(file);
  const bool has_to_show = keeps || !file.mutant.empty() || ListingOf(library, file) != nullptr;
  for (int i = 1; i < kAttempts && has_to_show && !Shows(replayed) && IsJudged(replayed.result.verdict); ++i) {
    replayed = library.Run(file);
  }
  return replayed;
}

Verdicted Judge(Replayer& library, const ReplayFile& file, const ReplayedExchange& replayed) {
  if (!file.mutant.empty()) {
    if (!Shows(replayed)) return {State::kGone, "the mutant " + file.mutant + " does not show it"};
    ReplayFile without = file;
    without.mutant.clear();
    const ReplayedExchange plain = library.Run(without);
    if (Shows(plain)) return {State::kWithoutMutant, "the reference without a mutant shows " + TextOf(plain)};
    return {State::kShown, TextOf(replayed) + ", with the mutant " + file.mutant};
  }
  const Expectation* const entry = ListingOf(library, file);
  const Verdict verdict = replayed.result.verdict;
  if (Shows(replayed)) {
    if (replayed.result.as_expected) return {State::kKnown, TextOf(replayed)};
    // One exchange alone may show another degree of the same violation.
    if (entry != nullptr && RulesNamed(replayed.result).front() == file.rule) {
      return {State::kKnown, TextOf(replayed) + fmt::format("; listed as {}", ToText(entry->verdict))};
    }
    return {State::kUnlisted, TextOf(replayed) + "; the expectations do not list it for " + library.Name()};
  }
  if (!IsJudged(verdict)) {
    return {entry == nullptr || entry->seldom ? State::kNotJudged : State::kGone,
            fmt::format("{}: {}", ToText(verdict), OneLine(replayed.result.seen.message))};
  }
  if (entry == nullptr && verdict == Verdict::kNote) return {State::kShown, TextOf(replayed)};
  if (entry == nullptr) return {State::kFixed, "does not occur in " + library.Name()};
  const std::string listed = fmt::format("listed as {} for {}", ToText(entry->verdict), library.Name());
  if (entry->seldom) return {State::kSeldom, listed + " and as seldom; did not occur this time"};
  return {State::kGone, listed + ", but does not occur: remove the entry, or restrict its versions"};
}

/// Files with the same key can use one process.
std::string KeyOf(const ReplayFile& file) {
  std::string key = file.library + '\n' + file.python + "\nexpectations " + file.expectations;
  for (const std::string& folder : file.adapters) key += "\nadapter " + folder;
  for (const std::string& folder : file.pythonpath) key += "\npath " + folder;
  return key;
}

/// Returns the exit status. Throws Failure.
int ReplayLibrary(const Catalogue& catalogue, const Options& options, const std::vector<const ReplayFile*>& files) {
  int status = kAsExpected;
  Replayer library(catalogue, *files.front(), options);
  std::array<int64_t, kStates.size()> counts{};
  for (const ReplayFile* const file : files) {
    const ReplayedExchange replayed = RunSome(library, *file, !options.keep.empty());
    const Verdicted judged = Judge(library, *file, replayed);
    ++counts.at(static_cast<size_t>(judged.state));
    if (!RowOf(judged.state).fine) status = kUnexpected;
    Print(fmt::format("{:<10} {}: {}\n", RowOf(judged.state).word, file->path, judged.text));
    if (options.keep.empty()) continue;
    Print("  " + (Shows(replayed) ? KeepFinding(*file, replayed, options.keep) : "not kept: no deviation") + "\n");
  }
  std::string summary;
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts.at(i) == 0) continue;
    summary += fmt::format("{} {} {}", summary.empty() ? "" : ",", counts.at(i), kStates.at(i).word);
  }
  Print(library.Name() + ":" + summary + "\n");
  return status;
}

}  // namespace

int ReplayFindings(const Catalogue& catalogue, const Options& options, const std::vector<ReplayFile>& files) {
  const double start = Now();
  int status = kAsExpected;
  std::set<std::string> done;
  for (const ReplayFile& first : files) {
    const std::string key = KeyOf(first);
    if (!done.insert(key).second) continue;
    std::vector<const ReplayFile*> of_library;
    for (const ReplayFile& file : files) {
      if (KeyOf(file) == key) of_library.push_back(&file);
    }
    // The other libraries are replayed, too.
    const std::optional<Failure> failure =
        FailureOf([&] { status = std::max(status, ReplayLibrary(catalogue, options, of_library)); });
    if (failure && failure->status() == kInterrupted) throw *failure;
    if (failure) status = std::max(status, Report(*failure));
  }
  Print(fmt::format("{} in {:.1f} s\n", Plural(static_cast<int64_t>(files.size()), "finding"), Now() - start));
  return status;
}

}  // namespace dlpack_cts::runner
