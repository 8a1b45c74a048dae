// reference/behaviour_import.h: the steps of a consumer on the struct: importing, refusing, owning.
#ifndef DLPACK_CTS_REFERENCE_BEHAVIOUR_IMPORT_H_
#define DLPACK_CTS_REFERENCE_BEHAVIOUR_IMPORT_H_

#include <cstdint>

#include "reference/behaviour_words.h"
#include "reference/when.h"

namespace dlpack_cts {

/// Why the reference refuses an import. One bit each, so that a change can affect single reasons.
enum Path : uint32_t {
  kPathNothing = 0,
  kPathVersion = 1u << 0,    // the struct has another major version
  kPathDevice = 1u << 1,     // the device is not the CPU
  kPathDtype = 1u << 2,      // unknown dtype (code, bits, lanes)
  kPathLanes = 1u << 3,      // lanes other than 1
  kPathDims = 1u << 4,       // ndim is negative or too large
  kPathShape = 1u << 5,      // a negative extent
  kPathExtents = 1u << 6,    // the number of elements overflows
  kPathStrides = 1u << 7,    // a byte stride overflows
  kPathNullData = 1u << 8,   // data is NULL, and the tensor has elements
  kPathKeyword = 1u << 9,    // device= names another device
  kPathPolite = 1u << 10,    // the field `refuses` of Importing
  kPathUsed = 1u << 11,      // Python: the capsule has a used name
  kPathName = 1u << 12,      // Python: the capsule has any other name
  kPathProducer = 1u << 13,  // Python: __dlpack__ raised, or did not return a capsule
  kPathNoShape = 1u << 14,   // shape is NULL, and ndim is not 0
  kPathAnyTensor = 0x47FF,   // all reasons that lie in the tensor
};

/// How the major version of a struct is compared with the version of the reference.
enum class MajorCheck : uint8_t {
  kEqual,
  kNotGreater,
  kNotLess,
  kNone,
  kByte,   // compares only the lowest 8 bits
  kShort,  // compares only the lowest 16 bits
  kMinorInstead,
  kEqualWithKnownMinor,  // conforming: refuses newer minor versions with an exception
};

/// When the deleter of an import is called.
enum class Release : uint8_t { kNow, kOtherThread, kCollect };

/// How a consumer reads a struct and makes an array from it.
struct Importing {
  // The address of element 0.
  When ignores_byte_offset;
  When byte_offset_in_elements;
  When truncates_byte_offset;  // to its lowest `offset_bits` bits
  When narrows_byte_offset;    // the same, with their sign
  uint8_t offset_bits = 32;
  When subtracts_byte_offset;
  When adds_byte_offset_twice;
  When byte_offset_in_items;  // rounds byte_offset down to a multiple of the item size
  When aligns_address;        // rounds the address down to a multiple of 64 bytes
  When aligns_to_items;       // rounds the address down to a multiple of the item size
  // Strides.
  When null_strides_are_column_major;
  When dereferences_null_strides;
  When ignores_strides;
  When strides_in_bytes;
  When strides_made_positive;
  When negative_strides_are_zero;
  When zero_strides_are_compact;
  When believes_unit_strides;  // adds the strides of one-element dimensions to the address of element 0
  When refuses_unit_strides;   // refuses strides of one-element dimensions
  uint8_t unit_stride_bits;    // only those that do not fit in so many bits; 0: all
  When truncates_strides;      // to 8 bits
  When reads_eight_strides;    // assumes that dimensions after the first eight are row-major
  When reverses_strides;
  When believes_empty_strides;  // refuses a zero-size tensor with arbitrary strides
  // Shape.
  When truncates_extents;  // to 7 bits
  When narrows_extents;    // to the lowest `extent_bits` bits, with their sign
  uint8_t extent_bits;
  When narrows_strides;  // strides in bytes, to the lowest `stride_bits` bits, with their sign
  uint8_t stride_bits;
  When caps_dims;  // extents after the first `kept_dims` dimensions become 1
  uint8_t kept_dims;
  uint8_t ndim_bits;  // ndim is read without the bits above the lowest `ndim_bits`; 0: all of it is read
  uint32_t room;      // most imported tensors at once; later ones get extent 1 in their first dimension; 0: any number
  When room_for;      // in which imports `room` applies
  When drops_last_dimension;
  When adds_dimension_to_scalar;
  When reverses_shape;
  When squeezes_unit_dimensions;
  When swaps_shape_and_strides;
  When multiplies_before_looking_for_zero;  // reports an overflow although another extent is zero
  // Reads of memory that is not valid, or that it need not read.
  When reads_beyond_shape;
  When reads_beyond_strides;
  When reads_shape_of_scalar;
  When reads_strides_of_scalar;
  When reads_flags_of_legacy;
  When reads_empty_data;
  When reads_gaps;          // conforming: reads every byte from the first element to the last
  When reads_foreign_data;  // reads data on a device that it then refuses
  When overreads;           // 8 bytes after the highest element
  When underreads;          // 8 bytes before the lowest element
  When dereferences_context;
  When aborts;
  // Writes to memory of the producer.
  When writes_shape;
  When writes_strides;
  When writes_data;  // flips a bit of element 0
  When writes_gap;   // the byte after element 0
  When writes_flags;
  When writes_byte_offset;
  // Element types.
  When retypes;  // presents the dtype as `retyped`
  abi::DLDataType retyped;
  When ignores_lanes;
  When ignores_bits;         // uses the largest known width that is not wider
  When ignores_code;         // treats unknown dtypes as integers of that width
  When truncates_lanes;      // to 8 bits
  When truncates_code;       // to 7 bits
  When ignores_small_bits;   // accepts 6-bit and 4-bit floats whatever `bits` is
  When never_padded;         // reads padded elements of fewer than 8 bits as packed
  When never_packed;         // reads packed elements as padded
  When high_bits_first;      // reads packed elements from the high bits down
  When counts_pairs;         // counts two elements of fewer than 8 bits as one
  When pads_lanes;           // reads each lane of a sub-byte vector as one byte
  When counts_lanes;         // strides count vectors, but it applies them to single lanes
  When converts_to_float32;  // float64 is silently narrowed
  // Version, flags, device.
  MajorCheck major_check;
  When swaps_version;
  When reads_body_before_version;
  When drops_read_only;
  When all_read_only;
  uint64_t read_only_mask;  // flag bits that it reads as READ_ONLY
  uint64_t refused_flags;   // conforming: refuses tensors with these flag bits
  When truncates_device;    // to 16 bits
  When carries_null;        // conforming: accepts elements whose data is NULL, and never reads them
  When carries_devices;     // conforming: accepts tensors on other devices, and re-exports them unread
  When moves_handles;       // adds byte_offset to data in re-exports
  When forgets_offsets;     // re-exports data without byte_offset
  When renames_devices;     // re-exports every device as kDLCUDA
  When takes_pinned;        // conforming: reads data in memory that the host can read, and reports its device
  When moves_pinned;        // reports pinned host memory as memory of the GPU with its device_id
  // The whole import.
  When refuses;  // with an exception; conforming or WARN, depending on the rule of the tensor
  When refuses_empty_null;
  When refuses_null_shape_of_scalar;
  When refuses_copy;           // conforming
  When copies;                 // conforming, unless copy=False was requested
  When refuses_copy_false;     // conforming: copy=False is refused where the data cannot be shared
  When narrows;                // conforming: 64-bit numbers become 32-bit copies, with a warning
  When copies_against_will;    // copies although copy=False was requested
  When copies_again;           // conforming: also copies what the producer has copied
  When ignores_copy;           // copy=True shares the memory
  When copies_nothing;         // never fills the copy that it makes
  When copies_stay_read_only;  // a copy of a READ_ONLY tensor is read-only
  When copies_size_mod_2_16;   // copies only size modulo 65536 bytes
  When copies_memory_order;    // copies the bytes as they lie in memory, and calls them row-major
  When copies_whole_bytes;     // packed copies lack the last byte if their elements do not fill it
  uint32_t copies_at_most;     // bytes of a copy that are filled; 0: all
  uint32_t copies_ring;        // copies use so many memory blocks in turn; 0: each has its own
  When cannot_be_read;         // every conversion of the array raises
  When cannot_be_computed;     // every computation with the array raises
  When moves;                  // the array reports another device
  When remembers_elements;     // every read returns the elements at the time of the import
  When recognises_struct;      // returns the elements of an earlier import whose struct had the same address

  bool operator==(const Importing&) const = default;
};

/// What happens to a refused import. Each mask is a set of Path bits.
struct Refusing {
  uint32_t accepts;         // paths whose check is left out
  uint32_t leaks;           // the tensor is consumed and never released
  uint32_t releases_twice;  // calls the deleter, and leaves it to the capsule too (or calls it again)
  uint32_t consumes;        // conforming, Python: renames the capsule, then calls the deleter
  uint32_t acts;            // ends as `manner` says
  Manner manner;
  uint32_t touches_tensor;  // reads the whole struct before it refuses
  When only;                // in which exchanges these masks apply
  uint32_t raises;          // refusals that raise `error`
  ErrorClass error;         // conforming, except for devices

  bool operator==(const Refusing&) const = default;
};

/// How an imported tensor is kept alive and released.
struct Owning {
  When leaks;
  When releases_twice;
  When releases_early;  // in the import, although the array shares the memory
  When releases_copy;   // calls the deleter with a copy of the struct
  When calls_null_deleter;
  When changes_context;
  When frees_context;
  When frees_shape;
  When touches_after_release;  // reads the struct after its release
  When writes_after_release;
  When view_is_writable;    // views are writable although the tensor is READ_ONLY
  When view_keeps_nothing;  // releases the tensor with the first array, while views exist
  When never_after_copy;    // never releases a tensor after a copy of it
  When locks_deleters;      // holds a lock while a deleter runs; every import waits for it
  When shuts_out_deleters;  // accepts no tensor while a deleter runs on the same thread
  When leaks_in_deleters;   // never releases a tensor whose array is destroyed while a deleter runs
  When twice_in_deleters;   // releases such a tensor twice
  When waits_for_deleters;  // conforming: releases such a tensor when that deleter has returned
  Release release;          // every value is conforming
  bool writes_nowhere;      // write() reports success without writing
  bool writes_read_only;    // write() ignores READ_ONLY

  bool operator==(const Owning&) const = default;
};

/// How an array is closed. Each field is about the array that is closed.
struct CloseSteps {
  When refuses_shared;           // conforming: while views or exports of it exist
  When refuses_exported;         // conforming: while exports of it exist
  When waits;                    // conforming: the elements are kept until the array is destroyed
  When closes_views;             // conforming: frees the elements, and every use of its views raises
  When again_refused;            // conforming: a second close raises
  When again_releases;           // a second close calls the deleter again
  When again_crashes;            // a second close aborts
  When releases_twice;           // the close calls the deleter, and the end of the array calls it again
  When leaks;                    // never frees the elements
  When frees_shared;             // frees the elements although views or exports use them
  When frees_latest;             // also releases the tensor of the latest import
  When frees_with_first_export;  // frees the elements when the first of its exports ends
  When stays_usable;             // the closed array is still read and exported, from memory that was freed
  When keeps_object;             // the array object is never destroyed

  bool operator==(const CloseSteps&) const = default;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REFERENCE_BEHAVIOUR_IMPORT_H_
