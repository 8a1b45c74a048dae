// runner/matrix.cc: runs the cases on shares of the mutants, and finds the causes.
#include "runner/matrix.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <iterator>
#include <mutex>
#include <thread>

#include "results/tally.h"
#include "runner/again.h"
#include "runner/attribution.h"
#include "runner/failure.h"
#include "runner/progress.h"

namespace dlpack_cts::runner {
namespace {

// A worker takes a moment to start. Towards the end shares are small, so that all workers end at about the same time.
constexpr size_t kMostAtOnce = 16;
constexpr size_t kSharesPerWorker = 4;

/// One more than there are cores: a mutant that hangs leaves its core idle.
size_t WorkersFor(size_t mutants) { return std::clamp<size_t>(std::thread::hardware_concurrency() + 1, 1, mutants); }

/// The parts of a result that attribution needs.
Saying SayingOf(const Desk& desk, const Library& reference, const Observation& observation) {
  const Result result = MakeResult(desk, reference, observation);
  Saying saying{result.verdict, result.seen.message, observation.seconds};
  for (const SweptFact& swept : observation.deviations) {
    saying.deviates.push_back(swept.message + ": expected " + swept.wanted + ", got " + swept.got);
  }
  return saying;
}

/// True if one of the mutant's rules is about that role.
bool ActsAs(const Desk& desk, const MutantInfo& mutant, const std::string& role) {
  return std::any_of(mutant.rules.begin(), mutant.rules.end(), [&](const std::string& rule) {
    const std::string& actor = desk.rules.at(rule).actor;
    return actor == role || actor == "both";
  });
}

void Attribute(const Desk& desk, Told& told) {
  told.causes = CausesOf(desk.cases, desk.rules, true, told.findings);
  told.results.clear();
  for (const CaseInfo& info : desk.cases) {
    const auto saying = told.seen.find(info.id);
    if (saying == told.seen.end()) continue;
    Result& result = told.results.emplace_back();
    result.seen.case_id = info.id;
    result.verdict = saying->second.verdict;
    result.rules = info.rules;
  }
  Attribute(desk.cases, told.causes, told.results);
}

/// The mutants that are still to run.
class Shares {
 public:
  Shares(size_t all, size_t workers) : all_(all), workers_(workers) {}

  struct Share {
    size_t begin;
    size_t end;
  };
  /// An empty share if no mutant is left.
  Share Take() {
    const std::lock_guard<std::mutex> lock(mutex_);
    const size_t begin = next_;
    next_ += std::clamp<size_t>((all_ - next_) / (kSharesPerWorker * workers_), 1, kMostAtOnce);
    next_ = std::min(next_, all_);
    return {begin, next_};
  }

 private:
  std::mutex mutex_;
  size_t all_;
  size_t workers_;
  size_t next_ = 0;
};

/// Runs its mutants one after the other. Several runners may run at the same time.
class Runner {
 public:
  Runner(const Desk& desk, const MatrixJob& matrix, Progress& progress)
      : desk_(desk), matrix_(matrix), progress_(progress), alone_(matrix.reference), paired_(matrix.reference) {}

  /// Runs the mutants; one without a name is the reference itself.
  std::vector<Told> Run(const std::vector<MutantInfo>& mutants) {
    std::map<std::string, Told> told;
    RunFirst(matrix_.job, mutants, told);
    RunPairs(mutants, told);
    std::vector<Told> all;
    for (const MutantInfo& mutant : mutants) {
      Told& one = all.emplace_back(std::move(told[mutant.name]));
      one.seen = one.first;
      if (!mutant.name.empty()) RunAgain(mutant.name, one);
    }
    return all;
  }

 private:
  /// A deviation of a mutant is kept, whatever the case reports when the mutant plays the other role of a pair.
  void RunFirst(nlohmann::json job, const std::vector<MutantInfo>& mutants, std::map<std::string, Told>& told) {
    if (job.at("cases").empty()) return;
    job["mutants"] = nlohmann::json::array();
    for (const MutantInfo& mutant : mutants) job["mutants"].push_back(mutant.name);
    const bool alone = !job.contains("pair");
    const auto see = [&](const Observation& observation) {
      if (alone) {
        progress_.Begin(observation.mutant.empty() ? matrix_.reference.name : observation.mutant, observation.case_id);
        progress_.Done(1);
      }
      const Saying saying = SayingOf(desk_, matrix_.reference, observation);
      const auto [known, first] = told[observation.mutant].first.try_emplace(observation.case_id, saying);
      if (!first && !IsDeviation(known->second.verdict)) known->second = saying;
    };
    const auto find = [&](const Finding& finding) { told[finding.mutant].findings.push_back(finding); };
    RunWhole(std::move(job), {see, find}, alone ? alone_ : paired_);
  }

  /// Runs the cases of pairs for each mutant, with the correct reference as partner, in each role that its rules are
  /// about. A deviation in one role kills the mutant.
  void RunPairs(const std::vector<MutantInfo>& mutants, std::map<std::string, Told>& told) {
    nlohmann::json job = matrix_.job;
    job["cases"] = matrix_.pair_cases;
    job["pair"] = AsPartner(job);
    for (const char* const side : {"producer", "consumer"}) {
      job["mutated"] = side;
      std::vector<MutantInfo> acting;
      std::copy_if(mutants.begin(), mutants.end(), std::back_inserter(acting),
                   [&](const MutantInfo& mutant) { return mutant.name.empty() || ActsAs(desk_, mutant, side); });
      if (acting.empty()) continue;
      RunFirst(job, acting, told);
    }
  }

  /// As in a run: blocked cases run again, without the properties that the blocking cause needs.
  void RunAgain(const std::string& mutant, Told& told) {
    nlohmann::json job = matrix_.job;
    job["mutants"] = {mutant};
    Avoid avoid;
    Attribute(desk_, told);
    for (int round = 0; round < kRounds; ++round) {
      avoid = ToRunAgain(desk_.cases, {told.findings, told.causes, told.results}, avoid);
      if (avoid.empty()) return;
      std::vector<std::string> cases;
      for (const auto& [id, unused] : avoid) cases.push_back(id);
      job["cases"] = cases;
      job["avoid"] = avoid;
      std::vector<std::string> answered;
      std::vector<Finding> later;
      const auto see = [&](const Observation& observation) {
        if (!GivesVerdict(observation)) return;
        answered.push_back(observation.case_id);
        told.seen[observation.case_id] = SayingOf(desk_, matrix_.reference, observation);
      };
      const auto find = [&](const Finding& finding) { later.push_back(finding); };
      RunWhole(job, {see, find}, alone_);
      Join(later, answered, told.findings);
      Attribute(desk_, told);
    }
  }

  void RunWhole(nlohmann::json job, const Watcher& watcher, Session& session) {
    Outcome outcome;
    session.Run(std::move(job), watcher, &outcome);
    if (outcome.interrupted) throw Failure("interrupted", "the kill matrix needs the complete run", kInterrupted);
  }

  const Desk& desk_;
  const MatrixJob& matrix_;
  Progress& progress_;
  Session alone_;
  Session paired_;
};

}  // namespace

Seen RunMatrix(const Desk& desk, const std::vector<MutantInfo>& mutants, const MatrixJob& matrix,
               const std::function<void(size_t index, const Told& told, const Seen& usual)>& sum_up) {
  const size_t workers = WorkersFor(mutants.size());
  Progress progress(matrix.job.at("cases").size() * (mutants.size() + 1));
  Shares shares(mutants.size(), workers);
  const std::shared_future<Seen> usual =
      std::async(std::launch::async, [&] {
        return std::move(Runner(desk, matrix, progress).Run({MutantInfo{}}).front().first);
      }).share();
  std::atomic<bool> failed = false;
  const auto work = [&] {
    try {
      Runner runner(desk, matrix, progress);
      for (Shares::Share share = shares.Take(); share.begin != share.end && !failed; share = shares.Take()) {
        const std::vector<MutantInfo> some(mutants.begin() + static_cast<std::ptrdiff_t>(share.begin),
                                           mutants.begin() + static_cast<std::ptrdiff_t>(share.end));
        const std::vector<Told> told = runner.Run(some);
        for (size_t i = 0; i < told.size(); ++i) sum_up(share.begin + i, told[i], usual.get());
      }
    } catch (...) {
      failed = true;
      throw;
    }
  };
  std::vector<std::future<void>> parts;
  for (size_t worker = 0; worker < workers; ++worker) parts.push_back(std::async(std::launch::async, work));
  for (std::future<void>& part : parts) part.get();
  return usual.get();
}

}  // namespace dlpack_cts::runner
