// reports/site/history.h: the releases of a library, a line for each: what a run found, or why there was none.
#ifndef DLPACK_CTS_REPORTS_SITE_HISTORY_H_
#define DLPACK_CTS_REPORTS_SITE_HISTORY_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/reports.h"
#include "reports/site/features.h"
#include "results/fields.h"
#include "results/result.h"

namespace dlpack_cts {

/// A release of a library.
struct LibraryRelease {
  static constexpr std::string_view kType = "release";
  static std::span<const LineField<LibraryRelease>> Fields();

  struct Found {
    static std::span<const LineField<Found>> Fields();

    std::string id;
    std::string rule;
    Verdict verdict = Verdict::kFail;
    bool known = false;  // the adapter's expectations list it
  };
  struct Features {
    static std::span<const LineField<Features>> Fields();

    Support answer = Support::kUnknown;
    std::vector<std::string> ids;
  };

  std::string version;
  std::string reason;  // why it was not judged, as one sentence; the other fields are then empty
  std::string interpreter;
  std::string program_version;
  std::string started;
  uint64_t seed = 0;
  std::string word;                                  // "conforms"
  nlohmann::json counts = nlohmann::json::object();  // number of each verdict on valid input
  int64_t rules_judged = 0;                          // without rules that only invalid input tests
  int64_t rules_violated = 0;
  std::vector<Features> features;  // by their answer
  std::vector<Found> causes;       // of deviations, worst first

  bool IsJudged() const { return reason.empty(); }
};

struct History {
  std::string library;
  std::vector<LibraryRelease> releases;  // the oldest first
};

/// Of a run that did not end, or that judged nothing, the release has the reason.
LibraryRelease ReleaseOf(const Run& run, const ReportContext& context, const std::vector<Feature>& features);

/// Adds the release, or replaces the one with its version.
void Add(LibraryRelease release, History& history);

/// As a text of JSON lines, and back. A Failure names the line.
std::string TextOf(const History& history);
History ReadHistory(const std::string& path);

/// The releases of the history that show a feature.
struct FeatureSpan {
  std::string since;  // the first release of those that show it up to the newest; empty: the newest does not show it
  bool or_earlier = false;  // no judged release comes before it
  std::string lost;         // the first release after the last one that showed it; empty if the newest shows it
};

/// Of judged releases up to that version. One whose answer is yes or partly shows the feature. One whose answer is
/// unknown does not begin or lose it. Nothing if the newest is unknown.
FeatureSpan SpanOf(const History& history, const std::string& version, const std::string& feature);

/// "since 2.1", "since 1.22.4 or earlier", "lost in 2.3"; empty if no release shows it.
std::string SpanWords(const FeatureSpan& span);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_SITE_HISTORY_H_
