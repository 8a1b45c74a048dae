// reference/behaviour.cc: what a correct behaviour is, and how a changed one acts.
#include "reference/behaviour.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "reference/array.h"

namespace dlpack_cts {
namespace {

volatile int* volatile g_nowhere = nullptr;

}  // namespace

Behaviour CorrectBehaviour() {
  Behaviour behaviour{};
  behaviour.importing.read_only_mask = abi::kFlagReadOnly;
  behaviour.refusing.only = When::Always();
  behaviour.exporting.version = kReferenceVersion;
  behaviour.exporting.offset = When::Always();
  behaviour.importing.room_for = When::Always();
  behaviour.answering.device = {abi::kDLCPU, 0};
  behaviour.answering.dl_device.only = When::Always();
  behaviour.answering.stream.only = When::Always();
  behaviour.asking.asks_device = true;
  behaviour.refusing.raises = ~0u;
  behaviour.importing.refused_flags = ~uint64_t{7};  // bits of a minor version that is not understood
  behaviour.exporting.mutation = 1;
  behaviour.exporting.oddities_only = When::Always();
  behaviour.answering.answers_device = When::Always();
  return behaviour;
}

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
