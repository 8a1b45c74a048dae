// fuzz/fuzz_main.cc: the libFuzzer program of every target: any bytes are converted to a recipe.
//
// With DLPACK_CTS_FUZZ_OUT it runs a campaign: a supervisor and its jobs. Without it, it is an ordinary libFuzzer
// program with libFuzzer's options.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "base/failure.h"
#include "fuzz/keep.h"
#include "fuzz/mutate.h"
#include "fuzz/player.h"
#include "fuzz/supervisor.h"
#include "harness/recipe/codec.h"
#include "results/whole_file.h"

namespace dlpack_cts::fuzz {
namespace {

Player* g_player = nullptr;
Board g_own_board;
Board* g_board = &g_own_board;
bool g_supervised = false;

/// Some libraries abort in their exit handlers. This handler is registered last, so it runs first and ends the process.
/// If the library calls exit() during an exchange, the supervisor notices it by the stage.
void LeaveAtOnce(int status, void*) {
  if (g_board->began == 0) g_board->stage = Stage::kDone;
  std::fflush(nullptr);
  _exit(status);
}

/// The libFuzzer options of a job. The supervisor handles signals, time and memory.
void SetArguments(const Campaign& campaign, int* argc, char*** argv) {
  static std::vector<std::string> arguments;
  static std::vector<char*> pointers;
  arguments.assign(*argv, *argv + *argc);
  // libFuzzer counts whole seconds, and ends one second later.
  arguments.push_back("-max_total_time=" + std::to_string(std::max(1, campaign.seconds - 1)));
  for (const char* option : {"-timeout=0", "-rss_limit_mb=0", "-verbosity=0", "-reload=1", "-detect_leaks=0"}) {
    arguments.emplace_back(option);
  }
  for (const char* signal : {"segv", "bus", "ill", "fpe", "abrt", "int", "term", "xfsz", "usr1", "usr2"}) {
    arguments.push_back(std::string("-handle_") + signal + "=0");
  }
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  *argc = static_cast<int>(arguments.size());
  *argv = pointers.data();
}

void PrintKnown(const Campaign& campaign) {
  if (campaign.known.empty()) return;
  std::fprintf(stderr, "dlpack-cts: %zu known deviations of %s do not stop this campaign:\n", campaign.known.size(),
               campaign.library.c_str());
  for (const Known& known : campaign.known) {
    std::fprintf(stderr, "  %s%s %s\n", known.cases.c_str(), known.rule.c_str(), known.message.c_str());
  }
}

void Start(int* argc, char*** argv) {
  const Campaign campaign =
      WithContext("", "start the program with dlpack-cts fuzz TARGET LIBRARY", [] { return ReadCampaign(); });
  PrintKnown(campaign);
  g_supervised = !campaign.out.empty();
  if (g_supervised) {
    g_board = &StartJobs(campaign);
    SetArguments(campaign, argc, argv);
  }
  g_player = &Player::Open(campaign);
  if (!g_player->offering().negative) {
    std::fprintf(stderr, "dlpack-cts: %s crashes if it imports negative strides; this campaign does not use them\n",
                 campaign.library.c_str());
  }
  g_board->stage = Stage::kFuzzing;
}

int Initialize(int* argc, char*** argv) {
  const std::optional<Failure> failure = FailureOf([&] { Start(argc, argv); });
  if (!failure) return 0;
  std::fputs(Printed(*failure).c_str(), stderr);
  std::fflush(nullptr);
  _exit(failure->status());
}

/// Writes the finding with its smallest recipe for `dlpack-cts replay`. Without a supervisor it aborts, so that
/// libFuzzer keeps the input.
[[noreturn]] void Report(const Finding& finding, const Recipe& recipe) {
  g_board->stage = Stage::kReporting;
  const Campaign& campaign = g_player->campaign();
  std::string path;
  if (g_supervised) {
    const std::string input = KeepInput(campaign.out, "crash", g_board->Input());
    path = campaign.out + "/" + KeptName("crash", g_board->Input()) + ".json";
    // Written before minimising, because the library may crash then.
    if (!input.empty()) errno = WriteWholeFile(path, ToReplayJson(finding, recipe, campaign));
    if (errno != 0) std::perror(path.c_str());
  } else if (const char* named = std::getenv("DLPACK_CTS_FUZZ_FINDING"); named != nullptr) {
    path = named;
  }
  Recipe smallest;
  Copy(recipe, smallest);
  const Finding shown = g_player->Minimise(smallest, finding);
  std::fprintf(stderr, "\n%s", ToText(shown, smallest).c_str());
  if (!path.empty()) WriteWholeFile(path, ToReplayJson(shown, smallest, campaign));
  std::fflush(nullptr);
  if (!g_supervised) std::abort();
  g_board->stage = Stage::kReported;
  _exit(1);
}

size_t Store(const Recipe& recipe, uint8_t* data, size_t room) {
  const auto bytes = Encode(recipe);
  const size_t size = std::min(bytes.size(), room);
  std::memcpy(data, bytes.data(), size);
  return size;
}

}  // namespace
}  // namespace dlpack_cts::fuzz

// NOLINTBEGIN(google-build-using-namespace): the entry points are libFuzzer's, in no namespace
using namespace dlpack_cts;
using namespace dlpack_cts::fuzz;
// NOLINTEND(google-build-using-namespace)

// Otherwise the sanitizer runtime would report a crash without keeping its input.
extern "C" const char* __ubsan_default_options() { return "handle_segv=0:handle_sigbus=0:handle_sigfpe=0"; }

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) { return Initialize(argc, argv); }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const bool first = [] {
    g_player->InstallFaultHandler();
    on_exit(LeaveAtOnce, nullptr);
    return true;
  }();
  static_cast<void>(first);
  g_board->Begin({data, size});
  Recipe recipe = DecodeAny({data, size});
  const std::optional<Finding> finding = g_player->Run(recipe);
  g_player->target().trace(recipe, g_player->ledger());
  if (finding && !g_player->IsKnown(*finding)) Report(*finding, recipe);
  if (finding) g_board->known = g_board->known + 1;
  g_board->End();
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned int seed) {
  Random random(seed);
  return Store(Mutate(g_player->target(), DecodeAny({data, size}), g_player->offering(), random), data, max_size);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* data1, size_t size1, const uint8_t* data2, size_t size2,
                                            uint8_t* out, size_t max_size, unsigned int seed) {
  Random random(seed);
  const Recipe child =
      Cross(g_player->target(), DecodeAny({data1, size1}), DecodeAny({data2, size2}), g_player->offering(), random);
  return Store(child, out, max_size);
}
