// runner/campaign/files.cc: writes and reads the folder of a campaign.
#include "runner/campaign/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/failure.h"
#include "base/paths.h"
#include "reports/evidence.h"
#include "reports/text.h"
#include "results/parse.h"
#include "results/tally.h"
#include "results/whole_file.h"
#include "runner/base/places.h"
#include "runner/campaign/page.h"
#include "runner/run/finding.h"
#include "runner/run/finding_files.h"
#include "runner/run/publish.h"

namespace dlpack_cts::runner {
namespace fs = std::filesystem;
namespace {

constexpr int kSchema = 2;
constexpr size_t kLargestState = 256 << 20;
constexpr const char* kStateFile = "/campaign.json";
constexpr const char* kStats = "/stats.csv";
constexpr const char* kOtherFolder = "choose another folder with --out";

Failure CannotWrite(const std::string& path, int reason) {
  return {fmt::format("{} cannot be written: {}", path, std::strerror(reason)), kOtherFolder};
}

void Write(const std::string& path, const std::string& text) {
  if (const int reason = WriteWholeFile(path, text); reason != 0) throw CannotWrite(path, reason);
}

constexpr LineField<CampaignState> kState[] = {
    Always<&CampaignState::target>("target"),
    Always<&CampaignState::library>("library"),
    Always<&CampaignState::library_version>("library_version"),
    Always<&CampaignState::seed>("seed"),
    Always<&CampaignState::legs>("legs"),
    Always<&CampaignState::seconds>("seconds"),
    Always<&CampaignState::cpu_seconds>("cpu_seconds"),
};

StoredCampaign CampaignIn(const nlohmann::json& json) {
  FieldReader reader(json);
  const nlohmann::json* const schema = reader.Find("campaign");
  if (schema == nullptr || *schema != kSchema) throw Failure("was written by another version of dlpack-cts");
  StoredCampaign stored;
  const std::optional<Failure> wrong = FailureOf([&] {
    ReadFields(reader, stored.state);
    ReadFields(reader, stored.state.counts);
    const nlohmann::json* const book = reader.Find("book");
    if (book == nullptr) throw Failure("field \"book\": is missing");
    stored.book = *book;
    reader.Finish();
  });
  if (wrong) throw Failure(std::string("does not hold what a campaign writes (") + wrong->what() + ")");
  return stored;
}

/// The results of the exchange in a new process.
Run RunOf(const Catalogue& catalogue, const Assignment& assignment, const LegReport& again) {
  Run run;
  run.header = HeaderOf(assignment);
  run.header.library_version = again.outcome.library_version;
  run.results = RoundsOf(catalogue, assignment, again).Conclude().results;
  return run;
}

}  // namespace

std::span<const LineField<CampaignState>> CampaignState::Fields() { return kState; }

CampaignFolder::CampaignFolder(const std::string& path) : path_(path) {
  PrepareOut(path_);
  std::error_code error;
  fs::create_directories(path_ + "/findings", error);
  if (error) throw CannotWrite(path_ + "/findings", error.value());
  lock_ = open((path_ + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (lock_ < 0) throw CannotWrite(path_ + "/lock", errno);
  if (flock(lock_, LOCK_EX | LOCK_NB) != 0)
    throw Failure("another campaign is running in " + path_,
                  "wait until it has ended, or " + std::string(kOtherFolder));
}

CampaignFolder::~CampaignFolder() { close(lock_); }

StoredCampaign ReadCampaign(const std::string& folder) {
  const std::string file = folder + kStateFile;
  if (!Exists(file)) {
    throw Failure("the folder " + folder + " holds no campaign", "give a folder that dlpack-cts fuzz --out DIR wrote");
  }
  return WithContext(file + " is damaged: it ", "remove it to begin again, or " + std::string(kOtherFolder),
                     [&] { return CampaignIn(ParseJson(ReadWholeFile(file, kLargestState))); });
}

bool CampaignFolder::Continue(CampaignState& state, CauseBook& book) {
  if (!Exists(path_ + kStateFile)) return false;
  const StoredCampaign stored = ReadCampaign(path_);
  WithContext(path_ + kStateFile + " is damaged: its book ", kOtherFolder, [&] { book.Read(stored.book); });
  const CampaignState& before = stored.state;
  if (before.target != state.target || before.library != state.library) {
    throw Failure(
        fmt::format("the folder {} holds a campaign of the target {} on {}", path_, before.target, before.library),
        kOtherFolder);
  }
  state = before;
  const std::string stats = path_ + kStats;
  points_ = PointsIn(IfValid([&] { return ReadWholeFile(stats, kLargestState); }).value_or(""));
  // The last line may be damaged.
  Write(stats, StatsOf(points_));
  return true;
}

void CampaignFolder::Save(const CampaignState& state, const CauseBook& book) {
  nlohmann::json json = {{"campaign", kSchema}, {"book", book.ToJson()}};
  WriteFields(state, json);
  WriteFields(state.counts, json);
  Write(path_ + kStateFile, json.dump(1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n");
  points_.push_back({.seconds = state.seconds,
                     .cpu_seconds = state.cpu_seconds,
                     .counts = state.counts,
                     .legs = state.legs,
                     .causes = static_cast<int64_t>(book.causes().size()),
                     .listed = book.CountListed()});
  const std::string stats = path_ + kStats;
  if (points_.size() == 1) {
    Write(stats, StatsOf(points_));
  } else {
    std::ofstream file(stats, std::ios::app);
    file << LineOf(points_.back());
    if (!file.flush()) throw CannotWrite(stats, errno);
  }
  Write(path_ + "/index.html", CampaignPage(state, book.causes(), points_));
}

std::string CampaignFolder::CopyCause(const std::string& from, const BookedCause& cause) const {
  const std::string source = from + "/findings/" + fs::path(cause.folder).filename().string();
  std::error_code error;
  if (cause.folder.empty() || !fs::is_directory(source, error)) return "";
  const std::string name = UnusedFolder(cause.id);
  const std::string folder = path_ + "/" + name;
  fs::copy(source, folder, fs::copy_options::recursive | fs::copy_options::skip_symlinks, error);
  if (error) throw CannotWrite(folder, error.value());
  // The report names the file that replays it.
  const std::string report = folder + "/report.txt";
  std::string text = IfValid([&] { return ReadWholeFile(report, kLargestFinding); }).value_or("");
  const size_t at = text.find(source);
  if (at == std::string::npos) return name;
  Write(report, text.replace(at, source.size(), folder));
  return name;
}

std::string CampaignFolder::UnusedFolder(const std::string& cause_id) const {
  std::vector<std::string> taken;
  for (const std::string& path : EntriesOf(path_ + "/findings")) taken.push_back(fs::path(path).filename());
  return "findings/" + UnusedName(NameOfCause(cause_id), taken);
}

std::string CampaignFolder::WriteCause(const Catalogue& catalogue, const Assignment& assignment, const NewCause& found,
                                       const LegReport& again) const {
  const Cause& cause = found.cause;
  const std::string name = UnusedFolder(cause.id);
  const std::string folder = path_ + "/" + name;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw CannotWrite(folder, error.value());
  const Run run = RunOf(catalogue, assignment, again);
  const bool script = runner::WriteCause(catalogue, run, assignment, cause, folder);
  const bool shown = std::ranges::any_of(run.results, [](const Result& one) { return IsDeviation(one.verdict); });
  std::string text = fmt::format("{} {}: {}\n\n  cause: {}\n", ToText(cause.verdict), cause.rule, Clean(found.sentence),
                                 OneLine(cause.id));
  if (const auto rule = catalogue.rules.find(cause.rule); rule != catalogue.rules.end())
    text += "  rule: " + rule->second.requirement + "\n";
  for (const ReportRow& row : EvidenceOf(cause).Rows()) text += fmt::format("  {}: {}\n", row.name, Clean(row.text));
  if (!assignment.IsPair()) {
    text += shown                ? "  A new process shows it again.\n"
            : again.seen.empty() ? "  The campaign ended before it could run again in a new process.\n"
                                 : "  One exchange alone, in a new process, did not show it again.\n";
    text += "  replay: " + ReplayOfFile(folder + "/finding.json", assignment.options) + "\n";
  }
  if (script) text += "  script: reproduce.py\n";
  Write(folder + "/report.txt", text);
  return name;
}

}  // namespace dlpack_cts::runner
