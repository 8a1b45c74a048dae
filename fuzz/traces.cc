// fuzz/traces.cc: tells the fuzzing engine what was new in an exchange.
#include "fuzz/traces.h"

namespace dlpack_cts::fuzz {
namespace {

constexpr size_t kCounters = 4096;
// libFuzzer clears and reads them after every run. Without `volatile` the compiler would remove the array and the
// writes.
__attribute__((section("__libfuzzer_extra_counters"))) volatile uint8_t g_counters[kCounters];

// For an engine that uses guards of the compiler (AFL++), each counter is an edge too: what the compiler adds to the
// subject hands this whole section to the engine. The guards stay 0 for other engines.
__attribute__((section("__sancov_guards"))) uint32_t g_guards[kCounters];

}  // namespace
}  // namespace dlpack_cts::fuzz

// NOLINTNEXTLINE(bugprone-reserved-identifier): the name is SanitizerCoverage's; NULL if no engine has it
extern "C" __attribute__((weak)) void __sanitizer_cov_trace_pc_guard(uint32_t* guard);

namespace dlpack_cts::fuzz {

void Mark(uint64_t a, uint64_t b, uint64_t c) {
  uint64_t hash = (a * 0x9e3779b97f4a7c15u) ^ (b * 0xbf58476d1ce4e5b9u) ^ (c * 0x94d049bb133111ebu);
  hash ^= hash >> 29;
  g_counters[hash % kCounters] = 1;
  uint32_t& guard = g_guards[hash % kCounters];
  if (guard != 0 && __sanitizer_cov_trace_pc_guard != nullptr) __sanitizer_cov_trace_pc_guard(&guard);
}

uint64_t WordsOf(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) {
    if (c < '0' || c > '9') hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  return hash;
}

}  // namespace dlpack_cts::fuzz
