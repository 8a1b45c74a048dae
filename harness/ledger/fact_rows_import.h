// harness/ledger/fact_rows_import.h: the facts of an import, one row each.
#ifndef DLPACK_CTS_HARNESS_LEDGER_FACT_ROWS_IMPORT_H_
#define DLPACK_CTS_HARNESS_LEDGER_FACT_ROWS_IMPORT_H_

#include "harness/ledger/fact_row.h"

namespace dlpack_cts::rows {

constexpr auto kAlways = Known::kAlways;
constexpr auto kDescribed = Known::kDescribed;
constexpr auto kExported = Known::kExported;
constexpr auto kCalled = Known::kCalled;
constexpr auto kSaid = Known::kSaid;

inline constexpr DeclaredFact kRefusal[] = {
    {"outcome", Field<&Refusal::outcome>, Family::kOutcome, kAlways, "outcome of the call"},
    {"exception", Field<&Refusal::type>, Family::kException, kSaid, "class of the exception, or the native error code"},
    {"message", Field<&Refusal::message>, Family::kReported, kSaid, "text of the exception"},
    {"is_buffer_error", Field<&Refusal::buffer_error>, Family::kException, kSaid,
     "whether the exception is a BufferError"},
    {"is_type_error", Field<&Refusal::type_error>, Family::kException, kSaid, "whether the exception is a TypeError"},
};

/// Whether an element differs, or the number of elements does.
inline bool HasElement(const ElementReading& r) {
  return r.reading == Reading::kDiffers || r.reading == Reading::kWrongCount;
}

inline constexpr DeclaredFact kReading[] = {
    {"", Field<&ElementReading::reading>, Family::kPlace, kSaid, "result of the reading"},
    {"first_difference", Of([](const ElementReading& r) { return If(HasElement(r), r.first_difference); }),
     Family::kPlace, kSaid, "row-major index of the first element that differs"},
    {"wanted", Of([](const ElementReading& r) { return If(HasElement(r), ElementBits64{r.wanted_bits}); }),
     Family::kPlace, kSaid, "expected low 64 bits of that element"},
    {"got", Of([](const ElementReading& r) { return If(HasElement(r), ElementBits64{r.got_bits}); }), Family::kPlace,
     kSaid, "low 64 bits of that element as they were read"},
};

inline constexpr DeclaredFact kDescription[] = {
    {"dtype", Of([](const Description& d) { return If(d.valid != 0 && d.known_dtype != 0, d.dtype); }), Family::kDtype,
     kDescribed, "dtype that the library describes"},
    {"dtype_name", Field<&Description::dtype_name>, Family::kDtype, kDescribed,
     "name that the library gives the dtype"},
    {"ndim", Of([](const Description& d) { return If(d.has_shape != 0, d.ndim); }), Family::kShape, kDescribed,
     "ndim that the library describes"},
    {"shape", Of([](const Description& d) { return If(d.has_shape != 0, Tuple{d.shape, d.ndim}); }), Family::kShape,
     kDescribed, "shape that the library describes"},
    {"strides",
     Of([](const Description& d) { return If(d.valid != 0 && d.has_strides != 0, Tuple{d.byte_strides, d.ndim}); }),
     Family::kStrides, kDescribed, "strides in bytes that the library describes"},
    {"writable", Of([](const Description& d) {
       return If(d.valid != 0 && d.writable != Answer::kUnknown, d.writable == Answer::kYes);
     }),
     Family::kFlags, kDescribed, "whether the library says that the array is writable"},
    {"device", Of([](const Description& d) { return If(d.valid != 0 && d.has_device != 0, d.device); }),
     Family::kStructDevice, kDescribed, "device that the library describes"},
    {"has_pointer", Field<&Description::has_pointer>, Family::kPlace, kDescribed,
     "whether the library describes an address"},
};

inline constexpr DeclaredFact kDeleter[] = {
    {"calls", Field<&DeleterLedger::calls>, Family::kRelease, kAlways, "number of deleter calls with this struct"},
    {"in_import", Field<&DeleterLedger::calls_in_import>, Family::kRelease, kAlways,
     "number of deleter calls before from_dlpack returned"},
    {"while_alive", Field<&DeleterLedger::calls_while_alive>, Family::kRelease, kAlways,
     "number of deleter calls after from_dlpack returned and before the array was dropped"},
    {"without_gil", Field<&DeleterLedger::without_gil>, Family::kRelease, kAlways,
     "number of deleter calls without the GIL"},
    {"with_pending_exception", Field<&DeleterLedger::with_pending_exception>, Family::kRelease, kAlways,
     "number of deleter calls with a Python exception pending"},
    {"on_other_thread", Field<&DeleterLedger::on_other_thread>, Family::kRelease, kAlways,
     "number of deleter calls on another thread than the one that made the struct", true},
    {"from_destructor", Field<&DeleterLedger::from_destructor>, Family::kRelease, kAlways,
     "number of deleter calls by the capsule destructor of dlpack-cts"},
    {"wrong_self", Field<&DeleterLedger::wrong_self>, Family::kRelease, kAlways,
     "number of deleter calls with a pointer that is not a struct of dlpack-cts (counted for slot 0)"},
};

template <int32_t ReferenceGrowth::* kPart>
inline constexpr FactReader Counted = Of([](const ReferenceGrowth& r) { return If(r.rounds != 0, r.*kPart); });

inline constexpr DeclaredFact kReferences[] = {
    {"producer", Counted<&ReferenceGrowth::producer>, Family::kRelease, kSaid,
     "references to the producer that each of many exchanges leaves"},
    {"type", Counted<&ReferenceGrowth::type>, Family::kRelease, kSaid,
     "references to the producer's type that each of many exchanges leaves"},
    {"capsule", Counted<&ReferenceGrowth::capsule>, Family::kRelease, kSaid,
     "references to the consumed capsule that each of many exchanges leaves"},
    {"arguments", Counted<&ReferenceGrowth::arguments>, Family::kRelease, kSaid,
     "references to tuples among the arguments that each of many exchanges leaves"},
    {"constants", Counted<&ReferenceGrowth::constants>, Family::kRelease, kSaid,
     "references to None, True and False that each of many exchanges leaves; Python 3.12 and later do not count them"},
};

inline constexpr DeclaredFact kImport[] = {
    {"capsules", Field<&ImportLedger::capsules>, Family::kAsks, kAlways, "number of capsules that the producer made"},
    {"place", Of([](const ImportLedger& i) { return i.place; }), Family::kPlace, kDescribed,
     "address of element 0 that the library describes"},
    {"aliases", Of([](const ImportLedger& i) { return If(i.place.area != Area::kUnknown, i.Aliases()); }),
     Family::kPlace, kDescribed, "whether the described address lies in the offered memory"},
    {"write_source", Field<&ImportLedger::write_source>, Family::kPlace, kSaid,
     "whether the array shows what dlpack-cts wrote into the offered memory"},
    {"write_array", Field<&ImportLedger::write_array>, Family::kWrites, kSaid,
     "whether the offered memory shows what the library wrote into the array"},
    {"released", Field<&ImportLedger::released>, Family::kRelease, kAlways,
     "whether the deleter had run after everything was dropped"},
    {"name_before", Field<&ImportLedger::name_before>, Family::kCapsule, kAlways,
     "name of the capsule before from_dlpack"},
    {"name_after", Field<&ImportLedger::name_after>, Family::kCapsule, kAlways,
     "name of the capsule after from_dlpack"},
    {"name_after_again", Field<&ImportLedger::name_after_again>, Family::kCapsule, kSaid,
     "name of the capsule after the second from_dlpack"},
    {"capsule_pointer_changed", Field<&ImportLedger::capsule_pointer_changed>, Family::kCapsule, kAlways,
     "whether the capsule's pointer changed"},
    {"capsule_context_changed", Field<&ImportLedger::capsule_context_changed>, Family::kCapsule, kAlways,
     "whether the capsule's context changed"},
    {"capsule_destructor_changed", Field<&ImportLedger::capsule_destructor_changed>, Family::kCapsule, kAlways,
     "whether the capsule's destructor changed"},
    {"used_name_storage", Field<&ImportLedger::used_name_storage>, Family::kCapsule, kSaid,
     "kind of memory that holds the used capsule name"},
    {"taken_within", Field<&ImportLedger::taken_within>, Family::kRelease, kSaid,
     "whether the library imported another tensor from within the __dlpack__ or the deleter that it called"},
    {"closed", Field<&ImportLedger::closed>, Family::kReported, kSaid, "outcome of the close of the imported array"},
    {"race", Field<&ImportLedger::race>, Family::kRelease, kSaid, "result of imports by several threads at once"},
    {"cuda_ordered", Told<&ImportLedger::cuda_ordered>, Family::kPlace, kSaid,
     "whether the library reads CUDA memory only after the pending work on the stream that it passed, or on the legacy "
     "default stream if it passed none"},
    {"cuda_keeps_capture", Field<&ImportLedger::cuda_keeps_capture>, Family::kWrites, kSaid,
     "whether the capture of a CUDA stream goes on after the import"},
    {"stays", Told<&ImportLedger::stays>, Family::kRelease, kSaid,
     "whether the array that managed_tensor_to_py_object_no_sync returned is still referenced after it was dropped, "
     "and "
     "its tensor is not released"},
    {"cuda_status", Field<&ImportLedger::cuda_status>, Family::kPlace, kSaid,
     "error number of the CUDA driver after the library read on a device, or 0"},
    {"changed", SetOf<PartSet, &ImportLedger::changed_parts>, Family::kWrites, kAlways,
     "fields of the struct, shape and strides that were changed"},
    {"changed_bytes", Field<&ImportLedger::changed_bytes>, Family::kWrites, kAlways,
     "number of bytes in and around the data that were changed without a request"},
    {"calls", Field<&ImportLedger::producer_calls>, Family::kAsks, kAlways,
     "number of calls of __dlpack__ and __dlpack_device__"},
};

constexpr auto kKeywordsOf = [](const ProducerCall& c) {
  const auto bit = [](const Argument& argument, int place) {
    return argument.kind == ArgumentKind::kAbsent ? 0u : 1u << place;
  };
  const uint32_t named = bit(c.max_version, 0) | bit(c.dl_device, 1) | bit(c.copy, 2) | bit(c.stream, 3);
  return KeywordSet{named, c.unknown_keyword != 0 ? c.unknown_name.view() : std::string_view()};
};

inline constexpr DeclaredFact kCall[] = {
    {"method", Of([](const ProducerCall& c) { return c.is_device != 0 ? Method::kDlpackDevice : Method::kDlpack; }),
     Family::kAsks, kCalled, "method of the producer that the library called"},
    {"positional", Of([](const ProducerCall& c) { return int64_t{c.positional}; }), Family::kAsks, kCalled,
     "number of positional arguments"},
    {"raised", Field<&ProducerCall::raised>, Family::kAsks, kCalled, "whether the producer raised an exception"},
    {"keywords", Of(kKeywordsOf), Family::kAsks, kCalled, "names of the keyword arguments"},
    {"max_version", Field<&ProducerCall::max_version>, Family::kAsks, kCalled, "argument max_version"},
    {"dl_device", Field<&ProducerCall::dl_device>, Family::kAsks, kCalled, "argument dl_device"},
    {"copy", Field<&ProducerCall::copy>, Family::kAsks, kCalled, "argument copy"},
    {"stream", Field<&ProducerCall::stream>, Family::kAsks, kCalled, "argument stream"},
    {"cuda_stream_device",
     Of([](const ProducerCall& c) { return If(c.cuda_stream_device > 0, c.cuda_stream_device - 1); }), Family::kAsks,
     kCalled, "CUDA device of the stream argument"},
};

inline constexpr DeclaredFact kTableUse[] = {
    {"looked", SetOf<LookedSet, &TableUse::looked>, Family::kTable, kAlways,
     "where the library looked up the producer's `__dlpack_c_exchange_api__`"},
    {"called", SetOf<FunctionSet, &TableUse::called>, Family::kTable, kAlways,
     "functions of the producer's exchange table that the library called"},
    {"failed", SetOf<FunctionSet, &TableUse::failed>, Family::kTable, kAlways, "called functions that returned -1"},
    {"without_gil", SetOf<FunctionSet, &TableUse::without_gil>, Family::kTable, kAlways,
     "functions that were called without the GIL"},
    {"foreign", SetOf<FunctionSet, &TableUse::foreign>, Family::kTable, kAlways,
     "functions that were called with an object of another type than the table's"},
    {"pending", SetOf<FunctionSet, &TableUse::pending>, Family::kTable, kAlways,
     "functions that were called with a Python exception pending"},
};

}  // namespace dlpack_cts::rows

#endif  // DLPACK_CTS_HARNESS_LEDGER_FACT_ROWS_IMPORT_H_
