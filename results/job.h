// results/job.h: what the driver asks of a worker, as the job file has it (docs/processes.md).
//
// A job is written by the driver alone, so a field that is missing is an error, like an unknown one.
#ifndef DLPACK_CTS_RESULTS_JOB_H_
#define DLPACK_CTS_RESULTS_JOB_H_

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/terms.h"
#include "results/fields.h"

namespace dlpack_cts {

/// How one library is loaded.
struct JobLibrary {
  static std::span<const LineField<JobLibrary>> Fields();

  std::string library;
  std::string kind;                                   // python, reference, reference-native, native
  std::string adapter;                                // folder, or path of the plug-in
  std::vector<std::string> claims;                    // as in library.toml
  nlohmann::json profile = nlohmann::json::object();  // the table [profile] of library.toml
};

/// What a cause needs, which a case leaves out when it runs again.
struct LeftOut {
  static std::span<const LineField<LeftOut>> Fields();
  bool operator==(const LeftOut& other) const = default;

  Side side = Side::kImport;
  std::vector<std::string> triggers;
  nlohmann::json recipe;  // an example
  bool widely = false;    // every value of these properties
};

/// By case.
using Avoid = std::map<std::string, std::vector<LeftOut>>;

struct JobFile {
  static std::span<const LineField<JobFile>> Fields();

  JobLibrary tested;
  std::optional<JobLibrary> partner;  // the consumer of what `tested` exports
  std::string python;
  std::string libpython;
  std::vector<std::string> path;
  std::vector<std::string> cases;
  std::vector<std::string> mutants;
  std::string mutated;  // of a pair: the side with the mutants, producer or consumer; empty: each reference
  std::string shape;    // a conforming variant on top of which the mutants are applied; empty: the reference
  uint64_t seed = 1;
  int examples = 100;
  int sweep = 0;  // exchanges of each sweep
  double case_seconds = 10;
  double start_seconds = 60;
  int64_t memory_bytes = int64_t{4} << 30;
  bool resume = false;  // after a worker that crashed: its crash record holds what the probes found
  bool fork = true;
  bool stay = false;           // after the last case, wait for another job in the same file
  bool verdicts_only = false;  // no shrinking, and neither recipe nor ledger in an observation
  bool limits_only = false;    // no case runs: only the limitations of the mutant are asked for
  nlohmann::json replayed;     // a recipe, or null
  nlohmann::json run_before = nlohmann::json::array();  // recipes that run before it
  Avoid left_out;
  std::string board;
  std::string hangs;  // path of the HangTable; empty: the worker has one of its own
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_JOB_H_
