// worker/entry.cc: the worker's main function: prints lists, or runs one job.
#include "worker/entry.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/failure.h"
#include "base/shortage.h"
#include "results/roomy_stack.h"
#include "results/text.h"
#include "subject/python_loader.h"
#include "worker/accused.h"
#include "worker/interpreter.h"
#include "worker/job/job.h"
#include "worker/listing.h"
#include "worker/once.h"
#include "worker/probe/probe.h"
#include "worker/process/crash_record.h"
#include "worker/process/ending.h"
#include "worker/process/guard.h"
#include "worker/process/output.h"
#include "worker/process/surroundings.h"
#include "worker/process/thrown.h"
#include "worker/reproducer_command.h"
#include "worker/resources.h"
#include "worker/run/attach.h"
#include "worker/run/case_runner.h"
#include "worker/run/crash_text.h"
#include "worker/session.h"
#include "worker/subject_factory.h"

namespace dlpack_cts::worker {
namespace {

constexpr int kNotFound = 127;  // as a shell exits

using Work = std::function<void(const Subjects&)>;

/// Where this code runs.
enum class Host : uint8_t { kProgram, kInterpreter };

struct Context {
  const Job& job;
  CrashRecord& crash_record;
  const Output& output;
  Surroundings& surroundings;
  Host host;
  bool once = false;
  const Work* work = nullptr;
};

void OpenAll(const Context& context) {
  SetShortageHandler([&output = context.output](const Failure& failure) { _exit(output.Report(failure)); });
  NoteThrown(context.crash_record);
  SetDoing(context.crash_record, "importing");
  const Job& job = context.job;
  Subject& subject = OpenSubject(job.subject, job);
  Subject* const partner = job.pair ? &OpenSubject(*job.pair, job) : nullptr;
  Subject& reference = OpenReference(job);
  // This comes first: a library may have unmasked floating-point exceptions.
  for (const std::string& what : context.surroundings.Restore()) {
    std::fprintf(stderr, "dlpack-cts-worker: the library %s during its import; dlpack-cts restored it\n", what.c_str());
  }
  (*context.work)({subject, partner, reference});
}

/// Opens all and works, inside the interpreter if one is needed. Never returns, because some libraries abort in their
/// own exit handlers. No exception may cross the interpreter.
int OpenAndLeave(void* opaque) {
  const Context& context = *static_cast<Context*>(opaque);
  const std::optional<Failure> failure = FailureOf([&] { OpenAll(context); });
  if (failure && context.once) std::fprintf(stderr, "%s", Printed(*failure).c_str());
  if (failure) _exit(context.once ? failure->status() : context.output.Report(*failure));
  std::fflush(nullptr);
  _exit(kAsExpected);
}

/// The reference needs no package. site may import anything, and register handlers for forks.
bool NeedsPackages(const Job& job) {
  return (job.pair && job.pair->kind != "reference") || job.subject.kind != "reference";
}

bool NeedsPython(const Job& job) { return NeedsPython(job.subject) || (job.pair && NeedsPython(*job.pair)); }

void EnterInterpreter(Context& context) {
  const Job& job = context.job;
  BridgeConfig config;
  config.python = job.python;
  config.path = job.path;
  if (context.host == Host::kInterpreter) {
    StartPython(config);
    OpenAndLeave(&context);
  }
  WithContext("", "name another interpreter with --python, or install the package that holds its libpython",
              [&] { LoadBridge(job.libpython); });
  config.site = NeedsPackages(job);
  EnterPython(config, &OpenAndLeave, &context);
  // Returns only if the interpreter could not start.
  throw Failure("the interpreter " + job.python + " could not be started",
                "check that it runs, and that it belongs to the libpython " + job.libpython);
}

/// Writes the answer to a question, and returns the exit status.
int Answer(int out, const std::string& text) { return dprintf(out, "%s\n", text.c_str()) > 0 ? kAsExpected : kUsage; }

/// Called if the fork server itself crashed: writes the observation of the case that ran then.
int AnswerLastCase(const std::string& job_path, int out) {
  const std::optional<Job> job = IfValid([&] { return ReadJob(job_path); });
  const std::unique_ptr<CrashRecord> left = job ? ReadCrashRecord(job->board) : nullptr;
  if (!job || left == nullptr) return kUsage;
  const CrashRecord& crash_record = *left;
  const int index = crash_record.head.case_index;
  if (index < 0 || index >= static_cast<int>(job->cases.size())) return kUsage;
  Ending ending{.end = End::kExit};
  if (crash_record.thrown[0] != '\0') ending = {.end = End::kThrew, .code = SIGABRT, .thrown = crash_record.thrown};
  if (crash_record.scribbled != 0) ending.end = End::kScribbled;
  if (crash_record.mute != 0) ending.end = End::kMute;
  const Remains remains = RemainsIn(crash_record).value_or(Remains{});
  Observation observation = ObservationOf(ending, remains, index, *job);
  if (remains.example >= 0) Attach(remains.recipe, remains.ledger, observation);
  return Answer(out, DumpLine(ToJson(observation)));
}

/// The crash record of the job, with what an earlier worker found.
CrashRecord& CrashRecordOf(const Job& job) {
  const std::unique_ptr<CrashRecord> left = job.resume ? ReadCrashRecord(job.board) : nullptr;
  // If a file may not grow that much, report it instead of ending by the signal. The library gets the signal as usual.
  const auto usual = std::signal(SIGXFSZ, SIG_IGN);
  CrashRecord& crash_record = MapCrashRecord(job.board);
  std::signal(SIGXFSZ, usual);
  if (left == nullptr) return crash_record;
  ResumeFrom(*left, crash_record);
  if (crash_record.probed == 0 && std::strcmp(left->head.doing, "probing") == 0) SkipProbe(crash_record);
  return crash_record;
}

/// What the arguments of a job say.
struct Arguments {
  std::string job;
  bool once = false;  // runs the replayed exchange in this process, for a debugger
  int out = STDOUT_FILENO;
  std::string mark;
};

void RunJobs(const Arguments& arguments, const Output& output, Host host) {
  // The driver has started the guard, and must know which process to watch.
  const bool once = arguments.once;
  if (host == Host::kProgram && !once) output.Write(nlohmann::json{{"type", "started"}, {"pid", getpid()}});
  Surroundings surroundings;
  Job job = ReadJob(arguments.job);
  if (host == Host::kInterpreter) LoadBridge("");
  if (host == Host::kProgram && NeedsPython(job) && job.libpython.empty()) {
    BecomeInterpreter(
        {job.python, NeedsPackages(job), once ? "--once" : "--job", arguments.job, arguments.out, arguments.mark});
  }
  RequireResources(job.pair.has_value());
  CrashRecord& crash_record = CrashRecordOf(job);
  Context context{job, crash_record, output, surroundings, host, once};
  const auto open = [&context](const Work& work) {
    context.work = &work;
    if (NeedsPython(context.job)) EnterInterpreter(context);
    OpenAndLeave(&context);
  };
  if (once) return open([&job](const Subjects& subjects) { RunOnce(job, subjects); });
  const auto next_job = [&] {
    if (!job.stay || !output.AwaitWord()) return false;
    job = ReadJob(arguments.job);
    return true;
  };
  const AtFork at_fork = host == Host::kInterpreter ? &PythonAtFork : nullptr;
  Session(job, {crash_record, output, surroundings, at_fork}, open, next_job).Run();
}

[[noreturn]] void Become(char** arguments) {
  execvp(arguments[0], arguments);
  _exit(kNotFound);
}

/// Reads what `--job` and the options behind it say. False if an argument is unknown.
bool ReadArguments(int argc, char** argv, Arguments& arguments) {
  for (int i = 1; i < argc; i += 2) {
    const std::string argument = argv[i];
    char* const value = i + 1 < argc ? argv[i + 1] : nullptr;
    if ((argument == "--job" || argument == "--once") && value != nullptr) {
      arguments.job = value;
      arguments.once = argument == "--once";
    } else if (argument == "--out" && value != nullptr) {
      arguments.out = std::atoi(value);
    } else if (argument == "--mark-from" && value != nullptr) {
      arguments.mark = ReadMark(std::atoi(value));
    } else if (argument == "--mark" && value != nullptr) {
      arguments.mark = value;
      // The library must not find it in /proc/self/cmdline.
      std::memset(value, 'x', arguments.mark.size());
    } else {
      std::fprintf(stderr, "dlpack-cts-worker: unknown argument %s; see docs/processes.md\n", argv[i]);
      return false;
    }
  }
  return true;
}

int RunJob(int argc, char** argv, Host host) {
  Arguments arguments;
  if (!ReadArguments(argc, argv, arguments)) return kUsage;
  // A program that the library starts must not inherit it.
  if (arguments.out > STDERR_FILENO) fcntl(arguments.out, F_SETFD, FD_CLOEXEC);
  const Output output(arguments.out, arguments.mark);
  const std::optional<Failure> failure = FailureOf([&] { RunJobs(arguments, output, host); });
  return failure ? output.Report(*failure) : kAsExpected;
}

/// The questions of the driver, each the last option, perhaps after --out.
int Main(int argc, char** argv) {
  int out = STDOUT_FILENO;
  int at = 1;
  if (argc > 3 && std::strcmp(argv[1], "--out") == 0) {
    out = std::atoi(argv[2]);
    at = 3;
  }
  const std::string question = argc > at ? argv[at] : "";
  const bool has_value = argc > at + 1;
  if (question == "--list" && has_value) {
    const std::optional<nlohmann::json> list = ListOf(argv[at + 1]);
    return list ? Answer(out, list->dump()) : static_cast<int>(kUsage);
  }
  if (question == "--accused" && argc == at + 5) {
    return Answer(out, AccusedBy({argv[at + 1], argv[at + 2], argv[at + 3], argv[at + 4]}).dump());
  }
  if (question == "--last-case" && has_value) return AnswerLastCase(argv[at + 1], out);
  if (question == "--reproducers") return Answer(out, Reproducers({argv + at + 1, argv + argc}));
  return RunJob(argc, argv, Host::kProgram);
}

}  // namespace
}  // namespace dlpack_cts::worker

int dlpack_cts_worker_program(int argc, char** argv) {
  const std::string first = argc > 2 ? argv[1] : "";
  if (first == "--job" || first == "--guard") dlpack_cts::worker::StartGuard();
  if (first == "--guard") dlpack_cts::worker::Become(argv + 2);
  return dlpack_cts::OnRoomyStack([=] { return dlpack_cts::worker::Main(argc, argv); });
}

int dlpack_cts_worker_in_python(int argc, char** argv) {
  return dlpack_cts::worker::RunJob(argc, argv, dlpack_cts::worker::Host::kInterpreter);
}
