// worker/main.cc: the worker's main function: prints lists, or runs one job.
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>

#include "results/roomy_stack.h"
#include "results/text.h"
#include "subject/python_loader.h"
#include "worker/job/job.h"
#include "worker/listing.h"
#include "worker/probe/probe.h"
#include "worker/process/crash_record.h"
#include "worker/process/ending.h"
#include "worker/process/output.h"
#include "worker/process/surroundings.h"
#include "worker/process/thrown.h"
#include "worker/reproducer_command.h"
#include "worker/run/case_runner.h"
#include "worker/run/crash_text.h"
#include "worker/session.h"
#include "worker/subject_factory.h"

namespace dlpack_cts::worker {
namespace {

constexpr int kUsage = 2;
constexpr int kHarness = 3;

using Work = std::function<void(const Subjects&)>;

struct Context {
  const Job& job;
  CrashRecord& crash_record;
  const Output& output;
  Surroundings& surroundings;
  const Work* work = nullptr;
};

int Fail(const Output& output, const BridgeError& error, int status) {
  output.Error(error.message, error.hint, error.traceback);
  return status;
}

/// Runs inside the interpreter if one is needed. Never returns: `work` ends the process, because some libraries abort
/// in their own exit handlers.
int OpenAll(void* opaque) {
  const Context& context = *static_cast<Context*>(opaque);
  NoteThrown(context.crash_record);
  SetDoing(context.crash_record, "importing");
  BridgeError error;
  Subject* subject = OpenSubject(context.job.subject, context.job, &error);
  if (subject == nullptr) _exit(Fail(context.output, error, kUsage));
  Subject* partner = nullptr;
  if (context.job.pair) {
    partner = OpenSubject(*context.job.pair, context.job, &error);
    if (partner == nullptr) _exit(Fail(context.output, error, kUsage));
  }
  Subject* reference = OpenReference(context.job, &error);
  if (reference == nullptr) _exit(Fail(context.output, error, kHarness));
  // This comes first: a library may have unmasked floating-point exceptions.
  for (const std::string& what : context.surroundings.Restore()) {
    std::fprintf(stderr, "dlpack-cts-worker: the library %s during its import; dlpack-cts restored it\n", what.c_str());
  }
  (*context.work)({*subject, partner, *reference});
  _exit(kHarness);
}

int OpenInPython(Context& context) {
  BridgeError error;
  if (!LoadBridge(context.job.libpython, &error.message)) {
    error.hint = "name another interpreter with --python, or install the package that holds its libpython";
    return Fail(context.output, error, kUsage);
  }
  const auto enter = reinterpret_cast<BridgeEnter>(BridgeSymbol("dlpack_cts_bridge_enter"));
  if (enter == nullptr) {
    return Fail(context.output, {"the CPython bridge has no entry function", "build dlpack-cts again", ""}, kHarness);
  }
  BridgeConfig config;
  config.python = context.job.python;
  config.path = context.job.path;
  // The reference needs no package. site may import anything, and register handlers for forks.
  const bool paired = context.job.pair.has_value() && context.job.pair->kind != "reference";
  config.site = paired || context.job.subject.kind != "reference";
  enter(config, &OpenAll, &context);
  // Returns only if the interpreter could not start.
  return Fail(context.output,
              {"the interpreter " + context.job.python + " could not be started",
               "check that it runs, and that it belongs to the libpython " + context.job.libpython, ""},
              kUsage);
}

/// Called if the fork server itself crashed: prints the observation of the case that ran then.
int PrintLastCase(const std::string& job_path) {
  Job job;
  CrashRecord crash_record;
  std::string error;
  std::string hint;
  if (!ReadJob(job_path, &job, &error, &hint) || !ReadCrashRecord(job.board, &crash_record)) return kUsage;
  const int index = crash_record.head.case_index;
  if (index < 0 || index >= static_cast<int>(job.cases.size())) return kUsage;
  Ending ending{.end = End::kExit};
  if (crash_record.thrown[0] != '\0') ending = {.end = End::kThrew, .code = SIGABRT, .thrown = crash_record.thrown};
  if (crash_record.scribbled != 0) ending.end = End::kScribbled;
  if (crash_record.mute != 0) ending.end = End::kMute;
  const Remains remains = RemainsIn(crash_record).value_or(Remains{});
  Observation observation = ObservationOf(ending, remains, index, job);
  if (remains.example >= 0) Attach(remains.recipe, remains.ledger, observation);
  std::puts(DumpLine(ToJson(observation)).c_str());
  return 0;
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
      std::puts(list->dump().c_str());
      return 0;
    }
    if (argument == "--last-case" && has_value) return PrintLastCase(argv[i + 1]);
    if (argument == "--reproducers") {
      PrintReproducers({argv + i + 1, argv + argc});
      return 0;
    }
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
  // If the driver is killed, the worker must end too.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // A program that the library starts must not inherit it.
  if (out > STDERR_FILENO) fcntl(out, F_SETFD, FD_CLOEXEC);
  const Output output(out, mark);
  Surroundings surroundings;
  Job job;
  std::string error;
  std::string hint;
  if (!ReadJob(job_path, &job, &error, &hint)) {
    output.Error(error, hint, "");
    return kUsage;
  }
  CrashRecord left;
  const bool resumes = job.resume && ReadCrashRecord(job.board, &left);
  // If a file may not grow that much, report it instead of ending by the signal. The library gets the signal as usual.
  const auto usual = std::signal(SIGXFSZ, SIG_IGN);
  CrashRecord* crash_record = MapCrashRecord(job.board, &error);
  std::signal(SIGXFSZ, usual);
  if (crash_record == nullptr) {
    output.Error(error, "free some space in the folder for temporary files", "");
    return kUsage;
  }
  if (resumes) {
    ResumeFrom(left, crash_record);
    if (crash_record->probed == 0 && std::strcmp(left.head.doing, "probing") == 0) SkipProbe(*crash_record);
  }
  Context context{job, *crash_record, output, surroundings};
  const auto open = [&context](const Work& work) {
    context.work = &work;
    const bool python = NeedsPython(context.job.subject) || (context.job.pair && NeedsPython(*context.job.pair));
    return python ? OpenInPython(context) : OpenAll(&context);
  };
  const auto further = [&] {
    if (!job.stay || !output.AwaitWord()) return false;
    Job next;
    if (!ReadJob(job_path, &next, &error, &hint)) {
      output.Error(error, hint, "");
      return false;
    }
    job = std::move(next);
    return true;
  };
  return Session(job, {*crash_record, output, surroundings}, open, further).Run();
}

}  // namespace
}  // namespace dlpack_cts::worker

int main(int argc, char** argv) {
  return dlpack_cts::OnRoomyStack([=] { return dlpack_cts::worker::Main(argc, argv); });
}
