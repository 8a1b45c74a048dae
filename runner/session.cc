// runner/session.cc: sees a job through over worker deaths.
#include "runner/session.h"

#include <stdlib.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "reports/text.h"
#include "runner/failure.h"
#include "runner/worker_process.h"

namespace dlpack_cts::runner {
namespace fs = std::filesystem;
namespace {

constexpr double kStartSeconds = 60;
// Beyond a case's limit: killing, shrinking and writing take their time. Where nothing is forked, nothing is shrunk.
constexpr double kSlack = 30;
constexpr double kSlackWithoutFork = 1;

/// A folder of its own for job, board and log; removed at the end.
class WorkFolder {
 public:
  WorkFolder() {
    const char* named = std::getenv("TMPDIR");
    const std::string parent = named != nullptr && *named != '\0' ? named : "/tmp";
    std::string pattern = parent + "/dlpack-cts-XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) {
      throw Failure("no folder can be made in " + parent + ": " + std::strerror(errno),
                    "free some space, or set TMPDIR to a folder that you may write");
    }
    path_ = pattern;
  }
  ~WorkFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

Observation DeathOf(const std::string& case_id, const nlohmann::json& last, const std::string& observed,
                    const std::string& how) {
  Observation observation;
  std::string error;
  if (!FromJson(last, &observation, &error)) observation = Observation{};
  observation.case_id = case_id;
  observation.observed = observed;
  observation.degree = "rule";
  observation.message = observed == "timeout"  ? "did not end within its time limit"
                        : observed == "memory" ? "memory limit"
                                               : how + ", and the worker with it";
  observation.wanted = "a result or an exception";
  observation.got = observation.message;
  return observation;
}

/// One worker process. Returns true when the job is done; else the cases before `first` are.
class Attempt {
 public:
  Attempt(const nlohmann::json& job, const Library& library, const std::string& folder)
      : job_(job), library_(library), worker_(job, library.environment, folder) {}

  bool Run(const std::function<void(Observation)>& see, Outcome* outcome) {
    // With a fork the worker itself watches its child; the driver steps in when the worker does not.
    const bool forks = job_.at("fork").get<bool>();
    const int64_t memory = job_.at("memory_bytes").get<int64_t>() * (forks ? 2 : 1);
    const double limit = job_.at("case_seconds").get<double>() + (forks ? kSlack : kSlackWithoutFork);
    for (;;) {
      nlohmann::json line;
      switch (worker_.Next(greeted_ ? limit : kStartSeconds + kSlack, memory, &line)) {
        case WorkerProcess::Got::kLine:
          if (Take(line, see, outcome)) return true;
          break;
        case WorkerProcess::Got::kInterrupted:
          worker_.Kill();
          outcome->interrupted = true;
          return true;
        case WorkerProcess::Got::kSilence:
          worker_.Kill();
          return Died(see, "timeout");
        case WorkerProcess::Got::kMemory:
          worker_.Kill();
          return Died(see, "memory");
        case WorkerProcess::Got::kEnd:
          return Died(see, "crash");
      }
    }
  }

  int done() const { return done_; }

 private:
  bool Take(const nlohmann::json& line, const std::function<void(Observation)>& see, Outcome* outcome) {
    const std::string type = line.value("type", "");
    if (type == "hello") {
      greeted_ = true;
      outcome->library_version = line.value("library_version", "");
      outcome->interpreter = line.value("interpreter", "");
      CheckVersion(outcome->library_version);
    } else if (type == "error") {
      const std::string detail = line.value("detail", "");
      std::fputs(QuotedLines(detail).c_str(), stderr);
      throw Failure(library_.name + ": " + line.value("message", ""), line.value("hint", ""));
    } else if (type == "observation") {
      Observation observation;
      std::string error;
      if (!FromJson(line, &observation, &error)) {
        throw Failure("the worker wrote a line that is wrong: " + error,
                      "this is a fault of dlpack-cts; please report it", kHarness);
      }
      ++done_;
      see(std::move(observation));
    }
    return type == "bye";
  }

  /// An environment that is named with --python may hold another version than the one that is asked for.
  void CheckVersion(const std::string& got) const {
    const std::string& wanted = library_.version;
    if (wanted.empty() || got == wanted || got.starts_with(wanted + "+")) return;
    throw Failure("the environment holds " + library_.name + " " + got + ", not " + wanted,
                  "leave out --python and dlpack-cts makes an environment, or leave out ==" + wanted);
  }

  /// The worker is gone before its bye. False: go on with the next case.
  bool Died(const std::function<void(Observation)>& see, const std::string& observed) {
    const std::string how = worker_.Wait();
    if (!greeted_) {
      throw Failure(library_.name + " " +
                        (observed == "timeout"  ? "did not start within its time limit"
                         : observed == "memory" ? "passed the memory limit"
                                                : how) +
                        " while it was imported",
                    "run the adapter alone with the environment's python; the library printed:\n" + worker_.LogTail());
    }
    if (job_.contains("mutants")) {
      throw Failure("the worker " + how + " while it ran the mutants",
                    "this is a fault of dlpack-cts; please report it", kHarness);
    }
    // A death in a probe costs no case: the next worker goes on behind that probe. A pair's probes are not resumed.
    if (worker_.Board().case_index < 0 && done_ == 0 && !job_.contains("pair")) return false;
    const nlohmann::json& cases = job_.at("cases");
    if (done_ >= static_cast<int>(cases.size())) return true;
    const std::string& id = cases.at(static_cast<size_t>(done_)).get_ref<const std::string&>();
    see(DeathOf(id, worker_.LastCase(id), observed, how));
    ++done_;
    return done_ >= static_cast<int>(cases.size());
  }

  const nlohmann::json& job_;
  const Library& library_;
  WorkerProcess worker_;
  bool greeted_ = false;
  int done_ = 0;
};

}  // namespace

nlohmann::json MakeJob(const Library& library, const Environment& environment, const std::vector<std::string>& cases,
                       const RunOptions& options) {
  std::vector<std::string> claims = library.claims;
  claims.insert(claims.end(), library.roles.begin(), library.roles.end());
  return {{"library", library.name},
          {"kind", library.kind},
          {"adapter", library.kind == "native" ? library.plugin : library.folder},
          {"claims", claims},
          {"python", environment.python},
          {"libpython", environment.libpython},
          {"path", options.pythonpath},
          {"cases", cases},
          {"seed", options.seed},
          {"examples", options.examples},
          {"case_seconds", options.case_seconds},
          {"start_seconds", kStartSeconds},
          {"memory_bytes", options.memory_mb << 20},
          {"fork", library.fork_safe}};
}

void RunJob(nlohmann::json job, const Library& library, const std::function<void(Observation)>& see, Outcome* outcome) {
  const WorkFolder folder;
  job["board"] = folder.path() + "/board";
  for (bool done = false; !done;) {
    Attempt attempt(job, library, folder.path());
    done = attempt.Run(see, outcome);
    if (done) break;
    if (job.contains("mutants")) {
      throw Failure("the worker that runs the mutants ended before its time",
                    "dlpack-cts run reference shows whether the reference itself is well", kHarness);
    }
    const nlohmann::json all = job.at("cases");
    job["resume"] = true;
    job["cases"] = nlohmann::json(all.begin() + attempt.done(), all.end());
  }
}

}  // namespace dlpack_cts::runner
