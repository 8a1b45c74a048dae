// harness/ledger/fact_rows_run.h: the facts of an exchange table and of the whole run, one row each.
#ifndef DLPACK_CTS_HARNESS_LEDGER_FACT_ROWS_RUN_H_
#define DLPACK_CTS_HARNESS_LEDGER_FACT_ROWS_RUN_H_

#include "harness/ledger/fact_rows_import.h"

namespace dlpack_cts::rows {

inline constexpr DeclaredFact kTable[] = {
    {"found", Field<&TableLedger::found>, Family::kTable, kAlways,
     "whether an exchange table of major version 1 was found"},
    {"current", Field<&TableLedger::current>, Family::kTable, kAlways,
     "what the type has under `__dlpack_c_exchange_api__`"},
    {"older", Field<&TableLedger::older>, Family::kTable, kAlways,
     "what the type has under `__c_dlpack_exchange_api__`"},
    {"names_differ", Field<&TableLedger::names_differ>, Family::kTable, kAlways,
     "whether the two attribute names lead to different tables"},
    {"readable", Field<&TableLedger::readable>, Family::kTable, kAlways,
     "whether the whole exchange table could be read"},
    {"version", Of([](const TableLedger& t) { return If(t.readable != 0, t.version); }), Family::kTable, Known::kFound,
     "version in the header of the exchange table"},
    {"null_slots", SetOf<FunctionSet, &TableLedger::null_slots>, Family::kTable, Known::kFound,
     "functions of the exchange table that are NULL"},
    {"moved", Field<&TableLedger::moved>, Family::kTable, Known::kFound,
     "whether a later lookup on the same type returned another table"},
    {"changed", Field<&TableLedger::changed>, Family::kTable, Known::kFound,
     "whether a later reading of the table found other contents"},
    {"chain_ends", Field<&TableLedger::chain_ends>, Family::kTable, Known::kPublished,
     "whether the chain of prev_api ends with NULL"},
    {"chain_length", Field<&TableLedger::chain_length>, Family::kTable, Known::kPublished,
     "number of tables in the chain of prev_api"},
    {"chain_ascends", Field<&TableLedger::chain_ascends>, Family::kTable, Known::kPublished,
     "whether a table in the chain of prev_api has a later version than the one before it"},
    {"prototype_changed", Field<&TableLedger::prototype_changed>, Family::kTable, Known::kAllocated,
     "whether managed_tensor_allocator wrote to its prototype or its shape"},
    {"set_errors", Field<&TableLedger::set_errors>, Family::kTable, Known::kAllocated,
     "number of SetError calls in the latest allocation"},
    {"error_context_wrong", Field<&TableLedger::error_context_wrong>, Family::kTable, Known::kAllocated,
     "whether SetError got another context than the caller's"},
    {"error_text_missing", Field<&TableLedger::error_text_missing>, Family::kTable, Known::kAllocated,
     "whether SetError got a NULL kind or message"},
    {"error_kind", Field<&TableLedger::error_kind>, Family::kTable, Known::kAllocated, "kind that SetError got"},
    {"error_message", Field<&TableLedger::error_message>, Family::kReported, Known::kAllocated,
     "message that SetError got"},
    {"cuda_knows_stream", Field<&TableLedger::cuda_knows_stream>, Family::kTable, kSaid,
     "whether the CUDA driver knows the stream that current_work_stream returned"},
    {"stream_is_own", Field<&TableLedger::stream_is_own>, Family::kTable, kSaid,
     "whether current_work_stream returned the stream on which the library works"},
    {"object_is_foreign", Field<&TableLedger::object_is_foreign>, Family::kTable, Known::kConverted,
     "whether managed_tensor_to_py_object_no_sync returned an object of another type"},
};

inline constexpr DeclaredFact kTableCall[] = {
    {"called", Field<&TableCall::called>, Family::kTable, kAlways, "whether the function was called"},
    {"status", Of([](const TableCall& t) { return If(t.called != 0, t.status); }), Family::kTable, kCalled,
     "value that the function returned"},
    {"exception", Of([](const TableCall& t) { return If(t.called != 0, t.exception != 0); }), Family::kTable, kCalled,
     "whether a Python exception was pending when the function returned"},
    {"out_written", Of([](const TableCall& t) { return If(t.called != 0, t.out_written != 0); }), Family::kTable,
     kCalled, "whether the function wrote its out parameter (NULL counts only for current_work_stream)"},
    {"overran", Of([](const TableCall& t) { return If(t.called != 0, t.overran != 0); }), Family::kTable, kCalled,
     "whether a call of the function changed memory behind its out parameter"},
};

inline constexpr DeclaredFact kRun[] = {
    {"unsupported", Of([](const Ledger& l) { return l.unsupported != 0; }), Family::kOutcome, kAlways,
     "whether the subject cannot run this recipe at all"},
    {"faults", Field<&Ledger::fault_count>, Family::kMemoryInCall, kAlways, "number of accesses to forbidden memory"},
    {"deleters", Field<&Ledger::deleter_count>, Family::kRelease, kAlways, "number of deleter calls with any pointer"},
};

inline constexpr DeclaredFact kFault[] = {
    {"", Of([](const Fault& f) { return If(f.region != Region::kNone, Touch{f.region, f.write != 0, f.offset}); }),
     Family::kMemoryInCall, kCalled, "access to forbidden memory"},
    {"slot", Of([](const Fault& f) { return If(f.region != Region::kNone, int64_t{f.slot}); }), Family::kMemoryInCall,
     kCalled, "slot of that memory"},
    {"after_deleter", Of([](const Fault& f) { return If(f.region != Region::kNone, f.after_deleter != 0); }),
     Family::kMemoryInCall, kCalled, "whether the struct had been released before the access"},
    {"step", Of([](const Fault& f) { return If(f.region != Region::kNone, f.step); }), Family::kMemoryInCall, kCalled,
     "step of the recipe that ran during the access"},
};

inline bool WasCalled(const DeleterCall& d) { return d.thread != ThreadKind::kNobody; }

inline constexpr DeclaredFact kDeleterCall[] = {
    {"slot", Of([](const DeleterCall& d) { return If(WasCalled(d) && d.wrong == 0, int64_t{d.slot}); }),
     Family::kRelease, kCalled, "slot of the struct that was passed to the deleter"},
    {"step", Of([](const DeleterCall& d) { return If(WasCalled(d), d.step); }), Family::kRelease, kCalled,
     "step of the recipe that ran during the call", true},
    {"thread", Of([](const DeleterCall& d) { return If(WasCalled(d), d.thread); }), Family::kRelease, kCalled,
     "thread that called the deleter", true},
    {"lane", Of([](const DeleterCall& d) { return If(WasCalled(d), d.lane); }), Family::kRelease, kCalled,
     "number of that thread in the recipe, or -1", true},
    {"gil", Of([](const DeleterCall& d) { return If(WasCalled(d), d.gil); }), Family::kRelease, kCalled,
     "whether the caller held the GIL"},
    {"pending", Of([](const DeleterCall& d) { return If(WasCalled(d), d.pending); }), Family::kRelease, kCalled,
     "whether a Python exception was pending"},
    {"from_destructor", Of([](const DeleterCall& d) { return If(WasCalled(d), d.from_destructor != 0); }),
     Family::kRelease, kCalled, "whether the capsule destructor of dlpack-cts called the deleter"},
};

}  // namespace dlpack_cts::rows

#endif  // DLPACK_CTS_HARNESS_LEDGER_FACT_ROWS_RUN_H_
