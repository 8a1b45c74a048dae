// runner/run_command.cc: `run`, `replay` and `interop`.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <future>
#include <iostream>
#include <mutex>

#include "runner/failure.h"
#include "runner/judge.h"
#include "runner/options.h"
#include "runner/places.h"

namespace dlpack_cts {
namespace {

/// Of several statuses the worst: interrupted, harness, usage, unexpected, as expected.
int Worse(int a, int b) { return std::max(a, b); }

int Report(const Failure& failure) {
  std::fprintf(stderr, "dlpack-cts: %s\n", failure.what());
  if (!failure.hint().empty()) std::fprintf(stderr, "  hint: %s\n", failure.hint().c_str());
  return failure.status();
}

void CheckLevel(const std::string& level) {
  if (level == "must" || level == "should" || level == "all") return;
  throw Failure("there is no level " + level, "levels are must, should and all");
}

/// --level keeps the cases whose rules are strong enough: must: a breach counts FAIL; should: FAIL or WARN.
std::vector<std::string> AtLevel(const Desk& desk, std::vector<std::string> ids, const std::string& level) {
  if (level == "all") return ids;
  const Verdict weakest = level == "must" ? Verdict::kFail : Verdict::kWarn;
  std::erase_if(ids, [&](const std::string& id) {
    const auto info = std::find_if(desk.cases.begin(), desk.cases.end(), [&](const auto& c) { return c.id == id; });
    return std::none_of(info->rules.begin(), info->rules.end(), [&](const std::string& rule) {
      return desk.rules.contains(rule) && desk.rules.at(rule).breach <= weakest;
    });
  });
  if (ids.empty()) throw Failure("no case is left to run at the level " + level, "choose another --level or --select");
  return ids;
}

std::vector<CaseInfo> CasesOf(const Desk& desk, bool pair) {
  std::vector<CaseInfo> cases = desk.cases;
  std::erase_if(cases, [&](const CaseInfo& info) { return info.pair != pair; });
  return cases;
}

int JudgeOne(const Desk& desk, const Library& library, const std::vector<std::string>& cases, const Options& options,
             std::mutex& printing) {
  try {
    const Environment environment = EnvironmentOf(library, options.run);
    std::vector<std::string> stale;
    Run run = Judge(desk, library, environment, MakeJob(library, environment, cases, options.run), options, &stale);
    Options own = options;
    if (!own.out.empty() && options.libraries.size() > 1) own.out += "/" + library.name;
    const std::lock_guard<std::mutex> corked(printing);
    return Publish(desk, run, library, own, stale);
  } catch (const Failure& failure) {
    const std::lock_guard<std::mutex> corked(printing);
    return Report(failure);
  }
}

/// Before anything is built or run: can the results be kept?
void CheckOut(const std::string& out) {
  if (out.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(out, error);
  std::ofstream probe(out + "/results.ndjson");
  probe << "\n";
  if (error || !probe.flush()) {
    throw Failure("the folder " + out + " cannot be written" + (error ? ": " + error.message() : ""),
                  "choose another folder with --out, or free some space");
  }
}

}  // namespace

int RunCommandLine(Options& options) {
  CheckLevel(options.level);
  if (options.libraries.empty()) options.libraries = {"numpy"};
  const auto libraries = FindLibraries(DataFolder(), options.adapters);
  std::vector<Library> wanted;
  for (const std::string& name : options.libraries) wanted.push_back(SelectLibrary(libraries, name));
  const Desk desk = OpenDesk();
  const std::vector<std::string> cases =
      AtLevel(desk, SelectCases(CasesOf(desk, false), options.run.select, options.run.roles), options.level);
  if (!options.expectations.empty() && !std::filesystem::exists(options.expectations)) {
    throw Failure("there is no file " + options.expectations, "give --expectations the path of a TOML file");
  }
  CheckOut(options.out);
  std::fprintf(stderr, "dlpack-cts: seed %llu\n", static_cast<unsigned long long>(options.run.seed));
  std::mutex printing;
  int status = kAsExpected;
  const size_t width = static_cast<size_t>(std::max(1, options.jobs));
  for (size_t first = 0; first < wanted.size(); first += width) {
    std::vector<std::future<int>> running;
    for (size_t i = first; i < std::min(wanted.size(), first + width); ++i) {
      running.push_back(std::async(std::launch::async, JudgeOne, std::cref(desk), std::cref(wanted[i]),
                                   std::cref(cases), std::cref(options), std::ref(printing)));
    }
    for (auto& run : running) status = Worse(status, run.get());
    if (status == kInterrupted) break;
  }
  return status;
}

int InteropCommand(Options& options) {
  if (options.libraries.size() < 2) {
    throw Failure("interop needs at least two libraries", "for example: dlpack-cts interop numpy torch");
  }
  const auto libraries = FindLibraries(DataFolder(), options.adapters);
  const Desk desk = OpenDesk();
  const std::vector<std::string> cases = SelectCases(CasesOf(desk, true), options.run.select, options.run.roles);
  CheckOut(options.out);
  std::mutex printing;
  int status = kAsExpected;
  for (const std::string& from : options.libraries) {
    for (const std::string& to : options.libraries) {
      const Library producer = SelectLibrary(libraries, from);
      const Library consumer = SelectLibrary(libraries, to);
      const Library both = UnionOf(producer, consumer);
      const Environment environment = EnvironmentOf(both, options.run);
      nlohmann::json job = MakeJob(producer, environment, cases, options.run);
      job["fork"] = both.fork_safe;
      job["pair"] = {{"library", consumer.name},
                     {"kind", consumer.kind},
                     {"adapter", consumer.folder},
                     {"claims", MakeJob(consumer, environment, {}, options.run).at("claims")}};
      Library pair = both;
      pair.name = producer.name + "-to-" + consumer.name;
      pair.folder = producer.folder;
      Options own = options;
      own.expectations =
          options.expectations.empty() ? producer.folder + "/interop-" + consumer.name + ".toml" : options.expectations;
      if (!own.out.empty()) own.out += "/" + pair.name;
      std::vector<std::string> stale;
      Run run = Judge(desk, pair, environment, std::move(job), own, &stale);
      for (Result& result : run.results) {
        result.producer = producer.name;
        result.consumer = consumer.name;
      }
      pair.kind = "pair";
      status = Worse(status, Publish(desk, run, pair, own, stale));
      if (status == kInterrupted) return status;
    }
  }
  return status;
}

int ReplayCommand(Options& options) {
  std::ifstream file(options.what);
  if (!file) throw Failure("there is no file " + options.what, "give the path of a finding (OUT/findings/CASE.json)");
  const nlohmann::json finding = nlohmann::json::parse(file, nullptr, false);
  if (!finding.is_object() && IsKeptInput(options.what)) return ReplayInput(options);
  if (!finding.is_object() || !finding.contains("case") || !finding.contains("library") ||
      !finding.contains("recipe")) {
    throw Failure(options.what + " is no finding: it lacks case, library or recipe",
                  "findings are written by dlpack-cts run --out DIR, into DIR/findings");
  }
  const auto text = [&](const char* key) {
    return finding.at(key).is_string() ? finding.at(key).get<std::string>() : "";
  };
  for (const nlohmann::json& folder : finding.value("adapters", nlohmann::json::array())) {
    if (folder.is_string() && std::filesystem::exists(folder.get<std::string>() + "/library.toml")) {
      options.adapters.push_back(folder);
    }
  }
  if (options.run.python.empty() && finding.contains("python") && std::filesystem::exists(text("python"))) {
    options.run.python = text("python");
  }
  const Library library = SelectLibrary(FindLibraries(DataFolder(), options.adapters), text("library"));
  const Desk desk = OpenDesk();
  const std::vector<std::string> cases = SelectCases(desk.cases, {text("case")}, {});
  const Environment environment = EnvironmentOf(library, options.run);
  nlohmann::json job = MakeJob(library, environment, cases, options.run);
  job["replay"] = finding.at("recipe");
  if (finding.contains("mutant")) job["mutants"] = {text("mutant")};
  std::vector<std::string> stale;
  Run run = Judge(desk, library, environment, std::move(job), options, &stale);
  return Publish(desk, run, library, options, {});
}

}  // namespace dlpack_cts
