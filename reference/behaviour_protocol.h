// reference/behaviour_protocol.h: the steps of the Python protocol: the capsule, how a consumer asks, how a
// producer answers.
#ifndef DLPACK_CTS_REFERENCE_BEHAVIOUR_PROTOCOL_H_
#define DLPACK_CTS_REFERENCE_BEHAVIOUR_PROTOCOL_H_

#include <cstdint>

#include "harness/abi/dlpack.h"
#include "harness/recipe/recipe.h"
#include "reference/behaviour_words.h"
#include "reference/when.h"

namespace dlpack_cts {

enum class NameStyle : uint8_t { kRight, kSwapped, kTrailingSpace, kUsed, kNull, kHeap, kFreed };

/// The capsule: what a producer makes of it, and what a consumer does to it. Python only.
struct CapsuleSteps {
  // Producer.
  When styled;  // where `style` is used
  NameStyle style;
  When no_destructor;
  When empty_destructor;
  When destructor_ignores_name;  // releases consumed capsules too
  When destructor_inverted;      // releases only consumed capsules
  When destructor_clears_error;  // drops an exception that is pending
  When used_clears_error;        // the same of consumed capsules alone
  When defers_release;           // conforming: the deleter waits for the flush
  When same_capsule;             // one capsule for every call
  When returns_other;            // a bytes object instead of a capsule
  // Consumer.
  When no_rename;        // the tensor is owned, and the capsule still says that it is not
  When wrong_used_name;  // "used_dltensor" for every kind
  When misspelt_used_name;
  When heap_used_name;
  When freed_used_name;
  When rests_before_rename;    // other threads come in between the check of the name and its change
  When rests_with_pointer;     // the same, and the tensor's address lies where they put theirs
  When renames_before_checks;  // and releases nothing when it then refuses
  When accepts_used;
  When accepts_any_name;
  When compares_prefix;  // of the name
  When renames_foreign;  // a capsule of another protocol gets the used name
  When versioned_read_as_legacy;
  When legacy_read_as_versioned;
  When clears_destructor;  // conforming
  When changes_pointer;
  When changes_context;
  When keeps_capsule;      // conforming: a reference for as long as the array lives
  When borrows;            // conforming: the capsule stays unused, and is kept as long as its memory is used
  When refuses_legacy;     // conforming
  When refuses_versioned;  // conforming

  bool operator==(const CapsuleSteps&) const = default;
};

/// At which calls of __dlpack__ a consumer does something.
enum class Moment : uint8_t {
  kAlways,
  kWithDevice,    // a device was asked for
  kWithCopy,      // copy was
  kOnRetry,       // asked again
  kForCuda,       // the producer is on CUDA, and no device was asked for
  kForRocm,       // the same of ROCm
  kForCudaToHost  // the producer is on CUDA, and the data is to be elsewhere
};

/// What a consumer passes as max_version.
enum class Wish : uint8_t {
  kNewest,
  kNone,
  kOldMajor,
  kList,
  kOneTuple,
  kFloats,
  kBools,
  kFutureMajor,
  kString,
  kMinorFirst,
  kFutureMinor,
  kFarMajor,
  kNegative
};

/// A consumer calls __dlpack__. Python only.
struct Asking {
  Wish max_version;             // kNone is conforming
  bool positional;              // passes max_version by position
  bool no_retry;                // a TypeError ends the import
  bool retry_forgets_copy;      // does not make up for the copy that the producer could not make
  bool retry_copies;            // copies even for copy=False
  bool retry_keeps_version;     // asks again with max_version, and without the other keywords
  bool retries_by_steps;        // conforming: asks again without max_version, then without any keyword
  bool retries_any;             // conforming: asks again whatever was raised, but where copy=False is refused
  bool retries_unshared;        // asks again where copy=False is refused, and takes what comes
  bool raises_first_error;      // what the first call raised, although the second one gave a capsule
  bool asks_plainly_first;      // conforming: without max_version, and with it where that fails
  bool retries_without_device;  // conforming: asks again where the producer refuses the device, and sees for itself
  bool chains_errors;           // conforming: raises a class of its own below the producer's, from what was raised
  ErrorClass retry_error;       // for what the call that asks again raises; kRight: as it was raised
  bool asks_device;             // of the producer, before its capsule
  bool asks_device_late;        // behind it
  bool trusts_reported_device;  // believes __dlpack_device__ and ignores the struct's device
  bool needs_info;              // wants __dlpack_info__
  bool odd_device_crashes;      // if __dlpack_device__ does not return a tuple of two
  bool refuses_none;            // for device=
  bool refuses_none_for_copy;   // for copy=
  bool passes_version_keyword;  // the draft's version= keyword
  Argument stream;              // passed as `stream_at` says; None is conforming
  Moment stream_at;
  bool retry_forgets_stream;
  Argument dl_device;  // passed in the place of the device that was asked for
  Moment dl_device_at;
  bool device_is_enum;           // conforming: the device type is an enumerator
  bool keeps_device;             // conforming: never passes dl_device
  bool believes_devices;         // takes what came for what it asked for
  bool retry_believes_devices;   // the same, asked again, where the producer refuses the device
  bool calls_twice;              // and drops the first capsule
  bool keeps_copy;               // conforming: does not hand copy= on, and does itself what it says
  bool forgets_copy_for_device;  // passes copy= on only where no device was asked for
  When known_types_only;         // takes its own arrays alone
  bool needs_weak_references;    // to the object that it takes
  bool empty_without_methods;    // makes an empty array of an object that has neither method
  bool empty_without_dlpack;     // the same of one that has no __dlpack__
  bool empty_without_capsule;    // the same of one whose __dlpack__ returns something else
  bool leaves_host;              // an array that was asked for with device= says that it lies on another one
  When locks_own;                // its own arrays cannot be read once they were imported
  ErrorClass producer_error;     // for what __dlpack__ raises; kRight: as it was raised
  ErrorClass device_error;       // the same of __dlpack_device__
  ErrorClass moved_error;        // the same of whatever fails where device= is given
  ErrorClass copied_error;       // the same where copy=True is given
  ErrorClass missing_error;      // conforming: for an object that lacks a method
  bool no_keywords;              // conforming: from_dlpack knows neither copy= nor device=
  bool capsules_only;            // conforming: from_dlpack takes capsules, and no objects
  bool objects_only;             // conforming: asks a capsule too for its __dlpack__
  bool typed;                    // conforming: from_dlpack has dtype= and ndim=, and refuses other tensors

  bool operator==(const Asking&) const = default;
};

/// Kinds of dl_device, one bit each.
enum DeviceAsked : uint32_t {
  kDeviceNone = 1u << 0,       // None
  kDeviceHere = 1u << 1,       // (1, 0), where the arrays are
  kDeviceOtherId = 1u << 2,    // another number of a CPU
  kDeviceElsewhere = 1u << 3,  // another type
  kDeviceUnshared = 1u << 4,   // another type, and copy=False
  kDeviceList = 1u << 5,
  kDeviceOneTuple = 1u << 6,
  kDeviceFloats = 1u << 7,
  kDeviceOther = 1u << 8,
  kDeviceBools = 1u << 9,
  kDeviceForeign = kDeviceElsewhere | kDeviceUnshared,
  kDeviceMalformed = kDeviceList | kDeviceOneTuple | kDeviceFloats | kDeviceOther | kDeviceBools,
  kDeviceAny = 0x3FF,
};

/// A producer answers dl_device. Masks of DeviceAsked.
struct DeviceAnswer {
  uint32_t ignores;  // exports what it has, whatever was asked for; malformed ones: conforming
  uint32_t refuses;  // BufferError; conforming where the array is there
  uint32_t errs;     // refuses with `error`
  ErrorClass error;
  uint32_t labels;  // the struct says `label`
  abi::DLDevice label;
  uint32_t copies;
  uint32_t leaks;  // a reference to the array
  uint32_t crashes;
  When only;  // where these show

  bool operator==(const DeviceAnswer&) const = default;
};

/// Kinds of stream, one bit each.
enum StreamAsked : uint32_t {
  kStreamMinusOne = 1u << 0,
  kStreamZero = 1u << 1,
  kStreamDefault = 1u << 2,  // 1 and 2
  kStreamHandle = 1u << 3,   // above 2
  kStreamBelow = 1u << 4,    // below -1
  kStreamNoInt = 1u << 5,
  kStreamInt = 0x1F,
};

/// A producer answers stream. Masks of StreamAsked.
struct StreamAnswer {
  uint32_t ignores;       // exports all the same; -1 is conforming
  uint32_t touches;       // reads what the handle points to
  uint32_t touches_late;  // the same when an array goes away
  uint32_t spoils;        // changes element 0 where dl_device is given too
  uint32_t leaks;         // a reference to the array
  uint32_t locks;         // the array cannot be read any more
  When only;              // where these show

  bool operator==(const StreamAnswer&) const = default;
};

/// A producer answers __dlpack__ and __dlpack_device__. Python only.
struct Answering {
  bool legacy_only;          // conforming
  bool versioned_only;       // conforming: BufferError without max_version
  bool ignores_max_version;  // versioned whatever was asked for
  bool reads_minor_as_major;
  bool compares_whole_version;  // a smaller minor gets a legacy capsule
  bool exact_version_only;      // BufferError unless max_version is its own version
  bool caps_minor;              // conforming: declares the asked-for minor where that is lower
  bool echoes_version;          // declares max_version as its own
  bool echoes_later_minor;      // the same of a later minor of its own major
  bool none_is_versioned;
  bool spelt_none_is_versioned;  // where None is spelt out
  bool adds_minor_to_major;      // reads 0.99 as 9.9
  bool echoes_major;             // declares the major of max_version, and its own minor
  bool legacy_for_later_majors;  // conforming
  bool refuses_later_majors;     // with `version_error`
  ErrorClass version_error;      // of a max_version that is refused; kRight: BufferError
  When turns_kind;               // gives the other kind of struct
  bool refuses_older_major;      // conforming: BufferError
  bool odd_version_crashes;
  bool true_version_crashes;  // a pair of truth values
  bool odd_version_leaks;     // a reference to the array
  bool odd_version_accepted;  // conforming: lists and longer tuples are taken
  bool positional;            // conforming: max_version is taken by position
  When swallows_keywords;     // unknown ones are ignored
  bool ignores_copy;
  When none_copies;                // copy=None, spelt out, is taken for True
  bool only_stream;                // the signature before 2023.12
  bool compares_addresses;         // knows a keyword by the address of its name
  bool overlooks_copies_of_names;  // max_version is absent unless it stands at that address
  bool no_stream;
  bool no_methods;             // conforming: arrays have neither method; a function makes capsules of them
  ErrorClass unknown_keyword;  // kRight: TypeError
  DeviceAnswer dl_device;
  StreamAnswer stream;
  // __dlpack_device__
  bool device_is_list;
  bool device_is_triple;
  bool device_is_enum;  // conforming: the type is an enumerator
  bool device_type_is_text;
  When device_raises;
  ErrorClass device_error;  // which it raises; kRight: RuntimeError
  bool device_leaks;        // a reference to the array
  bool device_mutates;      // flips a bit of element 0
  When device_moves;        // names CUDA
  abi::DLDevice device;
  When answers_device;  // where that is the answer, and not the CPU

  bool operator==(const Answering&) const = default;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REFERENCE_BEHAVIOUR_PROTOCOL_H_
