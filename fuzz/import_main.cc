// fuzz/import_main.cc: the libFuzzer target `import`: any bytes are a recipe of an exchange that a library consumes.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "fuzz/mutate.h"
#include "fuzz/target.h"
#include "fuzz/traces.h"
#include "harness/recipe/codec.h"

namespace dlpack_cts {
namespace {

Target* g_target = nullptr;
uint64_t g_known = 0;

/// Libraries abort in their exit handlers, so this handler, the last one registered, comes first and is the last.
void LeaveAtOnce(int status, void*) {
  if (g_known > 0) {
    std::fprintf(stderr, "dlpack-cts: %llu exchanges showed known deviations\n",
                 static_cast<unsigned long long>(g_known));
  }
  std::fflush(nullptr);
  _exit(status);
}

int Initialize() {
  Campaign campaign;
  std::string error;
  if (!ReadCampaign(&campaign, &error)) {
    std::fprintf(stderr, "dlpack-cts: %s\n  hint: start the target with dlpack-cts fuzz import LIBRARY\n",
                 error.c_str());
    _exit(2);
  }
  g_target = &Target::Open(campaign);
  if (!campaign.known.empty()) {
    std::fprintf(stderr, "dlpack-cts: %zu known deviations of %s do not stop this campaign:\n", campaign.known.size(),
                 campaign.library.c_str());
    for (const Known& known : campaign.known) {
      std::fprintf(stderr, "  %s%s %s\n", known.cases.c_str(), known.rule.c_str(), known.message.c_str());
    }
  }
  if (!g_target->offering().negative) {
    std::fprintf(stderr, "dlpack-cts: negative strides kill %s; this campaign does not offer them\n",
                 campaign.library.c_str());
  }
  return 0;
}

/// Prints the finding, keeps its smallest recipe for `dlpack-cts replay`, and dies, so that libFuzzer keeps the input.
[[noreturn]] void Report(const Finding& finding, const Recipe& recipe) {
  const Recipe smallest = g_target->Shrink(recipe, finding);
  std::fprintf(stderr, "\n%s", ToText(finding, smallest).c_str());
  if (const char* path = std::getenv("DLPACK_CTS_FUZZ_FINDING"); path != nullptr && *path != '\0') {
    std::ofstream(path) << ToReplayJson(finding, smallest, g_target->campaign());
  }
  std::fflush(nullptr);
  std::abort();
}

size_t Store(const Recipe& recipe, uint8_t* data, size_t room) {
  const auto bytes = Encode(recipe);
  const size_t size = std::min(bytes.size(), room);
  std::memcpy(data, bytes.data(), size);
  return size;
}

}  // namespace
}  // namespace dlpack_cts

using namespace dlpack_cts;  // NOLINT: the entry points are libFuzzer's, in no namespace

// The sanitizers' common runtime would report a crash and not keep its input; libFuzzer does.
extern "C" const char* __ubsan_default_options() { return "handle_segv=0:handle_sigbus=0:handle_sigfpe=0"; }

extern "C" int LLVMFuzzerInitialize(int*, char***) { return Initialize(); }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const bool first = [] {
    g_target->InstallFaultHandler();
    on_exit(LeaveAtOnce, nullptr);
    return true;
  }();
  static_cast<void>(first);
  Recipe recipe = DecodeAny({data, size});
  const std::optional<Finding> finding = g_target->Run(recipe);
  LeaveTraces(recipe, g_target->ledger());
  if (!finding) return 0;
  if (!g_target->IsKnown(*finding)) Report(*finding, recipe);
  ++g_known;
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned int seed) {
  Random random(seed);
  return Store(Mutate(DecodeAny({data, size}), g_target->offering(), random), data, max_size);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* data1, size_t size1, const uint8_t* data2, size_t size2,
                                            uint8_t* out, size_t max_size, unsigned int seed) {
  Random random(seed);
  return Store(Cross(DecodeAny({data1, size1}), DecodeAny({data2, size2}), g_target->offering(), random), out,
               max_size);
}
