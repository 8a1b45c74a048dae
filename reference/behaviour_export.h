// reference/behaviour_export.h: the steps of a producer on the struct.
#ifndef DLPACK_CTS_REFERENCE_BEHAVIOUR_EXPORT_H_
#define DLPACK_CTS_REFERENCE_BEHAVIOUR_EXPORT_H_

#include <cstdint>

#include "harness/recipe/recipe.h"
#include "reference/behaviour_words.h"
#include "reference/when.h"

namespace dlpack_cts {

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
  When remembers_dims;     // the shape and strides of an array's first export
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

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REFERENCE_BEHAVIOUR_EXPORT_H_
