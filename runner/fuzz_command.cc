// runner/fuzz_command.cc: `fuzz`, and `replay` of an input that a campaign kept.
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "runner/expectations.h"
#include "runner/failure.h"
#include "runner/judge.h"
#include "runner/options.h"
#include "runner/places.h"

namespace dlpack_cts::runner {
namespace fs = std::filesystem;
namespace {

constexpr int kFoundCrash = 77;       // libFuzzer's own exit statuses
constexpr int kFoundTimeout = 70;     //
constexpr int kFoundMemory = 71;      //
constexpr int kFuzzInterrupted = 72;  //
constexpr int kSecondsOfOneInput = 20;
constexpr const char* kMemoryMegabytes = "4096";
constexpr const char* kCampaignFile = "campaign.json";

constexpr int kStops[] = {SIGINT, SIGTERM};
volatile std::sig_atomic_t g_target = 0;  // the process of the target

/// Ends the campaign: libFuzzer takes an interrupt as the wish to stop.
void PassOn(int) {
  if (g_target > 0) kill(g_target, SIGINT);
}

std::string FuzzProgram(const std::string& target) {
  const std::string name = "dlpack-cts-fuzz-" + target;
  for (const fs::path& folder : {fs::path(ProgramFolder()), fs::path(ProgramFolder()) / "../fuzz"}) {
    if (fs::exists(folder / name)) return fs::weakly_canonical(folder / name);
  }
  throw Failure("the fuzz target " + target + " is not built",
                "build it with clang-19: cmake --preset fuzz && ninja -C build/fuzz " + name);
}

/// Deviations that a campaign goes on after: one line each of case, rule and message. What kills stops it all the same.
std::string KnownDeviations(const Library& library, const Options& options) {
  const std::string file = options.expectations.empty() ? library.folder + "/expectations.toml" : options.expectations;
  const Expectations expectations = Expectations::Read(file);
  std::string known;
  for (const Expectation& entry : expectations.entries()) {
    const bool dies = entry.verdict == Verdict::kCrash || entry.verdict == Verdict::kTimeout;
    if (!dies) known += entry.cases + "\t" + entry.rule + "\t" + entry.message + "\n";
  }
  return known;
}

void SetEnvironment(const Library& library, const Options& options) {
  const Environment environment = EnvironmentOf(library, options.run);
  const auto set = [](const char* name, const std::string& value) {
    setenv((std::string("DLPACK_CTS_FUZZ_") + name).c_str(), value.c_str(), 1);
  };
  set("LIBRARY", library.name);
  set("KIND", library.kind);
  set("ADAPTER", library.folder);
  set("PYTHON", environment.python);
  set("LIBPYTHON", environment.libpython);
  set("KNOWN", KnownDeviations(library, options));
  if (!options.fuzz_tier.empty()) set("TIER", options.fuzz_tier);
  for (const auto& [key, value] : library.environment) setenv(key.c_str(), value.c_str(), 0);
}

/// What SetEnvironment or the caller's own environment says.
std::string Inherited(const std::string& name) {
  const char* value = std::getenv(("DLPACK_CTS_FUZZ_" + name).c_str());
  return value == nullptr ? "" : value;
}

std::vector<char*> Pointers(std::vector<std::string>& arguments) {
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Runs the target. Its words go to the log; those that are meant for people are shown too.
int RunTarget(std::vector<std::string> arguments, const std::string& log_file) {
  int ends[2];
  if (pipe(ends) != 0) throw Failure("cannot make a pipe", "close other programs", kHarness);
  const int child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::signal(SIGINT, SIG_DFL);  // background jobs of a shell begin without it
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    execv(arguments.front().c_str(), Pointers(arguments).data());
    _exit(127);
  }
  close(ends[1]);
  if (child < 0) throw Failure("cannot start a process", "close other programs", kHarness);
  g_target = child;
  for (const int signal : kStops) std::signal(signal, PassOn);
  std::ofstream log(log_file);
  std::FILE* words = fdopen(ends[0], "r");
  char* line = nullptr;
  size_t room = 0;
  bool shown = false;
  while (getline(&line, &room, words) > 0) {
    log << line;
    const bool hint = shown && std::strncmp(line, "  ", 2) == 0;
    shown = hint || std::strncmp(line, "dlpack-cts:", 11) == 0;
    if (shown) std::fputs(line, stderr);
  }
  std::free(line);
  std::fclose(words);
  int status = 0;
  waitpid(child, &status, 0);
  for (const int signal : kStops) std::signal(signal, SIG_DFL);
  if (WIFSIGNALED(status)) return 128 + WTERMSIG(status);
  return WEXITSTATUS(status);
}

/// The input that the campaign kept last, or "".
std::string LatestInput(const std::string& out, fs::file_time_type since) {
  std::string latest;
  for (const fs::directory_entry& entry : fs::directory_iterator(out)) {
    if (!IsKeptInput(entry.path()) || entry.path().extension() == ".json" || entry.last_write_time() < since) continue;
    latest = entry.path();
    since = entry.last_write_time();
  }
  return latest;
}

/// How much was done, in libFuzzer's own words: figures at the end, or with several processes "#N: ... exec/s: M".
std::string Figures(const std::string& log_file) {
  std::ifstream log(log_file);
  std::string exchanges;
  std::string rate;
  for (std::string line; std::getline(log, line);) {
    std::istringstream words(line.substr(0, line.find('\r')));
    std::string first;
    words >> first;
    if (first == "stat::number_of_executed_units:") words >> exchanges;
    if (first == "stat::average_exec_per_sec:") words >> rate;
    if (!first.starts_with("#") || !first.ends_with(":")) continue;
    exchanges = first.substr(1, first.size() - 2);
    for (std::string word; words >> word;) {
      if (word == "exec/s:") words >> rate;
    }
  }
  if (exchanges.empty()) return "";
  const bool long_enough = !rate.empty() && rate != "0";  // libFuzzer's figure is in whole seconds
  return exchanges + " exchanges" + (long_enough ? ", " + rate + " per second\n" : "\n");
}

void CheckCampaign(const nlohmann::json& campaign, const std::string& file) {
  const auto is_text = [](const nlohmann::json& item) { return item.is_string(); };
  const nlohmann::json adapters = campaign.value("adapters", nlohmann::json::array());
  if (is_text(campaign.value("library", nlohmann::json(""))) && is_text(campaign.value("python", nlohmann::json(""))) &&
      adapters.is_array() && std::all_of(adapters.begin(), adapters.end(), is_text)) {
    return;
  }
  throw Failure(file + " is not as fuzz wrote it",
                "remove it, and name library and adapter with --library and --adapter");
}

int ReportFinding(const std::string& out, const std::string& input, const std::string& finding_file) {
  std::string what = "the library did not survive an exchange; " + out + "/fuzz.log tells more";
  std::string replay = input;
  if (fs::exists(finding_file)) {
    std::ifstream file(finding_file);
    const nlohmann::json finding = nlohmann::json::parse(file, nullptr, false);
    if (finding.is_object()) {
      what = finding.value("verdict", "") + " " + finding.value("rule", "") + ": " + finding.value("message", "");
    }
    replay = input.empty() ? finding_file : input + ".json";
    if (!input.empty()) fs::rename(finding_file, replay);
  }
  std::cout << "found: " << what << "\n";
  if (!input.empty()) std::cout << "  input:  " << input << "\n";
  std::cout << "  replay: dlpack-cts replay " << replay << "\n";
  return kUnexpected;
}

}  // namespace

bool IsKeptInput(const std::string& file) {
  const std::string name = fs::path(file).filename();
  for (const char* kind : {"crash-", "timeout-", "oom-", "slow-unit-"}) {
    if (name.starts_with(kind)) return true;
  }
  std::ifstream bytes(file, std::ios::binary);
  char magic[4] = {};
  bytes.read(magic, sizeof(magic));
  return std::memcmp(magic, "DLPR", sizeof(magic)) == 0;
}

int FuzzCommand(const Options& options) {
  if (options.fuzz_target != "import")
    throw Failure("there is no fuzz target " + options.fuzz_target, "targets are: import");
  const std::string program = FuzzProgram(options.fuzz_target);
  const Library library = SelectLibrary(FindLibraries(DataFolder(), options.adapters), options.libraries.front());
  const std::string out = options.out.empty() ? "dlpack-cts-fuzz-out" : options.out;
  const std::string corpus = out + "/corpus";
  std::error_code error;
  fs::create_directories(corpus, error);
  if (error)
    throw Failure("the folder " + corpus + " cannot be made: " + error.message(), "choose another one with --out");
  SetEnvironment(library, options);
  const std::string finding = out + "/finding.json";
  fs::remove(finding, error);
  setenv("DLPACK_CTS_FUZZ_FINDING", finding.c_str(), 1);
  std::ofstream campaign(out + "/" + kCampaignFile);
  campaign << nlohmann::json{{"library", library.name},
                             {"python", Inherited("PYTHON")},
                             {"tier", Inherited("TIER")},
                             {"mutant", Inherited("MUTANT")},
                             {"adapters", options.adapters}}
                  .dump(2)
           << "\n";
  if (!campaign.flush()) throw Failure("the folder " + out + " cannot be written", "choose another one with --out");
  std::vector<std::string> arguments = {program,
                                        "-max_total_time=" + std::to_string(options.fuzz_seconds),
                                        "-artifact_prefix=" + out + "/",
                                        "-timeout=" + std::to_string(kSecondsOfOneInput),
                                        std::string("-rss_limit_mb=") + kMemoryMegabytes,
                                        "-verbosity=0",
                                        "-print_final_stats=1"};
  if (options.jobs > 1) arguments.push_back("-fork=" + std::to_string(options.jobs));
  arguments.push_back(corpus);
  const std::string seeds = DataFolder() + "/corpus/" + options.fuzz_target;
  if (fs::exists(seeds)) arguments.push_back(seeds);
  std::fprintf(stderr, "dlpack-cts: fuzzing %s for %d s; the log is %s/fuzz.log\n", library.name.c_str(),
               options.fuzz_seconds, out.c_str());
  const auto began = fs::last_write_time(out + "/" + kCampaignFile);
  const std::string log = out + "/fuzz.log";
  const int status = RunTarget(std::move(arguments), log);
  std::cout << Figures(log);
  switch (status) {
    case 0:
      std::cout << "nothing found\n";
      return kAsExpected;
    case kUsage:
      return kUsage;
    case kFuzzInterrupted:
      return kInterrupted;
    case kFoundCrash:
    case kFoundTimeout:
    case kFoundMemory:
    case 128 + SIGABRT:
    case 128 + SIGSEGV:
      return ReportFinding(out, LatestInput(out, began), finding);
    default:
      throw Failure("the fuzz target left with status " + std::to_string(status), log + " holds what it said",
                    kHarness);
  }
}

int ReplayInput(Options& options) {
  std::ifstream file(fs::path(options.what).parent_path() / kCampaignFile);
  const nlohmann::json campaign = nlohmann::json::parse(file, nullptr, false);
  if (campaign.is_object()) {
    CheckCampaign(campaign, fs::path(options.what).parent_path() / kCampaignFile);
    if (options.libraries.empty()) options.libraries = {campaign.value("library", "")};
    for (const std::string& folder : campaign.value("adapters", std::vector<std::string>{})) {
      if (fs::exists(folder + "/library.toml")) options.adapters.push_back(folder);
    }
    setenv("DLPACK_CTS_FUZZ_TIER", campaign.value("tier", "").c_str(), 0);
    setenv("DLPACK_CTS_FUZZ_MUTANT", campaign.value("mutant", "").c_str(), 0);
    const std::string python = campaign.value("python", "");
    if (options.run.python.empty() && fs::exists(python)) options.run.python = python;
  }
  if (options.libraries.empty()) {
    throw Failure(options.what + " does not say which library it is for", "name one with --library");
  }
  SetEnvironment(SelectLibrary(FindLibraries(DataFolder(), options.adapters), options.libraries.front()), options);
  std::vector<std::string> arguments = {Sibling("dlpack-cts-fuzz-import-replay"), options.what};
  execv(arguments.front().c_str(), Pointers(arguments).data());
  throw Failure("the program " + arguments.front() + " cannot be started", "build it again", kHarness);
}

}  // namespace dlpack_cts::runner
