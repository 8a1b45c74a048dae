// harness/ledger/record_table.h: what the C exchange API of the library is like.
#ifndef DLPACK_CTS_HARNESS_LEDGER_RECORD_TABLE_H_
#define DLPACK_CTS_HARNESS_LEDGER_RECORD_TABLE_H_

#include <cstdint>

#include "harness/ledger/record.h"

namespace dlpack_cts {

/// How one function of the exchange table answered; the latest call.
struct TableCall {
  uint8_t called;
  uint8_t exception;    // a Python exception was pending when it returned
  uint8_t out_written;  // the out parameter held another value than before the call
  uint8_t reserved;
  int32_t status;  // returned value
};

/// How the table is published under one of its two names.
enum class Published : uint8_t { kNot, kCapsule, kMisnamedCapsule, kInt, kOther };

/// What the C exchange API of the library's type is like.
struct TableLedger {
  uint8_t looked;               // Op::kTableFind, or a step that needs the table
  uint8_t found;                // a table with major version 1 was reached, and is used
  Published current;            // under the name that 1.3 gives
  Published older;              // under the name of 1.2
  uint8_t names_differ;         // both names lead to tables, and not to the same
  uint8_t readable;             // the whole table could be read
  uint8_t null_slots;           // bit per TableFunction
  uint8_t moved;                // a later lookup, or another array of the type, gave another table
  uint8_t changed;              // a later reading of the same table found other contents
  uint8_t chain_ends;           // prev_api leads to NULL
  uint8_t chain_ascends;        // an entry behind prev_api has a later version than its successor
  uint8_t prototype_changed;    // the allocator wrote to its prototype, shape or strides
  uint8_t error_context_wrong;  // SetError got another context
  uint8_t error_text_missing;   // SetError got a NULL kind or message
  uint8_t object_is_foreign;    // to_py_object gave an object of another type than the array
  Answer cuda_knows_stream;     // the CUDA driver knows what current_work_stream gave as a stream
  Answer stream_is_own;         // and it is the one that the adapter names; unknown for the named default streams
  int32_t chain_length;         // entries behind prev_api
  int32_t set_errors;           // calls of SetError in the latest allocation
  uint64_t stream;              // that current_work_stream gave, where it was called and wrote one
  abi::DLPackVersion version;
  uint64_t address;
  TableCall calls[kTableFunctions];
  FixedText<52> error_kind;
  FixedText<200> error_message;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_LEDGER_RECORD_TABLE_H_
