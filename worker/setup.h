// worker/setup.h: the libraries of this process, and what the parts of the worker share.
#ifndef DLPACK_CTS_WORKER_SETUP_H_
#define DLPACK_CTS_WORKER_SETUP_H_

#include <memory>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "harness/attribute/attribution.h"
#include "harness/case/case.h"
#include "worker/diagnose/known_hang.h"
#include "worker/job/job.h"
#include "worker/process/crash_record.h"
#include "worker/process/output.h"
#include "worker/process/surroundings.h"
#include "worker/run/case_runner.h"
#include "worker/run/reference_run.h"

namespace dlpack_cts::worker {

/// The subjects of a process: the library, the other library of a pair (or NULL), and the reference to compare with.
struct Subjects {
  Subject& subject;
  Subject* partner;
  Subject& reference;
};

/// The libraries of this process, with their engines.
struct Libraries {
  /// One library of a pair, with the reference instead of the other one.
  struct Half {
    Side side;  // the role of the library
    std::unique_ptr<Engine> engine;
  };

  Libraries(const Subjects& given, CrashRecord& crash_record);

  Subjects subjects;
  Engine engine;
  ReferenceRun reference_run;
  std::vector<Half> halves;  // two for a pair, else none
};

struct Setup {
  const Job& job;
  CrashRecord& crash_record;
  const Output& output;
  Surroundings& surroundings;
  std::unique_ptr<Libraries> libraries;  // NULL in a fork server whose children import the libraries
  Profile profile{};                     // what the probes found
  std::string mutant;                    // name of the active mutant or mutants; empty without one
  std::vector<KnownHang> hangs;          // that earlier cases have shown

  /// How many examples of that case run. Cases of rules that the mutant does not violate run fewer.
  CaseRunner::Extent ExtentOf(const Case& tested, const std::vector<int>& crashing) const;
};

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_SETUP_H_
