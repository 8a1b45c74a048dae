// reference/behaviour_table.h: the exchange table: how it is published, what its functions do, how a consumer
// takes it.
#ifndef DLPACK_CTS_REFERENCE_BEHAVIOUR_TABLE_H_
#define DLPACK_CTS_REFERENCE_BEHAVIOUR_TABLE_H_

#include <cstdint>

#include "reference/behaviour_words.h"
#include "reference/when.h"

namespace dlpack_cts {

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
  bool refuses_other;         // conforming: refuses objects of types whose attribute is not a table
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
  When views_stay;          // each view has its own extents, which are never freed
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

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REFERENCE_BEHAVIOUR_TABLE_H_
