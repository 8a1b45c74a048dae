// harness/recipe/shrink.cc: simpler recipes, one step at a time.
//
// A candidate is kept only when it costs less than the recipe, so every chain ends; when it breaks no law that the
// recipe keeps, so a legal counterexample never turns into a lie; and when it has elements exactly if the recipe has.
#include "harness/recipe/shrink.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "harness/recipe/dtypes.h"
#include "harness/recipe/elements.h"
#include "harness/recipe/laws.h"
#include "harness/recipe/normalize.h"

namespace dlpack_cts {
namespace {

using Cost = unsigned __int128;

Cost Size(int64_t value) {
  return value < 0 ? Cost{2} * (uint64_t{0} - static_cast<uint64_t>(value)) + 1
                   : Cost{2} * static_cast<uint64_t>(value);
}

Cost Distance(uint64_t a, uint64_t b) { return a > b ? a - b : b - a; }

Cost CostOfType(abi::DLDataType dtype) {
  if (dtype == abi::DLDataType{abi::kDLFloat, 32, 1}) return 0;
  const int index = DataTypeIndex(dtype);
  return index >= 0 ? Cost(index + 1) : Cost{1000} + dtype.code + dtype.bits + Cost{1000} * dtype.lanes;
}

Cost CostOfSeed(uint64_t seed) { return seed == 0 ? 0 : 1; }

Cost CostOfLayout(const int64_t* shape, const int64_t* strides, int dims, StridesKind kind) {
  Cost cost = Cost(1000) * static_cast<unsigned>(dims);
  cost += kind == StridesKind::kExplicit ? 8 : kind == StridesKind::kNull ? 1 : 0;
  for (int d = 0; d < dims; ++d) cost += (shape[d] == 1 ? 0 : shape[d] == 0 ? 1 : Size(shape[d])) + Size(strides[d]);
  return cost;
}

Cost CostOf(const Offer& offer) {
  Cost cost = CostOfLayout(offer.shape, offer.strides, offer.dims, offer.strides_kind);
  cost += CostOfType(offer.dtype) + CostOfSeed(offer.seed) + offer.byte_offset;
  cost +=
      Distance(offer.minor, 3) + Distance(offer.alignment_log2, 6) + static_cast<unsigned>(std::popcount(offer.flags));
  cost += offer.major == 1 ? 0 : offer.major == 2 ? 1 : 2;
  for (auto number : {static_cast<unsigned>(offer.place), static_cast<unsigned>(offer.placement),
                      static_cast<unsigned>(offer.deleter), static_cast<unsigned>(offer.context),
                      static_cast<unsigned>(offer.destructor), static_cast<unsigned>(offer.name),
                      static_cast<unsigned>(offer.manners), unsigned{offer.null_shape},
                      unsigned{offer.negative_metadata}, unsigned{offer.seal_on_delete}}) {
    cost += number;
  }
  for (const abi::DLDevice& device : {offer.device, offer.reported_device}) {
    cost += (device.device_type == abi::kDLCPU ? 0 : 1) + Size(device.device_id);
  }
  return cost + Size(int64_t{offer.ndim} - offer.dims) + Size(offer.fill_extent);
}

Cost CostOf(const Request& request) {
  Cost cost = CostOfLayout(request.shape, request.strides, request.dims, request.strides_kind);
  cost += CostOfType(request.dtype) + CostOfSeed(request.seed) + Size(request.offset);
  return cost + static_cast<unsigned>(request.making) + request.read_only;
}

Cost CostOf(const Argument& argument) {
  if (argument.kind == ArgumentKind::kAbsent) return 0;
  return static_cast<unsigned>(argument.kind) + Size(argument.a) + Size(argument.b);
}

Cost CostOf(const Call& call) {
  return CostOf(call.max_version) + CostOf(call.dl_device) + CostOf(call.copy) + CostOf(call.stream) +
         call.unknown_keyword;
}

Cost CostOf(const Recipe& recipe) { return CostOf(recipe.offer) + CostOf(recipe.request) + CostOf(recipe.call); }

class Shrinker {
 public:
  explicit Shrinker(const Recipe& recipe)
      : recipe_(recipe), cost_(CostOf(recipe)), laws_(BrokenLaws(recipe.offer)), empty_(Empty(recipe)) {}

  std::vector<Recipe> Candidates() {
    if (recipe_.kind == RecipeKind::kImport) {
      ShrinkOffer();
    } else {
      ShrinkRequest();
    }
    ShrinkCall();
    return std::move(candidates_);
  }

 private:
  static bool Empty(const Recipe& recipe) {
    return recipe.kind == RecipeKind::kImport ? IsEmpty(recipe.offer) : IsEmpty(recipe.request);
  }

  template <typename Change>
  void Try(Change change) {
    Recipe candidate = recipe_;
    change(candidate);
    Normalize(candidate);
    if (CostOf(candidate) >= cost_ || (BrokenLaws(candidate.offer) & ~laws_) != 0 || Empty(candidate) != empty_) return;
    const auto same = [&candidate](const Recipe& other) {
      return std::memcmp(&other, &candidate, sizeof(Recipe)) == 0;
    };
    if (std::none_of(candidates_.begin(), candidates_.end(), same)) candidates_.push_back(candidate);
  }

  /// Shape, strides, dtype and seed: what offers and requests have in common. `block` gives the one that counts.
  template <typename Block>
  void ShrinkTensor(Block block) {
    const auto& own = block(recipe_);
    const int dims = own.dims;
    Try([&](Recipe& r) { block(r).strides_kind = StridesKind::kCompact, Keep(block(r), 0, 0); });
    Try([&](Recipe& r) { block(r).strides_kind = StridesKind::kCompact, Keep(block(r), 0, 1); });
    for (int d = 0; d < dims; ++d) {
      Try([&](Recipe& r) { Remove(block(r), d); });
    }
    Try([&](Recipe& r) { block(r).strides_kind = StridesKind::kCompact; });
    Try([&](Recipe& r) {
      auto& tensor = block(r);
      if (tensor.strides_kind == StridesKind::kExplicit) CompactStrides(tensor.shape, tensor.dims, tensor.strides);
    });
    for (int d = 0; d < dims; ++d) {
      const int64_t own_extent = own.shape[d];
      for (const int64_t extent : {int64_t{1}, int64_t{2}}) {
        if (own_extent != 0) Try([&](Recipe& r) { block(r).shape[d] = extent; });
      }
      // Ever smaller cuts: where only the greatest extents fail, one less at a time would take as many runs as there
      // are extents.
      for (int64_t cut = own_extent - own_extent / 2; cut > 0; cut /= 2) {
        if (cut < own_extent) Try([&](Recipe& r) { block(r).shape[d] = own_extent - cut; });
      }
      if (own.strides_kind != StridesKind::kExplicit) continue;
      // A negative stride is a peculiarity of its own, which no smaller recipe may bring in.
      for (const int64_t stride : {int64_t{0}, int64_t{1}, int64_t{own.strides[d] < 0 ? -1 : 1}, own.strides[d] / 2}) {
        Try([&](Recipe& r) { block(r).strides[d] = stride; });
      }
      if (own.strides[d] < 0 && own.strides[d] != INT64_MIN) {
        Try([&](Recipe& r) { block(r).strides[d] = -own.strides[d]; });
      }
    }
    for (const char* name : {"float32", "uint8", "int8", "bool"}) {
      Try([&](Recipe& r) { block(r).dtype = DataTypes()[static_cast<size_t>(DataTypeIndex(name))].dtype, Align(r); });
    }
    Try([&](Recipe& r) { block(r).dtype.lanes = 1; });
    Try([&](Recipe& r) { block(r).seed = 0; });
  }

  /// Keeps `count` dimensions from `first` on.
  template <typename Tensor>
  static void Keep(Tensor& tensor, int first, int count) {
    while (tensor.dims > first + count) Remove(tensor, tensor.dims - 1);
  }

  static void SetNdim(Offer& offer) {
    if (offer.ndim >= 0) offer.ndim = std::max<int32_t>(0, offer.ndim - 1);
  }
  static void SetNdim(Request&) {}

  template <typename Tensor>
  static void Remove(Tensor& tensor, int d) {
    std::copy(tensor.shape + d + 1, tensor.shape + tensor.dims, tensor.shape + d);
    std::copy(tensor.strides + d + 1, tensor.strides + tensor.dims, tensor.strides + d);
    --tensor.dims;
    SetNdim(tensor);
  }

  /// A larger type may need more alignment than the smaller one had.
  /// Bytes that a whole offset is a multiple of; types without bits have no size.
  static uint64_t UnitOf(const Offer& offer) {
    return static_cast<uint64_t>(std::max<int64_t>(1, ItemSize(offer.dtype)));
  }

  bool WholeOffset() const { return recipe_.offer.byte_offset % UnitOf(recipe_.offer) == 0; }

  /// Natural alignment for a new type. An offset of whole elements stays one: who refuses any other says less.
  void Align(Recipe& r) const {
    const uint64_t unit = UnitOf(r.offer);
    if (WholeOffset()) r.offer.byte_offset += (unit - r.offer.byte_offset % unit) % unit;
    const int natural = NaturalAlignmentLog2(r.offer.dtype);
    r.offer.alignment_log2 = static_cast<uint8_t>(std::max<int>(r.offer.alignment_log2, natural));
  }

  void ShrinkOffer() {
    ShrinkTensor([](auto& r) -> auto& { return r.offer; });
    const Offer& own = recipe_.offer;
    Try([](Recipe& r) { r.offer.ndim = r.offer.dims; });
    for (const int32_t ndim : {9, -1, own.ndim / 2, std::max(own.ndim, 1) - 1}) {
      Try([&](Recipe& r) { r.offer.ndim = ndim; });
    }
    Try([](Recipe& r) { r.offer.fill_extent = 1; });
    Try([](Recipe& r) { r.offer.byte_offset = 0; });
    const uint64_t unit = WholeOffset() ? UnitOf(own) : 1;
    for (const uint64_t offset : {UnitOf(own), own.byte_offset / 2 / unit * unit}) {
      Try([&](Recipe& r) { r.offer.byte_offset = offset; });
    }
    Try([](Recipe& r) { r.offer.flags = 0, r.offer.placement = Placement::kEndsAtGuard; });
    for (uint64_t bits = own.flags; bits != 0; bits &= bits - 1) {
      Try([&](Recipe& r) { r.offer.flags &= ~(bits & (0 - bits)); });
    }
    Try([](Recipe& r) { r.offer.placement = Placement::kEndsAtGuard; });
    Try([](Recipe& r) {
      r.offer.device = r.offer.reported_device = {abi::kDLCPU, 0};
      r.offer.placement = Placement::kEndsAtGuard;
    });
    Try([](Recipe& r) { r.offer.device.device_id = 0; });
    Try([](Recipe& r) { r.offer.reported_device = r.offer.device; });
    Try([](Recipe& r) { r.offer.minor = 3; });
    if (own.kind == StructKind::kVersioned) Try([](Recipe& r) { r.offer.major = 2; });
    Try([](Recipe& r) { r.offer.alignment_log2 = 6; });
    Try([](Recipe& r) { r.offer.context = ContextKind::kPointer; });
    Try([](Recipe& r) { r.offer.deleter = DeleterKind::kCounting, r.offer.destructor = DestructorKind::kReleases; });
    Try([](Recipe& r) { r.offer.destructor = DestructorKind::kReleases; });
    Try([](Recipe& r) { r.offer.name = CapsuleName::kOwn; });
    Try([](Recipe& r) { r.offer.place = StructPlace::kGuarded; });
    Try([](Recipe& r) { r.offer.null_shape = 0; });
    Try([](Recipe& r) { r.offer.negative_metadata = 0; });
    Try([](Recipe& r) { r.offer.seal_on_delete = 0; });
    for (const Manners manners : {Manners::kObeys, Manners::kNegotiates}) {
      Try([&](Recipe& r) { r.offer.manners = manners; });
    }
  }

  void ShrinkRequest() {
    Try([](Recipe& r) {
      if (r.request.making != Making::kView) return;
      r.request.making = Making::kFresh;
      r.request.strides_kind = StridesKind::kCompact;
      r.request.offset = 0;
    });
    ShrinkTensor([](auto& r) -> auto& { return r.request; });
    Try([](Recipe& r) { r.request.offset = 0; });
    Try([](Recipe& r) { r.request.read_only = 0; });
  }

  void ShrinkCall() {
    Try([](Recipe& r) { r.call = {}; });
    Try([](Recipe& r) { r.call.unknown_keyword = 0; });
    ShrinkArgument([](Recipe& r) -> Argument& { return r.call.max_version; });
    ShrinkArgument([](Recipe& r) -> Argument& { return r.call.dl_device; });
    ShrinkArgument([](Recipe& r) -> Argument& { return r.call.copy; });
    ShrinkArgument([](Recipe& r) -> Argument& { return r.call.stream; });
  }

  template <typename Block>
  void ShrinkArgument(Block argument) {
    Try([&](Recipe& r) { argument(r) = {}; });
    Try([&](Recipe& r) { argument(r).a = 1, argument(r).b = 0; });
    Try([&](Recipe& r) { argument(r).a /= 2; });
    Try([&](Recipe& r) { argument(r).b /= 2; });
  }

  const Recipe& recipe_;
  const Cost cost_;
  const uint32_t laws_;
  const bool empty_;
  std::vector<Recipe> candidates_;
};

}  // namespace

std::vector<Recipe> ShrinkCandidates(const Recipe& recipe) { return Shrinker(recipe).Candidates(); }

}  // namespace dlpack_cts
