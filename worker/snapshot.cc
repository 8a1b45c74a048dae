// worker/snapshot.cc: forks children that run the cases, and reports the case that crashed one.
#include "worker/snapshot.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <utility>
#include <vector>

#include "adapters/interface/cuda_driver.h"
#include "base/clock.h"
#include "base/text.h"
#include "harness/case/claims.h"
#include "harness/ledger/fact_table.h"
#include "mutants/pair.h"
#include "results/stopwatch.h"
#include "worker/diagnose/symptom.h"
#include "worker/probe/adapter_check.h"
#include "worker/probe/pair.h"
#include "worker/probe/probe.h"
#include "worker/probe/profile_words.h"
#include "worker/process/foreign_copy.h"
#include "worker/process/thrown.h"
#include "worker/run/case_runner.h"
#include "worker/run/crash_text.h"
#include "worker/run/trial.h"
#include "worker/subject_factory.h"

namespace dlpack_cts::worker {
namespace {

constexpr double kRenderSeconds = 5;
constexpr int kOtherShare = 20;      // divides the examples of cases of other rules than those that the mutant violates
constexpr int kConformingShare = 3;  // the same for a conforming variant, which no case may report
constexpr size_t kKillers = 8;       // a sweep continues after so many examples that crashed its process
constexpr int kStillborn = 3;        // children in a row that ended before a case; then no more are started

/// NULL for the empty name, the reference itself.
const Mutant* Named(const std::string& name) { return name.empty() ? nullptr : FindMutant(name); }

/// How a sweep crashed a process, with the results of its other examples.
Observation WithSweep(Observation ended, const Observation& rest) {
  ended.deviations = rest.deviations;
  ended.examples = rest.examples;
  ended.held = rest.held;
  ended.refused = rest.refused;
  ended.nothing = rest.nothing;
  ended.seconds = rest.seconds;
  ended.mutant = rest.mutant;
  return ended;
}

}  // namespace

Snapshot::Stage::Stage(const Driven& libraries, Board& board)
    : driven(libraries),
      engine(driven.subject, driven.partner != nullptr ? *driven.partner : driven.subject),
      peer(driven.reference, board.reference) {
  if (driven.partner == nullptr) return;
  halves.push_back({Side::kExport, std::make_unique<Engine>(driven.subject, driven.reference)});
  halves.push_back({Side::kImport, std::make_unique<Engine>(driven.reference, *driven.partner)});
}

Snapshot::Snapshot(const Job& job, const Process& process, Import import, Further further)
    : job_(job),
      board_(process.board),
      output_(process.output),
      surroundings_(process.surroundings),
      import_(std::move(import)),
      further_(std::move(further)) {}

int Snapshot::Run() {
  if (!job_.fork) return RunJobs();
  return import_([this](const Driven& driven) {
    Open(driven);
    const int status = RunJobs();
    std::fflush(nullptr);
    _exit(status);
  });
}

int Snapshot::RunJobs() {
  // If the library ignores this signal, waitpid() cannot tell how a child ended.
  signal(SIGCHLD, SIG_DFL);
  WatchForks(board_);
  // Made once, not in each child.
  static_cast<void>(FactRows());
  static_cast<void>(Choices());
  do {
    RunMutants();
    // Between two jobs no case runs.
    board_.head.case_index = -1;
    Write(nlohmann::json{{"type", "bye"}});
  } while (further_());
  return 0;
}

void Snapshot::RunMutants() {
  const int count = static_cast<int>(job_.mutants.size());
  for (int mutant = count == 0 ? -1 : 0; mutant < count; ++mutant) {
    Prepare(mutant);
    if (!greeted_) Greet();
    Probe();
    if (count == 0 && !job_.pair) Write({{"type", "profile"}, {"lines", ToJson(WordsOf(profile_))}});
    RunCases();
  }
}

void Snapshot::Write(const nlohmann::json& line) {
  // Without a driver the work has no receiver.
  if (!output_.Write(line)) _exit(kLeftAlone);
  told_ = Now();
}

/// The first line; or, as "threw", what came instead of an answer.
nlohmann::json Snapshot::Hello() const {
  nlohmann::json hello{{"type", "hello"}};
  try {
    const SubjectInfo info = stage_->driven.subject.Info();
    hello["library_version"] = info.version;
    hello["interpreter"] = info.interpreter;
    if (stage_->driven.partner != nullptr) hello["partner_version"] = stage_->driven.partner->Info().version;
  } catch (...) {
    hello["threw"] = DescribeThrown();
  }
  return hello;
}

void Snapshot::Greet() {
  if (stage_ != nullptr) {
    hello_ = Hello();
  } else {
    const double began = Now();
    const Death death = InChild(job_.case_seconds, [this](const Output& out) { out.Write(Hello()); });
    if (!hello_.is_object()) Leave(death);
    import_seconds_ = Now() - began;
  }
  if (hello_.contains("threw")) {
    output_.Error("the library threw " + hello_["threw"].get<std::string>() + " when it was asked for its version",
                  "catch C++ exceptions inside the plug-in, and return an error", "");
    _exit(2);
  }
  hello_["pid"] = getpid();
  Write(hello_);
  greeted_ = true;
}

/// Ends the worker in the same way as its child. The child reported the reason if it could.
void Snapshot::Leave(const Death& death) const {
  SetDoing(board_, "importing");
  const int ending = death.timeout || death.memory ? SIGKILL : death.signal;
  if (ending != 0) {
    signal(ending, SIG_DFL);
    raise(ending);
  }
  _exit(death.status);
}

/// The libraries are in this process from now on.
void Snapshot::Open(const Driven& driven) {
  stage_ = std::make_unique<Stage>(driven, board_);
  Forge::InstallFaultHandler();
  NoteThrown(board_);
}

void Snapshot::Prepare(int mutant) {
  mutant_ = mutant;
  known_.clear();
  ends_.clear();
  histories_ = 0;
  board_.head.mutant_index = mutant;
  board_.head.case_index = -1;
  if (mutant >= 0) board_.probed = 0;
  if (stage_ != nullptr) PrepareStage();
}

void Snapshot::PrepareStage() {
  PrepareOne(Role::kProducer);
  if (job_.pair) PrepareOne(Role::kConsumer);
}

Subject& Snapshot::SubjectOf(Role role) const {
  return role == Role::kConsumer ? *stage_->driven.partner : stage_->driven.subject;
}

const SubjectSource& Snapshot::SourceOf(Role role) const {
  return role == Role::kConsumer && job_.pair.has_value() ? *job_.pair : job_.subject;
}

void Snapshot::PrepareOne(Role role) {
  Subject& subject = SubjectOf(role);
  Profile said{};
  said.declared = SourceOf(role).declared;
  Amend(role, said);
  subject.Follow(said.declared);
  Reference* const instance = subject.AsReference();
  if (mutant_ < 0 || instance == nullptr) return;
  Activate(nullptr, *instance, Named(job_.shape));
  for (const Mutant* const mutant : MutantsIn(role)) mutant->apply(instance->behaviour);
}

std::vector<const Mutant*> Snapshot::MutantsIn(Role role) const {
  const bool without = job_.mutated == (role == Role::kConsumer ? "producer" : "consumer");
  return without ? std::vector<const Mutant*>() : MutantsOf(MutantName());
}

void Snapshot::Amend(Role role, Profile& profile) const {
  if (const Mutant* const shape = Named(job_.shape)) Declare(*shape, profile);
  for (const Mutant* const mutant : MutantsIn(role)) Declare(*mutant, profile);
}

void Snapshot::Probe() {
  if (board_.probed != 0) {  // by a worker that has crashed since
    profile_ = board_.profile;
    return;
  }
  if (!job_.pair) {
    profile_ = ProbeOne(Role::kProducer);
  } else {
    const Profile consumer = ProbeOne(Role::kConsumer);
    profile_ = PairOf(ProbeOne(Role::kProducer), consumer);
  }
  board_.profile = profile_;
  board_.probed = 1;
}

void Snapshot::Ask(Role role) {
  Subject& subject = SubjectOf(role);
  // If a worker crashed in a probe, its successor continues after that probe.
  Profile profile = board_.probe == 0 ? Profile{} : board_.profile;
  profile.claims = SourceOf(role).claims;
  profile.declared = SourceOf(role).declared;
  std::string complaint;
  for (const std::string& lacked : subject.Lacks()) {
    const std::optional<Claim> claim = ClaimFromText(lacked);
    if (claim) profile.claims &= ~(1u << static_cast<uint32_t>(*claim));
    if (!claim) complaint = "the adapter's lacks() returned " + Quoted(lacked) + ", but there is no such claim";
  }
  if (complaint.empty()) complaint = subject.Take(Complaint::kReading);
  if (!complaint.empty()) std::snprintf(board_.complaint, sizeof(board_.complaint), "%s", complaint.c_str());
  Amend(role, profile);
  if (subject.IsPython()) profile.claims |= 1u << static_cast<uint32_t>(Claim::kPython);
  if (board_.probe == 0) ExpectAll(profile);
  board_.profile = profile;
}

Profile Snapshot::ProbeOne(Role role) {
  const bool plain = MutantsIn(role).empty();
  if (const auto known = unmutated_.find(role); plain && known != unmutated_.end()) return known->second;
  SetDoing(board_, "probing");
  if (stage_ != nullptr) {
    Ask(role);
  } else if (const Death death = InChild(job_.case_seconds, [this, role](const Output&) { Ask(role); }); death.died) {
    Leave(death);
  }
  BlameComplaint();
  Profile profile = board_.profile;
  int next = board_.probe;
  while (next < ProbeCount() && stillborn_ < kStillborn) {
    board_.probe = next;
    board_.profile = profile;
    const Death death = InChild(job_.case_seconds, [&](const Output&) {
      Subject& subject = SubjectOf(role);
      Engine engine(subject);
      RunProbes(subject, engine, stage_->peer, board_);
    });
    if (!IsIntact(board_) || board_.probe < next || board_.probe > ProbeCount()) {
      Clear(board_);  // it was overwritten: nothing from this child is used
      board_.head.mutant_index = mutant_;
      board_.profile = profile;
      board_.probe = next;
      SkipProbe(board_);
    } else if (death.died) {
      SkipProbe(board_);
    }
    next = board_.probe;
    profile = board_.profile;
  }
  board_.probe = 0;
  BlameComplaint();
  if (plain) unmutated_[role] = profile;
  return profile;
}

/// Ends the run with the adapter error in the crash record, if there is one.
void Snapshot::BlameComplaint() const {
  board_.complaint[sizeof(board_.complaint) - 1] = '\0';
  if (board_.complaint[0] == '\0') return;
  output_.Error(board_.complaint,
                NeedsPython(job_.subject) ? "docs/adapters.md lists the functions of an adapter and what they return"
                                          : "docs/plugins.md lists the functions of a plug-in and what they return",
                "");
  _exit(2);
}

CaseRunner::Extent Snapshot::ExtentOf(const Case& tested) const {
  const std::vector<const Mutant*> mutants = MutantsOf(MutantName());
  const auto conforms = [](const Mutant* mutant) { return mutant->conforming; };
  if (!job_.verdicts_only || mutants.empty()) return {job_.examples, Effort::kFull, killers_};
  const bool own = std::any_of(tested.rules.begin(), tested.rules.end(), [&](std::string_view rule) {
    return std::any_of(mutants.begin(), mutants.end(), [&](const Mutant* mutant) {
      return std::find(mutant->rules.begin(), mutant->rules.end(), rule) != mutant->rules.end();
    });
  });
  if (own) return {job_.examples, Effort::kFull, killers_};
  const bool conforming = std::all_of(mutants.begin(), mutants.end(), conforms);
  if (conforming) return {std::max(1, job_.examples / kConformingShare), Effort::kFull, killers_};
  return {std::max(1, job_.examples / kOtherShare), Effort::kBrief, killers_};
}

void Snapshot::RunCasesHere(int first, int end, const Output& out) {
  for (int index = first; index < end; ++index) {
    RunCase(index, *FindCase(job_.cases[static_cast<size_t>(index)]), out);
  }
}

void Snapshot::RunCase(int index, const Case& tested, const Output& out) {
  const auto send = [&](const char* type, const Observation& observation) {
    if (IsForeignCopy()) _exit(0);
    if (out.Write(type, observation)) return;
    board_.mute = 1;
    _exit(kMuteExit);
  };
  std::vector<std::string> changed = surroundings_.Restore();
  Forge::InstallFaultHandler();
  NoteThrown(board_);
  Trial trial(stage_->engine, stage_->peer, board_);
  trial.Begin(index, tested);
  CaseRunner runner(trial, board_, profile_, stage_->driven.subject.IsPython(), job_, ExtentOf(tested),
                    {.found = [&](const Observation& found) { send("found", found); },
                     .suspect = [&](const Finding& finding) { Suspect(tested, finding, out); }});
  Observation observation = runner.Run(tested);
  // Results under changed process-wide state are not reliable.
  for (const std::string& more : surroundings_.Restore()) {
    if (std::find(changed.begin(), changed.end(), more) == changed.end()) changed.push_back(more);
  }
  const bool graver = observation.observed == Observed::kUnsafe || observation.observed == Observed::kLeak;
  if (!changed.empty() && !graver) {
    observation.got = Joined(changed, ", ");
    if (!observation.message.empty()) observation.got += "; then: " + observation.message;
    observation.observed = Observed::kCrash;
    observation.degree = Degree::kRule;
    observation.message = "changed process-wide state: it " + Joined(changed, ", ");
    observation.fact.clear();
    observation.wanted = "unchanged process-wide state";
  }
  observation.mutant = MutantName();
  send("observation", observation);
  // A mutant does not crash the fork server.
  if (!job_.verdicts_only) to_snapshot_->AwaitReceipt();
  const CudaDriver* const driver = CudaDriver::Opened();
  if (!changed.empty() || (driver != nullptr && driver->IsBroken())) {
    // Not everything can be restored, and there may be more changes than these: the next cases get a new child.
    out.Write(nlohmann::json{{"type", "leaving"}});
    _exit(0);
  }
}

void Snapshot::RunCases() {
  const int count = static_cast<int>(job_.cases.size());
  next_ = 0;
  while (next_ < count) {
    if (stillborn_ >= kStillborn) {
      Report(last_stillborn_, Remains{});
      continue;
    }
    // If each child imports the library, there should be few children. Runs of mutants need many already.
    RunSuite(job_.fork && !job_.verdicts_only ? EndOfSuite(next_) : count);
  }
}

/// One child runs one suite, or the rest of one. So a result does not depend on other suites.
void Snapshot::RunSuite(int end) {
  found_.reset();
  SetDoing(board_, "running");
  const int first = next_;
  Death death = InChild(LimitOf(next_), [&](const Output& out) { RunCasesHere(first, end, out); });
  const bool leaving = left_;
  const Remains left = RemainsOf(board_, next_);
  FindAll();
  // A crash after the last observation belongs to no case. Any other one belongs to the case without an observation.
  if (next_ >= end || (leaving && next_ > first) || GoesOn(death, left)) return;
  death.silent = !death.died;
  if (found_) {
    // Minimising it crashed, so the violation is reported as it was found.
    Pass(*std::exchange(found_, std::nullopt));
    return;
  }
  Remains remains = left;
  ShrinkDeath(death, &remains);
  TellDeath(death, remains);
  Report(death, remains);
}

/// A sweep continues without the example that crashed its process, a few times.
bool Snapshot::GoesOn(const Death& death, const Remains& left) {
  const Case* const tested = FindCase(job_.cases[static_cast<size_t>(next_)]);
  if (tested == nullptr || tested->examples != Examples::kWhole || job_.replay || !death.died || death.stillborn)
    return false;
  Remains remains = left;
  if (remains.example < 0 || killers_.size() >= kKillers) return false;
  killers_.push_back(remains.example);
  if (!ended_) {
    ShrinkDeath(death, &remains);
    TellDeath(death, remains);
    ended_ = ObservationOf(death, remains, next_, job_);
    if (!job_.verdicts_only) Attach(remains.recipe, remains.ledger, *ended_);
  }
  return true;
}

int Snapshot::EndOfSuite(int first) const {
  const std::string_view suite = SuiteOf(job_.cases[static_cast<size_t>(first)]);
  int end = first;
  while (end < static_cast<int>(job_.cases.size()) && SuiteOf(job_.cases[static_cast<size_t>(end)]) == suite) ++end;
  return end;
}

double Snapshot::LimitOf(int case_index) const {
  if (case_index >= static_cast<int>(job_.cases.size())) return job_.case_seconds;
  const Case* tested = FindCase(job_.cases[static_cast<size_t>(case_index)]);
  return job_.case_seconds * (tested != nullptr && tested->hostile ? kHostileShare : 1);
}

void Snapshot::Take(const nlohmann::json& line) {
  const auto type = line.find("type");
  if (type == line.end() || !type->is_string()) return;
  alive_ = alive_ || *type == "alive";
  done_ = done_ || *type == "done";
  left_ = left_ || *type == "leaving";
  if (*type == "hello") hello_ = line;
  if (*type == "suspect" || *type == "finding") return TakeFinding(line);
  Observation observation;
  std::string error;
  nlohmann::json fields = line;
  fields["type"] = "observation";
  if (!FromJson(fields, &observation, &error)) return;
  if (*type == "rendered") {
    rendered_ = std::move(observation);
    return;
  }
  const auto begin = job_.cases.begin();
  const auto found = std::find(begin + next_, job_.cases.end(), observation.case_id);
  if (found == job_.cases.end()) return;  // a case that is finished, or is not part of the job
  const int index = static_cast<int>(found - begin);
  if (*type != "observation") {
    if (*type == "found" && index == next_) found_ = std::move(observation);
    return;
  }
  Death lost;
  lost.silent = true;
  while (next_ < index) Report(lost, Remains{});
  Pass(observation);
}

void Snapshot::Pass(const Observation& observation) {
  nlohmann::json line = ToJson(ended_ ? WithSweep(*ended_, observation) : observation);
  line["type"] = "observation";
  Write(line);
  ++next_;
  found_.reset();
  ended_.reset();
  killers_.clear();
  began_ = Now();
}

void Snapshot::Report(const Death& death, const Remains& remains) {
  Observation observation = ObservationOf(death, remains, next_, job_);
  observation.seconds = Now() - began_;
  observation.mutant = MutantName();
  if (remains.example >= 0 && !job_.verdicts_only) {
    // A crashed process may leave anything in memory: a separate process renders it as text.
    rendered_.reset();
    InChild(kRenderSeconds, [&](const Output& out) {
      Attach(remains.recipe, remains.ledger, observation);
      out.Write("rendered", observation);
    });
    if (rendered_ && rendered_->case_id == observation.case_id) observation = *rendered_;
  }
  Pass(observation);
}

}  // namespace dlpack_cts::worker
