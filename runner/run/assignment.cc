// runner/run/assignment.cc: prepares an assignment, and writes its header and replay commands.
#include "runner/run/assignment.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include "runner/base/quoted.h"

namespace dlpack_cts::runner {
namespace {

std::string Machine() {
  utsname name{};
  uname(&name);
  return std::string(name.sysname) + " " + name.release + " " + name.machine + ", " +
         std::to_string(sysconf(_SC_NPROCESSORS_ONLN)) + " cores";
}

std::string UtcNow() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

/// Sets everything except the environment, which takes time, and the job.
Assignment Begin(const Library& library, const Options& options, int library_examples) {
  Assignment assignment;
  assignment.library = library;
  assignment.options = options;
  RunOptions& run = assignment.options.run;
  if (!run.sweep_given) run.sweep = std::min(run.sweep, library.sweep);
  if (!run.examples_given && library_examples > 0) {
    run.examples = library_examples;
    assignment.examples_from = "library.toml";
  }
  assignment.started = UtcNow();
  assignment.clock = std::chrono::steady_clock::now();
  return assignment;
}

/// The lower of two numbers. 0 means the default.
int Fewer(int a, int b) { return a == 0 ? b : b == 0 ? a : std::min(a, b); }

/// The options that limit an exchange or change its process, unless they have their defaults.
std::string LimitsOf(const RunOptions& options) {
  const RunOptions usual;
  std::string limits;
  if (options.case_seconds != usual.case_seconds) limits += " --timeout " + nlohmann::json(options.case_seconds).dump();
  if (options.keep_environment) limits += " --keep-environment";
  if (options.memory_mb != usual.memory_mb) limits += " --memory " + std::to_string(options.memory_mb);
  return limits;
}

/// The interpreter of python -m dlpack_cts, or "".
std::string OwnPython() {
  const char* const own = std::getenv("DLPACK_CTS_PYTHON");
  return own == nullptr ? "" : own;
}

}  // namespace

std::string FolderIn(const std::string& out, const std::string& name) {
  return out.empty() ? "" : (std::filesystem::path(out) / name).string();
}

std::string PairName(const std::string& producer, const std::string& consumer) { return producer + "-to-" + consumer; }

bool GivesPython(const RunOptions& options) { return !options.python.empty() || !OwnPython().empty(); }

Environment EnvironmentOf(const Library& library, const RunOptions& options) {
  if (!library.IsPython()) return {};
  if (!options.python.empty()) return UsePython(options.python);
  const std::string own = OwnPython();
  // A version on the command line asks for an environment of its own.
  return !own.empty() && library.version.empty() ? UsePython(own) : PrepareEnvironment(library);
}

std::string ExpectationsOf(const Library& library, const Options& options) {
  return options.expectations.empty() ? library.folder + "/expectations.toml" : options.expectations;
}

Assignment PrepareOne(const Library& library, const Options& options) {
  Assignment assignment = Begin(library, options, library.examples);
  assignment.expectations = Expectations::Read(ExpectationsOf(library, options));
  assignment.environment = EnvironmentOf(library, options.run);
  assignment.job = MakeJob(library, assignment.environment, {}, assignment.options.run);
  return assignment;
}

Assignment PreparePair(const Library& producer, const Library& consumer, const Library& home, const Options& options) {
  Library pair = UnionOf(producer, consumer);
  pair.name = PairName(producer.name, consumer.name);
  pair.folder = producer.folder;
  Assignment assignment = Begin(pair, options, Fewer(producer.examples, consumer.examples));
  assignment.producer = producer.name;
  assignment.consumer = consumer.name;
  assignment.lists = {.producer = producer.name,
                      .producer_file = ExpectationsOf(producer, options),
                      .consumer = consumer.name,
                      .consumer_file = ExpectationsOf(consumer, options)};
  assignment.expectations = Expectations::Read(assignment.lists);
  assignment.options.out = FolderIn(options.out, pair.name);
  assignment.environment = EnvironmentOf(home, options.run);
  assignment.job = MakeJob(producer, assignment.environment, {}, assignment.options.run);
  assignment.job.fork = pair.fork_safe;
  assignment.job.partner = MakeJob(consumer, assignment.environment, {}, options.run).tested;
  return assignment;
}

Header HeaderOf(const Assignment& assignment) {
  Header header;
  header.program_version = DLPACK_CTS_VERSION;
  header.library = assignment.library.name;
  header.machine = Machine();
  header.environment = assignment.environment.python.empty() ? "native" : assignment.environment.python;
  header.variables =
      WorkerVariables(assignment.library, assignment.environment.python, assignment.options.run.keep_environment);
  header.seed = assignment.options.run.seed;
  header.examples = assignment.options.run.examples;
  header.examples_from = assignment.examples_from;
  header.started = assignment.started;
  header.command = assignment.options.command;
  if (!assignment.options.shard.IsWhole()) header.shard = assignment.options.shard.Text();
  header.options = DecidingOptions(assignment.options);
  return header;
}

std::string ReplayOfCase(const Assignment& assignment, const std::string& case_id) {
  const Options& options = assignment.options;
  const Library& library = assignment.library;
  std::string command = "dlpack-cts ";
  command += assignment.IsPair()
                 ? "interop " + Quoted(assignment.producer) + " " + Quoted(assignment.consumer)
                 : "run " + Quoted(library.name + (library.version.empty() ? "" : "==" + library.version));
  for (const std::string& folder : options.adapters) command += " --adapter " + Quoted(folder);
  if (!options.run.python.empty()) command += " --python " + Quoted(options.run.python);
  for (const std::string& folder : options.run.pythonpath) command += " --pythonpath " + Quoted(folder);
  if (!options.expectations.empty()) command += " --expectations " + Quoted(options.expectations);
  command += LimitsOf(options.run);
  const int sweep = assignment.IsPair() ? kPairSweep : RunOptions().sweep;
  if (options.run.sweep != sweep) command += " --sweep " + std::to_string(options.run.sweep);
  return command + " --select " + Quoted(case_id) + " --seed " + std::to_string(options.run.seed) + " --examples " +
         std::to_string(options.run.examples);
}

std::string ReplayOfFile(const std::string& file, const Options& options) {
  return "dlpack-cts replay " + Quoted(file) + LimitsOf(options.run);
}

}  // namespace dlpack_cts::runner
