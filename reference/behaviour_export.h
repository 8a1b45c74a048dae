// reference/behaviour_export.h: the steps of a producer on the struct.
#ifndef DLPACK_CTS_REFERENCE_BEHAVIOUR_EXPORT_H_
#define DLPACK_CTS_REFERENCE_BEHAVIOUR_EXPORT_H_

#include <cstdint>

#include "harness/recipe/recipe.h"
#include "reference/behaviour_words.h"
#include "reference/when.h"

namespace dlpack_cts {

/// How a producer fills the struct.
struct Exporting {
  // Elements.
  When retypes;
  abi::DLDataType retyped;
  When wants_whole_strides;  // refuses byte strides that are not a multiple of the item size, also in dimensions of one
                             // element
  When strides_in_bytes;
  When strides_in_components;  // counts the real and the imaginary part of complex elements
  When strides_are_compact;    // reports row-major strides, whatever the array has
  When strides_made_positive;
  When strides_column_major;
  When reverses_strides;
  When null_strides;  // for compact arrays; conforming below version 1.2
  When null_strides_of_any;
  When odd_unit_strides;  // conforming: arbitrary strides in dimensions of at most one element
  When null_shape;
  When wild_strides;  // strides points to an unmapped address
  When negates_extents;
  When shape_of_scalar;  // conforming: shape and strides are not NULL though ndim is 0
  When reverses_shape;
  When remembers_dims;     // every export has the shape and strides of the array's first export
  When truncates_extents;  // to 7 bits
  When keeps_32_extents;   // writes 1 for the extents after the first 32 dimensions
  When narrows_extents;    // to the lowest `extent_bits` bits, with their sign
  uint8_t extent_bits;
  When narrows_strides;  // strides in elements, to the lowest `stride_bits` bits, with their sign
  uint8_t stride_bits;
  uint32_t dims_ring;  // shapes and strides use so many places in turn; 0: each export has its own
  When ndim_too_large;
  When ndim_too_small;
  uint64_t offset_bytes;  // conforming up to 64: data is that much lower, and byte_offset makes up for it
  When offset;            // in which exchanges offset_bytes applies
  When forgets_offset;    // data is that much lower, and byte_offset stays 0
  When offset_in_elements;
  When base_pointer;    // data is the start of the memory block, and byte_offset stays 0
  When null_data;       // data is NULL although the tensor has elements
  When empty_has_data;  // conforming: data of an empty tensor is not NULL
  When wild_data;       // data is an unmapped address
  // Device, version, flags.
  abi::DLDevice device;
  When wrong_device;  // in which exchanges `device` is reported
  abi::DLPackVersion version;
  When relabels;  // declares version `label`, without another change
  abi::DLPackVersion label;
  uint64_t flags;
  When adds_flags;  // in which exchanges `flags` are added
  When drops_read_only;
  When drops_copied;    // a copy is not flagged IS_COPIED
  When keeps_copied;    // a re-export repeats the IS_COPIED of the import
  When recalls_copies;  // exports after a copy of the same array are flagged IS_COPIED too
  // Life.
  When resize_dies;         // a resize of the array in place overwrites the memory that exports share
  When lives_in_array;      // shape and strides point into the array's own memory
  When dims_die;            // shape and strides are freed with the array
  When memory_dies;         // the elements are freed with the array
  When import_dies;         // a re-export does not keep the imported tensor
  uint32_t reexports_held;  // only so many living exports of an imported array keep it alive; 0: all
  When holds_memory_only;   // conforming: the export keeps the elements alive, but not the array
  When null_deleter;
  When deleter_leaks;            // never drops its reference to the array
  When deleter_frees_early;      // the memory of the struct's fields is released right after the export
  When deleter_releases_latest;  // also releases what the latest export refers to
  When deleter_needs_gil;        // drops the array without taking the GIL
  When deleter_frees_unlocked;   // frees Python's memory without taking the GIL
  When deleter_keeps_struct;     // frees everything except the struct
  When deleter_deadlocks;        // waits for a thread that takes the GIL: forever if the caller holds it
  When deleter_dies_at_exit;     // ends the process if the interpreter is finalizing
  When deleter_ignores_end;      // takes the GIL of a finalized interpreter
  When deleter_wants_thread;     // ends the process if called on another thread than the export
  When deleter_wants_process;    // conforming: ends the process if called in a forked child
  When deleter_queues;           // conforming: drops the array in a pending call of the interpreter
  When deleter_defers;           // conforming: releases at the next flush what the export holds
  When deleters_exclude;         // ends the process if two deleters run at the same time
  uint32_t room;                 // most exports at once; later ones get the struct of the latest; 0: any number
  When shares_beside_threads;    // returns the struct of the latest export again while another thread exports
  When deleter_throws;
  When deleter_raises;     // leaves a Python exception pending
  When shares_struct;      // returns the struct of the latest export again
  When overwrites_latest;  // changes the shape of the latest export
  When mutates_source;     // flips the bits of `mutation` in the first byte of element 0
  uint8_t mutation;
  When transposes_source;
  When locks_source;         // the array cannot be read after an export
  When leaks_when_refusing;  // a refused export never drops its reference to the array
  // Copies and refusals.
  When copies;               // every export is a copy; conforming if flagged
  When copies_against_will;  // although copy=False was requested
  When copy_shares;          // copy=True shares the memory, flagged IS_COPIED
  When copy_dies;            // the elements of a copy are freed with the original array
  When copy_leaks;           // the elements of a copy are never freed
  When copy_is_read_only;
  When copies_memory_order;  // copies the bytes as they lie in memory, and calls them row-major
  When copies_whole_bytes;   // packed copies lack the last byte if their elements do not fill it
  uint32_t copies_at_most;   // bytes of a copy that are filled; 0: all
  When copies_padded;        // packed copies hold one element in each byte
  When copies_half;          // only the first half of the elements of a copy is filled
  uint32_t copies_ring;      // copies use so many memory blocks in turn; 0: each has its own
  When copies_keep_layout;   // conforming: the strides of a copy are those of the array, if its memory has no gaps
  When copy_keeps_source;    // a copy never drops its reference to the original array
  When refuses;              // conforming
  When refuses_again;        // every export of an array except the first
  When refuses_copy;         // conforming
  When refuses_copy_false;
  When refuses_unless_copied;   // unless copy=True is given
  When refuses_changes;         // conforming: in-place writes to an array whose memory is shared
  When legacy_hides_read_only;  // exports read-only arrays as legacy structs
  When legacy_has_float8;       // exports 8-bit floats as legacy structs
  When legacy_hides_padding;    // exports padded elements as legacy structs
  When drops_padded;            // padded elements are not flagged
  When exports_pairs;           // exports pairs of packed 4-bit elements as vectors of two lanes
  When drops_lanes;             // exports each lane as a scalar element
  When starts_inside_bytes;     // exports views that start inside a byte from the start of that byte
  When copies_inside_bytes;     // conforming: copies such views
  ErrorClass error;
  ErrorClass copy_error;       // raised when the value of copy= is refused
  uint32_t exports_oddities;   // one bit for each Oddity that is exported like an ordinary array
  When oddities_only;          // in which exchanges exports_oddities applies
  uint32_t resolves_oddities;  // conforming, for lazy arrays: one bit for each Oddity that is exported as a copy
  bool caches_resolved;  // conforming: keeps that copy, and shares it with all exports that do not request their own
  uint32_t odd_acts;     // one bit for each Oddity whose export ends as `manner` says
  Manner manner;

  bool operator==(const Exporting&) const = default;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REFERENCE_BEHAVIOUR_EXPORT_H_
