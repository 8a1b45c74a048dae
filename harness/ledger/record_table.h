// harness/ledger/record_table.h: the record of the library's exchange table.
#ifndef DLPACK_CTS_HARNESS_LEDGER_RECORD_TABLE_H_
#define DLPACK_CTS_HARNESS_LEDGER_RECORD_TABLE_H_

#include <cstdint>

#include "harness/ledger/record.h"

namespace dlpack_cts {

/// The latest call of one function of the exchange table.
struct TableCall {
  uint8_t called;
  uint8_t exception;    // a Python exception was pending when it returned
  uint8_t out_written;  // the out parameter changed
  uint8_t overran;      // memory behind the out parameter changed, in any call
  int32_t status;       // the returned value
};

/// How the type publishes the table in one of its two attributes.
enum class Published : uint8_t { kNot, kCapsule, kMisnamedCapsule, kInt, kOther, kOnObject };

/// The record of the exchange table of the library's type.
struct TableLedger {
  uint8_t looked;               // Op::kTableFind, or a step that needs the table
  uint8_t found;                // a table with major version 1 was found
  Published current;            // in the attribute of 1.3
  Published older;              // in the attribute of 1.2
  uint8_t names_differ;         // both attributes lead to tables, but to different ones
  uint8_t readable;             // the whole table was readable
  uint8_t null_slots;           // one bit for each TableFunction
  uint8_t moved;                // a later look-up, or another array of the type, found another table
  uint8_t changed;              // a later read of the same table found other contents
  uint8_t chain_ends;           // the chain of prev_api ends with NULL
  uint8_t chain_ascends;        // a table in the chain of prev_api has a later version than the one before it
  uint8_t prototype_changed;    // the allocator wrote to its prototype, its shape, or the memory behind them
  uint8_t error_context_wrong;  // SetError got another context
  uint8_t error_text_missing;   // SetError got a NULL kind or message
  uint8_t object_is_foreign;    // managed_tensor_to_py_object_no_sync returned an object of another type than the array
  Answer cuda_knows_stream;     // the CUDA driver knows the result of current_work_stream as a stream
  Answer stream_is_own;         // and it is the stream that the adapter reports; unknown for the default streams
  int32_t chain_length;         // tables in the chain of prev_api
  int32_t set_errors;           // calls of SetError in the latest allocation
  uint64_t stream;              // the result of current_work_stream, if it was called and wrote one
  abi::DLPackVersion version;
  uint64_t address;
  TableCall calls[kTableFunctions];
  FixedText<52> error_kind;
  FixedText<200> error_message;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_LEDGER_RECORD_TABLE_H_
