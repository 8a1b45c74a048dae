// worker/main.cc: the worker's main function: prints lists, or runs one job.
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
#include "worker/job/job.h"
#include "worker/listing.h"
#include "worker/probe/probe.h"
#include "worker/process/crash_record.h"
#include "worker/process/ending.h"
#include "worker/process/guard.h"
#include "worker/process/output.h"
#include "worker/process/surroundings.h"
#include "worker/process/thrown.h"
#include "worker/reproducer_command.h"
#include "worker/resources.h"
#include "worker/run/case_runner.h"
#include "worker/run/crash_text.h"
#include "worker/session.h"
#include "worker/subject_factory.h"

namespace dlpack_cts::worker {
namespace {

constexpr int kNotFound = 127;  // as a shell exits

using Work = std::function<void(const Subjects&)>;

struct Context {
  const Job& job;
  CrashRecord& crash_record;
  const Output& output;
  Surroundings& surroundings;
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
  if (failure) _exit(context.output.Report(*failure));
  std::fflush(nullptr);
  _exit(kAsExpected);
}

void EnterInterpreter(Context& context) {
  const Job& job = context.job;
  WithContext("", "name another interpreter with --python, or install the package that holds its libpython",
              [&] { LoadBridge(job.libpython); });
  BridgeConfig config;
  config.python = job.python;
  config.path = job.path;
  // The reference needs no package. site may import anything, and register handlers for forks.
  config.site = (job.pair && job.pair->kind != "reference") || job.subject.kind != "reference";
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

void RunJobs(const std::string& job_path, const Output& output) {
  // The driver has started the guard, and must know which process to watch.
  output.Write(nlohmann::json{{"type", "started"}, {"pid", getpid()}});
  Surroundings surroundings;
  Job job = ReadJob(job_path);
  RequireResources(job.pair.has_value());
  CrashRecord& crash_record = CrashRecordOf(job);
  Context context{job, crash_record, output, surroundings};
  const auto open = [&context](const Work& work) {
    context.work = &work;
    const bool python = NeedsPython(context.job.subject) || (context.job.pair && NeedsPython(*context.job.pair));
    if (python) EnterInterpreter(context);
    OpenAndLeave(&context);
  };
  const auto next_job = [&] {
    if (!job.stay || !output.AwaitWord()) return false;
    job = ReadJob(job_path);
    return true;
  };
  Session(job, {crash_record, output, surroundings}, open, next_job).Run();
}

[[noreturn]] void Become(char** arguments) {
  execvp(arguments[0], arguments);
  _exit(kNotFound);
}

int Main(int argc, char** argv) {
  std::string job_path;
  std::string mark;
  int out = STDOUT_FILENO;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const bool has_value = i + 1 < argc;
    if (argument == "--list" && has_value) {
      const std::optional<nlohmann::json> list = ListOf(argv[i + 1]);
      if (!list) return kUsage;
      return Answer(out, list->dump());
    }
    if (argument == "--last-case" && has_value) return AnswerLastCase(argv[i + 1], out);
    if (argument == "--reproducers") return Answer(out, Reproducers({argv + i + 1, argv + argc}));
    if (argument == "--job" && has_value) {
      job_path = argv[++i];
    } else if (argument == "--out" && has_value) {
      out = std::atoi(argv[++i]);
    } else if (argument == "--mark" && has_value) {
      mark = argv[++i];
      // The library must not find it in /proc/self/cmdline.
      std::memset(argv[i], 'x', mark.size());
    } else {
      std::fprintf(stderr, "dlpack-cts-worker: unknown argument %s; see docs/processes.md\n", argv[i]);
      return kUsage;
    }
  }
  // A program that the library starts must not inherit it.
  if (out > STDERR_FILENO) fcntl(out, F_SETFD, FD_CLOEXEC);
  const Output output(out, mark);
  const std::optional<Failure> failure = FailureOf([&] { RunJobs(job_path, output); });
  return failure ? output.Report(*failure) : kAsExpected;
}

}  // namespace
}  // namespace dlpack_cts::worker

int main(int argc, char** argv) {
  const std::string first = argc > 2 ? argv[1] : "";
  if (first == "--job" || first == "--guard") dlpack_cts::worker::StartGuard();
  if (first == "--guard") dlpack_cts::worker::Become(argv + 2);
  return dlpack_cts::OnRoomyStack([=] { return dlpack_cts::worker::Main(argc, argv); });
}
