// harness/minimise/simpler.cc: makes simpler recipes, by one change of one block at a time.
//
// A candidate must cost less than its block did before, so every chain of candidates ends. It must break no law that
// the recipe keeps, so a legal counterexample stays legal. It must have elements exactly if the recipe has. A change
// costs as much as its block: the rest of the recipe is not normalised, compared or copied.
#include "harness/minimise/simpler.h"

#include <algorithm>
#include <bit>
#include <climits>
#include <cstdint>
#include <string_view>
#include <unordered_set>

#include "harness/recipe/dtypes.h"
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
         call.unknown_keyword + call.fresh_names + call.order;
}

/// What a candidate's block must keep.
struct Nature {
  uint32_t laws = 0;
  bool empty = false;
};

Nature NatureOf(const Offer& offer) { return {BrokenLaws(offer), IsEmpty(offer)}; }
Nature NatureOf(const Request& request) { return {0, IsEmpty(request)}; }
Nature NatureOf(const Call&) { return {}; }

/// The unit of an element-aligned offset, in bytes. Dtypes with 0 bits have no size; then it is 1.
uint64_t UnitOf(const Offer& offer) { return static_cast<uint64_t>(std::max<int64_t>(1, ItemSize(offer.dtype))); }

bool WholeOffset(const Offer& offer) { return offer.byte_offset % UnitOf(offer) == 0; }

/// A larger dtype may need more alignment. An offset of whole elements stays one, because a refusal of any other offset
/// means less.
void Align(Offer& offer, const Offer& own) {
  const uint64_t unit = UnitOf(offer);
  if (WholeOffset(own)) offer.byte_offset += (unit - offer.byte_offset % unit) % unit;
  const int natural = NaturalAlignmentLog2(offer.dtype);
  offer.alignment_log2 = static_cast<uint8_t>(std::max<int>(offer.alignment_log2, natural));
}
void Align(Request&, const Request&) {}

void LowerNdim(Offer& offer, int by) {
  if (offer.ndim >= 0) offer.ndim = std::max<int32_t>(0, offer.ndim - by);
}
void LowerNdim(Request&, int) {}

/// Removes `count` dimensions from `first` on, or as many as there are.
template <typename Tensor>
void Remove(Tensor& tensor, int first, int count) {
  const int last = std::min<int>(tensor.dims, first + count);
  std::copy(tensor.shape + last, tensor.shape + tensor.dims, tensor.shape + first);
  std::copy(tensor.strides + last, tensor.strides + tensor.dims, tensor.strides + first);
  tensor.dims = static_cast<uint8_t>(tensor.dims - (last - first));
  LowerNdim(tensor, last - first);
}

/// Keeps the first `count` dimensions, with compact strides.
template <typename Tensor>
void Keep(Tensor& tensor, int count) {
  tensor.strides_kind = StridesKind::kCompact;
  Remove(tensor, count, kDims);
}

/// Goes through all changes of a recipe, and passes the simpler recipes to the visitor.
class Changes {
 public:
  Changes(const Recipe& recipe, const std::function<bool(const Recipe&)>& visit) : visit_(visit) {
    Copy(recipe, recipe_);
    Normalize(recipe_);
  }

  /// Makes the changes from number `first` to `end`. Returns the number of the change that ended the visit, or -1.
  int Take(int first, int end) {
    number_ = -1;
    first_ = first;
    end_ = end;
    ended_ = false;
    const bool import = recipe_.kind == RecipeKind::kImport;
    for (int i = 0; import && i < recipe_.used.offers; ++i) ShrinkOffer(recipe_.offers[i]);
    for (int i = 0; !import && i < recipe_.used.requests; ++i) ShrinkRequest(recipe_.requests[i]);
    for (int i = 0; i < recipe_.used.calls; ++i) ShrinkCall(recipe_.calls[i]);
    return ended_ ? number_ : -1;
  }

  /// The number of changes, including those that make nothing simpler.
  int Count() {
    Take(0, 0);
    return number_ + 1;
  }

 private:
  template <typename Block>
  struct Own {
    explicit Own(Block& block) : place(block), block(block), cost(CostOf(block)), nature(NatureOf(block)) {}

    Block& place;  // within recipe_
    const Block block;
    const Cost cost;
    const Nature nature;
  };

  template <typename Block, typename Change>
  void Try(const Own<Block>& own, Change change) {
    if (ended_) return;
    ++number_;
    if (number_ < first_ || number_ >= end_) return;
    change(own.place);
    Normalize(own.place);
    if (CostOf(own.place) < own.cost && Keeps(own) && IsNew(own.place)) ended_ = visit_(recipe_);
    own.place = own.block;
  }

  template <typename Block>
  static bool Keeps(const Own<Block>& own) {
    const Nature nature = NatureOf(own.place);
    return (nature.laws & ~own.nature.laws) == 0 && nature.empty == own.nature.empty;
  }

  /// Several changes may give the same recipe, and a run of it is expensive.
  template <typename Block>
  bool IsNew(const Block& block) {
    const std::string_view bytes(reinterpret_cast<const char*>(&block), sizeof(block));
    const auto place = reinterpret_cast<uintptr_t>(&block) - reinterpret_cast<uintptr_t>(&recipe_);
    return seen_.insert(std::hash<std::string_view>()(bytes) ^ place).second;
  }

  /// Shape, strides, dtype and seed, which offers and requests both have.
  template <typename Tensor>
  void ShrinkTensor(const Own<Tensor>& own) {
    const int dims = own.block.dims;
    Try(own, [](Tensor& t) { Keep(t, 0); });
    Try(own, [](Tensor& t) { Keep(t, 1); });
    // Halves before quarters before single ones: a tensor may have too many dimensions to try each alone.
    for (int count = std::max(1, dims / 2); count > 0; count /= 2) {
      for (int d = 0; d < dims; d += count) {
        Try(own, [=](Tensor& t) { Remove(t, d, count); });
      }
    }
    Try(own, [](Tensor& t) { t.strides_kind = StridesKind::kCompact; });
    Try(own, [](Tensor& t) {
      if (t.strides_kind == StridesKind::kExplicit) CompactStrides(t.shape, t.dims, t.strides);
    });
    for (int count = dims; count > 1; count /= 2) {
      for (int d = 0; d < dims; d += count) {
        Try(own, [=](Tensor& t) {
          std::for_each(t.shape + d, t.shape + std::min(dims, d + count), [](int64_t& e) { e = e == 0 ? 0 : 1; });
        });
      }
    }
    for (int d = 0; d < dims; ++d) ShrinkDimension(own, d);
    for (const char* name : {"float32", "uint8", "int8", "bool"}) {
      Try(own, [&](Tensor& t) {
        t.dtype = DataTypes()[static_cast<size_t>(DataTypeIndex(name))].dtype;
        Align(t, own.block);
      });
    }
    Try(own, [](Tensor& t) { t.dtype.lanes = 1; });
    Try(own, [](Tensor& t) { t.seed = 0; });
  }

  template <typename Tensor>
  void ShrinkDimension(const Own<Tensor>& own, int d) {
    const int64_t extent = own.block.shape[d];
    for (const int64_t shorter : {int64_t{1}, int64_t{2}}) {
      if (extent != 0) Try(own, [=](Tensor& t) { t.shape[d] = shorter; });
    }
    // Smaller and smaller cuts. If only the largest extents fail, steps of one would take as many runs as there are
    // extents.
    for (int64_t cut = extent - extent / 2; cut > 0; cut = cut == 1 ? 0 : std::max<int64_t>(1, cut / 8)) {
      if (cut < extent) Try(own, [=](Tensor& t) { t.shape[d] = extent - cut; });
    }
    if (extent < 0) Try(own, [=](Tensor& t) { t.shape[d] = extent / 2; });
    if (own.block.strides_kind != StridesKind::kExplicit) return;
    // A negative stride is a property value, which a simpler recipe must not add.
    const int64_t stride = own.block.strides[d];
    for (const int64_t smaller : {int64_t{0}, int64_t{1}, int64_t{stride < 0 ? -1 : 1}, stride / 2}) {
      Try(own, [=](Tensor& t) { t.strides[d] = smaller; });
    }
    if (stride < 0 && stride != INT64_MIN) Try(own, [=](Tensor& t) { t.strides[d] = -stride; });
  }

  void ShrinkOffer(Offer& place) {
    const Own<Offer> start(place);
    ShrinkTensor(start);
    const Offer& own = start.block;
    const auto try_offer = [&](auto change) { Try(start, change); };
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

  void ShrinkRequest(Request& place) {
    const Own<Request> own(place);
    Try(own, [](Request& request) {
      if (request.making != Making::kView) return;
      request.making = Making::kFresh;
      request.strides_kind = StridesKind::kCompact;
      request.offset = 0;
    });
    ShrinkTensor(own);
    Try(own, [](Request& request) { request.offset = 0; });
    Try(own, [](Request& request) { request.read_only = 0; });
    Try(own, [](Request& request) { request.large = 0; });
  }

  void ShrinkCall(Call& place) {
    const Own<Call> own(place);
    Try(own, [](Call& call) { call = {}; });
    Try(own, [](Call& call) { call.unknown_keyword = 0; });
    Try(own, [](Call& call) { call.fresh_names = 0; });
    Try(own, [](Call& call) { call.order = 0; });
    for (Argument Call::* const argument : {&Call::max_version, &Call::dl_device, &Call::copy, &Call::stream}) {
      Try(own, [=](Call& call) { call.*argument = {}; });
      Try(own, [=](Call& call) { (call.*argument).kind = UsualKind((call.*argument).kind); });
      Try(own, [=](Call& call) { (call.*argument).a = 1, (call.*argument).b = 0; });
      Try(own, [=](Call& call) { (call.*argument).a /= 2; });
      Try(own, [=](Call& call) { (call.*argument).b /= 2; });
    }
  }

  const std::function<bool(const Recipe&)>& visit_;
  Recipe recipe_;  // the input, except for the block that is being changed
  int first_ = 0;
  int end_ = 0;
  int number_ = -1;
  bool ended_ = false;
  std::unordered_set<size_t> seen_;
};

}  // namespace

int VisitSimpler(const Recipe& recipe, int first, const std::function<bool(const Recipe&)>& visit) {
  Changes changes(recipe, visit);
  const int found = changes.Take(first, INT_MAX);
  return found >= 0 || first <= 0 ? found : changes.Take(0, first);
}

bool PickSimpler(const Recipe& recipe, Random& random, Recipe& picked) {
  const auto pick = [&](const Recipe& candidate) {
    Copy(candidate, picked);
    return true;
  };
  const int count = Changes(recipe, pick).Count();
  return VisitSimpler(recipe, static_cast<int>(random.Below(static_cast<uint64_t>(count))), pick) >= 0;
}

}  // namespace dlpack_cts
