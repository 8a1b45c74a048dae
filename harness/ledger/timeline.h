// harness/ledger/timeline.h: faults, calls of deleters, and all that happened in its order.
#ifndef DLPACK_CTS_HARNESS_LEDGER_TIMELINE_H_
#define DLPACK_CTS_HARNESS_LEDGER_TIMELINE_H_

#include <cstdint>

#include "harness/ledger/record.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// A touch of memory that the offer or the rules forbid.
enum class Region : uint8_t { kNone, kStruct, kShape, kStrides, kData, kGuard, kContext, kTable, kView };
struct Fault {
  Region region;
  uint8_t write;
  uint8_t slot;
  uint8_t after_deleter;  // the struct had been released
  uint32_t offset;        // bytes from the start of the region
  int64_t step;           // index into life
};
inline constexpr int kFaults = 8;

/// Who called a deleter.
enum class ThreadKind : uint8_t {
  kNobody,   // no call
  kMaker,    // the thread that made the struct
  kHarness,  // another thread of the harness
  kForeign,  // a thread that the harness did not start
};

/// One call of a deleter of the forge.
struct DeleterCall {
  uint8_t slot;   // of the struct; 0 for a wrong self
  uint8_t wrong;  // the pointer is not a live struct of the forge
  ThreadKind thread;
  int8_t lane;              // of the harness's threads, 0 for the one that takes the steps; -1 for a thread without one
  Answer gil;               // the caller held the GIL
  Answer pending;           // a Python exception was pending
  uint8_t from_destructor;  // called by the harness's own capsule destructor
  uint8_t reserved;
  int32_t step;  // the step of the life that ran meanwhile
};
inline constexpr int kDeleterCalls = 16;

/// The timeline, in the order of happening.
enum class Seen : uint8_t {
  kStep,            // a step began; a = Op, b = its argument
  kAccepted,        // the step's call returned a value
  kRefused,         // the step's call raised
  kProducerCalled,  // a = index into calls
  kDeleterCalled,   // a = index into deleter_calls
  kFault,           // a = index into faults
  kNameChanged,     // a = NameSeen before, b = after
  kRead,            // a = Reading
  kDropped,         // an object was dropped
};
struct Event {
  Seen seen;
  uint8_t slot;
  int16_t step;
  int32_t a;
  int64_t b;
};
inline constexpr int kEvents = 6 * kSteps;

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_LEDGER_TIMELINE_H_
