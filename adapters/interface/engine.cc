// adapters/interface/engine.cc: runs a recipe on one subject, or on a pair.
#include "adapters/interface/engine.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "adapters/interface/life_run.h"

namespace dlpack_cts {
namespace {

constexpr int kManyRounds = 100;            // below that nothing can be said of memory
constexpr int64_t kMuchMemory = 16 * 1024;  // of elements: less of them is lost in what else moves

int64_t ResidentBytes() {
  int64_t total = 0;
  int64_t resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

template <typename Block>
int64_t BytesOf(const Block& block) {
  return ElementCount(block.shape, block.dims) * ItemSize(block.dtype);
}

}  // namespace

Engine::Engine(Subject& producer, Subject& consumer)
    : producer_(producer), consumer_(consumer), scratch_(std::make_unique<Scratch>()) {
  forge_.SetThreadProbe(producer.Probe());
}

Engine::~Engine() = default;

void Engine::Run(const Recipe& recipe, Ledger& ledger) noexcept {
  const int rounds = std::max<int>(recipe.rounds, 1);
  const int64_t bytes = BytesOf(recipe.request()) + BytesOf(recipe.offer());
  const bool measures = rounds >= kManyRounds && bytes >= kMuchMemory;
  // Pools are full, and everything is loaded, before the later half begins.
  const int first = rounds / 2;
  int64_t before = 0;
  for (int round = 0; round < rounds; ++round) {
    if (measures && round == first) before = ResidentBytes();
    Clear(ledger);
    LifeRun(producer_, consumer_, forge_, *scratch_, recipe, ledger).Run();
  }
  if (measures && 2 * (ResidentBytes() - before) >= (rounds - first) * bytes) ledger.grew = 1;
}

}  // namespace dlpack_cts
