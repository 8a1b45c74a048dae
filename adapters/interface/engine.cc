// adapters/interface/engine.cc: runs a recipe on one subject, or on a pair.
#include "adapters/interface/engine.h"

#include "adapters/interface/life_run.h"

namespace dlpack_cts {

void Engine::Run(const Recipe& recipe, Ledger& ledger) {
  Clear(ledger);
  LifeRun(producer_, consumer_, forge_, recipe, ledger).Run();
}

}  // namespace dlpack_cts
