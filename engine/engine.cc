// engine/engine.cc: runs a recipe on one subject, or on a pair.
#include "engine/engine.h"

#include <algorithm>

#include "engine/device_blocks.h"
#include "engine/life_state.h"

namespace dlpack_cts {

Engine::Engine(Subject& producer, Subject& consumer)
    : producer_(producer), consumer_(consumer), scratch_(std::make_unique<Scratch>()) {
  forge_.SetThreadProbe(producer.runtime().Probe());
}

Engine::~Engine() = default;

void Engine::Run(const Recipe& recipe, Ledger& ledger) noexcept {
  const CudaDriver* const driver = CudaDriver::Opened();
  if (driver != nullptr && blocks_ == nullptr && !forge_.StandsIn()) {
    blocks_ = std::make_unique<DeviceBlocks>(*driver);
    forge_.SetDeviceMemory(blocks_.get());
  }
  for (int round = 0; round < std::max<int>(recipe.rounds, 1); ++round) {
    Clear(ledger);
    LifeState life{.producer = producer_,
                   .consumer = consumer_,
                   .forge = forge_,
                   .threads = threads_,
                   .scratch = *scratch_,
                   .patience = patience_,
                   .effort = effort_,
                   .driver = driver,
                   .recipe = recipe,
                   .ledger = ledger};
    RunLife(life);
  }
}

}  // namespace dlpack_cts
