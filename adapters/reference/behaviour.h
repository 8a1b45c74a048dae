// adapters/reference/behaviour.h: every step of the reference that a mutant or a conforming variant can change.
//
// One plain struct. The default of each field is the correct behaviour. Steps that a consumer takes are in `importing`,
// `refusing` and `owning`, those of a producer in `exporting` and `capsule`, the Python protocol's keywords in `asking`
// (consumer) and `answering` (producer). Both faces of the reference (Python type and native plug-in) obey the same
// one.
#ifndef DLPACK_CTS_ADAPTERS_REFERENCE_BEHAVIOUR_H_
#define DLPACK_CTS_ADAPTERS_REFERENCE_BEHAVIOUR_H_

#include <cstdint>
#include <type_traits>

#include "adapters/reference/when.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// Why the reference refuses an import; one bit each, so that a change can be aimed at single paths.
enum Path : uint32_t {
  kPathNothing = 0,
  kPathVersion = 1u << 0,    // foreign major
  kPathDevice = 1u << 1,     // a device that is not the CPU
  kPathDtype = 1u << 2,      // a triple that it does not know
  kPathLanes = 1u << 3,      // lanes other than 1
  kPathDims = 1u << 4,       // negative or too many dimensions
  kPathShape = 1u << 5,      // negative extents
  kPathExtents = 1u << 6,    // products that overflow
  kPathStrides = 1u << 7,    // byte strides that overflow
  kPathNullData = 1u << 8,   // elements without data
  kPathKeyword = 1u << 9,    // the device= that was asked for is another
  kPathPolite = 1u << 10,    // Importing::refuses
  kPathUsed = 1u << 11,      // Python: the capsule carries a used name
  kPathName = 1u << 12,      // Python: the capsule carries another name
  kPathProducer = 1u << 13,  // Python: __dlpack__ raised, or returned no capsule
  kPathNoShape = 1u << 14,   // dimensions, and a shape that is NULL
  kPathAnyTensor = 0x47FF,   // all that look into a tensor
};

/// The bit of an odd array in the masks of Exporting.
constexpr uint32_t Bit(Oddity oddity) { return 1u << static_cast<uint32_t>(oddity); }

/// Which of the major's bits are compared, and how.
enum class MajorCheck : uint8_t {
  kEqual,
  kNotGreater,
  kNotLess,
  kNone,
  kByte,   // of the major
  kShort,  // of the major
  kMinorInstead,
  kEqualWithKnownMinor,  // conforming: newer minors are refused politely
};

/// What happens instead of a clean refusal.
enum class Manner : uint8_t { kRaises, kCrashes, kAborts, kExits, kHangs };

/// When the deleter of an import is called.
enum class Release : uint8_t { kNow, kOtherThread, kCollect };

enum class ErrorClass : uint8_t {
  kRight,
  kBufferError,
  kTypeError,
  kValueError,
  kRuntimeError,
  kNameError,
  kTypo,  // AttributeError for what nobody has, as of a variable that is None where it should not be
  kSystemError,
  kMemoryError
};

/// A consumer reads a struct and makes an array of it.
struct Importing {
  // Where the elements lie.
  When ignores_byte_offset;
  When byte_offset_in_elements;
  When truncates_byte_offset;  // to 32 bits
  When subtracts_byte_offset;
  When adds_byte_offset_twice;
  When aligns_address;  // rounds element 0 down to 64 bytes
  // Strides.
  When null_strides_are_column_major;
  When dereferences_null_strides;
  When ignores_strides;
  When strides_in_bytes;
  When strides_made_positive;
  When negative_strides_are_zero;
  When zero_strides_are_compact;
  When believes_unit_strides;  // moves element 0 by the stride of dimensions of one element
  When truncates_strides;      // to 8 bits
  When reads_eight_strides;    // and takes the dimensions behind them for compact
  When reverses_strides;
  When believes_empty_strides;  // refuses a zero-size tensor whose strides are odd
  // Shape.
  When truncates_extents;  // to 7 bits
  When drops_last_dimension;
  When adds_dimension_to_scalar;
  When reverses_shape;
  When squeezes_unit_dimensions;
  When swaps_shape_and_strides;
  When multiplies_before_looking_for_zero;  // takes an overflow beside a zero extent for an error
  // Reads of what is not there.
  When reads_beyond_shape;
  When reads_beyond_strides;
  When reads_shape_of_scalar;
  When reads_strides_of_scalar;
  When reads_flags_of_legacy;
  When reads_empty_data;
  When reads_gaps;          // conforming: every byte between the first element and the last
  When reads_foreign_data;  // touches the data of a device that it refuses
  When overreads;           // 8 bytes behind the highest element
  When underreads;          // 8 bytes in front of the lowest element
  When dereferences_context;
  // Writes into what it was given.
  When writes_shape;
  When writes_strides;
  When writes_data;  // flips a bit of element 0
  When writes_gap;   // the byte behind element 0
  When writes_flags;
  When writes_byte_offset;
  // Element types.
  When retypes;  // presents the type as `retyped`
  abi::DLDataType retyped;
  When ignores_lanes;
  When ignores_bits;         // takes the largest known width that is not wider
  When ignores_code;         // takes unknown types for integers of that width
  When truncates_lanes;      // to 8 bits
  When truncates_code;       // to 7 bits
  When ignores_small_bits;   // takes 6-bit and 4-bit floats whatever their bits say
  When never_padded;         // reads padded elements of less than a byte as packed
  When never_packed;         // reads packed ones as padded
  When high_bits_first;      // reads packed ones from the high bits down
  When counts_pairs;         // presents pairs of elements of less than a byte as one
  When pads_lanes;           // of a dimension that was lanes, takes each for a byte of its own
  When counts_lanes;         // takes strides that count vectors for ones that count lanes
  When converts_to_float32;  // float64 is silently narrowed
  // Version, flags, device.
  MajorCheck major_check;
  When swaps_version;
  When reads_body_before_version;
  When drops_read_only;
  When all_read_only;
  uint64_t read_only_mask;  // bits that mean READ_ONLY
  uint64_t refused_flags;   // conforming: bits that it refuses politely
  When truncates_device;    // to 16 bits
  When carries_null;        // conforming: takes elements without data, and never looks for them
  When carries_devices;     // conforming: takes tensors of other devices, and hands them on without a look at the data
  When moves_handles;       // adds byte_offset to the data of what it carries
  When forgets_offsets;     // hands the data on that it carries, and no byte_offset
  When renames_devices;     // calls every device that it carries kDLCUDA
  When takes_pinned;        // conforming: reads what the host can read, and says where it lies
  When moves_pinned;        // says of pinned memory that it lies on the GPU of its device_id
  // Whole imports.
  When refuses;  // politely; conforming or WARN, as the rule of the tensor says
  When refuses_empty_null;
  When refuses_null_shape_of_scalar;
  When refuses_copy;          // conforming
  When copies;                // conforming, unless copy=False was asked for
  When refuses_copy_false;    // conforming: what cannot be shared
  When narrows;               // conforming: numbers of 64 bits become copies of 32 bits, with a warning
  When copies_against_will;   // although copy=False was asked for
  When copies_again;          // conforming: also what its producer has copied
  When ignores_copy;          // copy=True shares
  When copies_nothing;        // the copy that it makes is never filled
  When copies_size_mod_2_16;  // of its bytes
  When cannot_be_read;        // every conversion of the array raises
  When cannot_be_computed;    // no computation takes the array
  When moves;                 // the array says that it lies on another device
  When remembers_elements;    // reads keep giving the elements of the moment of the import
  When recognises_struct;     // gives the elements of an earlier import with the same struct address

  bool operator==(const Importing&) const = default;
};

/// What becomes of an import that is refused. Masks of Path.
struct Refusing {
  uint32_t accepts;         // the check is left out
  uint32_t leaks;           // takes the tensor and never releases it
  uint32_t releases_twice;  // calls the deleter, and leaves it to the capsule (or calls it again)
  uint32_t consumes;        // Python, conforming: renames the capsule, then calls the deleter
  uint32_t acts;            // acts as `manner` says
  Manner manner;
  uint32_t touches_tensor;  // reads all of the struct when it refuses
  When only;                // where these show
  uint32_t raises;          // the paths whose refusal raises `error`
  ErrorClass error;         // conforming, but for devices

  bool operator==(const Refusing&) const = default;
};

/// How an imported tensor is kept and released.
struct Owning {
  When leaks;
  When releases_twice;
  When releases_early;  // at once, although the array shares the memory
  When releases_copy;   // hands a copy of the struct to the deleter
  When calls_null_deleter;
  When changes_context;
  When frees_context;
  When frees_shape;
  When touches_after_release;  // reads the struct
  When writes_after_release;
  When view_is_writable;    // although the tensor is read-only
  When view_keeps_nothing;  // the tensor is released with the first array, whatever views there are
  When never_after_copy;    // a tensor that was copied is never released
  When locks_deleters;      // holds a lock while a deleter runs, for which every import waits
  When shuts_out_deleters;  // takes no tensor while a deleter runs on the same thread
  Release release;          // conforming
  bool writes_nowhere;      // write() says that it wrote, and did not
  bool writes_read_only;    // write() goes through whatever READ_ONLY says

  bool operator==(const Owning&) const = default;
};

/// A producer fills a struct.
struct Exporting {
  // Elements.
  When retypes;
  abi::DLDataType retyped;
  When wants_whole_strides;  // refuses byte strides off the item size in dimensions of one element too
  When strides_in_bytes;
  When strides_are_compact;  // whatever the array has
  When strides_made_positive;
  When strides_column_major;
  When null_strides;  // of compact arrays: conforming below 1.2
  When null_strides_of_any;
  When odd_unit_strides;  // conforming: any value for dimensions of at most one element
  When null_shape;
  When wild_strides;  // an address that is not mapped
  When negates_extents;
  When shape_of_scalar;  // conforming: pointers for no dimensions
  When reverses_shape;
  When truncates_extents;  // to 7 bits
  When keeps_32_extents;   // the dimensions behind them have one element
  When ndim_too_large;
  When ndim_too_small;
  uint64_t offset_bytes;  // conforming, up to 64: data lies that much lower, byte_offset makes up for it
  When offset;            // where offset_bytes is used
  When forgets_offset;    // data lies lower and byte_offset stays 0
  When offset_in_elements;
  When base_pointer;    // data is the store's begin, and byte_offset stays 0
  When null_data;       // although there are elements
  When empty_has_data;  // conforming
  When wild_data;       // an address that is not mapped
  // Device, version, flags.
  abi::DLDevice device;
  When wrong_device;  // where `device` is used
  abi::DLPackVersion version;
  When relabels;  // declares `label` instead
  abi::DLPackVersion label;
  uint64_t flags;
  When adds_flags;  // where `flags` are added
  When drops_read_only;
  When drops_copied;    // a copy is not flagged
  When keeps_copied;    // a re-export carries the import's IS_COPIED on
  When recalls_copies;  // exports behind a copy of the same array are flagged as copies too
  // Life.
  When lives_in_array;     // shape and strides point into the array
  When dims_die;           // shape and strides are freed with the array
  When memory_dies;        // the elements die with the array
  When import_dies;        // a re-export does not keep the imported tensor
  When holds_memory_only;  // conforming: the export keeps the memory, not the array
  When null_deleter;
  When deleter_leaks;            // keeps its reference to the array
  When deleter_frees_early;      // what the struct refers to is released when it is exported
  When deleter_releases_latest;  // what the latest export refers to is released too
  When deleter_needs_gil;        // drops the array without taking the GIL
  When deleter_frees_unlocked;   // frees memory of Python's without taking the GIL
  When deleter_keeps_struct;     // frees all but the struct
  When deleter_deadlocks;        // waits for a thread that takes the GIL: for ever, where the caller holds it
  When deleter_dies_at_exit;     // ends the process once the interpreter has begun to end
  When deleter_ignores_end;      // takes the GIL of an interpreter that was finalised
  When deleter_wants_thread;     // ends the process when called on another thread than the export's
  When deleter_wants_process;    // conforming: ends the process where it is not the export's
  When deleter_queues;           // conforming: leaves the array to the interpreter's pending calls
  When deleter_defers;           // conforming: what the export holds is let go at the next flush
  When deleters_exclude;         // ends the process when it runs while another one does
  uint32_t room;               // for so many exports at once: later ones get the struct of the latest; 0 for any number
  When shares_beside_threads;  // gives the struct of the latest export again while another thread exports
  When deleter_throws;
  When deleter_raises;     // leaves a Python exception behind
  When shares_struct;      // gives the struct of the latest export again
  When overwrites_latest;  // changes the latest export's shape
  When mutates_source;     // flips the bits of `mutation` in the first byte of element 0
  uint8_t mutation;
  When transposes_source;
  When locks_source;         // the array cannot be read after an export
  When leaks_when_refusing;  // a refused export keeps a reference to the array
  // Copies and refusals.
  When copies;               // conforming when flagged: every export is a copy
  When copies_against_will;  // although copy=False was asked for
  When copy_shares;          // copy=True shares, flagged as copied
  When copy_dies;            // the elements of a copy die with the array that it was made of
  When copy_leaks;           // the elements of a copy are never freed
  When copy_is_read_only;
  When copy_keeps_source;  // a reference to the array that is never dropped
  When refuses;            // conforming
  When refuses_again;      // every export of an array but the first
  When refuses_copy;       // conforming
  When refuses_copy_false;
  When refuses_changes;         // conforming: in place, of an array whose memory somebody else has too
  When legacy_hides_read_only;  // legacy exports of read-only arrays are allowed
  When legacy_has_float8;       // legacy exports of 8-bit floats are allowed
  When legacy_hides_padding;    // legacy exports of padded elements are allowed
  When drops_padded;            // padded elements are not flagged
  When exports_pairs;           // exports pairs of packed 4-bit elements as vectors of two
  When drops_lanes;             // exports vectors as as many scalars
  When starts_inside_bytes;     // exports views that start inside a byte from its begin on
  When copies_inside_bytes;     // conforming: copies those
  ErrorClass error;
  ErrorClass copy_error;       // where the value of copy is refused
  uint32_t exports_oddities;   // one bit for each Oddity that is exported as if it were plain
  When oddities_only;          // where these are
  uint32_t resolves_oddities;  // conforming, of lazy arrays: one bit for each Oddity that is exported as a copy
  bool caches_resolved;        // conforming: keeps that copy, and shares it with all that ask for none of their own
  uint32_t odd_acts;           // one bit for each Oddity at whose export it acts as `manner` says
  Manner manner;

  bool operator==(const Exporting&) const = default;
};

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
  bool refuses_none;            // for device=
  bool refuses_none_for_copy;   // for copy=
  bool passes_version_keyword;  // the draft's version= keyword
  Argument stream;              // passed as `stream_at` says; None is conforming
  Moment stream_at;
  bool retry_forgets_stream;
  Argument dl_device;  // passed in the place of the device that was asked for
  Moment dl_device_at;
  bool device_is_enum;          // conforming: the device type is an enumerator
  bool keeps_device;            // conforming: never passes dl_device
  bool believes_devices;        // takes what came for what it asked for
  bool retry_believes_devices;  // the same, asked again, where the producer refuses the device
  bool calls_twice;             // and drops the first capsule
  bool keeps_copy;              // conforming: does not hand copy= on, and does itself what it says
  When known_types_only;        // takes its own arrays alone
  bool needs_weak_references;   // to the object that it takes
  bool empty_without_methods;   // makes an empty array of an object that has neither method
  bool empty_without_dlpack;    // the same of one that has no __dlpack__
  bool leaves_host;             // an array that was asked for with device= says that it lies on another one
  When locks_own;               // its own arrays cannot be read once they were imported
  ErrorClass producer_error;    // for what __dlpack__ raises; kRight: as it was raised
  ErrorClass device_error;      // the same of __dlpack_device__
  ErrorClass moved_error;       // the same of whatever fails where device= is given
  ErrorClass copied_error;      // the same where copy=True is given
  ErrorClass missing_error;     // conforming: for an object that lacks a method
  bool no_keywords;             // conforming: from_dlpack knows neither copy= nor device=
  bool capsules_only;           // conforming: from_dlpack takes capsules, and no objects
  bool objects_only;            // conforming: asks a capsule too for its __dlpack__
  bool typed;                   // conforming: from_dlpack is told dtype= and ndim=, and refuses what has others

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

/// A consumer takes tensors through the table of the C exchange API that their type carries. Python only.
struct Consulting {
  bool never;                 // conforming: goes by __dlpack__ alone
  bool on_object;             // looks the attribute up on the object
  bool on_object_too;         // the same where the type has none
  bool on_object_first;       // conforming: looks on the object, and then takes what the type has
  bool caches;                // conforming: keeps each type, and the table that was found on it
  bool falls_back;            // conforming: where a function fails, __dlpack__ is called
  bool never_views;           // conforming: does not look at a tensor before it takes it
  bool copies_views;          // conforming: where copy=True is given, copies what a view shows, and takes no tensor
  bool keeps_copied_view;     // the same, and makes no copy
  bool takes_integers;        // conforming: an int is the address of a table, as in 1.2
  bool ignores_name;          // takes any capsule for a table
  bool compares_prefix;       // of the capsule's name
  bool trusts_attribute;      // uses what PyCapsule_GetPointer gives, NULL or not
  bool refuses_other;         // conforming: refuses objects of types whose attribute is no table
  bool keeps_error;           // an exception of the look-up stays pending
  bool refuses_major;         // conforming: refuses objects of types whose table is of another major version
  bool ignores_major;         // uses a table of any major version
  bool compares_low_byte;     // of the major version
  uint32_t refused_minor;     // refuses tables of this minor version and of later ones; 0: none
  bool tables_only;           // conforming: takes no objects but those whose type has a table
  bool needs_table;           // refuses objects whose type says that it has none
  bool keeps_missing;         // the AttributeError of such a type stays pending
  bool asks_stream;           // conforming: of the CPU, and makes nothing of the answer
  bool needs_stream;          // the same, and refuses where there is no answer
  bool keeps_stream_error;    // the same, and an exception stays pending
  bool allocates;             // conforming: asks the table for memory, and does without
  bool reports_without_gil;   // the same, and its SetError sets an exception at once
  bool looks_without_gil;     // the same, and its SetError looks whether there is one
  bool walks;                 // conforming: prev_api, up to a table of its own major version
  bool walks_one;             // the same, and takes the first one
  bool walks_to_end;          // the same, and takes the last one
  bool needs_view;            // conforming: refuses objects whose table has none
  bool calls_null_view;       // does not look whether the slot is NULL
  bool goes_by_error;         // takes a function for failed where there is an exception, and not by what it returns
  bool keeps_refused;         // what a table gave, and cannot be imported, is never released
  bool trusts_tensor;         // where a function says that it succeeded, uses the tensor, NULL or not
  bool trusts_view;           // the same of a view, whatever it says of its device
  bool trusts_memory;         // the same of memory that it asked for
  bool looks_up_twice;        // and ends the process where it finds two tables
  bool uses_failed;           // uses the out value of a function that failed
  bool uses_failed_view;      // the same of a view alone
  bool swallows_failure;      // goes on with __dlpack__, and the exception stays pending
  bool one_table;             // uses the first table of all in the place of every later one
  bool one_table_for_second;  // the same of every other exchange
  bool keeps_view;            // reads the view's shape when the tensor is its own
  bool keeps_strides;         // the same of its strides
  bool drops_gil;             // while it takes a tensor
  bool drops_gil_for_view;    // while it looks at one
  bool writes_table;          // changes an entry of the table
  bool frees_table;           // calls free() of the table
  bool forgets_copy;          // takes through the table where copy= is given, and forgets it
  bool forgets_device;        // the same of device=
  bool copies_blindly;        // takes a copy through the table, and does not look whether the view is NULL
  bool copies_past_failure;   // the same, and goes on where the view fails, with the exception pending
  bool ignores_tensor_major;  // of what the table gave

  bool operator==(const Consulting&) const = default;
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
  kStreamAny = 0x3F,
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
  When none_copies;  // copy=None, spelt out, is taken for True
  bool only_stream;  // the signature before 2023.12
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

/// How the type of the arrays publishes its exchange table, and what stands in front of the functions.
struct Publishing {
  enum class Form : uint8_t {
    kBoth,
    kNothing,
    kMisnamed,
    kInteger,
    kObject,
    kCapsuleForOlder,
    kTwoTables,
    kNewName,  // conforming, as is the next one
    kOldName,
  };
  Form form;
  uint8_t null_slots;     // bit per function, in the order of the table
  bool other_major;       // the header names version 2.0
  bool other_minor;       // the header names version 1.2
  bool older_behind;      // prev_api leads to version 1.2
  bool endless;           // prev_api leads back to the table
  bool endless_behind;    // prev_api leads to an older table whose own leads back to it
  bool later_behind;      // prev_api leads to a later version
  bool later_last;        // prev_api leads to an older version, and that one to a later one
  uint32_t moves;         // behind so many publications each array that is made publishes another copy; 0: never
  bool changes;           // the header changes with each array that is made
  bool changes_slots;     // the same of the slot of dltensor_from_py_object_no_sync
  bool odd_header;        // prev_api in front of the version
  bool subclass_integer;  // an int, where the array that was made is one of a subclass
  bool odd_view;          // dltensor_from_py_object_no_sync is neither NULL nor a function

  bool operator==(const Publishing&) const = default;
};

/// A function of the table that ends in a way that the table does not know.
struct Slip {
  enum class How : uint8_t {
    kNever,
    kFailsQuietly,       // -1 without an exception, or without a call of SetError
    kLeavesAnException,  // 0, and an exception is set
    kFailsWithOne,       // 1 in the place of -1
    kForgetsTheAnswer,   // 0, and the out parameter is as it was
    kGivesNull,          // 0, and the out parameter is NULL
    kThrows,             // a C++ exception leaves it where it fails
    kAlwaysThrows,       // whatever it is asked for
  };
  How how;
  uint8_t function;  // its place in the table

  bool operator==(const Slip&) const = default;
};

/// The table of the C exchange API. Python only.
struct Tabling {
  bool wrong_slot;       // dltensor_from_py_object_no_sync is managed_tensor_from_py_object_no_sync
  When keeps_prototype;  // a tensor of the allocator points to the shape of its prototype
  bool serves_nothing;   // every function fails, whatever it is asked for
  Publishing published;
  Slip slip;
  // managed_tensor_from_py_object_no_sync
  When exports_other_major;     // the tensor names version 2.0
  bool exports_copies;          // of compact arrays too, without the flag
  bool exports_copies_strided;  // of arrays that are not compact
  When leaks_arrays;            // a reference to the array stays
  When exports_null_strides;
  When exports_writable;      // without READ_ONLY
  When turns_exports;         // shape and strides are in the reverse order
  uint32_t exports_oddities;  // bit per Oddity: as if they were plain
  ErrorClass error;           // of what is refused
  bool refuses_quietly;       // no exception, and -1
  bool refuses_with_null;     // no exception, and 0
  bool leaks_subclasses;      // a reference to each array of a subclass stays
  bool copies_inside_bytes;   // what begins inside a byte, without the flag
  When exports_unpadded;      // without IS_SUBBYTE_TYPE_PADDED
  bool exports_share_shapes;  // each export overwrites the shape of the last one
  bool exports_stay;          // memory of each export stays when it is deleted
  // managed_tensor_to_py_object_no_sync
  bool takes_other_majors;
  When keeps_tensors;      // no deleter is called
  When releases_refused;   // twice
  bool releases_once;      // conforming: what is refused
  bool ignores_signs;      // of strides
  bool gives_other_types;  // another object than an array
  bool validates_late;     // conforming: what cannot be used becomes an array whose first use raises
  // current_work_stream, of a device that it does not serve
  bool forgets_foreign;  // 0, and the out parameter is as it was
  bool null_for_all;     // conforming: 0 and NULL
  bool reads_foreign;    // reads what should be the stream's handle
  // dltensor_from_py_object_no_sync
  When views_leak;           // a reference to the array stays
  When views_share_strides;  // each view overwrites those of the last one
  When views_turn_shapes;    // the extents are in the reverse order
  bool views_refuse_quietly;
  bool views_share_shapes;  // each view overwrites the extents of the last one
  When views_stay;          // extents of its own, which nobody frees
  // managed_tensor_allocator
  bool allocates_nothing;    // conforming: fails, whatever it is asked for
  When allocates_elsewhere;  // on another device
  bool allocates_signed;     // integers of the other signedness
  bool allocates_here;       // on the CPU, whatever is asked for
  bool allocates_wrapped;    // the product of the extents loses what is beyond 64 bits
  bool forgets_lanes;        // memory for one of each vector's
  bool rounds_bits_down;     // memory for whole bytes alone of what is smaller
  When allocated_stays;      // memory of each allocation stays when it is deleted
  When allocated_needs_gil;  // its deleter asks Python without taking the GIL
  bool allocates_read_only;
  bool allocates_turned;         // conforming: column-major
  bool allocates_one;            // all strides are 0
  bool allocates_one_row;        // the stride of the first dimension is 0
  bool reports_success;          // SetError is called although there is a tensor
  bool reports_twice;            // SetError is called twice for one failure
  bool reports_to_others;        // SetError gets another context
  bool reports_without_words;    // SetError gets no text
  uint8_t hides_failures;        // 0, where there is no tensor; bit 0: for what it does not support, 1: for its size
  When writes_prototype;         // an extent of it
  When reads_prototype_strides;  // which mean nothing there

  bool operator==(const Tabling&) const = default;
};

/// What becomes of types with several lanes.
enum class Vectors : uint8_t {
  kRefused,    // there are none
  kKept,       // they are types of their own
  kDimension,  // the lanes become a trailing dimension
};

/// What kinds of arrays the library has at all, whichever way they come to be. Conforming, all of it.
/// How arrays of elements of less than a byte lie in memory; conforming are the first two.
enum class Storage : uint8_t {
  kPacked,     // several to a byte, low bits first
  kPadded,     // a byte each
  kHighFirst,  // several to a byte, high bits first
  kNibbles,    // those of 2 bits in 4 bits each
  kRefused,    // conforming: there are no such arrays
};

struct Having {
  bool immutable;          // every array is read-only
  uint64_t ranks;          // bit per number of dimensions; 0: any. What comes without any gets one of extent 1.
  uint32_t lacks_codes;    // bit per type code
  uint8_t alignment_log2;  // of what is imported
  Storage storage;         // of elements of less than a byte
  When stored;             // where `storage` is used
  bool opaque_sub_bytes;   // nobody can look at such elements
  bool container;          // takes what it knows nothing of, and hands it on as it came
  bool raw_bytes;          // conforming: what it does not know becomes an array of as many raw bytes an element
  bool whole_bytes;        // conforming: no array starts inside a byte
  bool no_read_only;       // nobody can tell whether an array may be written: every one may
  Vectors vectors;

  bool HasRank(int64_t ndim) const { return ranks == 0 || (ndim < 64 && ((ranks >> ndim) & 1u) != 0); }

  bool operator==(const Having&) const = default;
};

struct Behaviour {
  Having having;
  Importing importing;
  Refusing refusing;
  Owning owning;
  Exporting exporting;
  CapsuleSteps capsule;
  Asking asking;
  Consulting consulting;
  Answering answering;
  Tabling table;

  bool operator==(const Behaviour&) const = default;
};

static_assert(std::is_trivially_copyable_v<Behaviour>);

/// The behaviour of a correct library.
Behaviour CorrectBehaviour();

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ADAPTERS_REFERENCE_BEHAVIOUR_H_
