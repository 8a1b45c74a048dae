// reference/behaviour_earlier.h: what the reference remembers of earlier exchanges, which references it keeps, and its
// warnings.
#ifndef DLPACK_CTS_REFERENCE_BEHAVIOUR_EARLIER_H_
#define DLPACK_CTS_REFERENCE_BEHAVIOUR_EARLIER_H_

#include <cstdint>

namespace dlpack_cts {

/// How one exchange through the Python protocol ended, one bit each.
enum Ending : uint32_t {
  kEndsPlain = 1u << 0,     // granted, and asked for without copy, device or stream
  kEndsCopied = 1u << 1,    // granted with copy=True
  kEndsUnshared = 1u << 2,  // granted with copy=False
  kEndsAtDevice = 1u << 3,  // granted with a device
  kEndsRefused = 1u << 4,   // BufferError
  kEndsRaised = 1u << 5,    // any other exception
  kEndsWithin = 1u << 6,    // it ran inside another exchange, or in a deleter that an exchange called
  kEndsOnThread = 1u << 7,  // it ran on another thread than the main one
  kEndsLegacy = 1u << 8,    // an export without max_version
  kEndsDropping = 1u << 9,  // an array was destroyed in a deleter since
};

/// What is different in an exchange.
enum class Then : uint8_t {
  kNothing,
  kRefuses,   // BufferError
  kRaises,    // SystemError, as CPython raises it for an exception that was left pending
  kCopies,    // as if copy=True was passed
  kReadOnly,  // the array, or the struct, is read-only
  kSpoils,    // copies, and element 0 of the copy is wrong
  kTurnsKind  // exports only: as if max_version was missing, or was passed
};

/// What the reference remembers of earlier exchanges. Each mask has Ending bits. Python only.
struct Remembering {
  uint32_t next_import_after;  // the import after one that ended so
  Then next_import;
  Then import_around;          // an import that another import ran in
  uint32_t next_export_after;  // the export after one that ended so, of any array
  Then next_export;
  uint32_t array_after;  // later exports of an array that had an export that ended so
  Then array_export;
  uint32_t freezes_exported_after;  // an array is read-only after an export that ended so
  uint32_t freezes_own_after;       // its own array is read-only after an import that ended so
  bool thaws;                       // they are writable, and not read-only

  bool operator==(const Remembering&) const = default;
};

/// The references that the reference never drops. Each mask has the endings of the exchanges. Python only.
struct Keeping {
  uint32_t producer;  // the object that from_dlpack gets
  uint32_t producer_type;
  uint32_t taken_capsule;  // the capsule that an import got
  uint32_t device;         // the argument of from_dlpack
  uint32_t array;          // the array that is exported
  uint32_t array_type;
  uint32_t made_capsule;  // the capsule that an export returns
  uint32_t max_version;   // the arguments of __dlpack__
  uint32_t dl_device;
  uint32_t none;          // of imports and exports
  bool drops_none;        // drops a reference to None that it does not own, instead of keeping one
  bool latest;            // conforming: keeps the argument device of the latest import until the next one
  bool types;             // conforming: keeps each type of a producer once
  uint32_t own_producer;  // conforming: a result keeps the object that from_dlpack got as long as it lives
  bool hidden;            // from the garbage collector

  bool operator==(const Keeping&) const = default;
};

/// The Python warnings of the reference, and what it does if they are exceptions. Python only.
struct Warning {
  bool imports;         // conforming: warns in each import
  bool exports;         // conforming: warns in each export
  bool leaks;           // never releases the tensor, or the array
  bool releases_twice;  // releases an imported tensor twice
  bool hides;           // returns its result with the exception pending

  bool operator==(const Warning&) const = default;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REFERENCE_BEHAVIOUR_EARLIER_H_
