// worker/prober.h: applies the active mutants to the libraries of a process, and probes what they can do.
#ifndef DLPACK_CTS_WORKER_PROBER_H_
#define DLPACK_CTS_WORKER_PROBER_H_

#include <map>
#include <vector>

#include "harness/case/profile.h"
#include "mutants/mutant.h"
#include "results/limit.h"
#include "results/profile.h"
#include "worker/process/fork_server.h"
#include "worker/setup.h"

namespace dlpack_cts::worker {

class Prober {
 public:
  Prober(Setup& setup, ForkServer& server) : setup_(setup), server_(server) {}

  /// Applies the active mutants to the libraries of this process.
  void Prepare();

  /// What the library, or the pair, can do. Throws Failure if the adapter is wrong.
  Profile Probe();

  /// What the library refuses, copies or makes otherwise. The profile stays as it is.
  std::vector<Limit> Limits();

  /// How the two libraries of a pair exchange the simplest array. Lines are missing if it crashes. The profile stays as
  /// it is.
  ProfileLines PairLines();

 private:
  /// The producer or the consumer of a pair. Without a pair there is only the producer.
  enum class Role : uint8_t { kProducer, kConsumer };

  Subject& SubjectOf(Role role) const;
  const SubjectSource& SourceOf(Role role) const;
  /// What library.toml declares of the version of the library that is imported.
  Declared Declares(Role role) const;
  void PrepareOne(Role role);
  /// The active mutants, if they apply to that subject.
  std::vector<const Mutant*> MutantsIn(Role role) const;
  /// Adds what library.toml would declare for the shape and for the subject's mutants.
  void Amend(Role role, Profile& profile) const;
  /// Writes the result of the adapter to the crash record: a profile, or an error of the adapter.
  void Ask(Role role);
  Profile ProbeOne(Role role);
  void BlameComplaint() const;

  Setup& setup_;
  ForkServer& server_;
  std::map<Role, Profile> unmutated_;  // what the probes of each role found without a mutant
};

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_PROBER_H_
