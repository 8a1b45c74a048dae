// harness/ledger/fact_rows.cc: the declaration of every fact: one row each, grouped by the record that holds it.
#include "harness/ledger/fact_rows.h"

#include <type_traits>

#include "harness/ledger/fact_texts.h"

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
    {"outcome", kWord, Family::kOutcome, kAlways, N<&Refusal::outcome>, OutcomeText, "how the call ended"},
    {"exception", FactType::kText, Family::kException, kSaid, T<&Refusal::type>, PlainText,
     "class of the exception, or the native error code"},
    {"message", FactType::kText, Family::kTold, kSaid, T<&Refusal::message>, PlainText, "its text"},
    {"is_buffer_error", kBool, Family::kException, kSaid, N<&Refusal::buffer_error>, NumberText,
     "the exception is a BufferError"},
    {"is_type_error", kBool, Family::kException, kSaid, N<&Refusal::type_error>, NumberText,
     "the exception is a TypeError"},
};

constexpr DeclaredFact kReading[] = {
    {"", FactType::kReading, Family::kPlace, kSaid, N<&ElementReading::reading>, ReadingText, "how the reading ended"},
    {"first_difference", kInt, Family::kPlace, kSaid, OfDifference<&ElementReading::first_difference>, NumberText,
     "row-major index of the first element that differs"},
    {"wanted", FactType::kBits, Family::kPlace, kSaid, OfDifference<&ElementReading::wanted_bits>, BitsText,
     "low 64 bits of that element as they should be"},
    {"got", FactType::kBits, Family::kPlace, kSaid, OfDifference<&ElementReading::got_bits>, BitsText,
     "low 64 bits of that element as read"},
};

constexpr DeclaredFact kDescription[] = {
    {"dtype", FactType::kDtype, Family::kDtype, kDescribed,
     [](const void* r) {
       const auto& d = As<Description>(r);
       return If(d.valid != 0 && d.known_dtype != 0, Dtype(d.dtype));
     },
     DtypeText, "(code, bits, lanes) of the described dtype"},
    {"dtype_name", FactType::kText, Family::kDtype, kDescribed, T<&Description::dtype_name>, PlainText,
     "the library's name of the dtype"},
    {"ndim", kInt, Family::kShape, kDescribed,
     [](const void* r) { return If(As<Description>(r).has_shape != 0, Value::Number(As<Description>(r).ndim)); },
     NumberText, "described number of dimensions"},
    {"shape", FactType::kTuple, Family::kShape, kDescribed,
     [](const void* r) {
       const auto& d = As<Description>(r);
       return If(d.has_shape != 0, Value::Tuple(d.shape, d.ndim));
     },
     TupleText, "described shape"},
    {"strides", FactType::kTuple, Family::kStrides, kDescribed,
     [](const void* r) {
       const auto& d = As<Description>(r);
       return If(d.valid != 0 && d.has_strides != 0, Value::Tuple(d.byte_strides, d.ndim));
     },
     TupleText, "described strides in bytes"},
    {"writable", kBool, Family::kFlags, kDescribed,
     [](const void* r) {
       const auto& d = As<Description>(r);
       return If(d.valid != 0 && d.writable >= 0, Value::Number(d.writable));
     },
     NumberText, "the library says that the array is writable; none when it does not say"},
    {"device", FactType::kDevice, Family::kStructDevice, kDescribed,
     [](const void* r) {
       const auto& d = As<Description>(r);
       return If(d.valid != 0 && d.has_device != 0, Device(d.device));
     },
     PairText, "described (device_type, device_id)"},
    {"has_pointer", kBool, Family::kPlace, kDescribed, N<&Description::has_pointer>, NumberText,
     "the library describes an address"},
};

constexpr DeclaredFact kDeleter[] = {
    {"calls", kInt, Family::kRelease, kAlways, N<&DeleterLedger::calls>, NumberText, "calls that named this struct"},
    {"in_import", kInt, Family::kRelease, kAlways, N<&DeleterLedger::calls_in_import>, NumberText,
     "of these, before from_dlpack returned"},
    {"while_alive", kInt, Family::kRelease, kAlways, N<&DeleterLedger::calls_while_alive>, NumberText,
     "of these, after it returned and before the array was dropped"},
    {"without_gil", kInt, Family::kRelease, kAlways, N<&DeleterLedger::without_gil>, NumberText,
     "of these, without the GIL"},
    {"with_pending_exception", kInt, Family::kRelease, kAlways, N<&DeleterLedger::with_pending_exception>, NumberText,
     "of these, with a Python exception pending"},
    {"on_other_thread", kInt, Family::kRelease, kAlways, N<&DeleterLedger::on_other_thread>, NumberText,
     "of these, on another thread than the one that made the struct", true},
    {"from_destructor", kInt, Family::kRelease, kAlways, N<&DeleterLedger::from_destructor>, NumberText,
     "of these, by the harness's own capsule destructor"},
    {"wrong_self", kInt, Family::kRelease, kAlways, N<&DeleterLedger::wrong_self>, NumberText,
     "calls with a pointer that is no struct of the harness (counted for slot 0)"},
};

constexpr DeclaredFact kImport[] = {
    {"capsules", kInt, Family::kAsks, kAlways, N<&ImportLedger::capsules>, NumberText, "capsules made for this offer"},
    {"place", FactType::kAddress, Family::kPlace, kDescribed,
     [](const void* r) { return Address(As<ImportLedger>(r).place); }, AddressText,
     "where the described pointer lies: data, front, behind or guard with the bytes from element 0 of the offer (or of "
     "the array it was made of), metadata, null, elsewhere"},
    {"aliases", kBool, Family::kPlace, kDescribed,
     [](const void* r) {
       const auto& i = As<ImportLedger>(r);
       return If(i.place.area != Area::kUnknown, Value::Number(i.Aliases()));
     },
     NumberText, "the described pointer lies in the offered memory"},
    {"write_source", kWord, Family::kPlace, kSaid, N<&ImportLedger::write_seen>, ShownText,
     "the array shows what the harness wrote into the offered memory"},
    {"write_array", kWord, Family::kWrites, kSaid, N<&ImportLedger::array_write>, ShownText,
     "the offered memory shows what the library wrote"},
    {"released", kBool, Family::kRelease, kAlways, N<&ImportLedger::released>, NumberText,
     "the deleter had run when everything was dropped"},
    {"name_before", kWord, Family::kCapsule, kAlways, N<&ImportLedger::name_before>, NameText,
     "name of the capsule before from_dlpack"},
    {"name_after", kWord, Family::kCapsule, kAlways, N<&ImportLedger::name_after>, NameText,
     "name of the capsule after from_dlpack"},
    {"name_after_again", kWord, Family::kCapsule, kSaid, N<&ImportLedger::name_after_again>, NameText,
     "name of the capsule after the second from_dlpack"},
    {"capsule_pointer_changed", kBool, Family::kCapsule, kAlways, N<&ImportLedger::capsule_pointer_changed>, NumberText,
     "the capsule's pointer changed"},
    {"capsule_context_changed", kBool, Family::kCapsule, kAlways, N<&ImportLedger::capsule_context_changed>, NumberText,
     "the capsule's context changed"},
    {"capsule_destructor_changed", kBool, Family::kCapsule, kAlways, N<&ImportLedger::capsule_destructor_changed>,
     NumberText, "the capsule's destructor changed"},
    {"used_name_storage", kWord, Family::kCapsule, kSaid, N<&ImportLedger::used_name_is_static>, StorageText,
     "memory of the used name: static (a mapping of a file), other, unknown"},
    {"taken_within", kWord, Family::kRelease, kSaid, N<&ImportLedger::taken_within>, AnswerText,
     "the library took another such tensor while the deleter ran: yes, no; unknown where nobody tried"},
    {"race", kWord, Family::kRelease, kSaid, N<&ImportLedger::race>, RaceText,
     "what became of imports by several threads at once: fair, released-twice, not-released, released-early (an array "
     "lies in the memory), not-run"},
    {"cuda_ordered", kWord, Family::kPlace, kSaid, Told<&ImportLedger::cuda_ordered>, AnswerText,
     "what the library reads on a CUDA device comes behind the work that is pending on the stream that it announced: "
     "yes, "
     "no; none where nothing shows it"},
    {"cuda_status", kInt, Family::kPlace, kSaid, N<&ImportLedger::cuda_status>, NumberText,
     "what the CUDA driver says when the library has read on a device: 0, or the number of its error"},
    {"changed", FactType::kWords, Family::kWrites, kAlways, N<&ImportLedger::changed_parts>, PartsText,
     "parts of struct, shape and strides that were changed, or none"},
    {"changed_bytes", kInt, Family::kWrites, kAlways, N<&ImportLedger::changed_bytes>, NumberText,
     "bytes of data, gaps and canaries that were changed without being asked"},
    {"calls", kInt, Family::kAsks, kAlways, N<&ImportLedger::producer_calls>, NumberText,
     "calls of __dlpack__ and __dlpack_device__ that the producer saw"},
};

constexpr DeclaredFact kCall[] = {
    {"method", kWord, Family::kAsks, kCalled, N<&ProducerCall::is_device>, MethodText, "method that was called"},
    {"positional", kInt, Family::kAsks, kCalled, N<&ProducerCall::positional>, NumberText,
     "number of positional arguments"},
    {"raised", kBool, Family::kAsks, kCalled, N<&ProducerCall::raised>, NumberText,
     "the producer answered with an exception"},
    {"keywords", FactType::kWords, Family::kAsks, kCalled, Keywords, KeywordsText, "names of the keywords, or none"},
    {"max_version", FactType::kArgument, Family::kAsks, kCalled, A<&ProducerCall::max_version>, ArgumentText,
     "its argument, or absent"},
    {"dl_device", FactType::kArgument, Family::kAsks, kCalled, A<&ProducerCall::dl_device>, ArgumentText,
     "its argument, or absent"},
    {"copy", FactType::kArgument, Family::kAsks, kCalled, A<&ProducerCall::copy>, ArgumentText,
     "its argument, or absent"},
    {"stream", FactType::kArgument, Family::kAsks, kCalled, A<&ProducerCall::stream>, ArgumentText,
     "its argument, or absent"},
    {"cuda_stream_device", kInt, Family::kAsks, kCalled,
     [](const void* r) {
       const auto& c = As<ProducerCall>(r);
       return If(c.cuda_stream_device > 0, Value::Number(c.cuda_stream_device - 1));
     },
     NumberText, "the CUDA device of that stream, as the driver counts; none where it knows no such stream"},
};

constexpr DeclaredFact kTableUse[] = {
    {"looked", FactType::kWords, Family::kTable, kAlways, N<&TableUse::looked>, LookedText,
     "where the library looked for the producer's `__dlpack_c_exchange_api__`: type, object; or none"},
    {"called", FactType::kWords, Family::kTable, kAlways, N<&TableUse::called>, NullSlotsText,
     "functions of that table that it called: allocator, from_object, to_object, view, stream; or none"},
    {"failed", FactType::kWords, Family::kTable, kAlways, N<&TableUse::failed>, NullSlotsText,
     "of these, those that failed, with an exception set"},
    {"without_gil", FactType::kWords, Family::kTable, kAlways, N<&TableUse::without_gil>, NullSlotsText,
     "of these, those that were called without the GIL"},
    {"foreign", FactType::kWords, Family::kTable, kAlways, N<&TableUse::foreign>, NullSlotsText,
     "of these, those that were given an object of another type than the table's"},
    {"pending", FactType::kWords, Family::kTable, kAlways, N<&TableUse::pending>, NullSlotsText,
     "of these, those that were called with a Python exception pending"},
};

constexpr DeclaredFact kExport[] = {
    {"is_capsule", kBool, Family::kCapsule, Known::kReturned, N<&ExportLedger::is_capsule>, NumberText,
     "a PyCapsule came back"},
    {"name_agrees", kBool, Family::kCapsule, kSaid,
     [](const void* r) {
       const auto& e = As<ExportLedger>(r);
       return If(e.name == NameSeen::kLegacy || e.name == NameSeen::kVersioned,
                 Value::Number(e.name == NameSeen::kVersioned || e.versioned == 0));
     },
     NumberText, "the struct is of the kind that the capsule's name says"},
    {"name", kWord, Family::kCapsule, kSaid, N<&ExportLedger::name>, NameText, "its name"},
    {"name_storage", kWord, Family::kCapsule, kSaid, N<&ExportLedger::name_is_static>, StorageText,
     "memory of its name: static (a mapping of a file), other, unknown"},
    {"has_destructor", kBool, Family::kCapsule, kExported, N<&ExportLedger::has_destructor>, NumberText,
     "the capsule has a destructor"},
    {"versioned", kBool, Family::kVersion, kExported, N<&ExportLedger::versioned>, NumberText,
     "read as a versioned struct"},
    {"version", FactType::kVersion, Family::kVersion, kExported,
     [](const void* r) {
       const auto& e = As<ExportLedger>(r);
       return If(e.versioned != 0, Version(e.version));
     },
     PairText, "(major, minor) of the struct"},
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
     "the deleter is not NULL"},
    {"null_data", kBool, Family::kPlace, kExported,
     [](const void* r) { return Value::Number(As<ExportLedger>(r).tensor.data == nullptr); }, NumberText,
     "data is NULL"},
    {"null_shape", kBool, Family::kMemoryInCall, kExported, N<&ExportLedger::null_shape>, NumberText, "shape is NULL"},
    {"null_strides", kBool, Family::kStrides, kExported, N<&ExportLedger::null_strides>, NumberText, "strides is NULL"},
    {"device", FactType::kDevice, Family::kStructDevice, kExported,
     [](const void* r) { return If(HasStruct(As<ExportLedger>(r)), Device(As<ExportLedger>(r).tensor.device)); },
     PairText, "(device_type, device_id) of the struct"},
    {"ndim", kInt, Family::kShape, kExported,
     [](const void* r) { return If(HasStruct(As<ExportLedger>(r)), Value::Number(As<ExportLedger>(r).tensor.ndim)); },
     NumberText, "ndim of the struct"},
    {"dtype", FactType::kDtype, Family::kDtype, kExported,
     [](const void* r) { return If(HasStruct(As<ExportLedger>(r)), Dtype(As<ExportLedger>(r).tensor.dtype)); },
     DtypeText, "(code, bits, lanes) of the struct"},
    {"shape", FactType::kTuple, Family::kShape, kExported,
     [](const void* r) {
       const auto& e = As<ExportLedger>(r);
       return If(HasStruct(e) && (e.null_shape == 0 || e.tensor.ndim == 0), Value::Tuple(e.shape, e.tensor.ndim));
     },
     TupleText, "shape of the struct"},
    {"strides", FactType::kTuple, Family::kStrides, kExported,
     [](const void* r) {
       const auto& e = As<ExportLedger>(r);
       return If(HasStruct(e) && e.null_strides == 0, Value::Tuple(e.strides, e.tensor.ndim));
     },
     TupleText, "strides of the struct, in elements"},
    {"byte_offset", kInt, Family::kPlace, kExported,
     [](const void* r) {
       const auto& e = As<ExportLedger>(r);
       return If(HasStruct(e), Value::Number(static_cast<int64_t>(e.tensor.byte_offset)));
     },
     [](const Value& v) {
       return v.form == Value::Form::kNothing ? "none" : std::to_string(static_cast<uint64_t>(v.first));
     },
     "byte_offset of the struct"},
    {"place", FactType::kAddress, Family::kPlace, kExported,
     [](const void* r) { return Address(As<ExportLedger>(r).place); }, AddressText,
     "where data + byte_offset lies, as importS.place: from element 0 of the array, or of the offer that is exported "
     "again"},
    {"points_at_source", kBool, Family::kPlace, kExported,
     [](const void* r) {
       const auto& e = As<ExportLedger>(r);
       return If(HasStruct(e) && e.place.area != Area::kUnknown, Value::Number(e.IsAtSource()));
     },
     NumberText, "data + byte_offset is the address of that element 0"},
    {"alignment", kInt, Family::kPlace, kExported,
     [](const void* r) {
       const auto& e = As<ExportLedger>(r);
       return If(HasStruct(e),
                 Value::Number(AlignmentOf(reinterpret_cast<uint64_t>(e.tensor.data) + e.tensor.byte_offset)));
     },
     NumberText, "largest power of two that divides element 0's address; 0 for NULL", true},
    {"data_alignment", kInt, Family::kPlace, kExported,
     [](const void* r) {
       const auto& e = As<ExportLedger>(r);
       return If(HasStruct(e), Value::Number(AlignmentOf(reinterpret_cast<uint64_t>(e.tensor.data))));
     },
     NumberText, "largest power of two that divides data; 0 for NULL", true},
    {"metadata_readable", kBool, Family::kMemoryInCall, kExported, N<&ExportLedger::metadata_readable>, NumberText,
     "shape and strides could be read in full"},
    {"data_readable", kBool, Family::kPlace, kExported, N<&ExportLedger::data_readable>, NumberText,
     "every element could be read"},
    {"packing", kWord, Family::kPlace, kExported,
     [](const void* r) {
       const Packing packing = As<ExportLedger>(r).packing;
       return If(packing != Packing::kNone, Value::Number(static_cast<int64_t>(packing)));
     },
     PackingText,
     "how elements of less than a byte are read rightly: low-first or high-first (several to a byte), inside-a-byte "
     "(element 0 starts behind the begin of its byte), padded (a byte each), other; none of other types"},
    {"cuda_memory", kWord, Family::kPlace, kSaid, N<&ExportLedger::cuda_memory>, CudaMemoryText,
     "what the CUDA driver says of element 0's address: unknown, pageable (unknown, on a device that reads all of the "
     "host's memory), host (pinned), device, managed; not-asked where cuda is not claimed or the struct names the CPU"},
    {"cuda_device", kInt, Family::kStructDevice, kSaid,
     [](const void* r) {
       const auto& e = As<ExportLedger>(r);
       return If(e.cuda_memory >= CudaMemory::kHost && e.cuda_device >= 0, Value::Number(e.cuda_device));
     },
     NumberText, "the CUDA device of that memory, as the driver counts; none for other memory"},
    {"cuda_keeps_device", kWord, Family::kWrites, kSaid, N<&ExportLedger::cuda_keeps_device>, AnswerText,
     "behind a step with another CUDA device current than the array's that one is current still: yes, no; unknown "
     "where there is one device"},
    {"cuda_deleter_keeps_device", kWord, Family::kWrites, kSaid, N<&ExportLedger::cuda_deleter_keeps_device>,
     AnswerText, "the same behind a deletion"},
    {"cuda_keeps_capture", kWord, Family::kWrites, kSaid, N<&ExportLedger::cuda_keeps_capture>, AnswerText,
     "a stream that was captured during the step is captured still: yes, no; unknown where none was"},
    {"cuda_ordered", kWord, Family::kPlace, kSaid, Told<&ExportLedger::cuda_ordered>, AnswerText,
     "beside work that is pending, or held, on a CUDA stream: on the stream that the export names the elements come "
     "behind that work, on the host when the export is there: yes, no; none where nothing shows it"},
    {"cuda_orders_another", kWord, Family::kPlace, kSaid, Told<&ExportLedger::cuda_orders_another>, AnswerText,
     "where they do not: the legacy default stream waits in place of the stream that the export names: yes, no"},
    {"cuda_blocks", kWord, Family::kWrites, kSaid, Told<&ExportLedger::cuda_blocks>, AnswerText,
     "the export came back only when the work was done: yes, no; none where nothing was pending"},
    {"cuda_copies_apart", kWord, Family::kPlace, kSaid, Told<&ExportLedger::cuda_copies_apart>, AnswerText,
     "the copy was there while the stream was held that it was asked for on: yes, no; none where nothing shows it"},
    {"cuda_leaves_alone", kWord, Family::kRelease, kSaid, Told<&ExportLedger::cuda_leaves_alone>, AnswerText,
     "nothing was done behind the export with the stream that it named, which had ended: yes, no; none where no other "
     "stream has got its handle"},
    {"same_capsule", kBool, Family::kCapsule, kExported, N<&ExportLedger::same_capsule>, NumberText,
     "the very capsule of an earlier export"},
    {"same_struct", kBool, Family::kRelease, kExported, N<&ExportLedger::same_struct>, NumberText,
     "the struct of an earlier export that is still alive"},
    {"pending_exception", kWord, Family::kRelease, kSaid, N<&ExportLedger::pending_survived>, SurvivedText,
     "what became of an exception that was pending when the capsule was lost: survived, lost, not-run"},
    {"deleted", kBool, Family::kRelease, kExported, N<&ExportLedger::deleted>, NumberText, "the deleter was called"},
    {"left_exception", kWord, Family::kRelease, kExported, N<&ExportLedger::left_exception>, AnswerText,
     "the deleter left a Python exception behind: yes, no; unknown where nobody looked"},
    {"frees_without_gil", kWord, Family::kRelease, kSaid, Told<&ExportLedger::frees_without_gil>, AnswerText,
     "on a thread that does not hold the GIL, the deleter took or freed memory of Python's without taking it: yes, no; "
     "none where nobody looked"},
    {"survives_fork", kWord, Family::kRelease, kSaid, N<&ExportLedger::survives_fork>, AnswerText,
     "the deleter came back in a forked child: yes, no; unknown where nobody tried"},
    {"survives_exit", kWord, Family::kRelease, kSaid, N<&ExportLedger::survives_exit>, AnswerText,
     "the deleter came back out of an exit handler: yes, no; unknown where nobody tried"},
    {"survives_other", kWord, Family::kRelease, kSaid, N<&ExportLedger::survives_other>, AnswerText,
     "the deleter came back at the end of another interpreter: yes, no; unknown where nobody tried"},
    {"survives_end", kWord, Family::kRelease, kSaid, N<&ExportLedger::survives_end>, AnswerText,
     "the deleter came back where the interpreter was finalised: yes, no; unknown where nobody tried"},
    {"follows_change", kWord, Family::kShape, kSaid, Told<&ExportLedger::follows_change>, AnswerText,
     "an array that was changed in place is exported with the shape and the strides that the library tells of it then: "
     "yes, no; none where it was not changed"},
    {"race", kWord, Family::kRelease, kSaid, N<&ExportLedger::race>, RaceText,
     "what became of exports by several threads at once: fair, one-struct-twice, another-tensor, changed, not-run"},
    {"write_export", kWord, Family::kPlace, kSaid, N<&ExportLedger::shares_with_source>, ShownText,
     "the source shows what was written through the struct; of an allocation, its own memory does"},
    {"changed", FactType::kWords, Family::kWrites, kExported, N<&ExportLedger::changed_parts>, PartsText,
     "parts that a later reading found changed, or none"},
};

constexpr DeclaredFact kSource[] = {
    {"device_is_pair", kBool, Family::kDeviceAnswer, Known::kAnswered, N<&SourceLedger::device_is_pair>, NumberText,
     "__dlpack_device__ gave a tuple of two"},
    {"device_type_is_int", kBool, Family::kDeviceAnswer, Known::kAnswered, N<&SourceLedger::device_type_is_int>,
     NumberText, "its first item is an integer"},
    {"device_id_is_int", kBool, Family::kDeviceAnswer, Known::kAnswered, N<&SourceLedger::device_id_is_int>, NumberText,
     "its second item is an integer"},
    {"reported_device", FactType::kDevice, Family::kDeviceAnswer, Known::kAnswered,
     [](const void* r) {
       const auto& s = As<SourceLedger>(r);
       return If(s.device_call.outcome == Outcome::kAccepted, Device(s.device));
     },
     PairText, "(device_type, device_id) of __dlpack_device__"},
    {"alive_at_end", kBool, Family::kRelease, Known::kMade,
     [](const void* r) {
       const auto& s = As<SourceLedger>(r);
       return If(s.alive_known != 0, Value::Number(s.alive_at_end));
     },
     NumberText, "the array object lived when everything was dropped; none when it cannot be watched"},
    {"kept_bytes", kInt, Family::kRelease, Known::kMade,
     [](const void* r) {
       const auto& s = As<SourceLedger>(r);
       return If(s.counted != 0, Value::Number(s.kept_bytes));
     },
     NumberText, "bytes that stay of each of many exports, when arrays and exports are gone", true},
    {"kept_objects", kInt, Family::kRelease, Known::kMade,
     [](const void* r) {
       const auto& s = As<SourceLedger>(r);
       return If(s.counted != 0, Value::Number(s.kept_objects));
     },
     NumberText, "blocks of the interpreter's memory that stay of each of them", true},
    {"references_gained", kInt, Family::kRelease, Known::kMade,
     [](const void* r) {
       const auto& s = As<SourceLedger>(r);
       return Value::Number(s.references_after == 0 ? 0 : s.references_after - s.references_before);
     },
     NumberText, "references to the array after refused exports, less those before"},
};

constexpr DeclaredFact kTable[] = {
    {"found", kBool, Family::kTable, kAlways, N<&TableLedger::found>, NumberText,
     "a table of major version 1 was reached"},
    {"current", kWord, Family::kTable, kAlways, N<&TableLedger::current>, PublishedText,
     "under `__dlpack_c_exchange_api__` the type has: not, capsule, misnamed-capsule, int or other"},
    {"older", kWord, Family::kTable, kAlways, N<&TableLedger::older>, PublishedText,
     "the same for `__c_dlpack_exchange_api__`"},
    {"names_differ", kBool, Family::kTable, kAlways, N<&TableLedger::names_differ>, NumberText,
     "both names lead to tables, and not to the same one"},
    {"readable", kBool, Family::kTable, kAlways, N<&TableLedger::readable>, NumberText,
     "the whole table could be read"},
    {"version", FactType::kVersion, Family::kTable, Known::kFound,
     [](const void* r) { return If(As<TableLedger>(r).readable != 0, Version(As<TableLedger>(r).version)); }, PairText,
     "(major, minor) of its header"},
    {"null_slots", FactType::kWords, Family::kTable, Known::kFound, N<&TableLedger::null_slots>, NullSlotsText,
     "functions that are NULL: allocator, from_object, to_object, view, stream; or none"},
    {"moved", kBool, Family::kTable, Known::kFound, N<&TableLedger::moved>, NumberText,
     "a later lookup on the same type gave another table"},
    {"changed", kBool, Family::kTable, Known::kFound, N<&TableLedger::changed>, NumberText,
     "a later reading of the same table found other contents"},
    {"chain_ends", kBool, Family::kTable, Known::kPublished, N<&TableLedger::chain_ends>, NumberText,
     "following prev_api ends at NULL"},
    {"chain_length", kInt, Family::kTable, Known::kPublished, N<&TableLedger::chain_length>, NumberText,
     "entries behind prev_api"},
    {"chain_ascends", kBool, Family::kTable, Known::kPublished, N<&TableLedger::chain_ascends>, NumberText,
     "an entry behind prev_api has a later version than the one in front of it"},
    {"prototype_changed", kBool, Family::kTable, Known::kAllocated, N<&TableLedger::prototype_changed>, NumberText,
     "the allocator wrote to its prototype or its shape"},
    {"set_errors", kInt, Family::kTable, Known::kAllocated, N<&TableLedger::set_errors>, NumberText,
     "calls of SetError in the latest allocation"},
    {"error_context_wrong", kBool, Family::kTable, Known::kAllocated, N<&TableLedger::error_context_wrong>, NumberText,
     "SetError got another context than the caller's"},
    {"error_text_missing", kBool, Family::kTable, Known::kAllocated, N<&TableLedger::error_text_missing>, NumberText,
     "SetError got a NULL kind or message"},
    {"error_kind", FactType::kText, Family::kTable, Known::kAllocated, T<&TableLedger::error_kind>, PlainText,
     "kind that SetError got"},
    {"error_message", FactType::kText, Family::kTold, Known::kAllocated, T<&TableLedger::error_message>, PlainText,
     "message that SetError got"},
    {"cuda_knows_stream", kWord, Family::kTable, kSaid, N<&TableLedger::cuda_knows_stream>, AnswerText,
     "the CUDA driver knows the stream that current_work_stream gave for the array's device: yes, no; unknown where "
     "nobody asked it"},
    {"stream_is_own", kWord, Family::kTable, kSaid, N<&TableLedger::stream_is_own>, AnswerText,
     "current_work_stream gave for the array's device the stream on which the library works, as its adapter says: yes, "
     "no; "
     "unknown where it names none, and where both are names of default streams"},
    {"object_is_foreign", kBool, Family::kTable, Known::kConverted, N<&TableLedger::object_is_foreign>, NumberText,
     "to_py_object gave an object of another type"},
};

constexpr DeclaredFact kTableCall[] = {
    {"called", kBool, Family::kTable, kAlways, N<&TableCall::called>, NumberText, "the function was called"},
    {"status", kInt, Family::kTable, kCalled,
     [](const void* r) { return If(As<TableCall>(r).called != 0, Value::Number(As<TableCall>(r).status)); }, NumberText,
     "what it returned"},
    {"exception", kBool, Family::kTable, kCalled,
     [](const void* r) { return If(As<TableCall>(r).called != 0, Value::Number(As<TableCall>(r).exception)); },
     NumberText, "a Python exception was pending when it returned"},
    {"out_written", kBool, Family::kTable, kCalled,
     [](const void* r) { return If(As<TableCall>(r).called != 0, Value::Number(As<TableCall>(r).out_written)); },
     NumberText, "its out parameter had been written; NULL counts for a stream alone"},
};

constexpr DeclaredFact kRun[] = {
    {"unsupported", kBool, Family::kOutcome, kAlways, N<&Ledger::unsupported>, NumberText,
     "the subject cannot run this recipe at all"},
    {"faults", kInt, Family::kMemoryInCall, kAlways, N<&Ledger::fault_count>, NumberText,
     "touches of forbidden memory"},
    {"deleters", kInt, Family::kRelease, kAlways, N<&Ledger::deleter_count>, NumberText,
     "calls of deleters, whatever they named"},
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
     TouchText,
     "what was touched: read or write, struct, shape, strides, data, guard or context, and the distance in bytes from "
     "its start (guard: from the nearer end of the data)"},
    {"slot", kInt, Family::kMemoryInCall, kCalled, [](const void* r) { return OfFault(r, As<Fault>(r).slot); },
     NumberText, "slot of that memory"},
    {"after_deleter", kBool, Family::kMemoryInCall, kCalled,
     [](const void* r) { return OfFault(r, As<Fault>(r).after_deleter); }, NumberText, "the struct had been released"},
    {"step", kInt, Family::kMemoryInCall, kCalled, [](const void* r) { return OfFault(r, As<Fault>(r).step); },
     NumberText, "step of the life"},
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
     NumberText, "slot of the struct; none for a pointer that is no struct of the harness"},
    {"step", kInt, Family::kRelease, kCalled, [](const void* r) { return OfDeleter(r, As<DeleterCall>(r).step); },
     NumberText, "step of the life that ran meanwhile", true},
    {"thread", kWord, Family::kRelease, kCalled,
     [](const void* r) { return OfDeleter(r, static_cast<int64_t>(As<DeleterCall>(r).thread)); }, ThreadText,
     "who called: maker (the thread that made the struct), harness (another thread of the harness), foreign", true},
    {"lane", kInt, Family::kRelease, kCalled, [](const void* r) { return OfDeleter(r, As<DeleterCall>(r).lane); },
     NumberText, "lane of the life whose steps that thread takes; -1 for none", true},
    {"gil", kWord, Family::kRelease, kCalled,
     [](const void* r) { return OfDeleter(r, static_cast<int64_t>(As<DeleterCall>(r).gil)); }, AnswerText,
     "the caller held the GIL: yes, no, unknown"},
    {"pending", kWord, Family::kRelease, kCalled,
     [](const void* r) { return OfDeleter(r, static_cast<int64_t>(As<DeleterCall>(r).pending)); }, AnswerText,
     "a Python exception was pending: yes, no, unknown"},
    {"from_destructor", kBool, Family::kRelease, kCalled,
     [](const void* r) { return OfDeleter(r, As<DeleterCall>(r).from_destructor); }, NumberText,
     "the harness's own capsule destructor called"},
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
        "how from_dlpack ended"),
    Record(
        Block::kImport, "again", 1, [](const Ledger& l, int s, int) { return &l.imports[s].again; }, kRefusal,
        "how from_dlpack of the same producer or capsule ended a second time", Family::kCapsule),
    Record(
        Block::kImport, "", 1, [](const Ledger& l, int s, int) { return &l.imports[s].result; }, kDescription),
    Record(
        Block::kImport, "memory", 1, [](const Ledger& l, int s, int) { return &l.imports[s].memory; }, kReading,
        "elements through the described pointer and strides"),
    Record(
        Block::kImport, "library", 1, [](const Ledger& l, int s, int) { return &l.imports[s].library; }, kReading,
        "elements as the library converts them"),
    Record(
        Block::kImport, "computed", 1, [](const Ledger& l, int s, int) { return &l.imports[s].computed; }, kReading,
        "elements of what the library computed from them"),
    Record(
        Block::kImport, "view", 1, [](const Ledger& l, int s, int) { return &l.imports[s].view; }, kReading,
        "elements of the view that outlived its array"),
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
        "how the export ended"),
    Record(
        Block::kExport, "", 1, [](const Ledger& l, int s, int) { return &l.exports[s]; }, kExport),
    Record(
        Block::kExport, "elements", 1, [](const Ledger& l, int s, int) { return &l.exports[s].elements; }, kReading,
        "elements through the struct, the latest reading"),
    Record(
        Block::kExport, "first_elements", 1, [](const Ledger& l, int s, int) { return &l.exports[s].first_elements; },
        kReading, "elements through the struct, at export"),
    Record(
        Block::kSource, "make", 1, [](const Ledger& l, int s, int) { return &l.sources[s].make; }, kRefusal,
        "how making the array ended"),
    Record(
        Block::kSource, "", 1, [](const Ledger& l, int s, int) { return &l.sources[s].description; }, kDescription),
    Record(
        Block::kSource, "change", 1, [](const Ledger& l, int s, int) { return &l.sources[s].change; }, kRefusal,
        "how changing shape or strides in place ended"),
    Record(
        Block::kSource, "device_call", 1, [](const Ledger& l, int s, int) { return &l.sources[s].device_call; },
        kRefusal, "how __dlpack_device__ ended", Family::kDeviceAnswer),
    Record(
        Block::kSource, "", 1, [](const Ledger& l, int s, int) { return &l.sources[s]; }, kSource),
    Record(
        Block::kSource, "elements", 1, [](const Ledger& l, int s, int) { return &l.sources[s].elements; }, kReading,
        "the library's own conversion after the export"),
    Record(
        Block::kSource, "used", 1, [](const Ledger& l, int s, int) { return &l.sources[s].used; }, kReading,
        "a computation on the array after the export"),
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
  constexpr std::string_view kNames[] = {"allocator", "from_object", "to_object", "view", "stream"};
  return kNames[function];
}

}  // namespace dlpack_cts
