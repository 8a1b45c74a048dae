// harness/ledger/timeline.h: faults, deleter calls, and the events of a run in order.
#ifndef DLPACK_CTS_HARNESS_LEDGER_TIMELINE_H_
#define DLPACK_CTS_HARNESS_LEDGER_TIMELINE_H_

#include <cstdint>

#include "harness/ledger/record.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// The kind of memory of a forbidden access.
enum class Region : uint8_t { kNone, kStruct, kShape, kStrides, kData, kGuard, kContext, kTable, kView };
struct Fault {
  Region region;
  uint8_t write;
  uint8_t slot;
  uint8_t after_deleter;  // the struct was already released
  uint32_t offset;        // in bytes from the start of the region
  int64_t step;           // index into the life
};
inline constexpr int kFaults = 8;

/// The thread that called a deleter.
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
  int8_t lane;     // the lane of a thread of the harness, 0 for the one that runs the steps; -1 for other threads
  Answer gil;      // the caller held the GIL
  Answer pending;  // a Python exception was pending
  uint8_t from_destructor;  // called by the harness's own capsule destructor
  uint8_t reserved;
  int32_t step;  // the step that ran at that time
};
inline constexpr int kDeleterCalls = 16;

/// The events of the timeline, in the order in which they happened.
enum class Seen : uint8_t {
  kStep,            // a step started; a = Op, b = its argument
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
