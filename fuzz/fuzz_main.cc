// fuzz/fuzz_main.cc: the libFuzzer program of every target: any bytes are converted to a recipe.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "base/failure.h"
#include "fuzz/mutate.h"
#include "fuzz/player.h"
#include "results/whole_file.h"

namespace dlpack_cts::fuzz {
namespace {

Player* g_player = nullptr;
bool g_in_exchange = false;

/// Some libraries abort in their exit handlers. This handler is registered last, so it runs first and ends the process.
/// If the library calls exit() during an exchange, libFuzzer's own handler reports that.
void LeaveAtOnce(int status, void*) {
  if (g_in_exchange) return;
  std::fflush(nullptr);
  _exit(status);
}

void PrintKnown(const Settings& settings) {
  if (settings.known.empty()) return;
  std::fprintf(stderr, "dlpack-cts: %zu known deviations of %s do not stop this program:\n", settings.known.size(),
               settings.library.c_str());
  for (const Known& known : settings.known) {
    std::fprintf(stderr, "  %s%s %s\n", known.cases.c_str(), known.rule.c_str(), known.message.c_str());
  }
}

void Start() {
  const Settings settings =
      WithContext("", "docs/fuzzing.md lists the variables that the program reads", [] { return ReadSettings(); });
  PrintKnown(settings);
  g_player = &Player::Open(settings);
  if (!g_player->offering().negative) {
    std::fprintf(stderr, "dlpack-cts: %s crashes if it imports negative strides, so they are not used\n",
                 settings.library.c_str());
  }
}

int Initialize() {
  const std::optional<Failure> failure = FailureOf(Start);
  if (!failure) return 0;
  std::fputs(Printed(*failure).c_str(), stderr);
  std::fflush(nullptr);
  _exit(failure->status());
}

void Write(const Finding& finding, const Recipe& recipe) {
  const Settings& settings = g_player->settings();
  if (settings.finding.empty()) return;
  const int error = WriteWholeFile(settings.finding, ToReplayJson(finding, recipe, settings));
  if (error != 0) std::fprintf(stderr, "dlpack-cts: %s: %s\n", settings.finding.c_str(), std::strerror(error));
}

/// Prints the finding with its smallest recipe, and aborts, so that libFuzzer keeps the input.
[[noreturn]] void Report(const Finding& finding, const Recipe& recipe) {
  Write(finding, recipe);  // before minimising, because the library may crash then
  Recipe smallest;
  Copy(recipe, smallest);
  const Finding shown = g_player->Minimise(smallest, finding);
  std::fprintf(stderr, "\n%s", ToText(shown, smallest).c_str());
  Write(shown, smallest);
  std::fflush(nullptr);
  std::abort();
}

Recipe Decode(const uint8_t* data, size_t size) { return g_player->target().decode({data, size}); }

size_t Store(const Recipe& recipe, uint8_t* data, size_t room) {
  const auto bytes = g_player->target().encode(recipe);
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

// NOLINTBEGIN(bugprone-reserved-identifier): the names are those of the sanitizers
// The ledger finds leaks of tensors; CPython does not free all memory. The forge handles faults itself.
extern "C" const char* __asan_default_options() { return "detect_leaks=0:allow_user_segv_handler=1"; }
// Otherwise the sanitizer runtime would report a crash without keeping its input.
extern "C" const char* __ubsan_default_options() { return "handle_segv=0:handle_sigbus=0:handle_sigfpe=0"; }
// NOLINTEND(bugprone-reserved-identifier)

extern "C" int LLVMFuzzerInitialize(int*, char***) { return Initialize(); }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const bool first = [] {
    g_player->InstallFaultHandler();
    on_exit(LeaveAtOnce, nullptr);
    return true;
  }();
  static_cast<void>(first);
  g_in_exchange = true;
  Recipe recipe = Decode(data, size);
  const std::optional<Finding> finding = g_player->Run(recipe);
  g_player->target().trace(recipe, g_player->ledger());
  if (finding && !g_player->IsKnown(*finding)) Report(*finding, recipe);
  g_in_exchange = false;
  return 0;
}

// libFuzzer's own mutators; NULL with AFL++, which runs its own beside this one.
extern "C" __attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned int seed) {
  Random random(seed);
  const Target& target = g_player->target();
  const bool has_words = target.dictionary != nullptr && LLVMFuzzerMutate != nullptr;
  if (has_words && random.OneIn(2)) return LLVMFuzzerMutate(data, size, max_size);
  return Store(Mutate(target, Decode(data, size), g_player->offering(), random), data, max_size);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* data1, size_t size1, const uint8_t* data2, size_t size2,
                                            uint8_t* out, size_t max_size, unsigned int seed) {
  Random random(seed);
  const Recipe child =
      Cross(g_player->target(), Decode(data1, size1), Decode(data2, size2), g_player->offering(), random);
  return Store(child, out, max_size);
}
