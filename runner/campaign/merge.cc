// runner/campaign/merge.cc: merges the folders of campaigns.
#include "runner/campaign/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/failure.h"
#include "base/paths.h"
#include "reports/text.h"
#include "runner/base/print.h"
#include "runner/campaign/book.h"
#include "runner/campaign/files.h"
#include "runner/campaign/leg.h"
#include "runner/campaign/table.h"
#include "runner/run/assignment.h"

namespace dlpack_cts::runner {
namespace {

std::string Described(const CampaignState& state) {
  return fmt::format("the target {} on {} {}", state.target, state.library, state.library_version);
}

/// The library may be missing from a campaign that ended early.
bool CanMerge(const CampaignState& a, const CampaignState& b) {
  const bool same_version =
      a.library_version == b.library_version || a.library_version.empty() || b.library_version.empty();
  return a.target == b.target && a.library == b.library && same_version;
}

std::vector<StoredCampaign> ReadAll(const std::vector<std::string>& folders, const std::string& out) {
  std::vector<StoredCampaign> campaigns;
  for (size_t i = 0; i < folders.size(); ++i) {
    const std::string place = Resolved(folders[i]);
    const auto earlier = folders.begin() + static_cast<std::ptrdiff_t>(i);
    if (place == Resolved(out) ||
        std::any_of(folders.begin(), earlier, [&](const std::string& one) { return Resolved(one) == place; })) {
      throw Failure("--merge: the folder " + folders[i] + " is given twice",
                    "give each campaign once, and another --out");
    }
    campaigns.push_back(ReadCampaign(folders[i]));
  }
  return campaigns;
}

}  // namespace

int MergeCampaigns(const Catalogue& catalogue, const std::vector<std::string>& folders, const std::string& out) {
  const std::vector<StoredCampaign> campaigns = ReadAll(folders, out);
  Assignment nothing;  // no exchange runs, so no library is needed
  CauseBook book(catalogue, nothing);
  CampaignState state;
  state.target = campaigns.front().state.target;
  state.library = campaigns.front().state.library;
  state.seed = campaigns.front().state.seed;
  CampaignFolder folder(out);
  std::map<uint64_t, std::string> seeds;  // and the folder that has it
  if (folder.Continue(state, book)) seeds[state.seed] = out;
  for (size_t i = 0; i < campaigns.size(); ++i) {
    if (CanMerge(state, campaigns[i].state)) continue;
    throw Failure(fmt::format("{} holds a campaign of {}, which differs from {}", folders[i],
                              Described(campaigns[i].state), Described(state)),
                  "merge campaigns of one target on one version of a library");
  }
  ExchangeCounts added;
  double cpu_seconds = 0;
  std::string text;
  for (size_t i = 0; i < campaigns.size(); ++i) {
    const CampaignState& other = campaigns[i].state;
    const std::vector<BookedCause> found =
        WithContext(folders[i] + "/campaign.json is damaged: its book ", "leave this folder out",
                    [&] { return book.Merge(campaigns[i].book); });
    for (const BookedCause& cause : found) book.SetFolder(cause.id, folder.CopyCause(folders[i], cause));
    if (state.library_version.empty()) state.library_version = other.library_version;
    state.counts.Add(other.counts);
    state.seconds += other.seconds;
    state.cpu_seconds += other.cpu_seconds;
    state.legs += other.legs;
    added.Add(other.counts);
    cpu_seconds += other.cpu_seconds;
    text += fmt::format("merged: {}: {} exchanges, {} not seen before\n", folders[i], other.counts.exchanges,
                        Plural(static_cast<int64_t>(found.size()), "cause"));
    const auto [known, is_new] = seeds.try_emplace(other.seed, folders[i]);
    if (!is_new) {
      text +=
          fmt::format("  seed {} is also that of {}: both ran the same exchanges; give each campaign its own --seed\n",
                      other.seed, known->second);
    }
  }
  folder.Save(state, book);
  Print(text + CampaignTable(state, added, cpu_seconds, book, folder.path()));
  return book.CountNew() > 0 ? kUnexpected : kAsExpected;
}

}  // namespace dlpack_cts::runner
