// engine/crowd_reexports.cc: hundreds of exports of one imported array that are alive at once.
#include <algorithm>
#include <cstring>
#include <iterator>
#include <thread>
#include <vector>

#include "engine/crowd_tensors.h"
#include "harness/recipe/elements.h"
#include "subject/exported_tensor.h"

namespace dlpack_cts {
namespace {

/// The order in which exports and array are dropped.
enum class Order { kFirstFirst, kLastFirst, kArrayFirst, kOnThread };
constexpr Order kOrders[] = {Order::kFirstFirst, Order::kLastFirst, Order::kArrayFirst, Order::kOnThread};

class ReexportCrowd : public Imports {
 public:
  using Imports::Imports;

  Race Run() {
    const int most = SizeOf(life_, [this] { return RunOne(Order::kFirstFirst, 1) != Race::kNotRun; });
    for (const Order order : kOrders) {
      const Race race = RunOne(order, most);
      if (race == Race::kFair) continue;
      // The control: one export alone.
      return race != Race::kNotRun && RunOne(order, 1) == Race::kFair ? race : Race::kNotRun;
    }
    return Race::kFair;
  }

 private:
  struct Exported {
    void* managed;
    bool versioned;
    ExportLedger seen;
  };

  /// Imports a tensor, exports its array so many times, and drops everything.
  Race RunOne(Order order, int many) {
    std::vector<Imported> members;
    members.push_back(MakeMember());
    Imported& member = members.front();
    if (!member.tensor->mapped() || !Import(member)) {
      (void)Drop(members);
      return Race::kNotRun;
    }
    exports_.clear();
    bool exported = true;
    for (int number = 0; number < many && exported; ++number) exported = Export(member);
    if (order == Order::kArrayFirst) subject_.Drop(std::exchange(member.array, nullptr));
    const bool shared =
        std::ranges::any_of(exports_, [&](const Exported& one) { return member.tensor->Holds(AddressOf(one)); });
    Race race = Judge(member);
    const bool early = Delete(order, shared ? member.tensor : nullptr);
    const Race release = Drop(members);
    if (!exported) return Race::kNotRun;
    if (race == Race::kFair && early) race = Race::kReleasedEarly;
    return race == Race::kFair ? release : race;
  }

  Imported MakeMember() {
    Imported member{.number = 0, .offer = life_.recipe.offer(step_.block), .tensor = nullptr, .elements = {}};
    const Offer& offer = member.offer;
    const int64_t item = ItemSize(offer.dtype);
    const int64_t count = ElementCount(offer.shape, offer.dims);
    int64_t strides[kDims] = {};
    CompactStrides(offer.shape, offer.dims, strides);
    for (int d = 0; d < offer.dims; ++d) member.byte_strides[d] = strides[d] * item;
    const auto bytes = static_cast<size_t>(count * item);
    member.tensor = &NewTensor(offer, strides, bytes, 0);
    if (!member.tensor->mapped()) return member;
    ElementRun(offer.dtype, SlotSeed(offer.seed, 0), 0, 1, count, member.tensor->first());
    member.elements.resize(bytes);
    ExpectedElements(offer, 0, member.elements);
    return member;
  }

  static uint64_t AddressOf(const Exported& one) {
    return reinterpret_cast<uint64_t>(one.seen.tensor.data) + one.seen.tensor.byte_offset;
  }

  /// False if the library refuses it.
  bool Export(const Imported& member) {
    constexpr int kSlot = 1;
    Exporter& exporter = subject_.exporter();
    ledger_->exports[kSlot] = {};
    exporter.Export(member.array, life_.recipe.call(step_.call), kSlot, *ledger_);
    void* const managed = exporter.ExportedStruct(kSlot);
    const ExportLedger& seen = ledger_->exports[kSlot];
    if (managed != nullptr) {
      exporter.TakeCapsule(kSlot);
      exports_.push_back({managed, seen.versioned != 0, seen});
    }
    exporter.LoseCapsule(kSlot);
    (void)subject_.runtime().ForgetException();
    return managed != nullptr;
  }

  /// What is wrong while all are alive.
  Race Judge(const Imported& member) const {
    std::vector<const void*> structs;
    for (const Exported& one : exports_) structs.push_back(one.managed);
    std::ranges::sort(structs);
    if (std::ranges::adjacent_find(structs) != structs.end()) return Race::kSharedStruct;
    for (const Exported& one : exports_) {
      if (ChangedSinceExport(one.managed, one.seen) != 0) return Race::kChanged;
      if (member.tensor->Holds(AddressOf(one)) && member.tensor->deletions() > 0) return Race::kReleasedEarly;
      const Reading reading = ReadExported(one.seen, life_.scratch.got);
      if (reading == Reading::kUnsupported || reading == Reading::kNotRead) continue;
      const abi::DLTensor& tensor = one.seen.tensor;
      const int64_t bytes = ElementCount(one.seen.shape, tensor.ndim) * ItemSize(tensor.dtype);
      // What the library converted has other elements.
      if (!(tensor.dtype == member.offer.dtype)) continue;
      if (reading != Reading::kMatches || bytes != static_cast<int64_t>(member.elements.size()) ||
          std::memcmp(life_.scratch.got.data(), member.elements.data(), member.elements.size()) != 0) {
        return Race::kOtherTensor;
      }
    }
    return Race::kFair;
  }

  /// Calls the deleters, no struct twice. Whether `tensor`, if it is shared, was released before the last call.
  bool Delete(Order order, const HeapTensor* tensor) {
    std::vector<const void*> deleted;
    bool early = false;
    if (order == Order::kLastFirst) std::ranges::reverse(exports_);
    const auto delete_all = [&] {
      for (const Exported& one : exports_) {
        if (std::ranges::find(deleted, one.managed) != deleted.end()) continue;
        early = early || (tensor != nullptr && tensor->deletions() > 0);
        deleted.push_back(one.managed);
        CallDeleter(one.managed, one.versioned);
      }
    };
    if (order == Order::kOnThread) {
      subject_.runtime().Waiting([&] { std::thread(delete_all).join(); });
    } else {
      delete_all();
    }
    exports_.clear();
    return early;
  }

  std::vector<Exported> exports_;
};

}  // namespace

Race RunReexportCrowd(LifeState& life, Releases& releases, const Step& step) {
  return ReexportCrowd(life, releases, step).Run();
}

}  // namespace dlpack_cts
