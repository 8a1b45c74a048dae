// reports/site/history.cc: makes the line of a release, reads and writes histories, and finds where a feature began.
#include "reports/site/history.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "base/version.h"
#include "reports/conclusion.h"
#include "reports/limitations.h"
#include "reports/outline.h"
#include "reports/site/library_view.h"
#include "results/parse.h"
#include "results/tally.h"
#include "results/text.h"
#include "results/uncounted.h"
#include "results/whole_file.h"

namespace dlpack_cts {
namespace {

constexpr size_t kLargest = 4 << 20;  // in bytes; a release has some 2 kB
constexpr std::string_view kFirstType = "history";
constexpr int kForm = 1;

constexpr LineField<LibraryRelease::Found> kFound[] = {
    Always<&LibraryRelease::Found::id>("id", "of the cause"),
    Always<&LibraryRelease::Found::rule>("rule"),
    Always<&LibraryRelease::Found::verdict>("verdict"),
    IfAny<&LibraryRelease::Found::known>("known", "the expectations of the adapter list it"),
};

constexpr LineField<LibraryRelease::Features> kFeatures[] = {
    Always<&LibraryRelease::Features::answer>("answer"),
    Always<&LibraryRelease::Features::ids, Filled>("ids", "of rules/features/features.toml"),
};

constexpr LineField<LibraryRelease> kRelease[] = {
    Always<&LibraryRelease::version>("version"),
    IfAny<&LibraryRelease::reason>("reason", "why it was not judged"),
    IfAny<&LibraryRelease::interpreter>("interpreter"),
    IfAny<&LibraryRelease::program_version>("program_version"),
    IfAny<&LibraryRelease::started>("started"),
    Always<&LibraryRelease::seed>("seed"),
    IfAny<&LibraryRelease::word>("word", "the verdict in few words"),
    Always<&LibraryRelease::counts, AnyObject>("counts", "number of each verdict on valid input"),
    Always<&LibraryRelease::rules_judged>("rules_judged", "without rules that only invalid input tests"),
    Always<&LibraryRelease::rules_violated>("rules_violated"),
    IfAny<&LibraryRelease::features>("features", "ids of features by their answer; those that are missing are unknown"),
    IfAny<&LibraryRelease::causes>("causes", "causes of deviations, worst first"),
};

bool IsOlder(const LibraryRelease& a, const LibraryRelease& b) {
  if (VersionMatches("<" + b.version, a.version)) return true;
  return !VersionMatches(">" + b.version, a.version) && a.version < b.version;  // "0.1.8.post0"
}

std::vector<LibraryRelease::Features> FeaturesOf(const LibraryView& view, const std::vector<Feature>& features) {
  std::vector<LibraryRelease::Features> by_answer;
  for (const Support answer : {Support::kYes, Support::kPartly, Support::kNo, Support::kWrong}) {
    LibraryRelease::Features row{.answer = answer, .ids = {}};
    for (const Feature& feature : features) {
      if (view.answers.at(feature.id).support == answer) row.ids.push_back(feature.id);
    }
    if (!row.ids.empty()) by_answer.push_back(std::move(row));
  }
  return by_answer;
}

/// Why nothing was judged; empty if something was.
std::string ReasonOf(const Run& run) {
  const std::string_view early = EarlyEnd(run);
  if (!early.empty()) return std::string(early) + ".";
  if (WordFor(run) != "not judged") return "";
  const bool has_profile = std::ranges::any_of(
      run.header.profile, [](const ProfileLine& line) { return line.part == "takes" || line.part == "makes"; });
  return has_profile ? "No case could be judged."
                     : "The release has none of the functions through which the adapter imports and exports.";
}

/// Unknown if the release was not judged.
Support AnswerIn(const LibraryRelease& release, const std::string& feature) {
  const auto row = std::ranges::find_if(release.features, [&](const LibraryRelease::Features& one) {
    return std::ranges::find(one.ids, feature) != one.ids.end();
  });
  return row == release.features.end() ? Support::kUnknown : row->answer;
}

}  // namespace

std::span<const LineField<LibraryRelease::Found>> LibraryRelease::Found::Fields() { return kFound; }
std::span<const LineField<LibraryRelease::Features>> LibraryRelease::Features::Fields() { return kFeatures; }
std::span<const LineField<LibraryRelease>> LibraryRelease::Fields() { return kRelease; }

LibraryRelease ReleaseOf(const Run& run, const ReportContext& context, const std::vector<Feature>& features) {
  LibraryRelease release;
  release.version = run.header.library_version;
  release.reason = ReasonOf(run);
  if (!release.IsJudged()) return release;
  const LibraryView view = ViewOf(run, run.header.library, context, features);
  release.interpreter = run.header.interpreter;
  release.program_version = run.header.program_version;
  release.started = run.header.started;
  release.seed = run.header.seed;
  release.word = view.word;
  const Tally tally = Count(run.results, Scope::kConformance);
  for (const Verdict verdict : VerdictOrder()) {
    if (tally.of(verdict) > 0) release.counts[std::string(ToText(verdict))] = tally.of(verdict);
  }
  release.rules_judged = view.judged;
  release.rules_violated = view.violated;
  release.features = FeaturesOf(view, features);
  for (const Cause* const cause : CausesToFix(run)) {
    release.causes.push_back({.id = cause->id,
                              .rule = cause->rule,
                              .verdict = cause->verdict,
                              .known = !cause->expectation.empty() && !IsUncounted(cause->expectation)});
  }
  return release;
}

void Add(LibraryRelease release, History& history) {
  std::erase_if(history.releases, [&](const LibraryRelease& one) { return one.version == release.version; });
  history.releases.insert(std::ranges::upper_bound(history.releases, release, IsOlder), std::move(release));
}

std::string TextOf(const History& history) {
  std::string text = DumpLine({{"type", kFirstType}, {"history", kForm}, {"library", history.library}}) + "\n";
  for (const LibraryRelease& release : history.releases) text += DumpLine(ToJson(release)) + "\n";
  return text;
}

History ReadHistory(const std::string& path) {
  std::istringstream file(ReadWholeFile(path, kLargest));
  History history;
  std::string line;
  for (int64_t number = 1; std::getline(file, line); ++number) {
    try {
      const nlohmann::json json = ParseJson(line);
      if (number > 1) {
        Add(FromJson<LibraryRelease>(json), history);
        continue;
      }
      FieldReader reader(json);
      reader.Expect("type", kFirstType);
      const nlohmann::json* const form = reader.Find("history");
      if (form == nullptr || *form != kForm) throw Failure("field \"history\": is not 1");
      const nlohmann::json* const library = reader.Find("library");
      if (library == nullptr) throw Failure("field \"library\": is missing");
      ReadValue(*library, &history.library);
      reader.Finish();
    } catch (const Failure& failure) {
      throw Failure(path + ": line " + std::to_string(number) + ": " + failure.what(),
                    "make the file again with scripts/history.sh");
    }
  }
  if (history.library.empty()) throw Failure(path + ": the file is empty", "remove it");
  return history;
}

FeatureSpan SpanOf(const History& history, const std::string& version, const std::string& feature) {
  FeatureSpan span;
  bool any_before = false;
  bool shown = false;
  bool known = false;
  for (const LibraryRelease& release : history.releases) {
    if (!release.IsJudged() || VersionMatches(">" + version, release.version)) continue;
    const Support answer = AnswerIn(release, feature);
    known = answer != Support::kUnknown;
    const bool shows = answer == Support::kYes || answer == Support::kPartly;
    if (shows && !shown) span = {.since = release.version, .or_earlier = !any_before, .lost = ""};
    if (known && !shows && shown) span = {.since = "", .or_earlier = false, .lost = release.version};
    if (known) shown = shows;
    any_before = true;
  }
  return known ? span : FeatureSpan();
}

std::string SpanWords(const FeatureSpan& span) {
  if (!span.lost.empty()) return "lost in " + span.lost;
  if (span.since.empty()) return "";
  return "since " + span.since + (span.or_earlier ? " or earlier" : "");
}

}  // namespace dlpack_cts
