// engine/crowd_imports.cc: hundreds of imported arrays that are alive at once, and tensors whose elements lie far
// apart.
#include <algorithm>
#include <cstring>
#include <vector>

#include "base/clock.h"
#include "engine/crowd_tensors.h"
#include "harness/oracle/oracle.h"
#include "harness/recipe/elements.h"
#include "harness/recipe/together.h"

namespace dlpack_cts {
namespace {

class ImportCrowd : public Imports {
 public:
  using Imports::Imports;

  Race Run() {
    const int most = SizeOf(life_, [this] {
      const bool added = Add(0);
      Drop(members_);
      return added;
    });
    bool refused = false;
    for (int number = 0; number < most && !refused; ++number) refused = !Add(number);
    Race race = Race::kFair;
    int culprit = 0;
    for (const Imported& member : members_) {
      if (member.array == nullptr) continue;
      const bool early = IsReleasedEarly(member);
      if (race != Race::kFair || (!early && IsRight(member))) continue;
      race = early ? Race::kReleasedEarly : Race::kOtherTensor;
      culprit = member.number;
    }
    const Race release = Drop(members_);
    if (refused) return Race::kNotRun;
    if (race == Race::kFair) race = release;
    if (race == Race::kFair) return race;
    // The control: the same import without the others.
    const bool right_alone = Add(culprit) && !IsReleasedEarly(members_[0]) && IsRight(members_[0]);
    return right_alone && Drop(members_) == Race::kFair ? race : Race::kNotRun;
  }
  ~ImportCrowd() { Drop(members_); }
  ImportCrowd(const ImportCrowd&) = delete;
  ImportCrowd& operator=(const ImportCrowd&) = delete;

 private:
  bool Add(int number) {
    Imported member{.number = number, .offer = life_.recipe.offer(step_.block), .tensor = nullptr, .elements = {}};
    Offer& offer = member.offer;
    SetMember(number, offer);
    const int64_t item = ItemSize(offer.dtype);
    const int64_t count = ElementCount(offer.shape, offer.dims);
    int64_t strides[kDims] = {};
    CompactStrides(offer.shape, offer.dims, strides);
    // Explicit strides are column-major.
    if (offer.strides_kind == StridesKind::kExplicit) {
      int64_t stride = 1;
      for (int d = 0; d < offer.dims; stride *= offer.shape[d++]) strides[d] = stride;
      std::copy_n(strides, offer.dims, offer.strides);
    }
    for (int d = 0; d < offer.dims; ++d) member.byte_strides[d] = strides[d] * item;
    const auto bytes = static_cast<size_t>(count * item);
    member.tensor = &NewTensor(offer, strides, bytes, 0);
    if (!member.tensor->mapped()) return false;
    ElementRun(offer.dtype, SlotSeed(offer.seed, 0), 0, 1, count, member.tensor->first());
    member.elements.resize(bytes);
    ExpectedElements(offer, 0, member.elements);
    const bool taken = Import(member);
    members_.push_back(std::move(member));
    return taken;
  }

  std::vector<Imported> members_;
};

class FarImports : public Imports {
 public:
  using Imports::Imports;

  Race Run() {
    const Offer& base = life_.recipe.offer(step_.block);
    const int64_t item = ItemSize(base.dtype);
    const int64_t far = (int64_t{1} << 31) / item;  // in elements
    const int64_t distances[] = {32768, 32769, 65536, 65537, far, far + 1, 2 * far, 2 * far + 1};
    const double latest = Now() + life_.patience.measuring;
    bool any = false;
    // A negative stride of the offer asks for distances in both directions.
    for (const int64_t sign : {int64_t{1}, int64_t{-1}}) {
      if (sign < 0 && base.strides[0] >= 0) break;
      for (const int64_t distance : distances) {
        for (int axis = 0; axis < base.dims; ++axis) {
          if (any && Now() > latest) return Race::kFair;
          const Race race = RunOne(axis, sign * distance);
          any = any || race != Race::kNotRun;
          if (race == Race::kNotRun || race == Race::kFair) continue;
          // The control: the same layout with its elements close together.
          return RunOne(axis, sign * 3) == Race::kFair ? race : Race::kNotRun;
        }
      }
    }
    return any ? Race::kFair : Race::kNotRun;
  }

 private:
  /// Two elements in dimension `axis` that lie `distance` elements apart, and two neighbours in the next dimension.
  Race RunOne(int axis, int64_t distance) {
    std::vector<Imported> members;
    Imported member{.number = 0, .offer = life_.recipe.offer(step_.block), .tensor = nullptr, .elements = {}};
    Offer& offer = member.offer;
    const int64_t item = ItemSize(offer.dtype);
    std::fill_n(offer.shape, offer.dims, 1);
    std::fill_n(offer.strides, offer.dims, 1);
    offer.strides_kind = StridesKind::kExplicit;
    offer.shape[axis] = 2;
    offer.strides[axis] = distance;
    const int next = (axis + 1) % offer.dims;
    if (next != axis) offer.shape[next] = 2;
    for (int d = 0; d < offer.dims; ++d) member.byte_strides[d] = offer.strides[d] * item;
    constexpr size_t kRoom = 4096;
    const auto reach = static_cast<size_t>(Magnitude(distance) * item);
    member.tensor = &NewTensor(offer, offer.strides, reach + 2 * kRoom, distance < 0 ? reach + kRoom : 0);
    if (!member.tensor->mapped()) return Race::kNotRun;
    WriteElements(member);
    if (!Import(member)) {
      members.push_back(std::move(member));
      (void)Drop(members);
      return Race::kNotRun;
    }
    const bool early = IsReleasedEarly(member);
    const bool right = early || IsRight(member);
    members.push_back(std::move(member));
    const Race release = Drop(members);
    if (early) return Race::kReleasedEarly;
    return right ? release : Race::kOtherTensor;
  }

  static void WriteElements(Imported& member) {
    const Offer& offer = member.offer;
    const int64_t item = ItemSize(offer.dtype);
    const int64_t count = ElementCount(offer.shape, offer.dims);
    member.elements.resize(static_cast<size_t>(count * item));
    for (int64_t i = 0; i < count; ++i) {
      uint8_t* const element = member.elements.data() + i * item;
      ElementBits(offer.dtype, offer.seed, i, element);
      int64_t at = 0;
      int64_t rest = i;
      for (int d = offer.dims - 1; d >= 0; rest /= offer.shape[d--]) at += rest % offer.shape[d] * offer.strides[d];
      std::memcpy(member.tensor->first() + at * item, element, static_cast<size_t>(item));
    }
  }
};

}  // namespace

Race RunImportCrowd(LifeState& life, Releases& releases, const Step& step) {
  return ImportCrowd(life, releases, step).Run();
}

Race RunFarImports(LifeState& life, Releases& releases, const Step& step) {
  return FarImports(life, releases, step).Run();
}

}  // namespace dlpack_cts
