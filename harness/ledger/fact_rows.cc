// harness/ledger/fact_rows.cc: the declaration of every fact: one row each, grouped by the record that holds it.
#include "harness/ledger/fact_rows.h"

#include <type_traits>

#include "harness/ledger/fact_texts.h"
#include "harness/recipe/enum_words.h"

namespace dlpack_cts {
namespace {

using Value = FactValue;

template <typename Record>
const Record& As(const void* record) {
  return *static_cast<const Record*>(record);
}

/// A field, as a number.
template <auto kField>
struct FieldOf;
template <typename Record, typename Field, Field Record::* kField>
struct FieldOf<kField> {
  static Value Number(const void* record) { return Value::Number(static_cast<int64_t>(As<Record>(record).*kField)); }
  static Value Text(const void* record) {
    const std::string_view text = (As<Record>(record).*kField).view();
    return text.empty() ? Value{} : Value::Text(text);
  }
  static Value Answer(const void* record) {
    const auto answer = static_cast<int64_t>(As<Record>(record).*kField);
    return answer != 0 ? Value::Number(answer) : Value{};
  }
  static Value Argument(const void* record) {
    const dlpack_cts::Argument& argument = As<Record>(record).*kField;
    return Value::Pair(argument.a, argument.b, static_cast<uint32_t>(argument.kind));
  }
};
template <auto kField>
constexpr auto N = FieldOf<kField>::Number;
template <auto kField>
constexpr auto Told = FieldOf<kField>::Answer;
template <auto kField>
constexpr auto T = FieldOf<kField>::Text;
template <auto kField>
constexpr auto A = FieldOf<kField>::Argument;

Value If(bool has, const Value& value) { return has ? value : Value{}; }

Value Device(abi::DLDevice device) { return Value::Pair(device.device_type, device.device_id); }
Value Version(abi::DLPackVersion version) { return Value::Pair(version.major, version.minor); }
Value Dtype(abi::DLDataType dtype) { return Value::Pair(dtype.code, dtype.bits, dtype.lanes); }
Value Address(const Location& place) {
  return If(place.area != Area::kUnknown,
            Value::Pair(place.offset, 0, static_cast<uint32_t>(place.area) | static_cast<uint32_t>(place.other) << 8));
}

bool HasStruct(const ExportLedger& e) { return e.struct_address != 0; }

/// The largest power of two that divides the address; 0 for NULL.
int64_t AlignmentOf(uint64_t address) { return static_cast<int64_t>(address & (~address + 1)); }

Value Keywords(const void* record) {
  const ProducerCall& c = As<ProducerCall>(record);
  const auto bit = [](const Argument& argument, int place) {
    return argument.kind == ArgumentKind::kAbsent ? 0u : 1u << place;
  };
  const uint32_t named = bit(c.max_version, 0) | bit(c.dl_device, 1) | bit(c.copy, 2) | bit(c.stream, 3);
  return Value::Text(c.unknown_keyword != 0 ? c.unknown_name.view() : std::string_view(), named);
}

/// Where elements differ, or are too few or too many.
template <auto kField>
Value OfDifference(const void* record) {
  const auto& r = As<ElementReading>(record);
  return If(r.reading == Reading::kDiffers || r.reading == Reading::kWrongCount,
            Value::Number(static_cast<int64_t>(r.*kField)));
}

constexpr auto kBool = FactType::kBool;
constexpr auto kInt = FactType::kInt;
constexpr auto kWord = FactType::kWord;
constexpr auto kAlways = Known::kAlways;
constexpr auto kDescribed = Known::kDescribed;
constexpr auto kExported = Known::kExported;
constexpr auto kCalled = Known::kCalled;
constexpr auto kSaid = Known::kSaid;

constexpr DeclaredFact kRefusal[] = {
    {"outcome", kWord, Family::kOutcome, kAlways, N<&Refusal::outcome>, OutcomeText, "outcome of the call"},
    {"exception", FactType::kText, Family::kException, kSaid, T<&Refusal::type>, PlainText,
     "class of the exception, or the native error code"},
    {"message", FactType::kText, Family::kTold, kSaid, T<&Refusal::message>, PlainText, "text of the exception"},
    {"is_buffer_error", kBool, Family::kException, kSaid, N<&Refusal::buffer_error>, NumberText,
     "whether the exception is a BufferError"},
    {"is_type_error", kBool, Family::kException, kSaid, N<&Refusal::type_error>, NumberText,
     "whether the exception is a TypeError"},
};

constexpr DeclaredFact kReading[] = {
    {"", FactType::kReading, Family::kPlace, kSaid, N<&ElementReading::reading>, ReadingText, "result of the reading"},
    {"first_difference", kInt, Family::kPlace, kSaid, OfDifference<&ElementReading::first_difference>, NumberText,
     "row-major index of the first element that differs"},
    {"wanted", FactType::kBits, Family::kPlace, kSaid, OfDifference<&ElementReading::wanted_bits>, BitsText,
     "expected low 64 bits of that element"},
    {"got", FactType::kBits, Family::kPlace, kSaid, OfDifference<&ElementReading::got_bits>, BitsText,
     "low 64 bits of that element as they were read"},
};

constexpr DeclaredFact kDescription[] = {
    {"dtype", FactType::kDtype, Family::kDtype, kDescribed,
     [](const void* r) {
       const auto& d = As<Description>(r);
       return If(d.valid != 0 && d.known_dtype != 0, Dtype(d.dtype));
     },
     DtypeText, "dtype that the library describes"},
    {"dtype_name", FactType::kText, Family::kDtype, kDescribed, T<&Description::dtype_name>, PlainText,
     "name that the library gives the dtype"},
    {"ndim", kInt, Family::kShape, kDescribed,
     [](const void* r) { return If(As<Description>(r).has_shape != 0, Value::Number(As<Description>(r).ndim)); },
     NumberText, "ndim that the library describes"},
    {"shape", FactType::kTuple, Family::kShape, kDescribed,
     [](const void* r) {
       const auto& d = As<Description>(r);
       return If(d.has_shape != 0, Value::Tuple(d.shape, d.ndim));
     },
     TupleText, "shape that the library describes"},
    {"strides", FactType::kTuple, Family::kStrides, kDescribed,
     [](const void* r) {
       const auto& d = As<Description>(r);
       return If(d.valid != 0 && d.has_strides != 0, Value::Tuple(d.byte_strides, d.ndim));
     },
     TupleText, "strides in bytes that the library describes"},
    {"writable", kBool, Family::kFlags, kDescribed,
     [](const void* r) {
       const auto& d = As<Description>(r);
       return If(d.valid != 0 && d.writable != Answer::kUnknown, Value::Number(d.writable == Answer::kYes));
     },
     NumberText, "whether the library says that the array is writable"},
    {"device", FactType::kDevice, Family::kStructDevice, kDescribed,
     [](const void* r) {
       const auto& d = As<Description>(r);
       return If(d.valid != 0 && d.has_device != 0, Device(d.device));
     },
     PairText, "device that the library describes"},
    {"has_pointer", kBool, Family::kPlace, kDescribed, N<&Description::has_pointer>, NumberText,
     "whether the library describes an address"},
};

constexpr DeclaredFact kDeleter[] = {
    {"calls", kInt, Family::kRelease, kAlways, N<&DeleterLedger::calls>, NumberText,
     "number of deleter calls with this struct"},
    {"in_import", kInt, Family::kRelease, kAlways, N<&DeleterLedger::calls_in_import>, NumberText,
     "number of deleter calls before from_dlpack returned"},
    {"while_alive", kInt, Family::kRelease, kAlways, N<&DeleterLedger::calls_while_alive>, NumberText,
     "number of deleter calls after from_dlpack returned and before the array was dropped"},
    {"without_gil", kInt, Family::kRelease, kAlways, N<&DeleterLedger::without_gil>, NumberText,
     "number of deleter calls without the GIL"},
    {"with_pending_exception", kInt, Family::kRelease, kAlways, N<&DeleterLedger::with_pending_exception>, NumberText,
     "number of deleter calls with a Python exception pending"},
    {"on_other_thread", kInt, Family::kRelease, kAlways, N<&DeleterLedger::on_other_thread>, NumberText,
     "number of deleter calls on another thread than the one that made the struct", true},
    {"from_destructor", kInt, Family::kRelease, kAlways, N<&DeleterLedger::from_destructor>, NumberText,
     "number of deleter calls by the capsule destructor of dlpack-cts"},
    {"wrong_self", kInt, Family::kRelease, kAlways, N<&DeleterLedger::wrong_self>, NumberText,
     "number of deleter calls with a pointer that is not a struct of dlpack-cts (counted for slot 0)"},
};

constexpr DeclaredFact kImport[] = {
    {"capsules", kInt, Family::kAsks, kAlways, N<&ImportLedger::capsules>, NumberText,
     "number of capsules that the producer made"},
    {"place", FactType::kAddress, Family::kPlace, kDescribed,
     [](const void* r) { return Address(As<ImportLedger>(r).place); }, AddressText,
     "address of element 0 that the library describes"},
    {"aliases", kBool, Family::kPlace, kDescribed,
     [](const void* r) {
       const auto& i = As<ImportLedger>(r);
       return If(i.place.area != Area::kUnknown, Value::Number(i.Aliases()));
     },
     NumberText, "whether the described address lies in the offered memory"},
    {"write_source", kWord, Family::kPlace, kSaid, N<&ImportLedger::write_source>, ShownText,
     "whether the array shows what dlpack-cts wrote into the offered memory"},
    {"write_array", kWord, Family::kWrites, kSaid, N<&ImportLedger::write_array>, ShownText,
     "whether the offered memory shows what the library wrote into the array"},
    {"released", kBool, Family::kRelease, kAlways, N<&ImportLedger::released>, NumberText,
     "whether the deleter had run after everything was dropped"},
    {"name_before", kWord, Family::kCapsule, kAlways, N<&ImportLedger::name_before>, NameText,
     "name of the capsule before from_dlpack"},
    {"name_after", kWord, Family::kCapsule, kAlways, N<&ImportLedger::name_after>, NameText,
     "name of the capsule after from_dlpack"},
    {"name_after_again", kWord, Family::kCapsule, kSaid, N<&ImportLedger::name_after_again>, NameText,
     "name of the capsule after the second from_dlpack"},
    {"capsule_pointer_changed", kBool, Family::kCapsule, kAlways, N<&ImportLedger::capsule_pointer_changed>, NumberText,
     "whether the capsule's pointer changed"},
    {"capsule_context_changed", kBool, Family::kCapsule, kAlways, N<&ImportLedger::capsule_context_changed>, NumberText,
     "whether the capsule's context changed"},
    {"capsule_destructor_changed", kBool, Family::kCapsule, kAlways, N<&ImportLedger::capsule_destructor_changed>,
     NumberText, "whether the capsule's destructor changed"},
    {"used_name_storage", kWord, Family::kCapsule, kSaid, N<&ImportLedger::used_name_storage>, StorageText,
     "kind of memory that holds the used capsule name"},
    {"taken_within", kWord, Family::kRelease, kSaid, N<&ImportLedger::taken_within>, AnswerText,
     "whether the library imported another such tensor while the deleter ran"},
    {"race", kWord, Family::kRelease, kSaid, N<&ImportLedger::race>, RaceText,
     "result of imports by several threads at once"},
    {"cuda_ordered", kWord, Family::kPlace, kSaid, Told<&ImportLedger::cuda_ordered>, AnswerText,
     "whether the library reads CUDA memory only after the pending work on the stream that it passed"},
    {"cuda_status", kInt, Family::kPlace, kSaid, N<&ImportLedger::cuda_status>, NumberText,
     "error number of the CUDA driver after the library read on a device, or 0"},
    {"changed", FactType::kWords, Family::kWrites, kAlways, N<&ImportLedger::changed_parts>, PartsText,
     "fields of the struct, shape and strides that were changed"},
    {"changed_bytes", kInt, Family::kWrites, kAlways, N<&ImportLedger::changed_bytes>, NumberText,
     "number of bytes in and around the data that were changed without a request"},
    {"calls", kInt, Family::kAsks, kAlways, N<&ImportLedger::producer_calls>, NumberText,
     "number of calls of __dlpack__ and __dlpack_device__"},
};

constexpr DeclaredFact kCall[] = {
    {"method", kWord, Family::kAsks, kCalled, N<&ProducerCall::is_device>, MethodText,
     "method of the producer that the library called"},
    {"positional", kInt, Family::kAsks, kCalled, N<&ProducerCall::positional>, NumberText,
     "number of positional arguments"},
    {"raised", kBool, Family::kAsks, kCalled, N<&ProducerCall::raised>, NumberText,
     "whether the producer raised an exception"},
    {"keywords", FactType::kWords, Family::kAsks, kCalled, Keywords, KeywordsText, "names of the keyword arguments"},
    {"max_version", FactType::kArgument, Family::kAsks, kCalled, A<&ProducerCall::max_version>, ArgumentText,
     "argument max_version"},
    {"dl_device", FactType::kArgument, Family::kAsks, kCalled, A<&ProducerCall::dl_device>, ArgumentText,
     "argument dl_device"},
    {"copy", FactType::kArgument, Family::kAsks, kCalled, A<&ProducerCall::copy>, ArgumentText, "argument copy"},
    {"stream", FactType::kArgument, Family::kAsks, kCalled, A<&ProducerCall::stream>, ArgumentText, "argument stream"},
    {"cuda_stream_device", kInt, Family::kAsks, kCalled,
     [](const void* r) {
       const auto& c = As<ProducerCall>(r);
       return If(c.cuda_stream_device > 0, Value::Number(c.cuda_stream_device - 1));
     },
     NumberText, "CUDA device of the stream argument"},
};

constexpr DeclaredFact kTableUse[] = {
    {"looked", FactType::kWords, Family::kTable, kAlways, N<&TableUse::looked>, LookedText,
     "where the library looked up the producer's `__dlpack_c_exchange_api__`"},
    {"called", FactType::kWords, Family::kTable, kAlways, N<&TableUse::called>, NullSlotsText,
     "functions of the producer's exchange table that the library called"},
    {"failed", FactType::kWords, Family::kTable, kAlways, N<&TableUse::failed>, NullSlotsText,
     "called functions that returned -1"},
    {"without_gil", FactType::kWords, Family::kTable, kAlways, N<&TableUse::without_gil>, NullSlotsText,
     "functions that were called without the GIL"},
    {"foreign", FactType::kWords, Family::kTable, kAlways, N<&TableUse::foreign>, NullSlotsText,
     "functions that were called with an object of another type than the table's"},
    {"pending", FactType::kWords, Family::kTable, kAlways, N<&TableUse::pending>, NullSlotsText,
     "functions that were called with a Python exception pending"},
};

constexpr DeclaredFact kExport[] = {
    {"is_capsule", kBool, Family::kCapsule, Known::kReturned, N<&ExportLedger::is_capsule>, NumberText,
     "whether the export is a PyCapsule"},
    {"name_agrees", kBool, Family::kCapsule, kSaid,
     [](const void* r) {
       const auto& e = As<ExportLedger>(r);
       return If(e.name == NameSeen::kLegacy || e.name == NameSeen::kVersioned,
                 Value::Number(e.name == NameSeen::kVersioned || e.versioned == 0));
     },
     NumberText, "whether the struct is of the kind that the capsule's name says"},
    {"name", kWord, Family::kCapsule, kSaid, N<&ExportLedger::name>, NameText, "name of the capsule"},
    {"name_storage", kWord, Family::kCapsule, kSaid, N<&ExportLedger::name_storage>, StorageText,
     "kind of memory that holds the capsule's name"},
    {"has_destructor", kBool, Family::kCapsule, kExported, N<&ExportLedger::has_destructor>, NumberText,
     "whether the capsule has a destructor"},
    {"versioned", kBool, Family::kVersion, kExported, N<&ExportLedger::versioned>, NumberText,
     "whether the struct is a DLManagedTensorVersioned"},
    {"version", FactType::kVersion, Family::kVersion, kExported,
     [](const void* r) {
       const auto& e = As<ExportLedger>(r);
       return If(e.versioned != 0, Version(e.version));
     },
     PairText, "version of the struct"},
    {"flags", kInt, Family::kFlags, kExported,
     [](const void* r) {
       const auto& e = As<ExportLedger>(r);
       return If(e.versioned != 0, Value::Number(static_cast<int64_t>(e.flags)));
     },
     [](const Value& v) {
       return v.form == Value::Form::kNothing ? "none" : std::to_string(static_cast<uint64_t>(v.first));
     },
     "flags of the struct"},
    {"has_deleter", kBool, Family::kRelease, kExported, N<&ExportLedger::has_deleter>, NumberText,
     "whether the struct has a deleter"},
    {"null_data", kBool, Family::kPlace, kExported,
     [](const void* r) { return Value::Number(As<ExportLedger>(r).tensor.data == nullptr); }, NumberText,
     "whether dl_tensor.data is NULL"},
    {"null_shape", kBool, Family::kMemoryInCall, kExported, N<&ExportLedger::null_shape>, NumberText,
     "whether dl_tensor.shape is NULL"},
    {"null_strides", kBool, Family::kStrides, kExported, N<&ExportLedger::null_strides>, NumberText,
     "whether dl_tensor.strides is NULL"},
    {"device", FactType::kDevice, Family::kStructDevice, kExported,
     [](const void* r) { return If(HasStruct(As<ExportLedger>(r)), Device(As<ExportLedger>(r).tensor.device)); },
     PairText, "dl_tensor.device"},
    {"ndim", kInt, Family::kShape, kExported,
     [](const void* r) { return If(HasStruct(As<ExportLedger>(r)), Value::Number(As<ExportLedger>(r).tensor.ndim)); },
     NumberText, "dl_tensor.ndim"},
    {"dtype", FactType::kDtype, Family::kDtype, kExported,
     [](const void* r) { return If(HasStruct(As<ExportLedger>(r)), Dtype(As<ExportLedger>(r).tensor.dtype)); },
     DtypeText, "dl_tensor.dtype"},
    {"shape", FactType::kTuple, Family::kShape, kExported,
     [](const void* r) {
       const auto& e = As<ExportLedger>(r);
       return If(HasStruct(e) && (e.null_shape == 0 || e.tensor.ndim == 0), Value::Tuple(e.shape, e.tensor.ndim));
     },
     TupleText, "dl_tensor.shape"},
    {"strides", FactType::kTuple, Family::kStrides, kExported,
     [](const void* r) {
       const auto& e = As<ExportLedger>(r);
       return If(HasStruct(e) && e.null_strides == 0, Value::Tuple(e.strides, e.tensor.ndim));
     },
     TupleText, "dl_tensor.strides"},
    {"byte_offset", kInt, Family::kPlace, kExported,
     [](const void* r) {
       const auto& e = As<ExportLedger>(r);
       return If(HasStruct(e), Value::Number(static_cast<int64_t>(e.tensor.byte_offset)));
     },
     [](const Value& v) {
       return v.form == Value::Form::kNothing ? "none" : std::to_string(static_cast<uint64_t>(v.first));
     },
     "dl_tensor.byte_offset"},
    {"place", FactType::kAddress, Family::kPlace, kExported,
     [](const void* r) { return Address(As<ExportLedger>(r).place); }, AddressText,
     "address of element 0, dl_tensor.data + byte_offset"},
    {"points_at_source", kBool, Family::kPlace, kExported,
     [](const void* r) {
       const auto& e = As<ExportLedger>(r);
       return If(HasStruct(e) && e.place.area != Area::kUnknown, Value::Number(e.IsAtSource()));
     },
     NumberText, "whether dl_tensor.data + byte_offset is the address of the array's element 0"},
    {"alignment", kInt, Family::kPlace, kExported,
     [](const void* r) {
       const auto& e = As<ExportLedger>(r);
       return If(HasStruct(e),
                 Value::Number(AlignmentOf(reinterpret_cast<uint64_t>(e.tensor.data) + e.tensor.byte_offset)));
     },
     NumberText, "largest power of two that divides the address of element 0, or 0 for NULL", true},
    {"data_alignment", kInt, Family::kPlace, kExported,
     [](const void* r) {
       const auto& e = As<ExportLedger>(r);
       return If(HasStruct(e), Value::Number(AlignmentOf(reinterpret_cast<uint64_t>(e.tensor.data))));
     },
     NumberText, "largest power of two that divides dl_tensor.data, or 0 for NULL", true},
    {"metadata_readable", kBool, Family::kMemoryInCall, kExported, N<&ExportLedger::metadata_readable>, NumberText,
     "whether dl_tensor.shape and dl_tensor.strides could be read in full"},
    {"data_readable", kBool, Family::kPlace, kExported, N<&ExportLedger::data_readable>, NumberText,
     "whether every element could be read"},
    {"packing", kWord, Family::kPlace, kExported,
     [](const void* r) {
       const Packing packing = As<ExportLedger>(r).packing;
       return If(packing != Packing::kNone, Value::Number(static_cast<int64_t>(packing)));
     },
     PackingText, "layout in memory of elements smaller than a byte"},
    {"cuda_memory", kWord, Family::kPlace, kSaid, N<&ExportLedger::cuda_memory>, CudaMemoryText,
     "kind of memory at element 0 that the CUDA driver reports"},
    {"cuda_device", kInt, Family::kStructDevice, kSaid,
     [](const void* r) {
       const auto& e = As<ExportLedger>(r);
       return If(e.cuda_memory >= CudaMemory::kHost && e.cuda_device >= 0, Value::Number(e.cuda_device));
     },
     NumberText, "CUDA device of the memory at element 0"},
    {"cuda_keeps_device", kWord, Family::kWrites, kSaid, N<&ExportLedger::cuda_keeps_device>, AnswerText,
     "whether the step leaves the current CUDA device as it was"},
    {"cuda_deleter_keeps_device", kWord, Family::kWrites, kSaid, N<&ExportLedger::cuda_deleter_keeps_device>,
     AnswerText, "whether the deleter leaves the current CUDA device as it was"},
    {"cuda_keeps_capture", kWord, Family::kWrites, kSaid, N<&ExportLedger::cuda_keeps_capture>, AnswerText,
     "whether the capture of a CUDA stream goes on after the step"},
    {"cuda_ordered", kWord, Family::kPlace, kSaid, Told<&ExportLedger::cuda_ordered>, AnswerText,
     "whether the exported elements are read only after the pending CUDA work"},
    {"cuda_orders_another", kWord, Family::kPlace, kSaid, Told<&ExportLedger::cuda_orders_another>, AnswerText,
     "whether the legacy default stream waits for the pending work instead of the stream that was passed"},
    {"cuda_blocks", kWord, Family::kWrites, kSaid, Told<&ExportLedger::cuda_blocks>, AnswerText,
     "whether the export returned only after the pending CUDA work was done"},
    {"cuda_copies_apart", kWord, Family::kPlace, kSaid, Told<&ExportLedger::cuda_copies_apart>, AnswerText,
     "whether the copy was complete while the stream that was passed was still blocked"},
    {"cuda_leaves_alone", kWord, Family::kRelease, kSaid, Told<&ExportLedger::cuda_leaves_alone>, AnswerText,
     "whether the library leaves the stream that was passed alone after that stream was destroyed"},
    {"same_capsule", kBool, Family::kCapsule, kExported, N<&ExportLedger::same_capsule>, NumberText,
     "whether the capsule is that of an earlier export"},
    {"same_struct", kBool, Family::kRelease, kExported, N<&ExportLedger::same_struct>, NumberText,
     "whether the struct is that of an earlier export that is still alive"},
    {"pending_exception", kWord, Family::kRelease, kSaid, N<&ExportLedger::pending_exception>, SurvivedText,
     "what happened to a pending exception when the capsule was destroyed"},
    {"deleted", kBool, Family::kRelease, kExported, N<&ExportLedger::deleted>, NumberText,
     "whether the deleter was called, if there is one"},
    {"left_exception", kWord, Family::kRelease, kExported, N<&ExportLedger::left_exception>, AnswerText,
     "whether the deleter returned with a new Python exception set"},
    {"frees_without_gil", kWord, Family::kRelease, kSaid, Told<&ExportLedger::frees_without_gil>, AnswerText,
     "whether the deleter allocated or freed Python memory without the GIL"},
    {"survives_fork", kWord, Family::kRelease, kSaid, N<&ExportLedger::survives_fork>, AnswerText,
     "whether the deleter returned in a forked child"},
    {"survives_exit", kWord, Family::kRelease, kSaid, N<&ExportLedger::survives_exit>, AnswerText,
     "whether the deleter returned in an exit handler"},
    {"survives_other", kWord, Family::kRelease, kSaid, N<&ExportLedger::survives_other>, AnswerText,
     "whether the deleter returned at the end of a subinterpreter"},
    {"survives_end", kWord, Family::kRelease, kSaid, N<&ExportLedger::survives_end>, AnswerText,
     "whether the deleter returned after the interpreter was finalised"},
    {"follows_change", kWord, Family::kShape, kSaid, Told<&ExportLedger::follows_change>, AnswerText,
     "whether an array that was changed in place is exported with the shape and strides that the library describes "
     "then"},
    {"race", kWord, Family::kRelease, kSaid, N<&ExportLedger::race>, RaceText,
     "result of exports by several threads at once"},
    {"write_export", kWord, Family::kPlace, kSaid, N<&ExportLedger::write_export>, ShownText,
     "whether the array (for an allocation: its own memory) shows what was written through the struct"},
    {"changed", FactType::kWords, Family::kWrites, kExported, N<&ExportLedger::changed_parts>, PartsText,
     "fields of the struct that a later reading found changed"},
};

constexpr DeclaredFact kSource[] = {
    {"device_is_pair", kBool, Family::kDeviceAnswer, Known::kAnswered, N<&SourceLedger::device_is_pair>, NumberText,
     "whether __dlpack_device__ returned a tuple of two items"},
    {"device_type_is_int", kBool, Family::kDeviceAnswer, Known::kAnswered, N<&SourceLedger::device_type_is_int>,
     NumberText, "whether the device_type of __dlpack_device__ is an integer"},
    {"device_id_is_int", kBool, Family::kDeviceAnswer, Known::kAnswered, N<&SourceLedger::device_id_is_int>, NumberText,
     "whether the device_id of __dlpack_device__ is an integer"},
    {"reported_device", FactType::kDevice, Family::kDeviceAnswer, Known::kAnswered,
     [](const void* r) {
       const auto& s = As<SourceLedger>(r);
       return If(s.device_call.outcome == Outcome::kAccepted, Device(s.device));
     },
     PairText, "result of __dlpack_device__"},
    {"alive_at_end", kBool, Family::kRelease, Known::kMade,
     [](const void* r) {
       const auto& s = As<SourceLedger>(r);
       return If(s.alive_known != 0, Value::Number(s.alive_at_end));
     },
     NumberText, "whether the array object was still alive after everything was dropped"},
    {"kept_bytes", kInt, Family::kRelease, Known::kMade,
     [](const void* r) {
       const auto& s = As<SourceLedger>(r);
       return If(s.counted != 0, Value::Number(s.kept_bytes));
     },
     NumberText, "bytes that each of many exports leaves allocated", true},
    {"kept_objects", kInt, Family::kRelease, Known::kMade,
     [](const void* r) {
       const auto& s = As<SourceLedger>(r);
       return If(s.counted != 0, Value::Number(s.kept_objects));
     },
     NumberText, "blocks of interpreter memory that each of many exports leaves allocated", true},
    {"references_gained", kInt, Family::kRelease, Known::kMade,
     [](const void* r) {
       const auto& s = As<SourceLedger>(r);
       return Value::Number(s.references_after == 0 ? 0 : s.references_after - s.references_before);
     },
     NumberText, "number of references to the array that refused exports leave"},
};

constexpr DeclaredFact kTable[] = {
    {"found", kBool, Family::kTable, kAlways, N<&TableLedger::found>, NumberText,
     "whether an exchange table of major version 1 was found"},
    {"current", kWord, Family::kTable, kAlways, N<&TableLedger::current>, PublishedText,
     "what the type has under `__dlpack_c_exchange_api__`"},
    {"older", kWord, Family::kTable, kAlways, N<&TableLedger::older>, PublishedText,
     "what the type has under `__c_dlpack_exchange_api__`"},
    {"names_differ", kBool, Family::kTable, kAlways, N<&TableLedger::names_differ>, NumberText,
     "whether the two attribute names lead to different tables"},
    {"readable", kBool, Family::kTable, kAlways, N<&TableLedger::readable>, NumberText,
     "whether the whole exchange table could be read"},
    {"version", FactType::kVersion, Family::kTable, Known::kFound,
     [](const void* r) { return If(As<TableLedger>(r).readable != 0, Version(As<TableLedger>(r).version)); }, PairText,
     "version in the header of the exchange table"},
    {"null_slots", FactType::kWords, Family::kTable, Known::kFound, N<&TableLedger::null_slots>, NullSlotsText,
     "functions of the exchange table that are NULL"},
    {"moved", kBool, Family::kTable, Known::kFound, N<&TableLedger::moved>, NumberText,
     "whether a later lookup on the same type returned another table"},
    {"changed", kBool, Family::kTable, Known::kFound, N<&TableLedger::changed>, NumberText,
     "whether a later reading of the table found other contents"},
    {"chain_ends", kBool, Family::kTable, Known::kPublished, N<&TableLedger::chain_ends>, NumberText,
     "whether the chain of prev_api ends with NULL"},
    {"chain_length", kInt, Family::kTable, Known::kPublished, N<&TableLedger::chain_length>, NumberText,
     "number of tables in the chain of prev_api"},
    {"chain_ascends", kBool, Family::kTable, Known::kPublished, N<&TableLedger::chain_ascends>, NumberText,
     "whether a table in the chain of prev_api has a later version than the one before it"},
    {"prototype_changed", kBool, Family::kTable, Known::kAllocated, N<&TableLedger::prototype_changed>, NumberText,
     "whether managed_tensor_allocator wrote to its prototype or its shape"},
    {"set_errors", kInt, Family::kTable, Known::kAllocated, N<&TableLedger::set_errors>, NumberText,
     "number of SetError calls in the latest allocation"},
    {"error_context_wrong", kBool, Family::kTable, Known::kAllocated, N<&TableLedger::error_context_wrong>, NumberText,
     "whether SetError got another context than the caller's"},
    {"error_text_missing", kBool, Family::kTable, Known::kAllocated, N<&TableLedger::error_text_missing>, NumberText,
     "whether SetError got a NULL kind or message"},
    {"error_kind", FactType::kText, Family::kTable, Known::kAllocated, T<&TableLedger::error_kind>, PlainText,
     "kind that SetError got"},
    {"error_message", FactType::kText, Family::kTold, Known::kAllocated, T<&TableLedger::error_message>, PlainText,
     "message that SetError got"},
    {"cuda_knows_stream", kWord, Family::kTable, kSaid, N<&TableLedger::cuda_knows_stream>, AnswerText,
     "whether the CUDA driver knows the stream that current_work_stream returned"},
    {"stream_is_own", kWord, Family::kTable, kSaid, N<&TableLedger::stream_is_own>, AnswerText,
     "whether current_work_stream returned the stream on which the library works"},
    {"object_is_foreign", kBool, Family::kTable, Known::kConverted, N<&TableLedger::object_is_foreign>, NumberText,
     "whether managed_tensor_to_py_object_no_sync returned an object of another type"},
};

constexpr DeclaredFact kTableCall[] = {
    {"called", kBool, Family::kTable, kAlways, N<&TableCall::called>, NumberText, "whether the function was called"},
    {"status", kInt, Family::kTable, kCalled,
     [](const void* r) { return If(As<TableCall>(r).called != 0, Value::Number(As<TableCall>(r).status)); }, NumberText,
     "value that the function returned"},
    {"exception", kBool, Family::kTable, kCalled,
     [](const void* r) { return If(As<TableCall>(r).called != 0, Value::Number(As<TableCall>(r).exception)); },
     NumberText, "whether a Python exception was pending when the function returned"},
    {"out_written", kBool, Family::kTable, kCalled,
     [](const void* r) { return If(As<TableCall>(r).called != 0, Value::Number(As<TableCall>(r).out_written)); },
     NumberText, "whether the function wrote its out parameter (NULL counts only for current_work_stream)"},
};

constexpr DeclaredFact kRun[] = {
    {"unsupported", kBool, Family::kOutcome, kAlways, N<&Ledger::unsupported>, NumberText,
     "whether the subject cannot run this recipe at all"},
    {"faults", kInt, Family::kMemoryInCall, kAlways, N<&Ledger::fault_count>, NumberText,
     "number of accesses to forbidden memory"},
    {"deleters", kInt, Family::kRelease, kAlways, N<&Ledger::deleter_count>, NumberText,
     "number of deleter calls with any pointer"},
};

Value OfFault(const void* record, int64_t number) {
  return If(As<Fault>(record).region != Region::kNone, Value::Number(number));
}

constexpr DeclaredFact kFault[] = {
    {"", FactType::kTouch, Family::kMemoryInCall, kCalled,
     [](const void* r) {
       const auto& f = As<Fault>(r);
       return If(f.region != Region::kNone,
                 Value::Pair(f.offset, 0, static_cast<uint32_t>(f.region) | static_cast<uint32_t>(f.write != 0) << 8));
     },
     TouchText, "access to forbidden memory"},
    {"slot", kInt, Family::kMemoryInCall, kCalled, [](const void* r) { return OfFault(r, As<Fault>(r).slot); },
     NumberText, "slot of that memory"},
    {"after_deleter", kBool, Family::kMemoryInCall, kCalled,
     [](const void* r) { return OfFault(r, As<Fault>(r).after_deleter); }, NumberText,
     "whether the struct had been released before the access"},
    {"step", kInt, Family::kMemoryInCall, kCalled, [](const void* r) { return OfFault(r, As<Fault>(r).step); },
     NumberText, "step of the recipe that ran during the access"},
};

Value OfDeleter(const void* record, int64_t number) {
  return If(As<DeleterCall>(record).thread != ThreadKind::kNobody, Value::Number(number));
}

constexpr DeclaredFact kDeleterCall[] = {
    {"slot", kInt, Family::kRelease, kCalled,
     [](const void* r) {
       const auto& d = As<DeleterCall>(r);
       return If(d.wrong == 0, OfDeleter(r, d.slot));
     },
     NumberText, "slot of the struct that was passed to the deleter"},
    {"step", kInt, Family::kRelease, kCalled, [](const void* r) { return OfDeleter(r, As<DeleterCall>(r).step); },
     NumberText, "step of the recipe that ran during the call", true},
    {"thread", kWord, Family::kRelease, kCalled,
     [](const void* r) { return OfDeleter(r, static_cast<int64_t>(As<DeleterCall>(r).thread)); }, ThreadText,
     "thread that called the deleter", true},
    {"lane", kInt, Family::kRelease, kCalled, [](const void* r) { return OfDeleter(r, As<DeleterCall>(r).lane); },
     NumberText, "number of that thread in the recipe, or -1", true},
    {"gil", kWord, Family::kRelease, kCalled,
     [](const void* r) { return OfDeleter(r, static_cast<int64_t>(As<DeleterCall>(r).gil)); }, AnswerText,
     "whether the caller held the GIL"},
    {"pending", kWord, Family::kRelease, kCalled,
     [](const void* r) { return OfDeleter(r, static_cast<int64_t>(As<DeleterCall>(r).pending)); }, AnswerText,
     "whether a Python exception was pending"},
    {"from_destructor", kBool, Family::kRelease, kCalled,
     [](const void* r) { return OfDeleter(r, As<DeleterCall>(r).from_destructor); }, NumberText,
     "whether the capsule destructor of dlpack-cts called the deleter"},
};

/// `Get` gives the record of a ledger, a slot and an index.
template <typename Get>
constexpr DeclaredRecord Record(Block block, std::string_view prefix, int count, Get,
                                std::span<const DeclaredFact> facts, std::string_view about = {},
                                Family family = Family::kTold) {
  constexpr auto find = [](const Ledger& ledger, int slot, int index) -> const void* {
    return Get()(ledger, slot, index);
  };
  using Type = std::remove_pointer_t<std::invoke_result_t<Get, const Ledger&, int, int>>;
  return {block, prefix, count, find, sizeof(Type), facts, about, family};
}

constexpr DeclaredRecord kRecords[] = {
    Record(
        Block::kImport, "", 1, [](const Ledger& l, int s, int) { return &l.imports[s].import; }, kRefusal,
        "outcome of from_dlpack"),
    Record(
        Block::kImport, "again", 1, [](const Ledger& l, int s, int) { return &l.imports[s].again; }, kRefusal,
        "outcome of a second from_dlpack of the same producer or capsule", Family::kCapsule),
    Record(
        Block::kImport, "", 1, [](const Ledger& l, int s, int) { return &l.imports[s].result; }, kDescription),
    Record(
        Block::kImport, "memory", 1, [](const Ledger& l, int s, int) { return &l.imports[s].memory; }, kReading,
        "elements read through the described address and strides"),
    Record(
        Block::kImport, "library", 1, [](const Ledger& l, int s, int) { return &l.imports[s].library; }, kReading,
        "elements as the library converts them"),
    Record(
        Block::kImport, "computed", 1, [](const Ledger& l, int s, int) { return &l.imports[s].computed; }, kReading,
        "elements of a copy that the library computed"),
    Record(
        Block::kImport, "view", 1, [](const Ledger& l, int s, int) { return &l.imports[s].view; }, kReading,
        "elements of a view whose array was dropped"),
    Record(
        Block::kImport, "deleter", 1, [](const Ledger& l, int s, int) { return &l.imports[s].deleter; }, kDeleter),
    Record(
        Block::kImport, "", 1, [](const Ledger& l, int s, int) { return &l.imports[s]; }, kImport),
    Record(
        Block::kImport, "callC", kProducerCalls, [](const Ledger& l, int s, int i) { return &l.imports[s].calls[i]; },
        kCall),
    Record(
        Block::kImport, "table", 1, [](const Ledger& l, int s, int) { return &l.imports[s].table; }, kTableUse),
    Record(
        Block::kExport, "", 1, [](const Ledger& l, int s, int) { return &l.exports[s].export_call; }, kRefusal,
        "outcome of the export"),
    Record(
        Block::kExport, "", 1, [](const Ledger& l, int s, int) { return &l.exports[s]; }, kExport),
    Record(
        Block::kExport, "elements", 1, [](const Ledger& l, int s, int) { return &l.exports[s].elements; }, kReading,
        "elements read through the exported struct, in the latest reading"),
    Record(
        Block::kExport, "first_elements", 1, [](const Ledger& l, int s, int) { return &l.exports[s].first_elements; },
        kReading, "elements read through the exported struct, in the first reading"),
    Record(
        Block::kSource, "make", 1, [](const Ledger& l, int s, int) { return &l.sources[s].make; }, kRefusal,
        "outcome of making the array"),
    Record(
        Block::kSource, "", 1, [](const Ledger& l, int s, int) { return &l.sources[s].description; }, kDescription),
    Record(
        Block::kSource, "change", 1, [](const Ledger& l, int s, int) { return &l.sources[s].change; }, kRefusal,
        "outcome of changing shape or strides in place"),
    Record(
        Block::kSource, "device_call", 1, [](const Ledger& l, int s, int) { return &l.sources[s].device_call; },
        kRefusal, "outcome of __dlpack_device__", Family::kDeviceAnswer),
    Record(
        Block::kSource, "", 1, [](const Ledger& l, int s, int) { return &l.sources[s]; }, kSource),
    Record(
        Block::kSource, "elements", 1, [](const Ledger& l, int s, int) { return &l.sources[s].elements; }, kReading,
        "elements of the array as the library converts them after the export"),
    Record(
        Block::kSource, "used", 1, [](const Ledger& l, int s, int) { return &l.sources[s].used; }, kReading,
        "elements that the library computes from the array after the export"),
    Record(
        Block::kTable, "", 1, [](const Ledger& l, int s, int) { return &l.tables[s]; }, kTable),
    Record(
        Block::kTable, "T", kTableFunctions, [](const Ledger& l, int s, int i) { return &l.tables[s].calls[i]; },
        kTableCall),
    Record(
        Block::kRun, "", 1, [](const Ledger& l, int, int) { return &l; }, kRun),
    Record(
        Block::kRun, "deleterD", kDeleterCalls, [](const Ledger& l, int, int i) { return &l.deleter_calls[i]; },
        kDeleterCall),
    Record(
        Block::kRun, "faultF", kFaults, [](const Ledger& l, int, int i) { return &l.faults[i]; }, kFault),
};

}  // namespace

std::span<const DeclaredRecord> DeclaredRecords() { return kRecords; }

std::string_view TableFunctionName(int function) {
  static constexpr EnumWords<TableFunction> kNames = {"allocator", "from_object", "to_object", "view", "stream"};
  return kNames[static_cast<TableFunction>(function)];
}

}  // namespace dlpack_cts
