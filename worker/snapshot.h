// worker/snapshot.h: the fork server: imports once, forks children that run the cases, survives their crashes.
//
// If the library does not survive a fork after its import, the fork server never imports it: each child does.
//
// It keeps in its own memory what its children reported. The library can write to the crash record, so that is only
// used to find out what a crashed child was doing, and only if it agrees with the reports.
#ifndef DLPACK_CTS_WORKER_SNAPSHOT_H_
#define DLPACK_CTS_WORKER_SNAPSHOT_H_

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "adapters/interface/engine.h"
#include "harness/case/case.h"
#include "harness/judge/coordinates.h"
#include "mutants/mutant.h"
#include "worker/diagnose/symptom.h"
#include "worker/job/job.h"
#include "worker/process/board.h"
#include "worker/process/channel.h"
#include "worker/process/death.h"
#include "worker/process/output.h"
#include "worker/process/surroundings.h"
#include "worker/run/case_runner.h"
#include "worker/run/peer.h"

namespace dlpack_cts::worker {

class Snapshot {
 public:
  /// What one process needs from its start to its end.
  struct Process {
    Board& board;
    const Output& output;
    Surroundings& surroundings;
  };

  /// What it drives: the library, the partner of a pair (or NULL), and the reference to compare with.
  struct Driven {
    Subject& subject;
    Subject* partner;
    Subject& reference;
  };

  /// Imports what the job names into this process, calls `work`, and ends the process. Returns, with an exit status,
  /// only if the import failed; the reason is then reported.
  using Import = std::function<int(const std::function<void(const Driven&)>& work)>;

  /// Waits for another job on the same libraries, and replaces the last one by it. False if there is not another one.
  using Further = std::function<bool()>;

  /// `import` is called in this process, and what it imports is forked; or in each child, where the job may not fork.
  Snapshot(const Job& job, const Process& process, Import import, Further further);

  /// Probes the subject, runs every case (for every mutant), writes every observation; then those of further jobs.
  /// Returns the exit status.
  int Run();

 private:
  static constexpr int kLeftAlone = 3;  // exit status if nothing can be reported

  /// A reduced finding, and the triggers of its example.
  struct Known {
    Finding finding;
    PeculiaritySet set;
  };

  /// How an exchange crashed its process, and what that needs.
  struct End {
    Symptom symptom;
    Minimised reduced;
  };

  /// After a crash: the first violated fact, or the crash itself.
  enum class Told : uint8_t { kFirst, kEnd };

  /// One library of a pair, with the reference in the place of the other one.
  struct Half {
    Side side;  // of the library
    std::unique_ptr<Engine> engine;
  };

  /// The libraries of this process, and what runs exchanges on them.
  struct Stage {
    explicit Stage(const Driven& libraries, Board& board);

    Driven driven;
    Engine engine;
    Peer peer;
    std::vector<Half> halves;  // of a pair: two; else none
  };

  /// The producer or the consumer of a pair. Without a pair there is only the producer.
  enum class Role : uint8_t { kProducer, kConsumer };

  int RunJobs();
  void RunMutants();
  void Write(const nlohmann::json& line);
  nlohmann::json Hello() const;
  void Greet();
  [[noreturn]] void Leave(const Death& death) const;
  void Open(const Driven& driven);
  void Prepare(int mutant);
  void PrepareStage();
  void Probe();
  Subject& SubjectOf(Role role) const;
  const SubjectSource& SourceOf(Role role) const;
  void PrepareOne(Role role);
  /// The active mutants, where that subject has them.
  std::vector<const Mutant*> MutantsIn(Role role) const;
  /// Adds what the library.toml of the shape and of the subject's mutants would declare.
  void Amend(Role role, Profile& profile) const;
  /// Writes to the crash record what the adapter declares: a profile, or what is wrong with the adapter.
  void Ask(Role role);
  Profile ProbeOne(Role role);
  void BlameComplaint() const;

  /// Of the active one, or ones; empty without.
  std::string MutantName() const { return mutant_ < 0 ? "" : job_.mutants[static_cast<size_t>(mutant_)]; }

  // In a child.
  CaseRunner::Extent ExtentOf(const Case& tested) const;
  void RunCasesHere(int first, int end, const Output& out);
  void RunCase(int index, const Case& tested, const Output& out);

  // In the fork server.
  void RunCases();
  void RunSuite(int end);
  int EndOfSuite(int first) const;
  double LimitOf(int case_index) const;
  Death InChild(double seconds, const std::function<void(const Output&)>& work);
  [[noreturn]] void BeChild(Channel& channel, const std::function<void(const Output&)>& work);
  void Follow(int child, double seconds, Channel& channel, Death* death, int* status);
  void FillDeath(int status, Death* end) const;
  bool Listen(Channel& channel);
  void Take(const nlohmann::json& line);
  void TellAlive();
  void ShrinkDeath(const Death& death, Remains* remains);
  /// For a pair with a mutant only the verdicts are needed: the mutant's own run reports the causes.
  bool FindsCauses() const { return !job_.pair || !job_.verdicts_only; }
  /// What a reduction may cost where each try is a child.
  Budget Affordable(Budget budget) const;
  void Suspect(const Case& tested, const Finding& seen, const Output& out);
  void FindAll();
  Death TryInChild(int index, double seconds, const std::function<void(Trial&, const Case&)>& attempt);
  Symptom EndOf(int index, const Recipe& recipe, double seconds, Told told);
  bool EndsAlone(int index, const Remains& remains, double seconds);
  std::optional<Finding> WithHistory(const Finding& seen, int index, const Case& tested);
  bool ShowsBehind(const std::vector<Recipe>& earlier, const Recipe& recipe, const Finding& seen, int index);
  Finding BehindOthers(const Finding& seen, int index);
  void AccuseHalves();
  std::optional<Finding> ShownBy(Side side, const Finding& found);
  Symptom SymptomOf(const Death& death, const Remains& remains, Told told) const;
  int IndexOf(std::string_view case_id) const;
  void TellDeath(const Death& death, const Remains& remains);
  void FindDeath(int index, const Death& death, const Remains& remains, int64_t count);
  Symptom FollowDeath(int index, const Death& death, const Remains& remains, int64_t count, Told told);
  const End* KnownEnd(const Symptom& symptom, const Minimised& whole) const;
  void TakeFinding(nlohmann::json line);
  void Remember(const Finding& found);
  const Finding* KnownFor(const Finding& seen, const Recipe& recipe) const;
  void WriteFindings();
  bool GoesOn(const Death& death, const Remains& left);
  void Report(const Death& death, const Remains& remains);
  void Pass(const Observation& observation);

  const Job& job_;
  Board& board_;
  const Output& output_;
  Surroundings& surroundings_;
  Import import_;
  Further further_;
  std::unique_ptr<Stage> stage_;  // NULL in a fork server whose children import themselves
  Profile profile_{};
  std::map<Role, Profile> unmutated_;  // what the probes of each role found without a mutant
  int mutant_ = -1;

  int next_ = 0;      // index of the first case whose observation is not written
  double began_ = 0;  // when that case could begin
  bool greeted_ = false;
  nlohmann::json hello_;       // of a child that imports for itself
  double import_seconds_ = 0;  // of a child that imports for itself
  bool alive_ = false;         // the child came through its fork, and its import
  bool done_ = false;          // it has finished its work
  bool left_ = false;          // it ended itself after an observation, and another child continues
  int stillborn_ = 0;          // children in a row that did not come so far
  Death last_stillborn_;
  Channel* to_snapshot_ = nullptr;       // in a child
  double told_ = 0;                      // when the last line went to the driver
  std::optional<Observation> ended_;     // of case next_: how its sweep first crashed a process
  std::vector<Finding> suspects_;        // of the child that ran cases last
  std::vector<Finding> findings_;        // of the suspect that is being reduced
  std::vector<Known> known_;             // of this mutant: found by comparison with the reference only
  std::vector<End> ends_;                // of this mutant
  int histories_ = 0;                    // of this mutant: cases that ran again to record the earlier exchanges
  std::vector<int> killers_;             // the examples of that sweep that crashed one
  std::optional<Observation> found_;     // of case next_: a violation that was still being minimised
  std::optional<Observation> rendered_;  // by a child that only renders
};

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_SNAPSHOT_H_
