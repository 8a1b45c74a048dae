// runner/run/options.h: the options of the command line.
#ifndef DLPACK_CTS_RUNNER_RUN_OPTIONS_H_
#define DLPACK_CTS_RUNNER_RUN_OPTIONS_H_

#include <string>
#include <string_view>
#include <vector>

#include "runner/run/shard.h"
#include "runner/session/session.h"

namespace dlpack_cts::runner {

struct Options {
  std::vector<std::string> libraries;
  std::vector<std::string> adapters;
  RunOptions run;
  std::string level = "all";
  int jobs = 1;                       // fuzz: processes
  int mutants_sweep = 0;              // mutants: 0, because a case should kill a mutant, not a sweep
  int workers = 1;                    // run, interop: processes at the same time
  std::string fail_on = "warn";       // run, interop: the least severe verdict that fails the run
  bool strict = false;                // run, interop: what invalid input shows makes the run fail too
  std::string last_failed;            // run, interop: an earlier run, of which only the failed cases run again
  int skip_status = 0;                // run, interop: exit status if every case is SKIP or BLOCKED
  bool pairs = false;                 // interop
  bool every_pair = false;            // interop: of all libraries
  std::vector<std::string> left_out;  // interop: pairs that cannot run
  Shard shard;                        // run, interop, mutants, replay of a folder: what runs here
  std::string run_id;                 // run, interop: --run-id
  double time_limit = 0;              // run, interop: seconds of the whole run; 0: none
  std::string expectations;
  bool census = false;       // run, report: lists the observed choices
  bool annotations = false;  // run, interop: prints annotations of GitHub Actions
  bool update = false;       // run: rewrites the expectations files
  std::string out;
  std::string store;       // report: a folder for compact results
  std::string history;     // report, history: the folder of histories
  std::string not_judged;  // history: NAME==VERSION
  std::string reason;      // history: why it was not judged
  std::string format = "tree";
  std::string color = "auto";
  bool verbose = false;  // run, interop, replay, report: the terminal shows all that is known
  bool json = false;
  std::string what;                // list: rules, cases, ...; explain: an id; env: a verb
  std::vector<std::string> files;  // report: result files, or folders with results; replay: findings
  std::string debugger;            // replay: a command, such as gdb --args
  std::string keep;                // replay: folder for copies of findings; empty: none
  std::string results;             // explain --in, issue: the same as files of report, one path
  std::string old_results;         // diff: the same
  std::string new_results;
  std::vector<std::string> mutants;  // globs; empty: all
  std::string shape;                 // mutants --on
  std::string fuzz_target;
  std::vector<std::string> fuzz_merge;  // folders of campaigns
  std::string fuzz_minimize;            // a finding
  int fuzz_seconds = 30;                // 0: no limit
  int fuzz_runs = 0;                    // exchanges; 0: no limit
  int fuzz_timeout = 20;                // seconds that one exchange may take
  int fuzz_memory = 4096;               // most megabytes of one job
  std::string command;                  // the whole command line, for the header
};

/// One function per subcommand; each returns an exit status.
int RunCommandLine(Options& options);  // run
int InteropCommand(Options& options);
int ListCommand(const Options& options);
int ExplainCommand(const Options& options);
int MutantsCommand(const Options& options);
int ReplayCommand(Options& options);
int FuzzCommand(const Options& options);
/// replay of an input that libFuzzer kept. Does not return, or throws Failure.
int ReplayInput(const Options& options);
/// Whether it is such an input, by its name or its first bytes.
bool IsKeptInput(const std::string& file, std::string_view content);
int ReportCommand(const Options& options);
int HistoryCommand(const Options& options);
int DiffCommand(const Options& options);
int IssueCommand(const Options& options);
int AdapterCommand(const Options& options);
int EnvCommand(const Options& options);
int DoctorCommand(const Options& options);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_RUN_OPTIONS_H_
