// runner/session/session.cc: completes jobs even if workers crash.
#include "runner/session/session.h"

#include <algorithm>
#include <csignal>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/failure.h"
#include "base/paths.h"
#include "reports/text.h"
#include "results/text.h"
#include "runner/base/places.h"
#include "runner/session/fork_check.h"
#include "runner/session/work_folder.h"
#include "runner/session/worker_process.h"

namespace dlpack_cts::runner {
namespace {

// On a busy machine a large library needs minutes.
constexpr double kStartSeconds = 180;
// Added to the limit of a case, because stopping, minimising and writing take time.
constexpr double kSlack = 30;

// Consecutive crashes before any case. The probes of a pair are not resumed. A hang counts as kHang crashes.
constexpr int kPatience = 4;
constexpr int kHang = 5;
// So many cases in a row without a result: then all remaining cases are given up.
constexpr int kGivenUp = 3;

std::string PassedMemory(int64_t bytes) {
  return "exceeded the memory limit of " + std::to_string(bytes >> 20) + " MB";
}

/// "SIGSEGV" or "exit 3".
std::string NameOf(const ChildEnd& end) {
  return end.how == ChildEnd::How::kSignalled ? SignalName(end.code) : "exit " + std::to_string(end.code);
}

std::string Described(const ChildEnd& end) {
  return end.how == ChildEnd::How::kSignalled ? "was terminated by " + NameOf(end)
                                              : "exited with status " + std::to_string(end.code);
}

/// Whether somebody may have stopped the process: its guard answers SIGTERM with SIGKILL.
bool MayBeStopped(const std::string& end) { return end == SignalName(SIGTERM) || end == SignalName(SIGKILL); }

/// The cases of the job, for each mutant, without a result yet, in their order.
class Pending {
 public:
  explicit Pending(const JobFile& job) {
    const std::vector<std::string> without = {""};
    for (const std::string& mutant : job.mutants.empty() ? without : job.mutants) {
      for (const std::string& id : job.cases) items_.push_back({mutant, id});
    }
    for (size_t i = 0; i < items_.size(); ++i) open_[items_[i]] = i;
    asked_.insert(items_.begin(), items_.end());
  }

  struct Item {
    std::string mutant;
    std::string case_id;
    auto operator<=>(const Item&) const = default;
  };

  /// False for an item that the job does not contain, or that already has a result.
  bool Take(const Item& item) {
    const auto found = open_.find(item);
    if (found == open_.end()) return false;
    next_ = std::max(next_, found->second + 1);
    open_.erase(found);
    return true;
  }
  /// True for an item of the job, with or without a result.
  bool Knows(const Item& item) const { return asked_.contains(item); }
  bool empty() const { return open_.empty(); }
  std::vector<Item> items() const {
    std::vector<std::pair<size_t, Item>> sorted;
    for (const auto& [item, index] : open_) sorted.emplace_back(index, item);
    std::sort(sorted.begin(), sorted.end());
    std::vector<Item> list;
    for (const auto& [index, item] : sorted) list.push_back(item);
    return list;
  }
  /// The item that a worker ran when it ended: the first item after those with a result.
  std::optional<Item> Running() const {
    for (size_t i = next_; i < items_.size(); ++i) {
      if (open_.contains(items_[i])) return items_[i];
    }
    return std::nullopt;
  }
  /// The items before the running one that have no result.
  std::vector<Item> Passed() const {
    std::vector<Item> passed;
    for (size_t i = 0; i < next_; ++i) {
      if (open_.contains(items_[i])) passed.push_back(items_[i]);
    }
    return passed;
  }

 private:
  std::vector<Item> items_;
  std::set<Item> asked_;
  std::map<Item, size_t> open_;
  size_t next_ = 0;
};

}  // namespace

struct Session::Kept {
  Kept(const Library& its_library, bool keeps) : library(its_library), keep_environment(keeps) {}

  const Library& library;
  bool keep_environment;
  WorkFolder folder;
  std::unique_ptr<WorkerProcess> worker;  // waits for a job; may be NULL
  Outcome outcome;                        // what this worker has reported about the library
  ForkCheck forks;
};

namespace {

/// One job.
class JobRun {
 public:
  /// `waiting`: an idle worker that may be used. Afterwards it is the worker that waits for the next job.
  JobRun(JobFile job, const Library& library, bool keep_environment, WorkFolder& folder, const Watcher& watcher,
         Outcome* outcome, std::unique_ptr<WorkerProcess>* waiting, ForkCheck& forks)
      : job_(std::move(job)),
        library_(library),
        keep_environment_(keep_environment),
        folder_(folder),
        watcher_(watcher),
        outcome_(*outcome),
        waiting_(*waiting),
        forks_(forks),
        hangs_(job_.hangs),
        pending_(job_) {
    job_.board = folder_.path() + "/board";
    job_.stay = true;
    // The worker itself watches its child and reports every second. The driver acts only if these reports stop.
    silence_ = job_.case_seconds + kSlack;
    patience_ = job_.partner ? 1 : kPatience;
  }

  void Run() {
    while (!RunWorker()) {
      // The remaining cases, in their order. A job with mutants does not get here.
      if (pending_.empty()) return;
      job_.cases.clear();
      for (const Pending::Item& item : pending_.items()) job_.cases.push_back(item.case_id);
      job_.resume = !std::exchange(anew_, false);
    }
  }

 private:
  /// True if the job is done, false if another worker has to continue.
  bool RunWorker() {
    std::unique_ptr<WorkerProcess> own = std::move(waiting_);
    folder_.Restore();
    forks_.Prepare(hangs_, job_);
    // A worker that waited has already sent its first line.
    greeted_ = own != nullptr && own->GoOn(job_);
    if (!greeted_) {
      own.reset();
      own = std::make_unique<WorkerProcess>(job_, WorkerVariables(library_, job_.python, keep_environment_),
                                            folder_.path());
    }
    WorkerProcess& worker = *own;
    bool fresh = !greeted_;
    got_ = false;
    found_.reset();
    for (;;) {
      nlohmann::json line;
      switch (worker.Next(greeted_ ? silence_ : kStartSeconds + kSlack, 2 * job_.memory_bytes, &line)) {
        case WorkerProcess::Got::kLine:
          fresh = true;
          if (MayBeStopped(Text(line, "ended")) && IsAboutToBeInterrupted()) return Interrupt(worker);
          if (Text(line, "type") == "hangs") {
            if (forks_.NeedsAnotherWorker(job_, Text(line, "threads"), Text(line, "exchange"))) {
              worker.Kill();
              anew_ = true;
              return false;
            }
            EndTrial();
          }
          if (!Take(line)) break;
          EndTrial();
          LoseAll(pending_.items(), kNoResult, kNoResult);
          waiting_ = std::move(own);
          return true;
        case WorkerProcess::Got::kInterrupted:
          return Interrupt(worker);
        case WorkerProcess::Got::kTimeout:
          worker.Kill();
          return Died(worker, Observed::kTimeout);
        case WorkerProcess::Got::kMemory:
          worker.Kill();
          return Died(worker, Observed::kMemory);
        case WorkerProcess::Got::kEnd:
          // A worker that ended while it waited had nothing to do.
          if (!fresh) return RunWorker();
          worker.Kill();  // the remaining processes of its group
          if (MayBeStopped(NameOf(worker.Wait())) && IsAboutToBeInterrupted()) return Interrupt(worker);
          return Died(worker, Observed::kCrash);
      }
    }
  }

  bool Interrupt(WorkerProcess& worker) {
    worker.Kill();
    outcome_.interrupted = true;
    return true;
  }

  static std::string Text(const nlohmann::json& line, const char* key) {
    const auto found = line.find(key);
    return found != line.end() && found->is_string() ? found->get<std::string>() : "";
  }

  /// Handles a line. True for the last line.
  bool Take(const nlohmann::json& line) {
    const std::string type = Text(line, "type");
    if (type == "hello") {
      greeted_ = outcome_.greeted = true;
      outcome_.library_version = Text(line, "library_version");
      outcome_.partner_version = Text(line, "partner_version");
      outcome_.interpreter = Text(line, "interpreter");
      CheckVersion(outcome_.library_version);
    } else if (type == "profile") {
      const auto read = [&] { return FromJson<ProfileLines>(line.value("lines", nlohmann::json())); };
      if (auto profile = IfValid(read)) outcome_.profile = *std::move(profile);  // an invalid line is ignored
      AddLines(forks_.Lines());
    } else if (type == "limits") {
      const auto read = [&] { return FromJson<std::vector<Limit>>(line.value("limits", nlohmann::json())); };
      if (auto limits = IfValid(read)) outcome_.limits = *std::move(limits);
    } else if (type == "error") {
      outcome_.detail = Text(line, "detail");
      throw Failure(library_.name + ": " + Text(line, "message"), Text(line, "hint"));
    } else if (type == "shortage") {
      if (!outcome_.shortage)
        outcome_.shortage.emplace(library_.name + ": " + Text(line, "message"), Text(line, "hint"));
    } else if (type == "observation") {
      TakeObservation(line);
    } else if (type == "found") {
      TakeFound(line);
    } else if (type == "finding") {
      TakeFinding(line);
    }
    return type == "bye";
  }

  /// An invalid line is ignored. Its case is reported as lost at the end.
  void TakeObservation(const nlohmann::json& line) {
    Observation observation;
    if (const auto wrong = FailureOf([&] { observation = FromJson<Observation>(line); })) {
      wrong_[Text(line, "case")] = wrong->what();
    } else if (pending_.Take({observation.mutant, observation.case_id})) {
      got_ = true;
      crashes_ = given_up_ = 0;
      found_.reset();
      EndTrial();
      watcher_.see(std::move(observation));
    }
  }

  /// A case, or the whole job, has ended without a hang.
  void EndTrial() {
    if (!forks_.ShowsLostThreads()) return;
    AddLines(forks_.Lines());
    forks_.TellOnce(library_.name);
  }

  void AddLines(const ProfileLines& lines) {
    outcome_.profile.insert(outcome_.profile.end(), lines.begin(), lines.end());
  }

  /// Handles a minimised finding, if its case belongs to this job.
  void TakeFinding(const nlohmann::json& line) {
    std::optional<Finding> finding = IfValid([&] { return FromJson<Finding>(line); });
    if (finding && pending_.Knows({finding->mutant, finding->case_id})) watcher_.find(*std::move(finding));
  }

  /// The running case has found a violation, and the worker is minimising its example.
  void TakeFound(nlohmann::json line) {
    line["type"] = "observation";
    const std::optional<Pending::Item> running = pending_.Running();
    std::optional<Observation> observation = IfValid([&] { return FromJson<Observation>(line); });
    if (!running || !observation) return;
    if (observation->case_id == running->case_id && observation->mutant == running->mutant) {
      found_ = std::move(observation);
    }
  }

  /// The environment of --python may hold another version than the requested one.
  void CheckVersion(const std::string& got) const {
    const std::string& wanted = library_.version;
    if (wanted.empty() || got == wanted || got.starts_with(wanted + "+")) return;
    throw Failure("the environment holds " + library_.name + " " + got + ", not " + wanted,
                  "leave out --python, so that dlpack-cts makes an environment, or leave out ==" + wanted);
  }

  /// The worker ended without its last line. False: another worker has to continue.
  bool Died(WorkerProcess& worker, Observed observed) {
    const ChildEnd end = worker.Wait();
    const std::string how = Described(end);
    const std::string what = observed == Observed::kTimeout  ? "did not respond"
                             : observed == Observed::kMemory ? PassedMemory(job_.memory_bytes)
                                                             : how;
    if (!outcome_.greeted) {
      throw Failure(
          library_.name + " " + what + " while it was imported",
          (library_.IsPython() ? "run the adapter alone with the python of the environment; the library printed:\n"
                               : "dlopen() the plug-in in a small program and call the functions that "
                                 "docs/plugins.md names; the library printed:\n") +
              worker.LogTail());
    }
    if (pending_.empty()) return true;
    if (!job_.mutants.empty()) {
      throw Failure("the worker " + how + " while it ran the mutants",
                    "check the reference itself with dlpack-cts run reference", kHarness);
    }
    if (got_ || found_ || worker.HasBegunACase()) {
      LoseAll(pending_.Passed(), kNoResult, kNoResult);
      Blame(worker, observed, end);
      return pending_.empty();
    }
    crashes_ += observed == Observed::kTimeout ? kHang : 1;
    if (crashes_ < patience_) return false;
    // Several workers gave no result. The reason may be the next case, or something before any case.
    const std::string message = CouldNotRun(
        "the worker " + what + (greeted_ ? " before its first case" : " while it imported the library again"));
    std::vector<Pending::Item> lost = pending_.items();
    if (++given_up_ < kGivenUp) lost.resize(1);
    LoseAll(lost, message, what);
    return pending_.empty();
  }

  /// Reports the case that ran when the worker ended.
  void Blame(WorkerProcess& worker, Observed observed, const ChildEnd& end) {
    crashes_ = given_up_ = 0;
    const std::optional<Pending::Item> running = pending_.Running();
    if (!running) return;
    if (found_) {
      // The violation is reported as it was found: a smaller example crashed the worker.
      pending_.Take(*running);
      Observation breach = std::move(*found_);
      found_.reset();
      return watcher_.see(std::move(breach));
    }
    const std::string message = observed == Observed::kTimeout  ? "did not end within its time limit"
                                : observed == Observed::kMemory ? PassedMemory(job_.memory_bytes)
                                                                : "the worker " + Described(end);
    const nlohmann::json line = worker.LastCase(running->case_id);
    Observation observation = IfValid([&] { return FromJson<Observation>(line); }).value_or(Observation{});
    const Observation lost = Lost(running->case_id, message, message);
    observation.case_id = lost.case_id;
    observation.observed = observed;
    observation.degree = lost.degree;
    observation.message = lost.message;
    observation.wanted = lost.wanted;
    observation.got = lost.got;
    observation.ended = observed == Observed::kCrash ? NameOf(end) : "";
    observation.mutant.clear();
    pending_.Take(*running);
    watcher_.see(std::move(observation));
  }

  void LoseAll(const std::vector<Pending::Item>& items, const std::string& message, const std::string& got) {
    for (const Pending::Item& item : items) {
      pending_.Take(item);
      const auto wrong = wrong_.find(item.case_id);
      Observation observation = Lost(item.case_id, message, wrong == wrong_.end() ? got : wrong->second);
      observation.mutant = item.mutant;
      watcher_.see(std::move(observation));
    }
  }

  static constexpr char kNoResult[] = "its result is missing or could not be read";

  JobFile job_;
  const Library& library_;
  const bool keep_environment_;
  WorkFolder& folder_;
  const Watcher& watcher_;
  Outcome& outcome_;
  std::unique_ptr<WorkerProcess>& waiting_;
  ForkCheck& forks_;
  const std::string hangs_;
  bool anew_ = false;  // the next worker probes the library anew
  Pending pending_;
  std::map<std::string, std::string> wrong_;  // case -> the error in its line
  double silence_ = 0;                        // longest time without a line, in seconds
  int patience_ = 0;
  int crashes_ = 0;   // in a row, before any case
  int given_up_ = 0;  // cases in a row

  // Of the running worker.
  bool greeted_ = false;
  bool got_ = false;                  // an observation
  std::optional<Observation> found_;  // of the running case, while its example is minimised
};

}  // namespace

Observation NotRun(const std::string& case_id, const std::string& reason) {
  Observation observation;
  observation.case_id = case_id;
  observation.observed = Observed::kSkip;
  observation.message = CouldNotRun(reason);
  return observation;
}

Observation Lost(const std::string& case_id, const std::string& message, const std::string& got) {
  Observation observation;
  observation.case_id = case_id;
  observation.observed = Observed::kCrash;
  observation.degree = Degree::kRule;
  observation.message = message;
  observation.wanted = "a result or an exception";
  observation.got = got;
  return observation;
}

JobFile MakeJob(const Library& library, const Environment& environment, const std::vector<std::string>& cases,
                const RunOptions& options) {
  JobFile job;
  job.tested = {library.name, library.kind, library.kind == "native" ? library.plugin : library.folder, library.claims,
                library.profile};
  job.tested.claims.insert(job.tested.claims.end(), library.roles.begin(), library.roles.end());
  job.python = environment.python;
  job.libpython = environment.libpython;
  // The library may change the working folder, or remove it.
  for (const std::string& folder : options.pythonpath) {
    job.path.push_back(Absolute(folder));
    RequireUtf8("the folder given to --pythonpath", job.path.back());
  }
  job.cases = cases;
  job.seed = options.seed;
  job.examples = options.examples;
  job.sweep = options.sweep;
  job.case_seconds = options.case_seconds;
  job.start_seconds = kStartSeconds;
  job.memory_bytes = options.memory_mb << 20;
  job.fork = library.fork_safe;
  return job;
}

Session::Session(const Library& library, bool keep_environment)
    : kept_(std::make_unique<Kept>(library, keep_environment)) {}
Session::~Session() = default;

void Session::Run(JobFile job, const Watcher& watcher, Outcome* outcome) {
  if (kept_->worker != nullptr) *outcome = kept_->outcome;
  outcome->limits.clear();  // each job reports its own
  JobRun(std::move(job), kept_->library, kept_->keep_environment, kept_->folder, watcher, outcome, &kept_->worker,
         kept_->forks)
      .Run();
  kept_->outcome = *outcome;
}

}  // namespace dlpack_cts::runner
