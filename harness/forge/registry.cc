// harness/forge/registry.cc: the states of all forges of this process, found by an address.
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "harness/forge/state.h"

namespace dlpack_cts::forge {
namespace {

constexpr int kStates = Forge::kLiveForges;

// Filled from the start and never emptied, so that readers need no lock.
std::atomic<ForgeState*> g_states[kStates];

std::mutex g_mutex;
uint64_t g_returns = 0;
uint64_t g_returned[kStates];  // when the forge was destroyed; 0 while it exists

}  // namespace

ForgeState* TakeState() {
  const std::lock_guard lock(g_mutex);
  int oldest = -1;
  for (int number = 0; number < kStates; ++number) {
    if (g_states[number].load(std::memory_order_relaxed) == nullptr) {
      if (oldest >= 0) break;
      auto* state = new ForgeState{};
      state->number = number;
      g_states[number].store(state, std::memory_order_release);
      return state;
    }
    if (g_returned[number] != 0 && (oldest < 0 || g_returned[number] < g_returned[oldest])) oldest = number;
  }
  if (oldest < 0) {
    std::fprintf(stderr, "dlpack-cts: more than %d forges live at once\n", kStates);
    std::abort();
  }
  g_returned[oldest] = 0;
  ForgeState* const again = g_states[oldest].load(std::memory_order_relaxed);
  again->heir = nullptr;
  again->late_deletes = 0;
  return again;
}

void GiveBackState(ForgeState* state) {
  const std::lock_guard lock(g_mutex);
  g_returned[state->number] = ++g_returns;
}

ForgeState& StateOf(int number) { return *g_states[number].load(std::memory_order_acquire); }

ForgeState* StateAround(uint64_t address) {
  for (const std::atomic<ForgeState*>& entry : g_states) {
    ForgeState* const state = entry.load(std::memory_order_acquire);
    if (state == nullptr || state->arena.Find(address).inside) return state;
  }
  return nullptr;
}

}  // namespace dlpack_cts::forge
