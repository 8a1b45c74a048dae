// engine/crowd_exports.cc: hundreds of exports of one thread, each of an array of its own, that are alive at once.
#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "engine/crowd.h"
#include "engine/table_allocation.h"
#include "harness/oracle/oracle.h"
#include "harness/recipe/together.h"
#include "subject/exported_tensor.h"

namespace dlpack_cts {
namespace {

class ExportCrowd {
 public:
  ExportCrowd(LifeState& life, const Step& step)
      : life_(life),
        step_(step),
        beside_(static_cast<Beside>(step.argument)),
        owner_(*life.sources[LifeState::SourceOf(step)].owner),
        base_(life.request(LifeState::SourceOf(step))),
        table_(life.ledger.tables[LifeState::SourceOf(step)]) {
    base_.making = Making::kFresh;
    base_.strides_kind = StridesKind::kCompact;
    base_.offset = 0;
    base_.large = 0;
    std::fill_n(base_.strides, kDims, 0);
  }
  ~ExportCrowd() { Release(); }
  ExportCrowd(const ExportCrowd&) = delete;
  ExportCrowd& operator=(const ExportCrowd&) = delete;

  Race Run() {
    const int most = SizeOf(life_, [this] {
      const bool added = Add(0);
      Release();
      return added;
    });
    for (int number = 0; number < most; ++number) {
      if (!Add(number)) return Race::kNotRun;
      if (overlaps_) break;
    }
    int culprit = 0;
    const Race race = Judge(&culprit);
    Release();
    if (race == Race::kFair || race == Race::kSharedStruct) return race;
    // The control: the same export without the others.
    const bool right_alone = Add(culprit) && Judge(&culprit) == Race::kFair;
    return right_alone ? race : Race::kNotRun;
  }

 private:
  struct Member {
    int number;
    Handle array = nullptr;
    void* managed = nullptr;
    bool versioned = true;
    Description made = {};
    ExportLedger seen = {};
    ExportedMemory memory = {};  // of an allocation
    abi::DLManagedTensorVersioned view = {};
    std::vector<uint8_t> elements = {};
  };

  /// False if the library does not make or export the array.
  bool Add(int number) {
    auto member = std::make_unique<Member>();
    member->number = number;
    Request request = base_;
    SetMember(number, request);
    member->elements.resize(static_cast<size_t>(ElementCount(request.shape, request.dims) * ItemSize(request.dtype)));
    ExpectedElements(request, member->elements);
    if (beside_ != Beside::kManyAllocations) {
      Refusal made{};
      member->array = owner_.exporter().Make(request, member->elements, made);
      if (member->array == nullptr) return false;
      owner_.Describe(member->array, member->made);
    }
    Export(request, *member);
    const bool exported = member->managed != nullptr;
    // The source of every second export is gone when the export is read. A view needs its array.
    const bool drops = beside_ != Beside::kManyViews && number % 2 == 1;
    if (member->array != nullptr && (drops || !exported)) owner_.Drop(std::exchange(member->array, nullptr));
    if (!exported) return false;
    members_.push_back(std::move(member));
    if (beside_ == Beside::kManyAllocations) Fill();
    return true;
  }

  void Export(const Request& request, Member& member) {
    Refusal refusal{};
    switch (beside_) {
      case Beside::kManyByTable:
        return Take(owner_.table()->Export(member.array, table_, refusal), member);
      case Beside::kManyViews: {
        member.view.version = {1, 3};
        const bool viewed = owner_.table()->View(member.array, &member.view.dl_tensor, table_, refusal);
        return Take(viewed ? &member.view : nullptr, member);
      }
      case Beside::kManyAllocations:
        return Take(AllocateByTable(owner_, request, Prototype::kGood, table_, refusal), member);
      default:
        break;
    }
    constexpr int kSlot = 0;
    Exporter& exporter = owner_.exporter();
    ledger_->exports[kSlot] = {};
    exporter.Export(member.array, life_.recipe.call(step_.call), kSlot, *ledger_);
    member.managed = exporter.ExportedStruct(kSlot);
    member.seen = ledger_->exports[kSlot];
    member.versioned = member.seen.versioned != 0;
    if (member.managed != nullptr) exporter.TakeCapsule(kSlot);
    exporter.LoseCapsule(kSlot);
  }

  static void Take(abi::DLManagedTensorVersioned* tensor, Member& member) {
    member.managed = tensor;
    if (tensor != nullptr) RecordExport(tensor, true, member.seen);
  }

  /// Writes the elements of the latest allocation, unless its memory belongs to something else too.
  void Fill() {
    Member& latest = *members_.back();
    latest.memory = MemoryOf(latest.seen);
    for (const std::unique_ptr<Member>& other : members_) {
      overlaps_ = overlaps_ || !LiesApart(latest.memory, other->memory) || !LiesApart(other->memory, latest.memory);
    }
    if (!overlaps_ && HasItsShape(latest)) (void)WriteAllExported(latest.seen, latest.elements);
  }

  bool HasItsShape(const Member& member) const {
    const abi::DLTensor& tensor = member.seen.tensor;
    Request request = base_;
    SetMember(member.number, request);
    const bool told = member.made.has_shape != 0;
    const int dims = told ? member.made.ndim : request.dims;
    const int64_t* const shape = told ? member.made.shape : request.shape;
    return member.seen.metadata_readable != 0 && tensor.ndim == dims && dims <= kDims &&
           std::equal(shape, shape + dims, member.seen.shape);
  }

  bool HasItsElements(const Member& member) const {
    const int64_t item = ItemSize(member.seen.tensor.dtype);
    if (beside_ == Beside::kManyAllocations && item > kWidestWritten) return true;
    const Reading reading = ReadExported(member.seen, life_.scratch.got);
    if (reading == Reading::kUnsupported || reading == Reading::kNotRead) return true;
    const int64_t bytes = ElementCount(member.seen.shape, member.seen.tensor.ndim) * item;
    return reading == Reading::kMatches && bytes == static_cast<int64_t>(member.elements.size()) &&
           std::memcmp(life_.scratch.got.data(), member.elements.data(), member.elements.size()) == 0;
  }

  /// What is wrong while all are alive, and with which.
  Race Judge(int* culprit) const {
    std::vector<const void*> structs;
    for (const std::unique_ptr<Member>& member : members_) structs.push_back(member->managed);
    std::sort(structs.begin(), structs.end());
    if (std::adjacent_find(structs.begin(), structs.end()) != structs.end()) return Race::kSharedStruct;
    Race worst = Race::kFair;
    for (const std::unique_ptr<Member>& member : members_) {
      const bool changed = ChangedSinceExport(member->managed, member->seen) != 0;
      if (!changed && (worst != Race::kFair || (HasItsShape(*member) && HasItsElements(*member)))) continue;
      *culprit = member->number;
      worst = changed ? Race::kChanged : Race::kOtherTensor;
      if (changed) return worst;
    }
    if (overlaps_ && worst == Race::kFair) {
      *culprit = members_.back()->number;
      return Race::kOtherTensor;
    }
    return worst;
  }

  /// Deletes neither in the order of the exports nor in the opposite order, and no struct twice.
  void Release() {
    std::vector<const void*> deleted;
    for (const size_t first : {size_t{0}, size_t{1}}) {
      for (size_t i = first; i < members_.size(); i += 2) {
        const Member& member = *members_[i];
        const bool again = std::find(deleted.begin(), deleted.end(), member.managed) != deleted.end();
        if (beside_ == Beside::kManyViews || again) continue;
        deleted.push_back(member.managed);
        CallDeleter(member.managed, member.versioned);
      }
    }
    for (const std::unique_ptr<Member>& member : members_) {
      if (member->array != nullptr) owner_.Drop(member->array);
    }
    members_.clear();
    overlaps_ = false;
    (void)owner_.runtime().ForgetException();
  }

  LifeState& life_;
  const Step& step_;
  const Beside beside_;
  Subject& owner_;
  Request base_;
  TableLedger table_;  // the records of these calls are not kept
  std::unique_ptr<Ledger> ledger_ = std::make_unique<Ledger>();
  std::vector<std::unique_ptr<Member>> members_;
  bool overlaps_ = false;  // the latest allocation lies in memory of another one
};

}  // namespace

Race RunExportCrowd(LifeState& life, const Step& step) { return ExportCrowd(life, step).Run(); }

}  // namespace dlpack_cts
