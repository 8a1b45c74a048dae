// adapters/reference/behaviour.cc: the active behaviour, and what a correct one is.
#include "adapters/reference/behaviour.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <new>

#include "adapters/reference/array.h"
#include "adapters/reference/counter.h"

namespace dlpack_cts {
namespace {

uint32_t g_exchanges = 0;
volatile int* volatile g_nowhere = nullptr;

}  // namespace

Behaviour CorrectBehaviour() {
  Behaviour behaviour{};
  behaviour.importing.read_only_mask = abi::kFlagReadOnly;
  behaviour.refusing.only = When::Always();
  behaviour.exporting.version = kReferenceVersion;
  behaviour.exporting.offset = When::Always();
  behaviour.answering.device = {abi::kDLCPU, 0};
  behaviour.asking.asks_device = true;
  behaviour.refusing.raises = ~0u;
  behaviour.importing.refused_flags = ~uint64_t{7};  // bits of a minor version that is not understood
  behaviour.exporting.mutation = 1;
  return behaviour;
}

Behaviour& ActiveBehaviour() {
  static Behaviour behaviour = CorrectBehaviour();
  return behaviour;
}

void ResetReference() {
  Flush();
  ForgetImports();
  ForgetExports();
  g_exchanges = 0;
  ActiveBehaviour() = CorrectBehaviour();
}

uint32_t ExchangeNumber() { return g_exchanges; }
void CountExchange() { ++g_exchanges; }

void Act(Manner manner) {
  switch (manner) {
    case Manner::kRaises:
      return;
    case Manner::kCrashes:
      *g_nowhere = 1;
      return;
    case Manner::kAborts:
      std::abort();
    case Manner::kExits:
      _exit(7);
    case Manner::kHangs:
      for (;;) pause();
  }
}

}  // namespace dlpack_cts
