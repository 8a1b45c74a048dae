// fuzz/traces.cc: sets libFuzzer's extra counters for what was new in an exchange.
#include "fuzz/traces.h"

namespace dlpack_cts::fuzz {
namespace {

constexpr size_t kCounters = 4096;  // libFuzzer clears and reads them after every run
// Only libFuzzer reads them. Without `volatile` the compiler would remove the array and the writes.
__attribute__((section("__libfuzzer_extra_counters"))) volatile uint8_t g_counters[kCounters];

}  // namespace

void Mark(uint64_t a, uint64_t b, uint64_t c) {
  uint64_t hash = (a * 0x9e3779b97f4a7c15u) ^ (b * 0xbf58476d1ce4e5b9u) ^ (c * 0x94d049bb133111ebu);
  hash ^= hash >> 29;
  g_counters[hash % kCounters] = 1;
}

uint64_t WordsOf(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) {
    if (c < '0' || c > '9') hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  return hash;
}

}  // namespace dlpack_cts::fuzz
