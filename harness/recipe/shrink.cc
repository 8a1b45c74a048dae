// harness/recipe/shrink.cc: simpler recipes, one step at a time.
//
// A candidate is kept only when it costs less than the recipe, so every chain ends; when it breaks no law that the
// recipe keeps, so a legal counterexample never turns into a lie; and when it has elements exactly if the recipe has.
#include "harness/recipe/shrink.h"

#include <algorithm>
#include <bit>
#include <map>

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
  for (auto number :
       {static_cast<unsigned>(offer.place), static_cast<unsigned>(offer.placement),
        static_cast<unsigned>(offer.deleter), static_cast<unsigned>(offer.context),
        static_cast<unsigned>(offer.destructor), static_cast<unsigned>(offer.name),
        static_cast<unsigned>(offer.keywords.max_version), static_cast<unsigned>(offer.keywords.dl_device),
        static_cast<unsigned>(offer.keywords.copy), static_cast<unsigned>(offer.keywords.stream),
        static_cast<unsigned>(offer.gives), unsigned{offer.large}, unsigned{offer.null_shape},
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
  return cost + static_cast<unsigned>(request.making) + request.read_only + request.large;
}

Cost CostOf(const Argument& argument) {
  if (argument.kind == ArgumentKind::kAbsent) return 0;
  return static_cast<unsigned>(argument.kind) + Size(argument.a) + Size(argument.b);
}

Cost CostOf(const Call& call) {
  return CostOf(call.max_version) + CostOf(call.dl_device) + CostOf(call.copy) + CostOf(call.stream) +
         call.unknown_keyword;
}

Cost CostOf(const Recipe& recipe) {
  Cost cost = 0;
  for (int i = 0; i < recipe.used.offers; ++i) cost += CostOf(recipe.offers[i]);
  for (int i = 0; i < recipe.used.requests; ++i) cost += CostOf(recipe.requests[i]);
  for (int i = 0; i < recipe.used.calls; ++i) cost += CostOf(recipe.calls[i]);
  return cost;
}

/// What a candidate may not change: which laws each offer breaks, and which blocks have no elements.
struct Nature {
  uint32_t laws[kBlocks] = {};
  bool empty[kBlocks] = {};

  explicit Nature(const Recipe& recipe) {
    const bool import = recipe.kind == RecipeKind::kImport;
    for (int i = 0; i < recipe.used.offers; ++i) laws[i] = BrokenLaws(recipe.offers[i]);
    for (int i = 0; import && i < recipe.used.offers; ++i) empty[i] = IsEmpty(recipe.offers[i]);
    for (int i = 0; !import && i < recipe.used.requests; ++i) empty[i] = IsEmpty(recipe.requests[i]);
  }

  bool Keeps(const Nature& other) const {
    for (int i = 0; i < kBlocks; ++i) {
      if ((other.laws[i] & ~laws[i]) != 0 || other.empty[i] != empty[i]) return false;
    }
    return true;
  }
};

class Shrinker {
 public:
  explicit Shrinker(const Recipe& recipe) : recipe_(recipe), cost_(CostOf(recipe)), nature_(recipe) {}

  std::vector<Recipe> Candidates() {
    const bool import = recipe_.kind == RecipeKind::kImport;
    for (int i = 0; import && i < recipe_.used.offers; ++i) ShrinkOffer(i);
    for (int i = 0; !import && i < recipe_.used.requests; ++i) ShrinkRequest(i);
    for (int i = 0; i < recipe_.used.calls; ++i) ShrinkCall(i);
    return std::move(candidates_);
  }

 private:
  template <typename Change>
  void Try(Change change) {
    Recipe candidate = recipe_;
    change(candidate);
    Normalize(candidate);
    const Cost cost = CostOf(candidate);
    if (cost >= cost_ || !nature_.Keeps(Nature(candidate))) return;
    // Only equally dear ones can be the same; deep recipes have thousands of candidates.
    const auto [first, last] = by_cost_.equal_range(cost);
    const auto same = [&](const auto& entry) { return Same(candidates_[entry.second], candidate); };
    if (!std::none_of(first, last, same)) return;
    by_cost_.emplace(cost, candidates_.size());
    candidates_.push_back(candidate);
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
      Try([&](Recipe& r) {
        block(r).dtype = DataTypes()[static_cast<size_t>(DataTypeIndex(name))].dtype;
        Align(block(r), own);
      });
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

  /// Bytes that a whole offset is a multiple of; types without bits have no size.
  static uint64_t UnitOf(const Offer& offer) {
    return static_cast<uint64_t>(std::max<int64_t>(1, ItemSize(offer.dtype)));
  }

  static bool WholeOffset(const Offer& offer) { return offer.byte_offset % UnitOf(offer) == 0; }

  /// A larger type may need more alignment than the smaller one had. An offset of whole elements stays one: who refuses
  /// any other says less.
  static void Align(Offer& offer, const Offer& own) {
    const uint64_t unit = UnitOf(offer);
    if (WholeOffset(own)) offer.byte_offset += (unit - offer.byte_offset % unit) % unit;
    const int natural = NaturalAlignmentLog2(offer.dtype);
    offer.alignment_log2 = static_cast<uint8_t>(std::max<int>(offer.alignment_log2, natural));
  }
  static void Align(Request&, const Request&) {}

  void ShrinkOffer(int index) {
    const auto block = [index](auto& r) -> auto& { return r.offers[index]; };
    ShrinkTensor(block);
    const Offer& own = block(recipe_);
    const auto try_offer = [&](auto change) { Try([&](Recipe& r) { change(block(r)); }); };
    try_offer([](Offer& o) { o.ndim = o.dims; });
    for (const int32_t ndim : {kDims + 1, 9, -1, own.ndim / 2, std::max(own.ndim, 1) - 1}) {
      try_offer([&](Offer& o) { o.ndim = ndim; });
    }
    try_offer([](Offer& o) { o.fill_extent = 1; });
    try_offer([](Offer& o) { o.byte_offset = 0; });
    const uint64_t unit = WholeOffset(own) ? UnitOf(own) : 1;
    for (const uint64_t offset : {UnitOf(own), own.byte_offset / 2 / unit * unit}) {
      try_offer([&](Offer& o) { o.byte_offset = offset; });
    }
    try_offer([](Offer& o) { o.flags = 0, o.placement = Placement::kEndsAtGuard; });
    for (uint64_t bits = own.flags; bits != 0; bits &= bits - 1) {
      try_offer([&](Offer& o) { o.flags &= ~(bits & (0 - bits)); });
    }
    try_offer([](Offer& o) { o.placement = Placement::kEndsAtGuard; });
    try_offer([](Offer& o) { o.large = 0; });
    try_offer([](Offer& o) {
      o.device = o.reported_device = {abi::kDLCPU, 0};
      o.placement = Placement::kEndsAtGuard;
    });
    try_offer([](Offer& o) { o.device.device_id = 0; });
    try_offer([](Offer& o) { o.reported_device = o.device; });
    try_offer([](Offer& o) { o.minor = 3; });
    if (own.kind == StructKind::kVersioned) try_offer([](Offer& o) { o.major = 2; });
    try_offer([](Offer& o) { o.alignment_log2 = 6; });
    try_offer([](Offer& o) { o.context = ContextKind::kPointer; });
    try_offer([](Offer& o) { o.deleter = DeleterKind::kCounting, o.destructor = DestructorKind::kReleases; });
    try_offer([](Offer& o) { o.destructor = DestructorKind::kReleases; });
    try_offer([](Offer& o) { o.name = CapsuleName::kOwn; });
    try_offer([](Offer& o) { o.place = StructPlace::kGuarded; });
    try_offer([](Offer& o) { o.null_shape = 0; });
    try_offer([](Offer& o) { o.negative_metadata = 0; });
    try_offer([](Offer& o) { o.seal_on_delete = 0; });
    for (const Keywords& keywords : {kIgnoresKeywords, kNegotiates}) {
      try_offer([&](Offer& o) { o.keywords = keywords; });
      try_offer([&](Offer& o) { o.keywords = keywords, o.gives = Gives::kCapsule; });
    }
  }

  void ShrinkRequest(int index) {
    const auto block = [index](auto& r) -> auto& { return r.requests[index]; };
    Try([&](Recipe& r) {
      Request& request = block(r);
      if (request.making != Making::kView) return;
      request.making = Making::kFresh;
      request.strides_kind = StridesKind::kCompact;
      request.offset = 0;
    });
    ShrinkTensor(block);
    Try([&](Recipe& r) { block(r).offset = 0; });
    Try([&](Recipe& r) { block(r).read_only = 0; });
    Try([&](Recipe& r) { block(r).large = 0; });
  }

  void ShrinkCall(int index) {
    Try([index](Recipe& r) { r.calls[index] = {}; });
    Try([index](Recipe& r) { r.calls[index].unknown_keyword = 0; });
    for (Argument Call::* const argument : {&Call::max_version, &Call::dl_device, &Call::copy, &Call::stream}) {
      Try([&](Recipe& r) { r.calls[index].*argument = {}; });
      Try([&](Recipe& r) { (r.calls[index].*argument).a = 1, (r.calls[index].*argument).b = 0; });
      Try([&](Recipe& r) { (r.calls[index].*argument).a /= 2; });
      Try([&](Recipe& r) { (r.calls[index].*argument).b /= 2; });
    }
  }

  const Recipe& recipe_;
  const Cost cost_;
  const Nature nature_;
  std::vector<Recipe> candidates_;
  std::multimap<Cost, size_t> by_cost_;
};

}  // namespace

std::vector<Recipe> ShrinkCandidates(const Recipe& recipe) { return Shrinker(recipe).Candidates(); }

}  // namespace dlpack_cts
