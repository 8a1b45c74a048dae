// fuzz/traces.cc: facts of the ledger as libFuzzer's extra counters.
#include "fuzz/traces.h"

#include <string_view>

#include "harness/recipe/laws.h"

namespace dlpack_cts {
namespace {

constexpr size_t kCounters = 4096;  // libFuzzer clears and reads them after every run
// Nobody here reads them, so without `volatile` the compiler drops array and writes.
__attribute__((section("__libfuzzer_extra_counters"))) volatile uint8_t g_counters[kCounters];

void Mark(uint64_t a, uint64_t b, uint64_t c = 0) {
  uint64_t hash = (a * 0x9e3779b97f4a7c15u) ^ (b * 0xbf58476d1ce4e5b9u) ^ (c * 0x94d049bb133111ebu);
  hash ^= hash >> 29;
  g_counters[hash % kCounters] = 1;
}

/// Numbers in a message vary with the recipe and say nothing new.
uint64_t WordsOf(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) {
    if (c < '0' || c > '9') hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  return hash;
}

}  // namespace

void LeaveTraces(const Recipe& recipe, const Ledger& ledger) {
  const Offer& offer = recipe.offer;
  const ImportLedger& import = ledger.imports[0];
  const auto outcome = static_cast<uint64_t>(import.import.outcome);
  if (import.import.outcome == Outcome::kRefused) {
    Mark(1, WordsOf(import.import.type.view()), WordsOf(import.import.message.view()));
  }
  Mark(2, outcome << 8 | import.aliases, static_cast<uint64_t>(offer.kind) << 8 | offer.dims);
  Mark(3, outcome, static_cast<uint64_t>(offer.dtype.code) << 24 | offer.dtype.bits);
  Mark(4, outcome << 8 | static_cast<uint64_t>(offer.strides_kind), BrokenLaws(offer));
  Mark(5, outcome, static_cast<uint64_t>(offer.placement) << 8 | static_cast<uint64_t>(offer.manners));
  Mark(6, static_cast<uint64_t>(import.library.reading), static_cast<uint64_t>(import.memory.reading));
  Mark(7, import.deleter.calls_in_import > 0, import.deleter.calls_while_alive > 0);
  Mark(8, static_cast<uint64_t>(import.name_after), import.changed_parts);
}

}  // namespace dlpack_cts
