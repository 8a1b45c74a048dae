// runner/run/matrix.cc: runs the cases on shares of the mutants, in rounds.
#include "runner/run/matrix.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <iterator>
#include <map>
#include <mutex>
#include <thread>

#include "base/failure.h"
#include "results/tally.h"
#include "runner/base/progress.h"
#include "runner/session/session.h"

namespace dlpack_cts::runner {
namespace {

// Starting a worker takes time. Towards the end shares are small, so that all workers end at about the same time.
constexpr size_t kMostAtOnce = 8;
constexpr size_t kSharesPerWorker = 4;
// Without another thread it runs later, on the thread that waits for it.
constexpr auto kOnAThread = std::launch::async | std::launch::deferred;

/// One more than there are cores, because a mutant that hangs leaves its core idle.
size_t WorkersFor(size_t mutants) { return std::clamp<size_t>(std::thread::hardware_concurrency() + 1, 1, mutants); }

/// Whether one of the mutant's rules is about that role.
bool ActsAs(const Catalogue& catalogue, const MutantInfo& mutant, const std::string& role) {
  return std::any_of(mutant.rules.begin(), mutant.rules.end(), [&](const std::string& rule) {
    const std::string& actor = catalogue.rules.at(rule).actor;
    return actor == role || actor == "both";
  });
}

/// The mutants that have not run yet.
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
  Runner(const Catalogue& catalogue, const MatrixJob& matrix, Progress& progress)
      : catalogue_(catalogue),
        matrix_(matrix),
        progress_(progress),
        alone_(matrix.reference),
        paired_(matrix.reference) {}

  using Runs = std::map<std::string, MutantRun>;

  /// Runs the mutants, in all rounds. A mutant without a name is the reference itself, which runs once. Returns the
  /// runs by name.
  Runs Run(const std::vector<MutantInfo>& mutants) {
    Runs all;
    for (const MutantInfo& mutant : mutants) all.try_emplace(mutant.name, Rounds(catalogue_, matrix_.reference));
    RunMutants(matrix_.job, mutants, all);
    RunPairs(mutants, all);
    for (const MutantInfo& mutant : mutants) {
      MutantRun& run = all.at(mutant.name);
      if (!mutant.name.empty()) RunAgain(mutant.name, run.rounds);
      if (const auto& trouble = run.rounds.trouble()) throw *trouble;
      if (IsAsked(mutant, run.rounds)) run.limits = LimitsOf(mutant);
    }
    return all;
  }

 private:
  /// Whether its limitations are asked for. The reference has none, but a shape may.
  bool IsAsked(const MutantInfo& mutant, const Rounds& rounds) const {
    if (!matrix_.job.shape.empty() || mutant.name.empty()) return false;
    if (mutant.kind == "limited") return true;
    const std::vector<Result>& results = rounds.attributed().results;
    return matrix_.asks_survivors && !mutant.Conforms() &&
           std::none_of(results.begin(), results.end(),
                        [](const Result& result) { return IsDeviation(result.verdict); });
  }

  std::vector<Limit> LimitsOf(const MutantInfo& mutant) {
    JobFile job = matrix_.job;
    job.cases.clear();
    job.mutants = {mutant.name};
    job.limits_only = true;
    return RunJob(std::move(job), {[](const Observation&) {}}, alone_).limits;
  }

  void RunMutants(JobFile job, const std::vector<MutantInfo>& mutants, Runs& all) {
    if (job.cases.empty()) return;
    for (const MutantInfo& mutant : mutants) job.mutants.push_back(mutant.name);
    const bool alone = !job.partner;
    const auto see = [&](const Observation& observation) {
      if (alone) {
        progress_.Begin(observation.mutant.empty() ? matrix_.reference.name : observation.mutant, observation.case_id);
        progress_.Done(1);
      }
      all.at(observation.mutant).rounds.See(observation);
    };
    const auto find = [&](Finding finding) { all.at(finding.mutant).rounds.Find(std::move(finding)); };
    RunJob(std::move(job), {see, find}, alone ? alone_ : paired_);
  }

  /// Runs the cases of pairs for each mutant, with the correct reference as the other library, in each role that its
  /// rules are about. A deviation in one role kills the mutant.
  void RunPairs(const std::vector<MutantInfo>& mutants, Runs& all) {
    JobFile job = matrix_.job;
    job.cases = matrix_.pair_cases;
    job.partner = job.tested;
    for (const char* const side : {"producer", "consumer"}) {
      job.mutated = side;
      std::vector<MutantInfo> acting;
      std::copy_if(mutants.begin(), mutants.end(), std::back_inserter(acting),
                   [&](const MutantInfo& mutant) { return mutant.name.empty() || ActsAs(catalogue_, mutant, side); });
      if (!acting.empty()) RunMutants(job, acting, all);
    }
  }

  void RunAgain(const std::string& mutant, Rounds& rounds) {
    JobFile job = matrix_.job;
    job.mutants = {mutant};
    for (Avoid avoid = rounds.Next(); !avoid.empty(); avoid = rounds.Next()) {
      job.cases.clear();
      for (const auto& [id, unused] : avoid) job.cases.push_back(id);
      job.left_out = avoid;
      const auto see = [&](const Observation& observation) { rounds.See(observation); };
      const auto find = [&](Finding finding) { rounds.Find(std::move(finding)); };
      RunJob(job, {see, find}, alone_);
    }
  }

  static Outcome RunJob(JobFile job, const Watcher& watcher, Session& session) {
    Outcome outcome;
    session.Run(std::move(job), watcher, &outcome);
    if (outcome.shortage) throw *outcome.shortage;
    if (outcome.interrupted) throw Failure("interrupted", "the kill matrix needs the complete run", kInterrupted);
    return outcome;
  }

  const Catalogue& catalogue_;
  const MatrixJob& matrix_;
  Progress& progress_;
  Session alone_;
  Session paired_;
};

}  // namespace

std::vector<Result> RunMatrix(
    const Catalogue& catalogue, const std::vector<MutantInfo>& mutants, const MatrixJob& matrix,
    const std::function<void(size_t index, const MutantRun& run, const std::vector<Result>& usual)>& sum_up) {
  const size_t workers = WorkersFor(mutants.size());
  Progress progress(matrix.job.cases.size() * (mutants.size() + 1));
  Shares shares(mutants.size(), workers);
  const std::shared_future<std::vector<Result>> usual =
      std::async(kOnAThread, [&] {
        return Runner(catalogue, matrix, progress).Run({MutantInfo{}}).at("").rounds.FirstResults();
      }).share();
  std::atomic<bool> failed = false;
  const auto work = [&] {
    try {
      Runner runner(catalogue, matrix, progress);
      for (Shares::Share share = shares.Take(); share.begin != share.end && !failed; share = shares.Take()) {
        const std::vector<MutantInfo> some(mutants.begin() + static_cast<std::ptrdiff_t>(share.begin),
                                           mutants.begin() + static_cast<std::ptrdiff_t>(share.end));
        const Runner::Runs all = runner.Run(some);
        for (size_t i = share.begin; i != share.end; ++i) sum_up(i, all.at(mutants[i].name), usual.get());
      }
    } catch (...) {
      failed = true;
      throw;
    }
  };
  std::vector<std::future<void>> parts;
  for (size_t worker = 0; worker < workers; ++worker) parts.push_back(std::async(kOnAThread, work));
  for (std::future<void>& part : parts) part.get();
  return usual.get();
}

}  // namespace dlpack_cts::runner
