// adapters/interface/engine.h: runs one recipe on a subject and writes the ledger.
//
// The engine interprets the recipe's life step by step, then drops everything that is left, collects only when a
// release is missing, and checks what it offered for damage. It never judges.
#ifndef DLPACK_CTS_ADAPTERS_INTERFACE_ENGINE_H_
#define DLPACK_CTS_ADAPTERS_INTERFACE_ENGINE_H_

#include "adapters/interface/subject.h"
#include "harness/forge/forge.h"
#include "harness/ledger/ledger.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

class Engine {
 public:
  Engine(Subject& subject, Forge& forge) : Engine(subject, subject, forge) {}
  /// A pair in one process: `producer` makes and exports arrays, `consumer` imports them.
  Engine(Subject& producer, Subject& consumer, Forge& forge)
      : producer_(producer), consumer_(consumer), forge_(forge) {}

  /// Runs a normal recipe. The ledger is cleared first and complete when this returns.
  void Run(const Recipe& recipe, Ledger& ledger);

 private:
  Subject& producer_;
  Subject& consumer_;
  Forge& forge_;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ADAPTERS_INTERFACE_ENGINE_H_
