// reference/behaviour_table.h: the exchange table: how it is published, what its functions do, how a consumer uses it.
#ifndef DLPACK_CTS_REFERENCE_BEHAVIOUR_TABLE_H_
#define DLPACK_CTS_REFERENCE_BEHAVIOUR_TABLE_H_

#include <cstdint>

#include "reference/behaviour_words.h"
#include "reference/when.h"

namespace dlpack_cts {

/// How a consumer imports through the table of the C exchange API that a producer's type publishes. Python only.
struct Consulting {
  bool never;                 // conforming: uses only __dlpack__
  bool on_object;             // looks up the attribute on the object
  bool on_object_too;         // looks it up on the object if the type has none
  bool on_object_first;       // conforming: looks it up on the object, then uses that of the type
  bool caches;                // conforming: caches the table of each type
  bool falls_back;            // conforming: calls __dlpack__ if a function of the table fails
  bool never_views;           // conforming: never calls dltensor_from_py_object_no_sync
  bool copies_views;          // conforming: for copy=True, copies from the borrowed DLTensor
  bool keeps_copied_view;     // the same, but shares the borrowed memory
  bool takes_integers;        // conforming: accepts an int as the address of a table, as in 1.2
  bool ignores_name;          // accepts any capsule as a table
  bool compares_prefix;       // compares only the start of the capsule's name
  bool trusts_attribute;      // does not check PyCapsule_GetPointer for NULL
  bool refuses_other;         // conforming: refuses an object if its type's attribute is not a table
  bool keeps_error;           // leaves an exception of the look-up pending
  bool refuses_major;         // conforming: refuses an object if its table has another major version
  bool ignores_major;         // uses a table of any major version
  bool compares_low_byte;     // compares the lowest 8 bits of the major version
  uint32_t refused_minor;     // refuses tables of this minor version or later; 0: no limit
  bool tables_only;           // conforming: refuses objects whose type has no table
  bool needs_table;           // refuses objects whose type has the attribute, but raises AttributeError for it
  bool keeps_missing;         // leaves the AttributeError of such a type pending
  bool keeps_raised;          // the same if the look-up raises another exception than AttributeError
  bool asks_stream;           // conforming: calls current_work_stream for the CPU, and ignores the result
  bool needs_stream;          // calls it, and refuses the object if the call fails
  bool keeps_stream_error;    // calls it, and leaves an exception of the call pending
  bool allocates;             // conforming: calls managed_tensor_allocator, and does not need the result
  bool reports_without_gil;   // calls it; its SetError sets a Python exception without the GIL
  bool looks_without_gil;     // calls it; its SetError calls PyErr_Occurred without the GIL
  bool walks;                 // conforming: follows prev_api to a table of its own major version
  bool walks_one;             // follows prev_api once
  bool walks_to_end;          // follows prev_api to the last table
  bool needs_view;            // conforming: refuses objects whose dltensor_from_py_object_no_sync is NULL
  bool calls_null_view;       // calls dltensor_from_py_object_no_sync without checking it for NULL
  bool goes_by_error;         // treats a call as failed if an exception is pending, whatever it returned
  bool keeps_refused;         // never releases a tensor of the table that it cannot import
  bool trusts_tensor;         // does not check the returned tensor for NULL
  bool trusts_view;           // does not check the borrowed DLTensor, nor its device
  bool trusts_memory;         // does not check the allocated tensor for NULL
  bool looks_up_twice;        // ends the process if two look-ups find different tables
  bool uses_failed;           // uses the out parameter of a function that failed
  bool uses_failed_view;      // uses the out parameter of dltensor_from_py_object_no_sync if it failed
  bool swallows_failure;      // calls __dlpack__, and leaves the exception pending
  bool one_table;             // uses the first table that it saw for every later object
  bool one_table_for_second;  // does that in every second exchange
  bool keeps_view;            // reads the shape of the borrowed DLTensor after it has got the tensor
  bool keeps_strides;         // reads the strides of the borrowed DLTensor after it has got the tensor
  bool drops_gil;             // while it calls managed_tensor_from_py_object_no_sync
  bool drops_gil_for_view;    // while it calls dltensor_from_py_object_no_sync
  bool writes_table;          // changes an entry of the table
  bool frees_table;           // calls free() on the table
  bool forgets_copy;          // for copy=, imports through the table and does not copy
  bool forgets_device;        // for device=, imports through the table and ignores the device
  bool copies_blindly;        // does not check the slot of dltensor_from_py_object_no_sync for NULL when it copies
  bool copies_past_failure;   // ignores its failure too, and leaves the exception pending
  bool ignores_tensor_major;  // does not check the major version of the returned tensor
  bool own_entry_only;        // the fields above hold for from_exchange and peek alone
  // How peek() reads the metadata of an object.
  bool peek_owns;             // conforming: takes a tensor, and releases it
  bool peek_leaks;            // takes a tensor, and never releases it
  bool peek_releases_twice;   // takes a tensor, and releases it twice
  bool peek_keeps_view;       // reads the shape of a view after a second call of the table
  bool peek_frees_shape;      // calls free() on the shape of the view
  bool peek_forgets_strides;  // reads every tensor as row-major
  bool peek_forgets_offset;   // reads the address without byte_offset

  bool operator==(const Consulting&) const = default;
};

/// How the type of the arrays publishes its exchange table, and the header in front of its functions.
struct Publishing {
  enum class Form : uint8_t {
    kBoth,
    kNothing,
    kMisnamed,
    kInteger,
    kObject,
    kCapsuleForOlder,
    kTwoTables,
    kNewName,  // conforming, as is kOldName
    kOldName,
    kOnArrays,    // an attribute of each array, and not of the type
    kShortLived,  // a new capsule for each look-up, and the table ends with it
  };
  Form form;
  uint8_t null_slots;     // one bit for each function that is NULL, in the order of the table
  bool other_major;       // the header names version 2.0
  bool other_minor;       // the header names version 1.2
  bool older_behind;      // prev_api points to a table of version 1.2
  bool endless;           // prev_api points to the table itself
  bool endless_behind;    // prev_api points to an older table, whose prev_api points back
  bool later_behind;      // prev_api points to a later version
  bool later_last;        // prev_api points to an older version, whose prev_api points to a later one
  uint32_t moves;         // each new array publishes another copy after so many publications; 0: never
  bool changes;           // each new array changes the header
  bool changes_slots;     // each new array changes the slot of dltensor_from_py_object_no_sync
  bool odd_header;        // prev_api lies before the version
  bool subclass_integer;  // the attribute is an int if the new array is of a subclass
  bool odd_view;          // dltensor_from_py_object_no_sync is neither NULL nor a function

  bool operator==(const Publishing&) const = default;
};

/// How a function of the table breaks its contract about results and errors.
struct Slip {
  enum class How : uint8_t {
    kNever,
    kFailsQuietly,       // returns -1 without an exception, or without a call of SetError
    kLeavesAnException,  // returns 0 with an exception pending
    kFailsWithOne,       // returns 1 instead of -1
    kForgetsTheAnswer,   // returns 0 and does not write the out parameter
    kGivesNull,          // returns 0 and writes NULL to the out parameter
    kThrows,             // throws a C++ exception when it fails
    kAlwaysThrows,       // throws a C++ exception in every call
  };
  How how;
  uint8_t function;  // its index in the table

  bool operator==(const Slip&) const = default;
};

/// How the functions of the exchange table behave. Python only.
struct Tabling {
  bool wrong_slot;       // the slot of dltensor_from_py_object_no_sync holds managed_tensor_from_py_object_no_sync
  bool swapped_slots;    // managed_tensor_from_py_object_no_sync and managed_tensor_to_py_object_no_sync are swapped
  When keeps_prototype;  // the shape of an allocated tensor points to the shape of the prototype
  bool serves_nothing;   // every call of every function fails
  Publishing published;
  Slip slip;
  // managed_tensor_from_py_object_no_sync
  When exports_other_major;     // the tensor has version 2.0
  bool exports_copies;          // exports copies without IS_COPIED, of compact arrays too
  bool exports_copies_strided;  // exports copies without IS_COPIED, of arrays that are not compact
  When exports_marked_copies;   // exports copies with IS_COPIED
  When leaks_arrays;            // never drops a reference to the array
  bool exports_die;             // the memory of the tensor is freed with the array
  bool exports_without_offset;  // the address is that of the memory in which a view begins
  When exports_null_strides;
  When exports_writable;       // does not set READ_ONLY
  When turns_exports;          // reverses shape and strides
  uint32_t exports_oddities;   // one bit for each Oddity that is exported like an ordinary array
  ErrorClass error;            // raised if it refuses
  bool refuses_quietly;        // returns -1 without an exception
  bool quiet_about_others;     // the same for an object that is not an array of its own
  bool quiet_views_of_others;  // the same in dltensor_from_py_object_no_sync
  bool refuses_with_null;      // returns 0 and NULL without an exception
  bool refuses_with_zero;      // returns 0 and NULL with the exception
  bool leaks_subclasses;       // never drops a reference to an array of a subclass
  bool copies_inside_bytes;    // exports copies without IS_COPIED, of arrays that start inside a byte
  When exports_unpadded;       // does not set IS_SUBBYTE_TYPE_PADDED
  bool exports_share_shapes;   // every export overwrites the shape of the one before
  bool exports_stay;           // each export leaks some memory when it is deleted
  uint32_t exports_ring;       // shapes of exports use so many places in turn; 0: each has its own
  // managed_tensor_to_py_object_no_sync
  bool takes_other_majors;
  bool reads_before_version;  // reads the whole struct before it checks the version
  When keeps_tensors;         // never calls a deleter
  When keeps_results;         // keeps a reference to the array that it returns
  bool caches_copies;         // conforming: returns a copy, and keeps a reference to the latest one
  When releases_refused;      // calls the deleter twice for a tensor that it refuses
  bool releases_once;         // conforming: calls the deleter of a tensor that it refuses
  bool ignores_signs;         // ignores the signs of strides
  bool gives_other_types;     // returns an object that is not an array
  bool validates_late;        // conforming: returns an array for a tensor that it cannot use; the first use raises
  // current_work_stream for a device that the reference does not support
  bool forgets_foreign;  // returns 0 and does not write the out parameter
  bool null_for_all;     // conforming: returns 0 and NULL
  bool reads_foreign;    // reads the memory that the stream handle points to
  // dltensor_from_py_object_no_sync
  When views_leak;           // never drops a reference to the array
  When views_share_strides;  // every borrowed DLTensor overwrites the strides of the one before
  When views_turn_shapes;    // reverses the shape
  bool views_refuse_quietly;
  bool views_share_shapes;    // every borrowed DLTensor overwrites the shape of the one before
  bool views_without_offset;  // as exports_without_offset
  When views_stay;            // each borrowed DLTensor has a shape of its own, which is never freed
  uint32_t views_ring;        // shapes of borrowed DLTensors use so many places in turn; 0: each has its own
  // managed_tensor_allocator
  bool allocates_nothing;    // conforming: every call fails
  When allocates_elsewhere;  // allocates on another device
  bool allocates_signed;     // allocates unsigned for signed integers, and the reverse
  bool allocates_here;       // allocates on the CPU for every device
  bool allocates_wrapped;    // the number of bytes wraps around at 64 bits
  bool allocates_negative;   // takes a negative extent for 0, and writes it to the shape
  bool forgets_lanes;        // allocates one lane for each vector
  bool rounds_bits_down;     // rounds the size of sub-byte elements down to whole bytes
  When allocated_stays;      // each allocation leaks some memory when it is deleted
  When allocated_needs_gil;  // the deleter uses Python without taking the GIL
  bool allocates_read_only;
  bool allocates_turned;       // conforming: column-major
  bool allocates_one;          // all strides are 0
  bool allocates_one_row;      // the stride of the first dimension is 0
  bool reports_success;        // calls SetError although it succeeds
  bool reports_twice;          // calls SetError twice for one failure
  bool reports_to_others;      // calls SetError with another context
  bool reports_without_words;  // calls SetError with NULL texts
  uint8_t hides_failures;  // returns 0 although it fails; bit 0: for unsupported tensors, bit 1: for tensors that are
                           // too large
  When writes_prototype;   // changes an extent of the prototype
  When reads_prototype_strides;  // the strides of a prototype have no meaning
  uint32_t allocates_ring;       // allocations use so many memory blocks in turn; 0: each has its own
  // Any function.
  uint8_t writes_beyond;   // functions that write 8 bytes more than their out parameter has
  bool remembers_failure;  // after a failure, the next call of any function fails too
  bool leaves_failure;     // after a failure, the next call that succeeds leaves the exception pending
  bool clears_out;         // conforming: writes NULL to the out parameter when it fails

  bool operator==(const Tabling&) const = default;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REFERENCE_BEHAVIOUR_TABLE_H_
