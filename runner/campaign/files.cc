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
#include "runner/run/publish.h"

namespace dlpack_cts::runner {
namespace fs = std::filesystem;
namespace {

constexpr int kSchema = 1;
constexpr size_t kLargestState = 256 << 20;
constexpr const char* kOtherFolder = "choose another folder with --out";

Failure CannotWrite(const std::string& path, int reason) {
  return {fmt::format("{} cannot be written: {}", path, std::strerror(reason)), kOtherFolder};
}

void Write(const std::string& path, const std::string& text) {
  if (const int reason = WriteWholeFile(path, text); reason != 0) throw CannotWrite(path, reason);
}

nlohmann::json StateJson(const CampaignState& state) {
  const ExchangeCounts& counts = state.counts;
  return {{"campaign", kSchema},
          {"target", state.target},
          {"library", state.library},
          {"library_version", state.library_version},
          {"seed", state.seed},
          {"legs", state.legs},
          {"seconds", state.seconds},
          {"exchanges", counts.exchanges},
          {"conclusive", counts.conclusive},
          {"refused", counts.refused},
          {"inconclusive", counts.inconclusive}};
}

CampaignState StateOf(const nlohmann::json& json) {
  CampaignState state;
  json.at("target").get_to(state.target);
  json.at("library").get_to(state.library);
  json.at("library_version").get_to(state.library_version);
  json.at("seed").get_to(state.seed);
  json.at("legs").get_to(state.legs);
  json.at("seconds").get_to(state.seconds);
  json.at("exchanges").get_to(state.counts.exchanges);
  json.at("conclusive").get_to(state.counts.conclusive);
  json.at("refused").get_to(state.counts.refused);
  json.at("inconclusive").get_to(state.counts.inconclusive);
  return state;
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

bool CampaignFolder::Continue(CampaignState& state, CauseBook& book) const {
  const std::string file = path_ + "/campaign.json";
  if (!Exists(file)) return false;
  const auto damaged = [&](const std::string& why) {
    return Failure(file + " is damaged: it " + why, "remove it to begin again, or " + std::string(kOtherFolder));
  };
  nlohmann::json json;
  if (const auto wrong = FailureOf([&] { json = ParseJson(ReadWholeFile(file, kLargestState)); }))
    throw damaged(wrong->what());
  CampaignState before;
  try {
    if (json.at("campaign") != kSchema) throw Failure("was written by another version of dlpack-cts");
    before = StateOf(json);
    book.Read(json.at("book"));
  } catch (const nlohmann::json::exception& wrong) {
    throw damaged(std::string("does not hold what a campaign writes (") + wrong.what() + ")");
  } catch (const Failure& wrong) {
    throw damaged(wrong.what());
  }
  if (before.target != state.target || before.library != state.library) {
    throw Failure(
        fmt::format("the folder {} holds a campaign of the target {} on {}", path_, before.target, before.library),
        kOtherFolder);
  }
  state = before;
  return true;
}

void CampaignFolder::Save(const CampaignState& state, const CauseBook& book) const {
  nlohmann::json json = StateJson(state);
  json["book"] = book.ToJson();
  Write(path_ + "/campaign.json", json.dump(1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n");
  const std::string stats = path_ + "/stats.csv";
  const bool is_new = !Exists(stats);
  std::ofstream file(stats, std::ios::app);
  if (is_new) file << "seconds,exchanges,conclusive,refused,inconclusive,legs,causes,listed_causes\n";
  file << fmt::format("{:.1f},{},{},{},{},{},{},{}\n", state.seconds, state.counts.exchanges, state.counts.conclusive,
                      state.counts.refused, state.counts.inconclusive, state.legs, book.causes().size(),
                      book.CountListed());
  if (!file.flush()) throw CannotWrite(stats, errno);
  const std::string lines = IfValid([&] { return ReadWholeFile(stats, kLargestState); }).value_or("");
  Write(path_ + "/index.html", CampaignPage(state, book.causes(), PointsIn(lines)));
}

std::string CampaignFolder::WriteCause(const Catalogue& catalogue, const Assignment& assignment, const NewCause& found,
                                       const LegReport& again) const {
  const Cause& cause = found.cause;
  std::vector<std::string> taken;
  for (const std::string& path : EntriesOf(path_ + "/findings")) taken.push_back(fs::path(path).filename());
  const std::string name = "findings/" + UnusedName(NameOfCause(cause.id), taken);
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
    text += shown ? "  A new process shows it again.\n"
                  : "  One exchange alone, in a new process, did not show it again.\n";
    text += "  replay: " + ReplayOfFile(folder + "/finding.json", assignment.options) + "\n";
  }
  if (script) text += "  script: reproduce.py\n";
  Write(folder + "/report.txt", text);
  return name;
}

}  // namespace dlpack_cts::runner
