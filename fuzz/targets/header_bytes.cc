// fuzz/targets/header_bytes.cc: reads and writes the inputs of the target `header`.
#include "fuzz/targets/header_bytes.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "harness/recipe/normalize.h"

namespace dlpack_cts::fuzz {
namespace {

using Managed = abi::DLManagedTensorVersioned;
static_assert(sizeof(Managed) == 80);

constexpr uint64_t kContextMask = 3;
constexpr uint64_t kLegacy = 1u << 2;
constexpr uint64_t kReadOnlyStruct = 1u << 3;
constexpr int kCopyShift = 4;
constexpr uint64_t kNoDeleter = 1u << 0;
constexpr uint64_t kSeals = 1u << 1;
constexpr int kAlignmentShift = 4;

constexpr ArgumentKind kCopies[] = {ArgumentKind::kAbsent, ArgumentKind::kTrue, ArgumentKind::kFalse,
                                    ArgumentKind::kAbsent};
constexpr Placement kPlacements[] = {Placement::kEndsAtGuard, Placement::kStartsAtGuard, Placement::kReadOnlyPage,
                                     Placement::kUnmapped,    Placement::kNull,          Placement::kForeignHandle};

/// The position of a value in a table; 0 if it is not there.
template <typename Value, size_t kSize>
uint64_t IndexOf(const Value (&table)[kSize], Value value) {
  const auto* const found = std::find(std::begin(table), std::end(table), value);
  return found == std::end(table) ? 0 : static_cast<uint64_t>(found - std::begin(table));
}

/// The number that stands in the place of a pointer. Its other bytes have no meaning.
template <typename Pointer>
uint64_t LowByte(const Pointer& field) {
  uint64_t number = 0;
  static_assert(sizeof(field) == sizeof(number));
  std::memcpy(&number, &field, sizeof(number));
  return number & 0xff;
}

template <typename Pointer>
void SetLowByte(uint64_t number, Pointer& field) {
  static_assert(sizeof(field) == sizeof(number));
  std::memcpy(&field, &number, sizeof(number));
}

class Source {
 public:
  explicit Source(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  void Read(void* to, size_t size) {
    const size_t now = std::min(size, bytes_.size());
    if (now != 0) std::memcpy(to, bytes_.data(), now);
    bytes_ = bytes_.subspan(now);
  }

 private:
  std::span<const uint8_t> bytes_;
};

}  // namespace

Recipe DecodeHeader(std::span<const uint8_t> bytes) {
  Managed managed = {};
  Source source(bytes);
  source.Read(&managed, sizeof(managed));
  const abi::DLTensor& tensor = managed.dl_tensor;
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  Offer& offer = recipe.offer();

  const uint64_t context = LowByte(managed.manager_ctx);
  offer.context = static_cast<ContextKind>(context & kContextMask);
  offer.kind = (context & kLegacy) != 0 ? StructKind::kLegacy : StructKind::kVersioned;
  offer.place = (context & kReadOnlyStruct) != 0 ? StructPlace::kReadOnly : StructPlace::kGuarded;
  recipe.call().copy.kind = kCopies[(context >> kCopyShift) % std::size(kCopies)];
  const uint64_t deleter = LowByte(managed.deleter);
  offer.deleter = (deleter & kNoDeleter) != 0 ? DeleterKind::kNull : DeleterKind::kCounting;
  offer.seal_on_delete = (deleter & kSeals) != 0 ? 1 : 0;
  const uint64_t data = LowByte(tensor.data);
  offer.placement = kPlacements[(data & 0xf) % std::size(kPlacements)];
  offer.alignment_log2 = static_cast<uint8_t>(data >> kAlignmentShift);
  offer.null_shape = LowByte(tensor.shape) & 1;
  offer.strides_kind = static_cast<StridesKind>(LowByte(tensor.strides) % 3);

  offer.major = managed.version.major;
  offer.minor = managed.version.minor;
  offer.flags = managed.flags;
  offer.device = offer.reported_device = tensor.device;
  offer.dtype = tensor.dtype;
  offer.ndim = tensor.ndim;
  offer.byte_offset = tensor.byte_offset;
  offer.dims = static_cast<uint8_t>(std::clamp<int32_t>(tensor.ndim, 0, kDims));
  source.Read(offer.shape, offer.dims * sizeof(int64_t));
  source.Read(offer.strides, offer.dims * sizeof(int64_t));
  offer.negative_metadata = 1;  // all values stay as they are; FoldHeader() decides which are possible
  Normalize(recipe);
  return recipe;
}

std::vector<uint8_t> EncodeHeader(const Recipe& recipe) {
  const Offer& offer = recipe.offer();
  Managed managed = {};
  abi::DLTensor& tensor = managed.dl_tensor;
  SetLowByte(static_cast<uint64_t>(offer.context) | (offer.kind == StructKind::kLegacy ? kLegacy : 0) |
                 (offer.place == StructPlace::kReadOnly ? kReadOnlyStruct : 0) |
                 IndexOf(kCopies, recipe.call().copy.kind) << kCopyShift,
             managed.manager_ctx);
  SetLowByte((offer.deleter == DeleterKind::kNull ? kNoDeleter : 0) | (offer.seal_on_delete != 0 ? kSeals : 0),
             managed.deleter);
  SetLowByte(IndexOf(kPlacements, offer.placement) | uint64_t{offer.alignment_log2} << kAlignmentShift, tensor.data);
  SetLowByte(offer.null_shape, tensor.shape);
  SetLowByte(static_cast<uint64_t>(offer.strides_kind), tensor.strides);

  managed.version = {offer.major, offer.minor};
  managed.flags = offer.flags;
  tensor.device = offer.device;
  tensor.dtype = offer.dtype;
  tensor.ndim = offer.ndim;
  tensor.byte_offset = offer.byte_offset;
  std::vector<uint8_t> bytes(sizeof(managed));
  std::memcpy(bytes.data(), &managed, sizeof(managed));
  const auto add = [&bytes, &offer](const int64_t* entries) {
    const auto* const begin = reinterpret_cast<const uint8_t*>(entries);
    bytes.insert(bytes.end(), begin, begin + offer.dims * sizeof(int64_t));
  };
  add(offer.shape);
  if (offer.strides_kind == StridesKind::kExplicit) add(offer.strides);
  return bytes;
}

}  // namespace dlpack_cts::fuzz
