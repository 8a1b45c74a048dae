// reference/behaviour_import.h: the steps of a consumer on the struct: taking, refusing, owning.
#ifndef DLPACK_CTS_REFERENCE_BEHAVIOUR_IMPORT_H_
#define DLPACK_CTS_REFERENCE_BEHAVIOUR_IMPORT_H_

#include <cstdint>

#include "reference/behaviour_words.h"
#include "reference/when.h"

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

/// Which of the major's bits are compared, and how.
enum class MajorCheck : uint8_t {
  kEqual,
  kNotGreater,
  kNotLess,
  kNone,
  kByte,   // of the major
  kShort,  // of the major
  kMinorInstead,
  kEqualWithKnownMinor,  // conforming: newer minors are refused with an exception
};

/// When the deleter of an import is called.
enum class Release : uint8_t { kNow, kOtherThread, kCollect };

/// A consumer reads a struct and makes an array of it.
struct Importing {
  // Where the elements lie.
  When ignores_byte_offset;
  When byte_offset_in_elements;
  When truncates_byte_offset;  // to 32 bits
  When subtracts_byte_offset;
  When adds_byte_offset_twice;
  When byte_offset_in_items;  // rounds byte_offset down to whole items
  When aligns_address;        // rounds element 0 down to 64 bytes
  When aligns_to_items;       // rounds it down to the item size
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
  uint64_t refused_flags;   // conforming: bits that it refuses with an exception
  When truncates_device;    // to 16 bits
  When carries_null;        // conforming: accepts elements without data, and never reads them
  When carries_devices;     // conforming: accepts tensors on other devices, and forwards them without reading the data
  When moves_handles;       // adds byte_offset to the data of tensors that it forwards
  When forgets_offsets;     // forwards the data, but not byte_offset
  When renames_devices;     // forwards every device as kDLCUDA
  When takes_pinned;        // conforming: reads memory that the host can read, and reports its device
  When moves_pinned;        // reports pinned memory as memory of the GPU with its device_id
  // Whole imports.
  When refuses;  // with an exception; conforming or WARN, depending on the rule about the tensor
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
  When remembers_elements;    // later reads return the elements at the time of the import
  When recognises_struct;     // gives the elements of an earlier import with the same struct address

  bool operator==(const Importing&) const = default;
};

/// What happens to a refused import. Masks of Path.
struct Refusing {
  uint32_t accepts;         // the check is left out
  uint32_t leaks;           // consumes the tensor and never releases it
  uint32_t releases_twice;  // calls the deleter, and leaves it to the capsule (or calls it again)
  uint32_t consumes;        // Python, conforming: renames the capsule, then calls the deleter
  uint32_t acts;            // acts as `manner` says
  Manner manner;
  uint32_t touches_tensor;  // reads all of the struct when it refuses
  When only;                // when these apply
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
  bool writes_nowhere;      // write() reports success without writing
  bool writes_read_only;    // write() ignores READ_ONLY

  bool operator==(const Owning&) const = default;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REFERENCE_BEHAVIOUR_IMPORT_H_
