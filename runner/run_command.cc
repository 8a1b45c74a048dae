// runner/run_command.cc: `run`, `replay` and `interop`.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <mutex>
#include <optional>

#include "runner/failure.h"
#include "runner/judge.h"
#include "runner/options.h"
#include "runner/places.h"
#include "runner/print.h"
#include "runner/worker_process.h"

namespace dlpack_cts::runner {
namespace {

/// Of several statuses the worst: interrupted, harness, usage, unexpected, as expected.
int Worse(int a, int b) { return std::max(a, b); }

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

/// One library, or one pair, from its environment to its report: `work` returns the status. What goes wrong is told
/// and costs nobody else's results.
int Alone(std::mutex& printing, const std::function<int()>& work) {
  const auto tell = [&](const Failure& failure) {
    const std::lock_guard<std::mutex> corked(printing);
    return g_interrupted != 0 ? static_cast<int>(kInterrupted) : Report(failure);
  };
  try {
    return work();
  } catch (const Failure& failure) {
    return tell(failure);
  } catch (const std::exception& e) {
    return tell(Failure(e.what(), "this is a fault of dlpack-cts; please report it", kHarness));
  }
}

int JudgeOne(const Desk& desk, const Library& library, const std::vector<std::string>& cases, const Options& options,
             std::mutex& printing) {
  return Alone(printing, [&] {
    const Environment environment = EnvironmentOf(library, options.run);
    std::vector<std::string> stale;
    std::optional<Failure> trouble;
    Run run =
        Judge(desk, library, environment, MakeJob(library, environment, cases, options.run), options, &stale, &trouble);
    Options own = options;
    if (!own.out.empty() && options.libraries.size() > 1) own.out += "/" + library.name;
    const std::lock_guard<std::mutex> corked(printing);
    return Publish(desk, run, library, own, stale, trouble);
  });
}

/// Before anything is built or run: can the results be kept?
void CheckOut(const std::string& out) {
  if (out.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(out, error);
  const std::string name = out + "/.dlpack-cts-probe";
  std::ofstream probe(name);
  probe << "\n";
  const bool written = !error && static_cast<bool>(probe.flush());
  if (!error) {
    std::error_code ignored;
    std::filesystem::remove(name, ignored);
  }
  if (!written) {
    throw Failure("the folder " + out + " cannot be written" + (error ? ": " + error.message() : ""),
                  "choose another folder with --out, or free some space");
  }
}

int JudgePair(const Desk& desk, const Library& producer, const Library& consumer, const std::vector<std::string>& cases,
              const Options& options) {
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
  std::optional<Failure> trouble;
  Run run = Judge(desk, pair, environment, std::move(job), own, &stale, &trouble);
  for (Result& result : run.results) {
    result.producer = producer.name;
    result.consumer = consumer.name;
  }
  pair.kind = "pair";
  return Publish(desk, run, pair, own, stale, trouble);
}

/// A finding may have been written by hand, or mended by one.
void CheckFinding(const nlohmann::json& finding, const std::string& file) {
  const char* hint = "findings are written by dlpack-cts run --out DIR, into DIR/findings";
  if (!finding.is_object()) throw Failure(file + " is no finding: it holds no JSON object", hint);
  for (const char* key : {"case", "library"}) {
    if (!finding.contains(key) || !finding.at(key).is_string()) {
      throw Failure(file + " is no finding: its \"" + key + "\" is no string", hint);
    }
  }
  if (!finding.contains("recipe") || !finding.at("recipe").is_object()) {
    throw Failure(file + " is no finding: its \"recipe\" is no object", hint);
  }
  const nlohmann::json adapters = finding.value("adapters", nlohmann::json::array());
  const auto is_text = [](const nlohmann::json& item) { return item.is_string(); };
  if (!adapters.is_array() || !std::all_of(adapters.begin(), adapters.end(), is_text)) {
    throw Failure(file + " is no finding: its \"adapters\" is no list of folders", hint);
  }
  for (const char* key : {"python", "mutant"}) {
    if (finding.contains(key) && !finding.at(key).is_string()) {
      throw Failure(file + " is no finding: its \"" + key + "\" is no string", hint);
    }
  }
}

void CheckExpectations(const std::string& file) {
  if (file.empty() || std::filesystem::exists(file)) return;
  throw Failure("there is no file " + file, "give --expectations the path of a TOML file");
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
  CheckExpectations(options.expectations);
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
  const auto known = FindLibraries(DataFolder(), options.adapters);
  std::vector<Library> libraries;
  for (const std::string& name : options.libraries) libraries.push_back(SelectLibrary(known, name));
  const Desk desk = OpenDesk();
  const std::vector<std::string> cases = SelectCases(CasesOf(desk, true), options.run.select, options.run.roles);
  CheckExpectations(options.expectations);
  CheckOut(options.out);
  std::fprintf(stderr, "dlpack-cts: seed %llu\n", static_cast<unsigned long long>(options.run.seed));
  std::mutex printing;
  int status = kAsExpected;
  for (const Library& producer : libraries) {
    for (const Library& consumer : libraries) {
      status = Worse(status, Alone(printing, [&] { return JudgePair(desk, producer, consumer, cases, options); }));
      if (status == kInterrupted) return status;
    }
  }
  return status;
}

int ReplayCommand(Options& options) {
  std::ifstream file(options.what);
  if (!file || std::filesystem::is_directory(options.what)) {
    throw Failure("there is no file " + options.what, "give the path of a finding (OUT/findings/CASE.json)");
  }
  const nlohmann::json finding = nlohmann::json::parse(file, nullptr, false);
  if (!finding.is_object() && IsKeptInput(options.what)) return ReplayInput(options);
  CheckFinding(finding, options.what);
  if (finding.contains("adapters")) {
    for (const std::string folder : finding.at("adapters")) {
      if (std::filesystem::exists(folder + "/library.toml")) options.adapters.push_back(folder);
    }
  }
  const std::string python = finding.value("python", "");
  if (options.run.python.empty() && std::filesystem::exists(python)) options.run.python = python;
  const std::string name = finding.at("library");
  const Library library = SelectLibrary(FindLibraries(DataFolder(), options.adapters), name);
  const Desk desk = OpenDesk();
  const std::string id = finding.at("case");
  const auto is_it = [&](const CaseInfo& info) { return info.id == id; };
  if (std::none_of(desk.cases.begin(), desk.cases.end(), is_it)) {
    throw Failure("there is no case " + id, "dlpack-cts list cases shows them all");
  }
  const std::vector<std::string> cases = {id};
  const Environment environment = EnvironmentOf(library, options.run);
  nlohmann::json job = MakeJob(library, environment, cases, options.run);
  job["replay"] = finding.at("recipe");
  if (finding.contains("mutant")) job["mutants"] = nlohmann::json::array({finding.at("mutant")});
  std::vector<std::string> stale;
  std::optional<Failure> trouble;
  Run run = Judge(desk, library, environment, std::move(job), options, &stale, &trouble);
  return Publish(desk, run, library, options, stale, trouble);
}

}  // namespace dlpack_cts::runner
