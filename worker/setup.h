// worker/setup.h: the libraries of this process, and what the parts of the worker share.
#ifndef DLPACK_CTS_WORKER_SETUP_H_
#define DLPACK_CTS_WORKER_SETUP_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "harness/attribute/attribution.h"
#include "harness/case/case.h"
#include "worker/job/job.h"
#include "worker/process/board.h"
#include "worker/process/output.h"
#include "worker/process/surroundings.h"
#include "worker/run/case_runner.h"
#include "worker/run/peer.h"

namespace dlpack_cts::worker {

/// What a process drives: the library, the partner of a pair (or NULL), and the reference to compare with.
struct Driven {
  Subject& subject;
  Subject* partner;
  Subject& reference;
};

/// The libraries of this process, and what runs exchanges on them.
struct Stage {
  /// One library of a pair, with the reference in the place of the other one.
  struct Half {
    Side side;  // of the library
    std::unique_ptr<Engine> engine;
  };

  Stage(const Driven& libraries, Board& board);

  Driven driven;
  Engine engine;
  Peer peer;
  std::vector<Half> halves;  // of a pair: two; else none
};

struct Setup {
  const Job& job;
  Board& board;
  const Output& output;
  Surroundings& surroundings;
  std::unique_ptr<Stage> stage;  // NULL in a fork server whose children import themselves
  Profile profile{};             // that the probes found
  std::string mutant;            // the active one, or ones; empty without

  /// How many examples of that case run: for mutants, cases of other rules than theirs run fewer.
  CaseRunner::Extent ExtentOf(const Case& tested, const std::vector<int>& killers) const;
};

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_SETUP_H_
