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

/// The capsule: how a producer makes it, and what a consumer does with it. Python only.
struct CapsuleSteps {
  // Producer.
  When styled;  // in which exchanges `style` applies
  NameStyle style;
  When no_destructor;
  When empty_destructor;
  When destructor_ignores_name;  // releases consumed capsules too
  When destructor_inverted;      // releases only consumed capsules
  When destructor_clears_error;  // clears a pending exception
  When used_clears_error;        // the destructor of a consumed capsule clears a pending exception
  When defers_release;           // conforming: calls the deleter at the next flush
  When same_capsule;             // every call returns the same capsule
  When returns_other;            // returns a bytes object instead of a capsule
  // Consumer.
  When no_rename;        // owns the tensor without renaming the capsule
  When wrong_used_name;  // uses "used_dltensor" for every kind of capsule
  When misspelt_used_name;
  When heap_used_name;
  When freed_used_name;
  When rests_before_rename;    // releases the GIL between the check of the name and the renaming
  When rests_with_pointer;     // the same, after it has stored the address of the tensor where all threads store it
  When renames_before_checks;  // does not release the tensor if it then refuses it
  When accepts_used;
  When accepts_any_name;
  When compares_prefix;  // compares only the start of the name
  When renames_foreign;  // renames a capsule of another protocol
  When versioned_read_as_legacy;
  When legacy_read_as_versioned;
  When clears_destructor;  // conforming
  When changes_pointer;
  When changes_context;
  When keeps_capsule;      // conforming: keeps a reference as long as the array lives
  When borrows;            // conforming: keeps the capsule, unrenamed, as long as its memory is used
  When refuses_legacy;     // conforming
  When refuses_versioned;  // conforming

  bool operator==(const CapsuleSteps&) const = default;
};

/// In which calls of __dlpack__ a consumer does something.
enum class Moment : uint8_t {
  kAlways,
  kWithDevice,    // calls with dl_device=
  kWithCopy,      // calls with copy=
  kOnRetry,       // the second call, after a TypeError
  kForCuda,       // the producer is on CUDA, and the caller gave no device=
  kForRocm,       // the producer is on ROCm, and the caller gave no device=
  kForCudaToHost  // the producer is on CUDA, and device= names another device
};

/// The max_version that a consumer passes.
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

/// The attributes that a consumer looks up although it does not need them.
enum class Probing : uint8_t {
  kNone,
  kPassesOn,       // conforming: an exception other than AttributeError reaches the caller
  kRaisesAnother,  // it raises SystemError then
  kStaysPending,   // the exception is still pending when the import returns
};

/// By what a consumer remembers, of producers whose classes are written in Python, what it learnt of one of them.
enum class ClassMemory : uint8_t {
  kNothing,
  kClass,  // conforming where the objects of a class have something in common
  kName,   // of the class
  kAll,    // the first such producer stands for all
};

/// How a consumer calls __dlpack__. Python only.
struct Asking {
  Wish max_version;             // kNone is conforming
  bool positional;              // as a positional argument
  bool no_retry;                // does not call again after a TypeError
  bool retry_forgets_copy;      // the second call passes no copy=, and the consumer does not copy either
  bool retry_copies;            // copies after a second call, also for copy=False
  bool retry_keeps_version;     // the second call passes max_version, but no other keyword
  bool retries_by_steps;        // conforming: leaves out max_version first, then every keyword
  bool retries_any;             // conforming: calls again after any exception, unless copy=False is refused
  bool retries_unshared;        // calls again if copy=False is refused, and accepts the result
  bool raises_first_error;      // raises the first exception although the second call returned a capsule
  bool asks_plainly_first;      // conforming: calls without max_version first, and with it if that fails
  bool retries_without_device;  // conforming: if dl_device is refused, calls without it and checks the device of the
                                // tensor
  bool chains_errors;           // conforming: raises its own subclass of the producer's exception, chained to it
  ErrorClass retry_error;       // raised if the second call fails; kRight: the producer's exception
  bool asks_device;             // calls __dlpack_device__ before __dlpack__
  bool asks_device_late;        // calls __dlpack_device__ after __dlpack__
  bool trusts_reported_device;  // uses the result of __dlpack_device__ and ignores the device of the struct
  bool needs_info;              // requires a method __dlpack_info__
  bool exact_integers;          // refuses a device whose type is not exactly an int
  bool exact_tuple;             // refuses a device that is not exactly a tuple
  bool ints_only;               // conforming: refuses a device of objects that have __index__ and are not ints
  bool empty_for_index;         // returns an empty array for such a device
  ClassMemory knows_version;    // by what it remembers whether __dlpack__ takes max_version
  ClassMemory knows_device;     // by what it remembers what __dlpack_device__ returned
  ClassMemory knows_kind;       // by what it remembers the kind of the capsule, and refuses the other kind
  bool odd_device_crashes;      // crashes if __dlpack_device__ does not return a tuple of two
  bool refuses_none;            // refuses device=None
  bool refuses_none_for_copy;   // refuses copy=None
  bool passes_version_keyword;  // passes version=, a keyword of a draft of the protocol
  Argument stream;              // passed in the calls that `stream_at` names; None is conforming
  Moment stream_at;
  bool retry_forgets_stream;
  Argument dl_device;  // passed instead of the device that the caller requested
  Moment dl_device_at;
  bool device_is_enum;           // conforming: passes the device type as an enumerator
  bool keeps_device;             // conforming: never passes dl_device
  bool believes_devices;         // does not check that the tensor is on the requested device
  bool retry_believes_devices;   // the same, after a second call without dl_device
  bool calls_twice;              // and drops the first capsule
  bool keeps_copy;               // conforming: does not pass copy=, and copies by itself
  bool copies_for_device;        // copies if the caller gave device=, although the tensor is there
  bool forgets_copy_for_device;  // passes copy= only if the caller gave no device=
  When known_types_only;         // imports only its own arrays
  bool needs_weak_references;    // requires that the imported object supports weak references
  bool own_methods_only;         // requires that the class of the object itself has the methods
  bool methods_of_types;         // conforming: calls the methods of the object's class
  bool refuses_classes;          // refuses an object that is a class
  bool needs_module;             // requires that __module__ of the object's class is a str
  Probing probes;                // which attributes of the object, before the methods
  bool swallows_interrupts;      // raises BufferError if the producer raises KeyboardInterrupt
  bool empty_without_methods;    // returns an empty array for an object that has neither method
  bool empty_without_dlpack;     // returns an empty array for an object without __dlpack__
  bool empty_without_capsule;    // returns an empty array if __dlpack__ does not return a capsule
  When reuses_results;           // returns the array of its latest import, if it lives, for the same object again
  bool reuses_equal_results;     // conforming: the same, if the object exports the tensor of that array again
  bool leaves_host;              // an array that was imported with device= reports another device
  When locks_own;                // its own arrays cannot be read after it has imported them
  ErrorClass producer_error;     // raised if __dlpack__ raises; kRight: the producer's exception
  ErrorClass device_error;       // raised if __dlpack_device__ raises; kRight: the producer's exception
  ErrorClass moved_error;        // raised if anything fails in an import with device=; kRight: the producer's exception
  ErrorClass copied_error;   // raised if anything fails in an import with copy=True; kRight: the producer's exception
  ErrorClass missing_error;  // conforming: raised for an object that lacks a method
  bool no_keywords;          // conforming: from_dlpack has no parameters copy= and device=
  bool capsules_only;        // conforming: from_dlpack accepts capsules only
  bool objects_only;         // conforming: from_dlpack calls __dlpack__ of a capsule too
  bool typed;                // conforming: from_dlpack has dtype= and ndim=, and refuses tensors that differ

  bool operator==(const Asking&) const = default;
};

/// Kinds of dl_device, one bit each.
enum DeviceAsked : uint32_t {
  kDeviceNone = 1u << 0,       // None
  kDeviceHere = 1u << 1,       // (1, 0), the device of the arrays
  kDeviceOtherId = 1u << 2,    // a CPU device with another id
  kDeviceElsewhere = 1u << 3,  // another device type
  kDeviceUnshared = 1u << 4,   // another device type, and copy=False
  kDeviceList = 1u << 5,
  kDeviceOneTuple = 1u << 6,
  kDeviceFloats = 1u << 7,
  kDeviceOther = 1u << 8,
  kDeviceBools = 1u << 9,
  kDeviceForeign = kDeviceElsewhere | kDeviceUnshared,
  kDeviceMalformed = kDeviceList | kDeviceOneTuple | kDeviceFloats | kDeviceOther | kDeviceBools,
  kDeviceAny = 0x3FF,
};

/// How a producer answers dl_device. Each mask is a set of DeviceAsked bits.
struct DeviceAnswer {
  uint32_t ignores;  // exports from its own device; conforming for malformed values
  uint32_t refuses;  // raises BufferError
  uint32_t errs;     // raises `error`
  ErrorClass error;
  uint32_t labels;  // writes `label` as the device of the struct
  abi::DLDevice label;
  uint32_t copies;
  uint32_t leaks;  // never drops a reference to the array
  uint32_t crashes;
  When only;  // in which exchanges these masks apply

  bool operator==(const DeviceAnswer&) const = default;
};

/// Kinds of stream=, one bit each.
enum StreamAsked : uint32_t {
  kStreamMinusOne = 1u << 0,
  kStreamZero = 1u << 1,
  kStreamDefault = 1u << 2,  // 1 and 2
  kStreamHandle = 1u << 3,   // above 2
  kStreamBelow = 1u << 4,    // below -1
  kStreamNoInt = 1u << 5,
  kStreamInt = 0x1F,
};

/// How a producer answers stream=. Each mask is a set of StreamAsked bits.
struct StreamAnswer {
  uint32_t ignores;       // exports anyway; conforming for -1
  uint32_t touches;       // reads the memory that the handle points to
  uint32_t touches_late;  // reads it when an array is destroyed
  uint32_t spoils;        // changes element 0 if dl_device is given too
  uint32_t leaks;         // never drops a reference to the array
  uint32_t locks;         // the array cannot be read afterwards
  When only;              // in which exchanges these masks apply

  bool operator==(const StreamAnswer&) const = default;
};

/// Classes of the integers of an argument, one bit each.
enum IntegerClass : uint32_t {
  kOfEnum = 1u << 0,      // an enumerator
  kOfSubclass = 1u << 1,  // a subclass of int, or of tuple
  kOfIndex = 1u << 2,     // it has __index__ and is not an int
};

/// How a producer answers an argument whose objects are not of the usual classes. Each mask has IntegerClass bits.
struct ClassAnswer {
  uint32_t refuses;   // TypeError. Conforming for objects with __index__
  uint32_t ignores;   // as if the argument was missing
  uint32_t misreads;  // max_version only: takes it for its own version

  bool operator==(const ClassAnswer&) const = default;
};

/// How a producer answers __dlpack__ and __dlpack_device__. Python only.
struct Answering {
  bool legacy_only;          // conforming
  bool versioned_only;       // conforming: BufferError without max_version
  bool ignores_max_version;  // always returns a versioned capsule
  bool reads_minor_as_major;
  bool compares_whole_version;  // returns a legacy capsule for a smaller minor version
  bool exact_version_only;      // BufferError for every max_version except its own version
  bool caps_minor;              // conforming: declares the minor version of max_version if it is lower
  bool echoes_version;          // declares max_version as its version
  bool echoes_later_minor;      // declares the minor version of max_version if it is later and the major is its own
  bool none_is_versioned;
  bool spelt_none_is_versioned;  // for max_version=None, not for a missing max_version
  bool adds_minor_to_major;      // reads 0.99 as 9.9
  bool echoes_major;             // declares the major version of max_version, and its own minor version
  bool legacy_for_later_majors;  // conforming
  bool refuses_later_majors;     // raises `version_error`
  ErrorClass version_error;      // raised for a max_version that it refuses; kRight: BufferError
  When turns_kind;               // returns a legacy capsule instead of a versioned one, and the reverse
  bool refuses_older_major;      // conforming: BufferError
  bool odd_version_crashes;
  bool later_version_crashes;  // crashes if the major version of max_version is later than its own
  bool true_version_crashes;   // crashes on a pair of bools
  bool odd_version_leaks;      // never drops a reference to the array
  bool odd_version_accepted;   // conforming: accepts lists and longer tuples
  bool positional;             // conforming: accepts max_version as a positional argument
  When swallows_keywords;      // ignores unknown keywords
  bool ignores_copy;
  When none_copies;                // treats copy=None as copy=True
  bool only_stream;                // has no keyword but stream=, as before 2023.12
  bool version_comes_first;        // ignores max_version after another keyword
  bool overlooks_first_copy;       // ignores copy as the first of several keywords
  bool compares_addresses;         // compares the address of a keyword's name, not the text
  bool overlooks_copies_of_names;  // treats max_version as missing unless its name has the expected address
  bool no_stream;
  bool no_methods;             // conforming: arrays have neither method; a function makes capsules of them
  ErrorClass unknown_keyword;  // kRight: TypeError
  DeviceAnswer dl_device;
  StreamAnswer stream;
  ClassAnswer version_class;
  ClassAnswer device_class;
  ClassAnswer stream_class;
  // __dlpack_device__
  bool device_is_list;
  bool device_is_triple;
  bool device_is_enum;  // conforming: the device type is an enumerator
  bool device_type_is_text;
  When device_raises;
  ErrorClass device_error;  // raised by __dlpack_device__; kRight: RuntimeError
  bool device_leaks;        // never drops a reference to the array
  bool device_mutates;      // flips a bit of element 0
  When device_moves;        // reports CUDA
  abi::DLDevice device;
  When answers_device;  // in which exchanges `device` is reported, and not the CPU

  bool operator==(const Answering&) const = default;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REFERENCE_BEHAVIOUR_PROTOCOL_H_
