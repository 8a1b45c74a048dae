// reference/array.cc: the arrays of the reference: making, reading, writing, changing in place.
#include "reference/array.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "harness/recipe/dtypes.h"
#include "harness/recipe/packing.h"
#include "reference/managed.h"

namespace dlpack_cts {
namespace {

constexpr int64_t kLargestCopy = int64_t{1} << 28;  // bytes; a huge extent must not use up the machine's memory
constexpr int64_t kAlignment = 256;                 // of every memory block in bytes; dlpack.h asks for 256
constexpr int64_t kLead =
    kAlignment;  // bytes before each memory block, so that data of an export can be lower than element 0

/// Memory that a mutant frees too early stays mapped and is overwritten, so that what a reader sees does not depend on
/// the allocator. A leak checker finds it through this list.
std::mutex g_mutex;
std::vector<uint8_t*> g_scrubbed;

class Block : public Owner {
 public:
  explicit Block(int64_t size)
      : library_(Acting::Now()),
        size_(static_cast<size_t>((size + 2 * kLead + kAlignment - 1) / kAlignment * kAlignment)),
        bytes_(static_cast<uint8_t*>(std::aligned_alloc(kAlignment, size_))) {
    if (bytes_ == nullptr) throw std::bad_alloc();
    ++library_.live_blocks;
  }
  ~Block() override {
    if (scrub) {
      std::memset(bytes_, 0xDB, size_);
      const std::lock_guard lock(g_mutex);
      g_scrubbed.push_back(bytes_);
    } else {
      std::free(bytes_);
    }
    --library_.live_blocks;
  }
  void Kill() override {
    killed = true;
    std::memset(bytes_, 0xDB, size_);
  }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  uint8_t* store() { return bytes_ + kLead; }

 private:
  Reference& library_;
  size_t size_;
  uint8_t* bytes_;
};

/// Copies one element. The common sizes become one move each.
inline void CopyElement(uint8_t* to, const uint8_t* from, int64_t size) {
  switch (size) {
    case 1:
      *to = *from;
      return;
    case 2:
      std::memcpy(to, from, 2);
      return;
    case 4:
      std::memcpy(to, from, 4);
      return;
    case 8:
      std::memcpy(to, from, 8);
      return;
    default:
      std::memcpy(to, from, static_cast<size_t>(size));
  }
}

/// Calls `visit` with the distance of each element from the first one, in units of Array::steps, in row-major order.
template <typename Visit>
void ForEachPlace(const Array& array, int dim, int64_t at, const Visit& visit) {
  if (dim == array.ndim) return visit(at);
  for (int64_t i = 0; i < array.shape[dim]; ++i) ForEachPlace(array, dim + 1, at + i * array.steps[dim], visit);
}

/// The position of a packed element in bits, counted from the lowest bit of *array.first.
int64_t BitOf(const Array& array, int64_t at) {
  const int64_t bit = array.bit + at * array.packed;
  return array.high_first ? (bit & ~int64_t{7}) + (8 - array.packed - (bit & 7)) : bit;
}

void GatherPacked(const Array& array, uint8_t* out) {
  const auto width = static_cast<int>(ItemBits(array.dtype));
  ForEachPlace(array, 0, 0, [&](int64_t at) { *out++ = BitsAt(array.first, BitOf(array, at), width); });
}

/// Sets how the library stores the elements of an array that it makes.
void ChooseStorage(const Having& having, Array& array) {
  if (!IsSubByte(array.dtype)) return;
  array.packed = static_cast<uint8_t>(PackedBits(array.dtype, false));
  Occasion occasion;
  occasion.dtype = array.dtype;
  if (!Holds(having.stored, occasion)) return;
  const bool whole = 8 % array.packed == 0;
  array.padded = having.storage == Storage::kPadded;
  array.high_first = having.storage == Storage::kHighFirst && whole;
  if (having.storage == Storage::kNibbles && array.packed == 2) array.packed = 4;
  if (array.padded) array.packed = 0;
}

uint8_t* Gather(const Array& array, int dim, const uint8_t* from, uint8_t* out, int64_t size) {
  if (dim == array.ndim) {
    CopyElement(out, from, size);
    return out + size;
  }
  const int64_t extent = array.shape[dim];
  const int64_t step = array.steps[dim];
  if (dim == array.ndim - 1) {
    for (int64_t i = 0; i < extent; ++i) CopyElement(out + i * size, from + i * step, size);
    return out + extent * size;
  }
  for (int64_t i = 0; i < extent; ++i) out = Gather(array, dim + 1, from + i * step, out, size);
  return out;
}

void SetCompactSteps(Array& array) {
  int64_t step = array.ItemSize();
  for (int d = array.ndim - 1; d >= 0; --d) {
    array.steps[d] = array.shape[d] > 1 ? step : 0;
    step *= array.shape[d] > 0 ? array.shape[d] : 1;
  }
}

/// Strides in elements for mutants whose exports point into the array.
void SetLiveStrides(Array& array) {
  for (int d = 0; d < array.ndim; ++d) array.live_strides[d] = array.steps[d] / array.ItemSize();
}

/// Converts between the bytes in memory and the values of a lazy or byte-swapped array. It is its own inverse.
void Resolve(abi::DLDataType dtype, Oddity oddity, uint8_t* bytes, int64_t count, int64_t pitch) {
  const bool complex = dtype.code == abi::kDLComplex;
  const int64_t item = ItemSize(dtype);
  const int64_t part = complex ? item / 2 : item;
  for (int64_t i = 0; i < count; ++i) {
    for (int64_t at = 0; at < item; at += part) {
      uint8_t* element = bytes + i * pitch + at;
      if (oddity == Oddity::kForeignByteOrder) std::reverse(element, element + part);
      if (oddity == Oddity::kSparse) std::transform(element, element + part, element, std::bit_not<uint8_t>());
      if (oddity == Oddity::kNegated || (oddity == Oddity::kConjugate && complex && at > 0)) element[part - 1] ^= 0x80;
    }
  }
}

bool IsLazy(Oddity oddity) {
  return oddity == Oddity::kForeignByteOrder || oddity == Oddity::kNegated || oddity == Oddity::kConjugate ||
         oddity == Oddity::kSparse;  // the memory holds something else than the elements
}

void Adopt(Array& array, int64_t bytes) {
  auto block = std::make_shared<Block>(bytes);
  array.first = array.base = block->store();
  array.owner = std::move(block);
}

/// Writes values, one or more whole bytes each, into the array's own memory, from its first element on.
void Store(Array& array, std::span<const uint8_t> values) {
  if (array.packed == 0) {
    std::memcpy(array.first, values.data(), values.size());
    return;
  }
  const auto count = static_cast<int64_t>(values.size());
  for (int64_t i = 0; i < count; ++i) {
    SetBitsAt(array.first, BitOf(array, i), static_cast<int>(ItemBits(array.dtype)), values[static_cast<size_t>(i)]);
  }
}

/// Writes the backing values into the array's memory, `pitch` bytes from one element to the next. Returns false if
/// packed elements start inside a byte and the library does not support that.
bool StoreBacking(const MakeOptions& options, int64_t pitch, Array& array) {
  const int64_t item = array.ItemSize();
  const auto elements = static_cast<int64_t>(options.backing.size()) / item;
  if (array.packed != 0) {
    array.first = array.base;
    Store(array, options.backing);
    const int64_t begin = array.Count() == 0 ? 0 : options.offset * array.packed;
    array.first = array.base + begin / 8;
    array.bit = static_cast<uint8_t>(begin % 8);
    return array.bit == 0 || !ActiveBehaviour().having.whole_bytes;
  }
  if (pitch == item && elements > 0) {
    std::memcpy(array.base, options.backing.data(), static_cast<size_t>(elements * item));
    return true;
  }
  for (int64_t i = 0; i < elements; ++i) {
    std::memcpy(array.base + i * pitch, options.backing.data() + i * item, static_cast<size_t>(item));
  }
  return true;
}

}  // namespace

std::unique_ptr<Array> Array::View() const {
  auto view = std::make_unique<Array>();
  const bool imported_alone =
      imported && Holds(ActiveBehaviour().owning.view_keeps_nothing, OccasionOf(*this, true, -1));
  view->owner = imported_alone ? nullptr : owner;
  view->first = first;
  view->base = base;
  view->device = device;
  view->opaque = opaque;
  view->apart = apart;
  view->dtype = dtype;
  view->raw = raw;
  view->ndim = ndim;
  view->read_only = read_only && !Holds(ActiveBehaviour().owning.view_is_writable, OccasionOf(*this, true, -1));
  view->padded = padded;
  view->packed = packed;
  view->bit = bit;
  view->high_first = high_first;
  view->imported = imported;
  view->was_copy = was_copy;
  view->views = static_cast<uint8_t>(views + 1);
  view->oddity = oddity;
  std::memcpy(view->shape, shape, sizeof(int64_t) * static_cast<size_t>(ndim));
  std::memcpy(view->steps, steps, sizeof(int64_t) * static_cast<size_t>(ndim));
  return view;
}

bool Array::IsOpaque() const { return device.device_type != abi::kDLCPU || !IsKnownType(dtype); }

int64_t Array::Count() const {
  int64_t count = 1;
  for (int d = 0; d < ndim; ++d) {
    if (shape[d] == 0) return 0;
    if (__builtin_mul_overflow(count, shape[d], &count)) count = INT64_MAX;
  }
  return count;
}

bool Array::IsCompact() const {
  int64_t step = ItemSize();
  for (int d = ndim - 1; d >= 0; --d) {
    if (shape[d] == 0) return true;
    if (shape[d] > 1 && steps[d] != step) return false;
    step *= shape[d];
  }
  return true;
}

void ReadElements(const Array& array, uint8_t* out) {
  const int64_t count = array.Count();
  if (count == 0) return;
  if (!array.remembered.empty()) {
    std::memcpy(out, array.remembered.data(), array.remembered.size());
    return;
  }
  if (array.packed != 0) {
    GatherPacked(array, out);
  } else if (array.IsCompact()) {
    std::memcpy(out, array.first, static_cast<size_t>(count * array.ItemSize()));
  } else {
    Gather(array, 0, array.first, out, array.ItemSize());
  }
  if (IsLazy(array.oddity)) Resolve(array.dtype, array.oddity, out, count, array.ItemSize());
}

std::unique_ptr<Array> CopyArray(const Array& array) {
  int64_t bytes = 0;
  if (__builtin_mul_overflow(array.Count(), array.ItemSize(), &bytes) || bytes > kLargestCopy) throw std::bad_alloc();
  auto copy = std::make_unique<Array>();
  copy->dtype = array.dtype;
  copy->raw = array.raw;
  copy->ndim = array.ndim;
  copy->padded = array.padded;
  std::memcpy(copy->shape, array.shape, sizeof(int64_t) * static_cast<size_t>(array.ndim));
  copy->packed = array.packed;
  copy->high_first = array.high_first;
  SetCompactSteps(*copy);
  Adopt(*copy, bytes);
  if (copy->packed == 0) {
    ReadElements(array, copy->first);
  } else {
    std::vector<uint8_t> values(static_cast<size_t>(bytes));
    ReadElements(array, values.data());
    Store(*copy, values);
  }
  return copy;
}

bool WriteElement(Array& array, int64_t index, const uint8_t* bits) {
  if (array.opaque || (array.read_only && !ActiveBehaviour().owning.writes_read_only)) return false;
  if (index < 0 || index >= array.Count()) return false;
  array.resolved.reset();
  int64_t at = 0;
  for (int d = array.ndim - 1; d >= 0; --d) {
    at += index % array.shape[d] * array.steps[d];
    index /= array.shape[d];
  }
  if (array.packed != 0) {
    SetBitsAt(array.first, BitOf(array, at), static_cast<int>(ItemBits(array.dtype)), *bits);
  } else {
    CopyElement(array.first + at, bits, array.ItemSize());
  }
  return true;
}

bool ChangeArray(Array& array, int how, Denial* denial) {
  array.resolved.reset();
  if (array.owner.use_count() > 1 && Holds(ActiveBehaviour().exporting.refuses_changes, Occasion{})) {
    *denial = {kPathPolite, "the memory of this array is shared"};
    return false;
  }
  if (how == 1) {
    for (int low = 0, high = array.ndim - 1; low < high; ++low, --high) {
      std::swap(array.shape[low], array.shape[high]);
      std::swap(array.steps[low], array.steps[high]);
    }
    SetLiveStrides(array);
    return true;
  }
  if (!array.IsCompact()) {
    *denial = {kPathPolite, "only compact arrays can be given another shape in place"};
    return false;
  }
  const int64_t count = array.Count();
  if (how == 2) {
    if (array.imported || array.read_only) {
      *denial = {kPathPolite, "this array does not own its memory"};
      return false;
    }
    // Exports and views keep the old memory block.
    const std::shared_ptr<Owner> old = array.owner;
    std::vector<uint8_t> values(static_cast<size_t>((count + 1) * array.ItemSize()));
    ReadElements(array, values.data());
    if (old.use_count() > 2 && Holds(ActiveBehaviour().exporting.resize_dies, Occasion{})) {
      const std::vector<uint8_t> others(values.size() - static_cast<size_t>(array.ItemSize()), 0xDD);
      Store(array, others);
    }
    Adopt(array, static_cast<int64_t>(values.size()));
    array.bit = 0;
    Store(array, values);
  }
  array.ndim = 1;
  array.shape[0] = count + (how == 2 ? 1 : 0);
  SetCompactSteps(array);
  SetLiveStrides(array);
  return true;
}

std::unique_ptr<Array> MakeArray(const MakeOptions& options, Denial* denial) {
  const Having& having = ActiveBehaviour().having;
  const std::optional<abi::DLDataType> dtype = DataTypeOf(options.dtype);
  const bool kept = having.vectors == Vectors::kKept;
  if (!dtype.has_value() || (dtype->lanes > 1 && !kept)) {
    *denial = {kPathDtype, "the reference has no such type"};
    return nullptr;
  }
  auto array = std::make_unique<Array>();
  array->dtype = *dtype;
  const bool has_rank = having.HasRank(static_cast<int64_t>(options.shape.size()));
  const bool refused = IsSubByte(array->dtype) && having.storage == Storage::kRefused;
  if (((having.lacks_codes >> array->dtype.code) & 1u) != 0 || !has_rank || refused) {
    *denial = {kPathDtype, "there are no such arrays"};
    return nullptr;
  }
  const int64_t item = array->ItemSize();
  if (options.shape.size() > kMaxDims || options.shape.size() != options.strides.size()) {
    *denial = {kPathDims, "the reference has at most 64 dimensions, with one stride each"};
    return nullptr;
  }
  array->ndim = static_cast<int32_t>(options.shape.size());
  // An unaligned stride is that of a field in a packed record: the size of the element plus one byte.
  const int64_t pitch = options.oddity == Oddity::kUnalignedStride ? item + 1 : item;
  int64_t lowest = 0;
  int64_t highest = 0;
  for (int d = 0; d < array->ndim; ++d) {
    const auto at = static_cast<size_t>(d);
    array->shape[d] = options.shape[at];
    array->steps[d] = options.shape[at] > 1                   ? options.strides[at] * pitch
                      : options.oddity == Oddity::kIdleStride ? item + 1
                                                              : 0;
    if (options.shape[at] <= 1) continue;
    (array->steps[d] < 0 ? lowest : highest) += (options.shape[at] - 1) * array->steps[d];
  }
  const auto elements = static_cast<int64_t>(options.backing.size()) / item;
  Adopt(*array, elements * pitch);
  ChooseStorage(having, *array);
  array->first = array->base + options.offset * pitch;
  const bool inside = options.offset >= 0 && options.offset * pitch + lowest >= 0 &&
                      options.offset * pitch + highest < elements * pitch;
  if (array->Count() == 0) {
    array->first = array->base;
  } else if (!inside) {
    *denial = {kPathShape, "the backing store is too small for shape and strides"};
    return nullptr;
  }
  if (!StoreBacking(options, pitch, *array)) {
    *denial = {kPathDtype, "slices of such arrays start at the border of a byte"};
    return nullptr;
  }
  if (IsLazy(options.oddity)) Resolve(array->dtype, options.oddity, array->base, elements, pitch);
  if (options.oddity == Oddity::kZeros) std::memset(array->base, 0, static_cast<size_t>(elements * pitch));
  array->read_only = options.read_only || having.immutable;
  array->oddity = options.oddity;
  const bool plain = options.oddity == Oddity::kNone;
  if (plain && Holds(having.compacts, OccasionOf(*array, true, -1))) return CopyArray(*array);
  return array;
}

}  // namespace dlpack_cts
