// runner/campaign/files.h: the folder of a campaign: its state, its figures over time, and a folder for each new cause.
#ifndef DLPACK_CTS_RUNNER_CAMPAIGN_FILES_H_
#define DLPACK_CTS_RUNNER_CAMPAIGN_FILES_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "results/fields.h"
#include "runner/campaign/book.h"
#include "runner/campaign/leg.h"
#include "runner/campaign/stats.h"
#include "runner/run/assignment.h"

namespace dlpack_cts::runner {

/// What a campaign continues with, also after it was killed.
struct CampaignState {
  static std::span<const LineField<CampaignState>> Fields();  // without the counts, which have a table of their own

  std::string target;
  std::string library;          // of a pair: PRODUCER-to-CONSUMER
  std::string library_version;  // empty until the first leg has ended
  uint64_t seed = 0;
  uint64_t legs = 0;  // that were begun
  double seconds = 0;
  double cpu_seconds = 0;  // of the driver and of all its workers
  ExchangeCounts counts;
};

/// A campaign as its file has it.
struct StoredCampaign {
  CampaignState state;
  nlohmann::json book;  // for CauseBook
};

/// Reads FOLDER/campaign.json. Throws a Failure if it does not exist or is damaged.
StoredCampaign ReadCampaign(const std::string& folder);

class CampaignFolder {
 public:
  /// Makes the folder, and locks it against other campaigns. Throws Failure.
  explicit CampaignFolder(const std::string& path);
  ~CampaignFolder();
  CampaignFolder(const CampaignFolder&) = delete;
  CampaignFolder& operator=(const CampaignFolder&) = delete;

  const std::string& path() const { return path_; }

  /// Continues the campaign in the folder, if there is one. Throws a Failure if it is another one, or is damaged.
  bool Continue(CampaignState& state, CauseBook& book);

  /// Copies the files of a cause from the folder of another campaign. Returns the folder, relative to path(); "" if the
  /// other campaign has no files of it. Throws Failure.
  std::string CopyCause(const std::string& from, const BookedCause& cause) const;

  /// Replaces campaign.json and index.html, and adds a line to stats.csv. Throws Failure.
  void Save(const CampaignState& state, const CauseBook& book);

  /// Writes the files of a new cause: finding.json (what `replay` reads), report.txt, and reproduce.py if a script can
  /// show it. `again` is what the exchange did in a new process. Returns the folder, relative to path(). Throws
  /// Failure.
  std::string WriteCause(const Catalogue& catalogue, const Assignment& assignment, const NewCause& found,
                         const LegReport& again) const;

 private:
  std::string UnusedFolder(const std::string& cause_id) const;

  std::string path_;
  std::vector<CampaignPoint> points_;  // the lines of stats.csv
  int lock_ = -1;
};

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_CAMPAIGN_FILES_H_
