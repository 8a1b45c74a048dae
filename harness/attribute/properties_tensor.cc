// harness/attribute/properties_tensor.cc: properties that offers and requests both have: dtype and layout.
#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "harness/attribute/property_rows.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/elements.h"
#include "harness/recipe/laws.h"
#include "harness/recipe/packing.h"

namespace dlpack_cts {
namespace {

// ---- Dtypes.

constexpr abi::DLDataType kPlainType{abi::kDLFloat, 32, 1};

/// Sets the dtype. A larger one may need more alignment, and an offset of whole elements.
void GiveType(Offer& offer, abi::DLDataType dtype) {
  offer.dtype = dtype;
  const auto unit = static_cast<uint64_t>(std::max<int64_t>(1, ItemSize(dtype)));
  offer.byte_offset += (unit - offer.byte_offset % unit) % unit;
  offer.alignment_log2 = static_cast<uint8_t>(std::max<int>(offer.alignment_log2, NaturalAlignmentLog2(dtype)));
}
void GiveType(Request& request, abi::DLDataType dtype) { request.dtype = dtype; }

/// Sets a scalar dtype. The number of lanes is a property of its own.
void SetType(Recipe& recipe, int index) {
  abi::DLDataType dtype = index < 0 ? kPlainType : DataTypes()[static_cast<size_t>(index)].dtype;
  ForEach<Tensor>(recipe, [&](auto& tensor) {
    dtype.lanes = tensor.dtype.lanes;
    GiveType(tensor, dtype);
  });
}

/// Whether the code is that of a 6-bit or 4-bit float, with other bits.
bool HasOddBits(abi::DLDataType dtype) {
  dtype.lanes = 1;
  const NamedDataType* const type = TypeOfCode(dtype.code);
  return type != nullptr && type->dtype.bits < 8 && DataTypeIndex(dtype) < 0;
}

// Comparing with the one dtype costs less than looking up the tensor's dtype: each exchange is asked for all of them.
constexpr auto kHasType = Some<Tensor>([](const auto& tensor, int index) {
  abi::DLDataType dtype = tensor.dtype;
  dtype.lanes = 1;
  return dtype == DataTypes()[static_cast<size_t>(index)].dtype && !HasOddBits(dtype);
});
constexpr auto kHasUnnamed = Some<Tensor>([](const auto& tensor) {
  abi::DLDataType dtype = tensor.dtype;
  dtype.lanes = 1;
  return DataTypeIndex(dtype) < 0 && !HasOddBits(dtype);
});

constexpr auto kSetLanes =
    Each<Tensor>([](auto& tensor, int lanes) { tensor.dtype.lanes = static_cast<uint16_t>(lanes); });

constexpr auto kHasLanes = Some<Tensor>([](const auto& tensor) { return tensor.dtype.lanes != 1; });

Property TypeProperty() {
  Property property{"dtype", [](Recipe& recipe) { SetType(recipe, -1); }, {}};
  const auto add = [&](int index) {
    const NamedDataType& type = DataTypes()[static_cast<size_t>(index)];
    const std::string name(type.name);
    property.values.push_back({(IsSubByte(type.dtype) ? "sub-byte-" : "dtype-") + name, "the element type is " + name,
                               kHasType, SetType, index});
  };
  // Dtypes that every library has come first.
  constexpr std::array<std::string_view, 4> kUsual = {"int32", "float64", "int64", "uint8"};
  for (const std::string_view name : kUsual) add(DataTypeIndex(name));
  for (int i = 0; i < static_cast<int>(DataTypes().size()); ++i) {
    const NamedDataType& type = DataTypes()[static_cast<size_t>(i)];
    if (type.dtype == kPlainType || std::find(kUsual.begin(), kUsual.end(), type.name) != kUsual.end()) continue;
    add(i);
  }
  constexpr auto kSetUnnamed = Each<Tensor>([](auto& tensor) { GiveType(tensor, {200, 32, 1}); });
  property.values.push_back(
      {"dtype-unnamed", "the element type is a dtype without a name", kHasUnnamed, kSetUnnamed, 0});
  constexpr auto kSetOdd = Each<Tensor>([](auto& tensor) { GiveType(tensor, {abi::kDLFloat4_e2m1fn, 8, 1}); });
  constexpr auto kHasOdd = Some<Tensor>([](const auto& tensor) { return HasOddBits(tensor.dtype); });
  property.values.push_back({"sub-byte-of-other-bits",
                             "dtype.code is a float6 or float4 code, and dtype.bits does not fit it", kHasOdd, kSetOdd,
                             0});
  return property;
}

// ---- Layouts.

template <typename Tensor>
bool HasElements(const Tensor& tensor) {
  return ElementCount(tensor.shape, tensor.dims) > 0;
}

constexpr auto kHasRank = Some<Tensor>([](const auto& tensor, int rank) { return tensor.dims >= rank; });

/// Whether a dimension of more than one element, in a tensor with elements, passes a test of its stride and of the
/// compact stride there.
template <typename Test>
bool AnyStride(const RecipeInUse& used, Test test) {
  return Any<Tensor>(used, [&](const auto& tensor) {
    if (!HasElements(tensor)) return false;
    int64_t strides[kDims];
    int64_t compact[kDims];
    EffectiveStrides(tensor, strides);
    CompactStrides(tensor.shape, tensor.dims, compact);
    for (int d = 0; d < tensor.dims; ++d) {
      if (tensor.shape[d] > 1 && test(strides[d], compact[d])) return true;
    }
    return false;
  });
}

/// For requests only: byte strides that are not multiples of the item size.
bool IsUnaligned(const Offer&) { return false; }
bool IsUnaligned(const Request& request) { return request.oddity == Oddity::kUnalignedStride; }
bool HasUnaligned(const RecipeInUse& used) {
  return Any<Tensor>(used, [](const auto& tensor) { return IsUnaligned(tensor); });
}

bool IsStrided(const RecipeInUse& used, int) {
  return HasUnaligned(used) || AnyStride(used, [](int64_t stride, int64_t compact) { return stride != compact; });
}

bool HasZeroStride(const RecipeInUse& used, int) {
  return AnyStride(used, [](int64_t stride, int64_t) { return stride == 0; });
}

bool HasNegativeStride(const RecipeInUse& used, int) {
  return AnyStride(used, [](int64_t stride, int64_t) { return stride < 0; });
}

/// The stride of a dimension is greater than that of the dimension before it.
constexpr auto kIsTransposed = Some<Tensor>([](const auto& tensor) {
  if (!HasElements(tensor)) return false;
  int64_t strides[kDims];
  EffectiveStrides(tensor, strides);
  int64_t before = 0;
  for (int d = 0; d < tensor.dims; ++d) {
    if (tensor.shape[d] <= 1 || strides[d] == 0) continue;
    const int64_t stride = Magnitude(strides[d]);
    if (before != 0 && stride > before) return true;
    before = stride;
  }
  return false;
});

/// A dimension whose stride has no meaning, and is not the compact one.
constexpr auto kHasIdleStride = Some<Tensor>([](const auto& tensor) {
  if (tensor.strides_kind != StridesKind::kExplicit) return false;
  int64_t compact[kDims];
  CompactStrides(tensor.shape, tensor.dims, compact);
  for (int d = 0; d < tensor.dims; ++d) {
    if ((tensor.shape[d] <= 1 || !HasElements(tensor)) && tensor.strides[d] != compact[d]) return true;
  }
  return false;
});

/// Sets ndim to the dimensions of the shape. An ndim beyond them is a property of its own (ndim-beyond), and stays.
void GiveDims(Offer& offer, size_t dims) {
  if (offer.ndim <= offer.dims) offer.ndim = static_cast<int32_t>(dims);
  offer.dims = static_cast<uint8_t>(dims);
  offer.null_shape = 0;
  offer.negative_metadata = 0;
  offer.large = 0;
}
void GiveDims(Request& request, size_t dims) {
  request.dims = static_cast<uint8_t>(dims);
  request.large = 0;
}

void GiveMaking(Offer&, bool) {}
void GiveMaking(Request& request, bool strided) {
  if (strided && request.making == Making::kFresh) request.making = Making::kView;
  request.offset = 0;
}

template <typename Tensor>
void GiveShape(Tensor& tensor, std::initializer_list<int64_t> shape) {
  std::fill(tensor.shape, tensor.shape + kDims, 0);
  std::fill(tensor.strides, tensor.strides + kDims, 0);
  std::copy(shape.begin(), shape.end(), tensor.shape);
  GiveDims(tensor, shape.size());
}

void SetCompact(Recipe& recipe, std::initializer_list<int64_t> shape) {
  ForEach<Tensor>(recipe, [&](auto& tensor) {
    GiveShape(tensor, shape);
    tensor.strides_kind = StridesKind::kCompact;
    GiveMaking(tensor, false);
  });
}

void SetStrides(Recipe& recipe, std::initializer_list<int64_t> shape, std::initializer_list<int64_t> strides) {
  ForEach<Tensor>(recipe, [&](auto& tensor) {
    GiveShape(tensor, shape);
    tensor.strides_kind = StridesKind::kExplicit;
    std::copy(strides.begin(), strides.end(), tensor.strides);
    GiveMaking(tensor, true);
  });
}

void SetRank(Recipe& recipe, int rank) {
  switch (rank) {
    case 1:
      return SetCompact(recipe, {6});
    case 2:
      return SetCompact(recipe, {2, 3});
    case 3:
      return SetCompact(recipe, {2, 3, 2});
    case 4:
      return SetCompact(recipe, {2, 3, 2, 2});
    default:
      ForEach<Tensor>(recipe, [&](auto& tensor) {
        GiveShape(tensor, {});
        std::fill(tensor.shape, tensor.shape + rank, 1);
        tensor.shape[0] = 2;
        tensor.strides_kind = StridesKind::kCompact;
        GiveDims(tensor, static_cast<size_t>(rank));
        GiveMaking(tensor, false);
      });
  }
}

template <StridesKind kKind>
bool HasStrides(const RecipeInUse& used, int) {
  if (kKind == StridesKind::kExplicit && HasUnaligned(used)) return true;
  return Any<Tensor>(used, [](const auto& tensor) { return tensor.dims > 0 && tensor.strides_kind == kKind; });
}

constexpr auto kIsLarge = Some<Tensor>(
    [](const auto& tensor) { return tensor.large != 0 || ElementCount(tensor.shape, tensor.dims) > 4096; });

/// An extent of a tensor without elements that is too large for a loop over it.
constexpr int64_t kHugeExtent = 2147483647;

/// A library that multiplies them before it reaches the extent of 0 overflows, as it does with a single huge extent.
constexpr auto kOthersOverflow = [](const auto& tensor) {
  double bytes = 16;  // of the largest element
  for (int dim = 0; dim < tensor.dims; ++dim) {
    if (tensor.shape[dim] > 0) bytes *= static_cast<double>(tensor.shape[dim]);
  }
  return bytes >= 0x1p63;
};

constexpr auto kHasHugeExtent = Some<Tensor>([](const auto& tensor) {
  const bool huge =
      std::any_of(tensor.shape, tensor.shape + tensor.dims, [](int64_t extent) { return extent >= kHugeExtent; });
  return IsEmpty(tensor) && (huge || kOthersOverflow(tensor));
});

Property LayoutProperty() {
  Property layout{"layout", [](Recipe& recipe) { SetCompact(recipe, {}); }, {}};
  const auto add = [&](const char* id, const char* words, auto holds, auto set) {
    layout.values.push_back({id, words, holds, set});
  };
  const auto add_rank = [&](int rank, const std::string& words) {
    layout.values.push_back({"rank-" + std::to_string(rank), words, kHasRank, SetRank, rank});
  };
  add_rank(1, "the tensor has at least one dimension");
  add_rank(2, "the tensor has at least 2 dimensions");
  add("unit-extent", "the tensor has an extent of 1", Some<Tensor>([](const auto& tensor) {
        return std::find(tensor.shape, tensor.shape + tensor.dims, 1) != tensor.shape + tensor.dims;
      }),
      [](Recipe& recipe, int) { SetCompact(recipe, {1}); });
  add("empty", "the tensor has no elements", Some<Tensor>([](const auto& tensor) { return IsEmpty(tensor); }),
      [](Recipe& recipe, int) { SetCompact(recipe, {0}); });
  for (int rank = 3; rank <= 8; ++rank)
    add_rank(rank, "the tensor has at least " + std::to_string(rank) + " dimensions");
  add_rank(9, "the tensor has more than 8 dimensions");
  add_rank(33, "the tensor has more than 32 dimensions");
  add("huge-extents", "the extents next to an extent of 0 are huge, alone or multiplied", kHasHugeExtent,
      [](Recipe& recipe, int) { SetCompact(recipe, {0, kHugeExtent}); });
  layout.values.back().wild = true;
  add("null-strides", "dl_tensor.strides is NULL", HasStrides<StridesKind::kNull>, [](Recipe& recipe, int) {
    SetCompact(recipe, {6});
    ForEach<Tensor>(recipe, [](auto& tensor) { tensor.strides_kind = StridesKind::kNull; });
  });
  add("explicit-strides", "the recipe sets each stride explicitly", HasStrides<StridesKind::kExplicit>,
      [](Recipe& recipe, int) { SetStrides(recipe, {6}, {1}); });
  add("idle-strides", "a stride without effect is not that of a compact tensor", kHasIdleStride,
      [](Recipe& recipe, int) { SetStrides(recipe, {1}, {7}); });
  add("strided", "the strides are not those of a compact tensor", IsStrided,
      [](Recipe& recipe, int) { SetStrides(recipe, {3}, {2}); });
  add("transposed", "a later dimension has a larger stride than an earlier one", kIsTransposed,
      [](Recipe& recipe, int) { SetStrides(recipe, {2, 3}, {1, 2}); });
  add("zero-strides", "a dimension of two or more elements has stride 0", HasZeroStride,
      [](Recipe& recipe, int) { SetStrides(recipe, {3}, {0}); });
  add("negative-strides", "a dimension of two or more elements has a negative stride", HasNegativeStride,
      [](Recipe& recipe, int) { SetStrides(recipe, {3}, {-1}); });
  add("large", "the tensor has more than 4096 elements, or memory for a large tensor", kIsLarge,
      static_cast<void (*)(Recipe&, int)>(nullptr));
  return layout;
}

int DeclaredRank(const Offer& offer) { return offer.ndim; }
int DeclaredRank(const Request& request) { return request.dims; }

constexpr auto kHasScalar = Some<Tensor>([](const auto& tensor) { return DeclaredRank(tensor) == 0; });

void SetDeclaredRank(Offer& offer, int rank) { offer.ndim = rank; }
void SetDeclaredRank(Request&, int) {}

}  // namespace

void GiveDimension(Recipe& recipe) {
  ForEach<Tensor>(recipe, [](auto& tensor) {
    tensor.dims = 1;
    tensor.shape[0] = 6;
    tensor.strides[0] = 1;
    SetDeclaredRank(tensor, 1);
  });
}

const Property& Scalars() {
  static const Property scalars{
      "layout",
      nullptr,
      {{kScalar, "the tensor has no dimensions; a tensor with one dimension does not show the failure", kHasScalar,
        nullptr}}};
  return scalars;
}

namespace {

std::vector<Property> TensorProperties() {
  return {
      {"lanes", [](Recipe& recipe) { kSetLanes(recipe, 1); }, {{"lanes", "dtype.lanes is not 1", kHasLanes, nullptr}}},
      TypeProperty(),
      LayoutProperty(),
  };
}

const RegisterProperties kTensor(PropertyGroup::kTensor, TensorProperties);

}  // namespace

}  // namespace dlpack_cts
