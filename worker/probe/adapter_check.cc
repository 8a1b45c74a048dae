// worker/probe/adapter_check.cc: compares make(), describe() and values() of an adapter with each other.
#include "worker/probe/adapter_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <vector>

#include "base/text.h"
#include "harness/case/case.h"
#include "harness/oracle/oracle.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/elements.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/normalize.h"
#include "subject/exported_tensor.h"
#include "subject/readable.h"
#include "worker/probe/hook_check.h"

namespace dlpack_cts::worker {
namespace {

using Bytes = std::vector<uint8_t>;

constexpr size_t kMostBytes = 4096;

/// `strides` empty: compact, and not a view.
Request Asked(const Profile& profile, abi::DLDataType dtype, int dims, int64_t offset,
              std::initializer_list<int64_t> strides) {
  Recipe recipe = MakeRecipe(RecipeKind::kExport);
  Request& request = recipe.request();
  request.dtype = dtype;
  request.read_only = profile.made_read_only;
  request.dims = static_cast<uint8_t>(dims);
  request.seed = 7;
  SetPlainShape(dims, request.shape);
  request.strides_kind = StridesKind::kCompact;
  if (strides.size() > 0) {
    request.making = Making::kView;
    request.offset = offset;
    request.strides_kind = StridesKind::kExplicit;
    std::copy(strides.begin(), strides.end(), request.strides);
  }
  KeepExtents(profile.declared, recipe);
  Normalize(recipe);
  return request;
}

/// Small requests for make(). The views have strides and an offset that differ when counted in bytes or in elements.
std::vector<Request> Samples(const Profile& profile) {
  std::vector<Request> samples;
  const auto add = [&](int dims, int64_t offset, std::initializer_list<int64_t> strides) {
    if (!profile.declared.MayHaveRank(dims)) return;
    samples.push_back(Asked(profile, DataTypes()[profile.made_dtype].dtype, dims, offset, strides));
  };
  for (int dims = 0; dims <= 3; ++dims) add(dims, 0, {});
  add(1, 1, {1});
  add(1, 1, {2});
  add(2, 2, {1, 2});
  add(3, 2, {1, 1, 2});
  return samples;
}

/// An array as describe() and values() report it, as its memory has it, and as its export describes it.
struct Views {
  Description described;
  int64_t size = -1;  // as values() returned it; -1: unknown
  Bytes values;
  bool has_memory = false;  // pointer and strides are known, and the host can read the memory
  bool memory_readable = false;
  Bytes memory;
  bool exported = false;
  Bytes through_export;
};

Meant MeantBy(const Request& request) {
  return {request.device, request.dtype, ElementCount(request.shape, request.dims)};
}

void ReadMemory(int64_t item, Views& views) {
  const Description& described = views.described;
  const int64_t count = ElementCount(described.shape, described.ndim);
  views.has_memory =
      described.has_pointer && described.has_shape && described.has_device && (described.has_strides || count == 1);
  if (!views.has_memory) return;
  views.memory.resize(kMostBytes);
  const int64_t none[kDims] = {};
  const Reading reading =
      ReadStrided(described.pointer, described.shape, described.has_strides ? described.byte_strides : none,
                  described.ndim, item, views.memory);
  views.memory_readable = reading == Reading::kMatches;
  views.memory.resize(views.memory_readable ? static_cast<size_t>(count * item) : 0);
}

Views Look(Subject& subject, Handle array, const Request& request, const Profile& profile) {
  Views views;
  const int64_t item = ItemSize(request.dtype);
  subject.Describe(array, views.described);
  if (!Comparable(views.described)) return views;
  // If the memory must not be read, only the shape is compared.
  if (BytesToRead(views.described, MeantBy(request), kMostBytes) <= 0) return views;
  views.values.resize(kMostBytes);
  views.size = subject.Values(array, views.values);
  views.values.resize(static_cast<size_t>(std::clamp<int64_t>(views.size, 0, kMostBytes)));
  ReadMemory(item, views);
  static Ledger ledger;
  Clear(ledger);
  subject.exporter().Export(array, PlainExportCall(profile), 0, ledger);
  if (subject.exporter().ExportedStruct(0) == nullptr) return views;
  const ExportLedger& record = ledger.exports[0];
  views.exported = true;
  views.through_export.resize(kMostBytes);
  const bool readable = ReadExported(record, views.through_export) == Reading::kMatches;
  const int64_t count = ElementCount(record.shape, std::clamp(record.tensor.ndim, 0, kDims));
  views.through_export.resize(
      readable ? static_cast<size_t>(std::clamp<int64_t>(count * ItemSize(record.tensor.dtype), 0, kMostBytes)) : 0);
  subject.exporter().LoseCapsule(0);
  // Cases report an exception that a destructor leaves pending.
  (void)subject.runtime().ForgetException();
  return views;
}

Bytes Swapped(const Bytes& bytes, int64_t item) {
  Bytes swapped = bytes;
  for (auto at = swapped.begin(); swapped.end() - at >= item; at += item) std::reverse(at, at + item);
  return swapped;
}

/// The elements of a matrix, column by column.
Bytes Transposed(const Bytes& bytes, const int64_t* shape, int dims, int64_t item) {
  Bytes columns;
  if (dims != 2) return columns;
  for (int64_t j = 0; j < shape[1]; ++j) {
    for (int64_t i = 0; i < shape[0]; ++i) {
      const auto from = bytes.begin() + (i * shape[1] + j) * item;
      columns.insert(columns.end(), from, from + item);
    }
  }
  return columns;
}

std::string WrongValues(const Bytes& got, const Bytes& wanted, const int64_t* shape, int dims, abi::DLDataType dtype) {
  const int64_t item = ItemSize(dtype);
  const std::string array = fmt::format("a {} array of shape {}", DataTypeName(dtype), TupleText(shape, dims));
  if (item > 1 && got == Swapped(wanted, item)) {
    return fmt::format(
        "the adapter's values() returned the elements of {} in foreign byte order; return them in native byte order",
        array);
  }
  if (got == Transposed(wanted, shape, dims, item)) {
    return fmt::format(
        "the adapter's values() returned the elements of {} column by column; return them in row-major order", array);
  }
  return fmt::format(
      "the adapter's values() returned other elements of {} than its memory holds; return all elements, row-major, in "
      "native byte order",
      array);
}

/// Whether the strides are right if they count elements.
bool CountsElements(const Description& described, const int64_t* byte_strides, int64_t item) {
  bool informs = false;
  for (int d = 0; d < described.ndim; ++d) {
    if (described.shape[d] <= 1) continue;
    informs = true;
    if (described.byte_strides[d] * item != byte_strides[d]) return false;
  }
  return informs && item > 1;
}

std::string WrongDescription(const Description& described, const int64_t* strides, abi::DLDataType dtype) {
  const int64_t item = ItemSize(dtype);
  int64_t byte_strides[kDims] = {};
  for (int d = 0; d < described.ndim; ++d) byte_strides[d] = strides[d] * item;
  const std::string array =
      fmt::format("a {} array of shape {}", DataTypeName(dtype), TupleText(described.shape, described.ndim));
  if (CountsElements(described, byte_strides, item)) {
    return fmt::format(
        "the adapter's describe() returned for {} the strides {}, which count elements; return strides in bytes, {}",
        array, TupleText(described.byte_strides, described.ndim), TupleText(byte_strides, described.ndim));
  }
  return fmt::format(
      "the adapter's describe() returned for {} a pointer and strides {} that lead to other elements than values(); "
      "return the address of element 0 and strides in bytes, or None for what is unknown",
      array, TupleText(described.byte_strides, described.ndim));
}

std::string WrongLength(int64_t size, const int64_t* shape, int dims, abi::DLDataType dtype) {
  return fmt::format("the adapter's values() returned {} bytes for a {} array of shape {}; return {} bytes", size,
                     DataTypeName(dtype), TupleText(shape, dims), ElementCount(shape, dims) * ItemSize(dtype));
}

std::string WrongMake(const Request& request, const int64_t* strides) {
  const std::string asked =
      fmt::format("a {} array of shape {}, strides {} and offset {}", DataTypeName(request.dtype),
                  TupleText(request.shape, request.dims), TupleText(strides, request.dims), request.offset);
  return fmt::format(
      "the adapter's make() was asked for {}, but returned an array with other elements; element i must come from "
      "offset + sum(i * strides) of request.backing, all counted in elements of request.itemsize bytes",
      asked);
}

/// The error message about one made array, or "".
std::string Judge(const Request& request, const Bytes& wanted, const Views& views, const ImportsWell& imports_well) {
  const Description& described = views.described;
  std::string type = CheckMadeType(described, request.dtype);
  if (!type.empty()) return type;
  const bool promoted = request.dims == 0 && described.ndim == 1 && described.shape[0] == 1;
  const bool same =
      described.ndim == request.dims && std::equal(request.shape, request.shape + request.dims, described.shape);
  if (described.has_shape && !same && !promoted) {
    return fmt::format(
        "the adapter's make() was asked for the shape {}, but describe() returned {}; the shapes must be equal",
        TupleText(request.shape, request.dims), TupleText(described.shape, std::min(described.ndim, kDims)));
  }
  if (views.size < 0) return {};  // values() cannot read the array
  const bool export_is_right = !views.exported || views.through_export == wanted;
  if (views.size != static_cast<int64_t>(wanted.size())) {
    return export_is_right ? WrongLength(views.size, request.shape, request.dims, request.dtype) : std::string();
  }
  const bool values_are_right = views.values == wanted;
  const bool memory_is_right = views.memory_readable && views.memory == wanted;
  int64_t strides[kDims] = {};
  EffectiveStrides(request, strides);
  if (values_are_right) {
    const bool innocent = !views.has_memory || memory_is_right || !export_is_right;
    if (innocent) return {};
    // The library may choose another layout, so the strides in the message are those of the default layout.
    int64_t compact[kDims] = {};
    CompactStrides(described.shape, described.ndim, compact);
    return WrongDescription(described, request.making == Making::kView ? strides : compact, request.dtype);
  }
  if (memory_is_right) {
    return export_is_right ? WrongValues(views.values, wanted, request.shape, request.dims, request.dtype)
                           : std::string();
  }
  // Memory and values() agree on the wrong elements, so make() made the wrong array.
  if (views.memory_readable && views.memory == views.values) {
    return imports_well(request.dims, request.dtype) ? WrongMake(request, strides) : std::string();
  }
  // The address of the elements is unknown. The export is right, so the array is right too.
  if (views.exported && export_is_right) {
    return WrongValues(views.values, wanted, request.shape, request.dims, request.dtype);
  }
  return {};
}

/// For the default array an exception is an error of the adapter.
std::string CheckOne(Subject& subject, const Profile& profile, const Request& request, bool plainest,
                     const ImportsWell& imports_well) {
  const int64_t item = ItemSize(request.dtype);
  int64_t strides[kDims] = {};
  EffectiveStrides(request, strides);
  const int64_t elements = request.offset + ElementSpan(request.shape, strides, request.dims).highest + 1;
  Bytes backing(static_cast<size_t>(elements * item));
  ElementRun(request.dtype, request.seed, 0, 1, elements, backing.data());
  Refusal refusal{};
  Handle array = subject.exporter().Make(request, backing, refusal);
  if (array == nullptr) return {};
  subject.Take(Complaint::kHook);
  const Views views = Look(subject, array, request, profile);
  const std::string failure = subject.Take(Complaint::kHook);
  std::string complaint = subject.Take(Complaint::kReading);
  // For a dtype that values() does not support, any exception is allowed.
  if (DataTypeIndex(request.dtype) != profile.made_dtype) complaint.clear();
  const MadeArray made{array, request, views.described, views.values, plainest};
  if (plainest && complaint.empty()) complaint = failure;
  if (plainest && complaint.empty()) complaint = CheckDevice(subject, profile, made);
  Bytes wanted(static_cast<size_t>(ElementCount(request.shape, request.dims) * item));
  ExpectedElements(request, wanted);
  if (complaint.empty() && Comparable(views.described)) complaint = Judge(request, wanted, views, imports_well);
  if (complaint.empty() && views.values == wanted) complaint = CheckHooks(subject, profile, made);
  subject.Drop(array);
  return complaint;
}

}  // namespace

std::string CheckMade(Subject& subject, const Profile& profile, const ImportsWell& imports_well) {
  for (const Request& request : Samples(profile)) {
    const bool plainest = request.dims == profile.made_rank && request.making != Making::kView;
    std::string complaint = CheckOne(subject, profile, request, plainest, imports_well);
    if (!complaint.empty()) return complaint;
  }
  return {};
}

std::string CheckMadeOf(Subject& subject, const Profile& profile, abi::DLDataType dtype,
                        const ImportsWell& imports_well) {
  const int dims = profile.declared.MayHaveRank(1) ? 1 : profile.made_rank;
  return CheckOne(subject, profile, Asked(profile, dtype, dims, 0, {}), false, imports_well);
}

std::string CheckImported(const Offer& offer, const ImportLedger& record) {
  const Description& described = record.result;
  if (!Comparable(described)) return {};
  std::string name = CheckTypeName(described, offer.dtype);
  if (!name.empty()) return name;
  const bool same = described.has_shape && described.ndim == offer.dims &&
                    std::equal(offer.shape, offer.shape + offer.dims, described.shape);
  const bool typed = described.known_dtype && described.dtype == offer.dtype;
  if (!same || !typed) return {};
  // values() must have the size that follows from describe(), even if the import was wrong.
  if (record.library.reading == Reading::kWrongCount) {
    return WrongLength(static_cast<int64_t>(record.library.got_bits), offer.shape, offer.dims, offer.dtype);
  }
  const bool memory_differs =
      record.memory.reading == Reading::kDiffers || record.memory.reading == Reading::kUnreadable;
  if (record.library.reading != Reading::kMatches || !memory_differs || !described.has_strides) return {};
  int64_t byte_strides[kDims] = {};
  int64_t strides[kDims] = {};
  EffectiveStrides(offer, strides);
  for (int d = 0; d < offer.dims; ++d) byte_strides[d] = strides[d] * ItemSize(offer.dtype);
  const bool elements = CountsElements(described, byte_strides, ItemSize(offer.dtype));
  return elements ? WrongDescription(described, strides, offer.dtype) : std::string();
}

std::string CheckMadeType(const Description& described, abi::DLDataType dtype) {
  if (!described.valid || !described.known_dtype || described.dtype == dtype) return CheckTypeName(described, dtype);
  return fmt::format(
      "the adapter's make() was asked for {}, but describe() returned {}; raise NotImplementedError for a type that "
      "the "
      "library does not have",
      DataTypeName(dtype), described.dtype_name.view());
}

std::string CheckReadOnly(const Description& described, const ExportLedger& exported) {
  const bool flagged = exported.is_capsule && exported.versioned && (exported.flags & abi::kFlagReadOnly) != 0;
  if (!described.valid || described.writable != Answer::kYes || !flagged) return {};
  return "the adapter's describe() returned writable = True for a read-only array, which the library exports with "
         "DLPACK_FLAG_BITMASK_READ_ONLY; return False, or None if the library does not say";
}

std::string CheckTypeName(const Description& described, abi::DLDataType dtype) {
  // A plug-in returns (code, bits, lanes), and many of them have no name.
  const bool triple = described.dtype.bits != 0;
  if (!described.valid || described.known_dtype || triple || described.dtype_name.empty()) return {};
  const std::string_view name = described.dtype_name.view();
  std::string_view meant = MeansDataType(name, dtype) ? DataTypeName(dtype) : std::string_view();
  for (const NamedDataType& other : DataTypes()) {
    if (meant.empty() && MeansDataType(name, other.dtype)) meant = other.name;
  }
  return fmt::format("the adapter's describe() returned for a {} array the dtype {}; {}", DataTypeName(dtype),
                     Quoted(name),
                     meant.empty() ? "return a name such as \"float32\", or None for a type without one"
                                   : fmt::format("did you mean \"{}\"?", meant));
}

std::string Quoted(std::string_view text) {
  constexpr size_t kMost = 24;
  std::string quoted = "\"";
  for (const char c : text.substr(0, kMost)) {
    const bool printable = c >= ' ' && c <= '~' && c != '"' && c != '\\';
    quoted += printable ? std::string(1, c) : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return quoted + (text.size() > kMost ? "...\"" : "\"");
}

}  // namespace dlpack_cts::worker
