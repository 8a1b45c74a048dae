// subject/native_subject.cc: translates between recipes, the table of a plug-in, and the ledger.
#include "subject/native_subject.h"

#include <algorithm>
#include <cstring>

#include "harness/forge/forge.h"
#include "harness/recipe/arguments.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/elements.h"
#include "subject/exported_tensor.h"

namespace dlpack_cts {
namespace {

static_assert(static_cast<int>(Oddity::kScalarObject) == DLPACK_CTS_SCALAR_OBJECT);
static_assert(static_cast<int>(Making::kView) == DLPACK_CTS_VIEW);

void Unsupported(Refusal& refusal, const char* why) {
  refusal.outcome = Outcome::kUnsupported;
  refusal.type.Set("unsupported");
  refusal.message.Set(why);
}

constexpr const char* kCodes[] = {"ok", "refused", "invalid", "unsupported", "failed"};
static_assert(std::size(kCodes) == DLPACK_CTS_FAILED + 1);

bool IsDocumented(int code) { return code >= DLPACK_CTS_OK && code <= DLPACK_CTS_FAILED; }

std::string TextOf(dlpack_cts_error& error) {
  error.text[sizeof(error.text) - 1] = '\0';
  return error.text;
}

/// copy= as -1, 0 or 1, as the table has it. False for values that exist only in Python.
bool CopyOf(const Argument& argument, int32_t* copy) {
  const bool nothing = IsNothing(argument);
  *copy = nothing ? -1 : argument.kind == ArgumentKind::kTrue ? 1 : 0;
  return nothing || argument.kind == ArgumentKind::kTrue || argument.kind == ArgumentKind::kFalse;
}

bool ReadImportCall(const Call& call, dlpack_cts_import_options* options) {
  if (!CopyOf(call.copy, &options->copy)) return false;
  if (IsNothing(call.dl_device)) return true;
  options->has_device = 1;
  options->device = {static_cast<int32_t>(call.dl_device.a), static_cast<int32_t>(call.dl_device.b)};
  return IsPair(call.dl_device);
}

/// The kind of struct follows from max_version as in the Python protocol: a legacy struct if it is missing.
bool ReadExportCall(const Call& call, dlpack_cts_export_options* options) {
  const bool pair = IsPair(call.max_version);
  options->versioned = pair && call.max_version.a >= 1;
  return CopyOf(call.copy, &options->copy) && (pair || IsNothing(call.max_version)) && IsNothing(call.dl_device) &&
         IsNothing(call.stream) && call.unknown_keyword == 0;
}

}  // namespace

void NativeSubject::Note(Complaint kind, std::string_view function, const std::string& what) {
  Complain(kind, "the plug-in's " + std::string(function) + "() " + what);
}

void NativeSubject::NoteCode(std::string_view function, int code) {
  if (IsDocumented(code)) return;
  Note(Complaint::kContract, function,
       "returned " + std::to_string(code) + "; expected one of the five codes DLPACK_CTS_OK to DLPACK_CTS_FAILED");
}

bool NativeSubject::Settle(const Answer& answer, dlpack_cts_error& error, Refusal& refusal) {
  NoteCode(answer.function, answer.code);
  const bool known = IsDocumented(answer.code);
  const bool lacking = answer.code == DLPACK_CTS_OK && answer.lacks != nullptr;
  if (lacking) {
    Note(Complaint::kContract, answer.function, std::string("returned DLPACK_CTS_OK but set no ") + answer.lacks);
  } else if (answer.code == DLPACK_CTS_OK) {
    refusal.outcome = Outcome::kAccepted;
    return true;
  }
  refusal.outcome = answer.code == DLPACK_CTS_UNSUPPORTED ? Outcome::kUnsupported : Outcome::kRefused;
  refusal.buffer_error = answer.code == DLPACK_CTS_REFUSED;
  refusal.type.Set(known && !lacking ? kCodes[answer.code] : "failed");
  const std::string text = TextOf(error);
  refusal.message.Set(lacking ? "the plug-in returned no error and no value"
                              : std::string_view(text).substr(0, text.find('\n')));
  return false;
}

Handle NativeSubject::Derive(Hook hook, Handle array) {
  const HookRow& row = RowOf(hook);
  int (*derive)(dlpack_cts_array array, dlpack_cts_array* result, dlpack_cts_error* error);
  std::memcpy(&derive, reinterpret_cast<const uint8_t*>(&table_) + row.in_table, sizeof(derive));
  if (derive == nullptr) return nullptr;
  dlpack_cts_array result = nullptr;
  dlpack_cts_error error = {};
  Refusal ignored{};
  const int code = derive(array, &result, &error);
  return Settle({row.native, code, result == nullptr ? "array" : nullptr}, error, ignored) ? result : nullptr;
}

SubjectInfo NativeSubject::Info() { return {table_.name(), table_.version(), "native"}; }

Handle NativeSubject::Import(const Offer&, const Call& call, int slot, const Offered& offered, bool, Ledger& ledger) {
  ImportLedger& record = ledger.imports[slot];
  dlpack_cts_import_options options = {};
  options.size = sizeof(options);
  options.versioned = offered.kind == StructKind::kVersioned;
  if (table_.import_tensor == nullptr || offered.managed == nullptr || !ReadImportCall(call, &options)) {
    Unsupported(record.import, "the plug-in interface cannot express this import");
    return nullptr;
  }
  // In terms of capsules: one was made, and the library has consumed it.
  record.capsules = 1;
  record.name_before = options.versioned ? NameSeen::kVersioned : NameSeen::kLegacy;
  record.name_after = options.versioned ? NameSeen::kUsedVersioned : NameSeen::kUsedLegacy;
  dlpack_cts_array array = nullptr;
  dlpack_cts_error error = {};
  const int code = table_.import_tensor(table_.context, offered.managed, &options, &array, &error);
  return Settle({"import_tensor", code, array == nullptr ? "array" : nullptr}, error, record.import) ? array : nullptr;
}

Handle NativeSubject::ImportAgain(const Call&, int slot, bool, Ledger& ledger) {
  Unsupported(ledger.imports[slot].again,
              "the plug-in owns the struct since its first import, so it cannot be imported again");
  return nullptr;
}

void NativeSubject::Describe(Handle array, Description& description) {
  description = Description{};
  dlpack_cts_description told = {};
  told.size = sizeof(told);
  told.writable = -1;
  dlpack_cts_error error = {};
  const int code = table_.describe(array, &told, &error);
  NoteCode("describe", code);
  if (code != DLPACK_CTS_OK) {
    const std::string text = TextOf(error);
    if (IsDocumented(code)) {
      Note(Complaint::kReading, "describe",
           std::string("failed (") + kCodes[code] + ")" + (text.empty() ? "" : ": " + text));
    }
    return;
  }
  Check(told);
  description.valid = description.has_shape = told.ndim >= 0;
  description.ndim = told.ndim;
  description.has_strides = told.has_strides != 0;
  const auto kept = static_cast<size_t>(std::clamp(told.ndim, 0, kDims));
  std::memcpy(description.shape, told.shape, kept * sizeof(int64_t));
  std::memcpy(description.byte_strides, told.byte_strides, kept * sizeof(int64_t));
  description.pointer = reinterpret_cast<uint64_t>(told.data);
  description.has_pointer = told.data != nullptr || told.has_data != 0;
  description.dtype = {told.dtype.code, told.dtype.bits, told.dtype.lanes};
  description.dtype_name.Set(DataTypeName(description.dtype));
  description.known_dtype = HasName(description.dtype);
  if (!description.known_dtype) {
    Note(Complaint::kReading, "describe",
         "returned the dtype (code " + std::to_string(told.dtype.code) + ", bits " + std::to_string(told.dtype.bits) +
             ", lanes " + std::to_string(told.dtype.lanes) + "), which DLPack does not have");
  }
  description.device = {told.device.type, told.device.id};
  description.has_device = told.device.type != 0;
  description.writable = told.writable == 0  ? dlpack_cts::Answer::kNo
                         : told.writable > 0 ? dlpack_cts::Answer::kYes
                                             : dlpack_cts::Answer::kUnknown;
}

/// Complains about a description that is invalid for every array. No array of the adapter check has more than kDims
/// dimensions.
void NativeSubject::Check(const dlpack_cts_description& told) {
  if (told.ndim < 0 || told.ndim > kDims) {
    Note(Complaint::kContract, "describe", "returned ndim " + std::to_string(told.ndim) + "; expected 0 to 64");
  }
  if (told.writable < -1 || told.writable > 1) {
    Note(Complaint::kContract, "describe",
         "returned writable " + std::to_string(told.writable) + "; expected 1, 0, or -1 if it is not known");
  }
}

int64_t NativeSubject::Values(Handle array, std::span<uint8_t> out) {
  const int64_t size = table_.values(array, out.data(), out.size());
  if (size < -1) {
    Note(Complaint::kContract, "values",
         "returned " + std::to_string(size) + "; expected a size in bytes, or -1 if it cannot read them");
  }
  return std::max<int64_t>(-1, size);
}

bool NativeSubject::Write(Handle array, int64_t index, std::span<const uint8_t> bits, Refusal& refusal) {
  if (table_.write == nullptr) {
    Unsupported(refusal, "the plug-in has no write()");
    return false;
  }
  dlpack_cts_error error = {};
  const int code = table_.write(array, index, bits.data(), bits.size(), &error);
  return Settle({"write", code, nullptr}, error, refusal);
}

bool NativeSubject::ChangeMetadata(Handle array, int how, Refusal& refusal) {
  if (table_.change == nullptr || how < DLPACK_CTS_RESHAPE || how > DLPACK_CTS_RESIZE) {
    Unsupported(refusal, "the plug-in has no change()");
    return false;
  }
  dlpack_cts_error error = {};
  return Settle({"change", table_.change(array, how, &error), nullptr}, error, refusal);
}

void NativeSubject::Close(Handle array, Refusal& refusal) {
  if (table_.close == nullptr) return Unsupported(refusal, "the plug-in has no close()");
  dlpack_cts_error error = {};
  Settle({"close", table_.close(array, &error), nullptr}, error, refusal);
}

void NativeSubject::Drop(Handle array) { table_.drop(array); }

void NativeSubject::Collect() {
  if (table_.collect != nullptr) table_.collect(table_.context);
}

Handle NativeSubject::Make(const Request& request, std::span<const uint8_t> backing, Refusal& refusal) {
  if (table_.make == nullptr) {
    Unsupported(refusal, "the plug-in has no make()");
    return nullptr;
  }
  int64_t strides[kDims] = {};
  EffectiveStrides(request, strides);
  dlpack_cts_request asked = {};
  asked.size = sizeof(asked);
  asked.dtype = {request.dtype.code, request.dtype.bits, request.dtype.lanes};
  asked.ndim = request.dims;
  asked.shape = request.shape;
  asked.strides = strides;
  asked.offset = request.offset;
  asked.backing = backing.data();
  asked.backing_size = backing.size();
  asked.read_only = request.read_only;
  asked.making = static_cast<int32_t>(request.making);
  asked.oddity = static_cast<int32_t>(request.oddity);
  dlpack_cts_array array = nullptr;
  dlpack_cts_error error = {};
  live_before_ = table_.live != nullptr ? table_.live(table_.context) : 0;
  const int code = table_.make(table_.context, &asked, &array, &error);
  return Settle({"make", code, array == nullptr ? "array" : nullptr}, error, refusal) ? array : nullptr;
}

void NativeSubject::Export(Handle array, const Call& call, int slot, Ledger& ledger) {
  ExportLedger& record = ledger.exports[slot];
  exports_[slot] = {};
  dlpack_cts_export_options options = {};
  options.size = sizeof(options);
  if (table_.export_tensor == nullptr || !ReadExportCall(call, &options)) {
    return Unsupported(record.export_call, "the plug-in interface cannot express this export");
  }
  void* managed = nullptr;
  dlpack_cts_error error = {};
  const int code = table_.export_tensor(array, &options, &managed, &error);
  if (code != DLPACK_CTS_OK && managed != nullptr) {
    Note(Complaint::kContract, "export_tensor",
         "returned " + std::to_string(code) + ", which is not DLPACK_CTS_OK, but set a struct");
  }
  if (!Settle({"export_tensor", code, managed == nullptr ? "struct" : nullptr}, error, record.export_call)) return;
  record.is_capsule = record.has_destructor = 1;  // later steps read the struct as if a capsule had held it
  record.name = options.versioned != 0 ? NameSeen::kVersioned : NameSeen::kLegacy;
  exports_[slot] = {managed, options.versioned != 0, false};
  Forge::Looking::Renew();
  RecordExport(managed, options.versioned != 0, record);
}

void NativeSubject::LoseCapsule(int slot) {
  const Exported lost = exports_[slot];
  exports_[slot] = {};
  if (lost.managed != nullptr && !lost.taken) CallDeleter(lost.managed, lost.versioned);
}

void NativeSubject::AskDevice(Handle array, SourceLedger& source) {
  Description description;
  Describe(array, description);
  if (!description.valid || !description.has_device) {
    return Unsupported(source.device_call, "describe() does not report the device");
  }
  source.device_call.outcome = Outcome::kAccepted;
  source.device_is_pair = source.device_type_is_int = source.device_id_is_int = 1;
  source.device = description.device;
}

}  // namespace dlpack_cts
