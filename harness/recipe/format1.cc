// harness/recipe/format1.cc: reads recipes of the first format.
#include "harness/recipe/format1.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <type_traits>
#include <utility>

namespace dlpack_cts::format1 {
namespace {

struct OldOffer {
  StructKind kind;
  StructPlace place;
  Placement placement;
  StridesKind strides_kind;
  DeleterKind deleter;
  ContextKind context;
  DestructorKind destructor;
  CapsuleName name;
  uint8_t manners;
  uint8_t alignment_log2;
  uint8_t dims;
  uint8_t null_shape;
  uint8_t negative_metadata;
  uint8_t seal_on_delete;
  uint8_t reserved[2];
  uint32_t major;
  uint32_t minor;
  uint64_t flags;
  abi::DLDevice device;
  abi::DLDevice reported_device;
  abi::DLDataType dtype;
  int32_t ndim;
  int64_t fill_extent;
  int64_t shape[kOldDims];
  int64_t strides[kOldDims];
  uint64_t byte_offset;
  uint64_t seed;
};

struct OldRequest {
  Making making;
  StridesKind strides_kind;
  Oddity oddity;
  uint8_t read_only;
  uint8_t dims;
  uint8_t reserved[3];
  abi::DLDataType dtype;
  uint32_t reserved2;
  int64_t shape[kOldDims];
  int64_t strides[kOldDims];
  int64_t offset;
  uint64_t seed;
};

struct OldRecipe {
  uint32_t magic;
  uint16_t format;
  RecipeKind kind;
  OldOffer offer;
  OldRequest request;
  Call call;
  OldStep life[kOldSteps];
};
static_assert(std::is_trivially_copyable_v<OldRecipe> && std::has_unique_object_representations_v<OldRecipe>);

constexpr std::array<std::string_view, 37> kOpWords = {
    "end",           "import",        "import-capsule",  "import-again",   "describe",    "read",
    "compute",       "write-source",  "write-array",     "take-view",      "reexport",    "drop-array",
    "drop-capsule",  "drop-producer", "collect",         "drop-elsewhere", "make",        "export",
    "ask-device",    "inspect",       "read-export",     "write-export",   "drop-source", "change-metadata",
    "take-capsule",  "delete",        "delete-together", "lose-capsule",   "read-source", "use-source",
    "import-source", "table-find",    "table-export",    "table-import",   "table-view",  "table-allocate",
    "table-stream"};
constexpr uint8_t kDropElsewhere = 15;   // drop the array on another thread
constexpr uint8_t kDeleteTogether = 26;  // call the deleters of all taken tensors at once, each on a raw thread
static_assert(kOpWords[kDropElsewhere] == "drop-elsewhere" && kOpWords[kDeleteTogether] == "delete-together");

constexpr std::array<std::string_view, 7> kMannersWords = {"obeys",  "negotiates",   "stream-only",   "no-keywords",
                                                           "raises", "returns-none", "returns-stored"};

/// The operation of that number today; the two that are gone have no number.
Op OpOf(uint8_t old) { return static_cast<Op>(old - (old > kDropElsewhere ? 1 : 0) - (old > kDeleteTogether ? 1 : 0)); }

template <typename Old, typename New>
void ReadDims(const Old& old, New& block) {
  block.dims = static_cast<uint8_t>(old.dims % (kOldDims + 1));
  std::copy_n(old.shape, block.dims, block.shape);
  std::copy_n(old.strides, block.dims, block.strides);
}

void ReadOffer(const OldOffer& old, Offer& offer) {
  offer.kind = old.kind;
  offer.place = old.place;
  offer.placement = old.placement;
  offer.strides_kind = old.strides_kind;
  offer.deleter = old.deleter;
  offer.context = old.context;
  offer.destructor = old.destructor;
  offer.name = old.name;
  SetManners(old.manners % kMannersWords.size(), offer);
  offer.alignment_log2 = old.alignment_log2;
  offer.null_shape = old.null_shape;
  offer.negative_metadata = old.negative_metadata;
  offer.seal_on_delete = old.seal_on_delete;
  offer.flags = old.flags;
  offer.major = old.major;
  offer.minor = old.minor;
  offer.device = old.device;
  offer.reported_device = old.reported_device;
  offer.dtype = old.dtype;
  offer.ndim = old.ndim;
  offer.fill_extent = old.fill_extent;
  offer.byte_offset = old.byte_offset;
  offer.seed = old.seed;
  ReadDims(old, offer);
}

void ReadRequest(const OldRequest& old, Request& request) {
  request.making = old.making;
  request.strides_kind = old.strides_kind;
  request.oddity = old.oddity;
  request.read_only = old.read_only;
  request.dtype = old.dtype;
  request.offset = old.offset;
  request.seed = old.seed;
  ReadDims(old, request);
}

}  // namespace

std::span<const std::string_view> OpWords() { return kOpWords; }
std::span<const std::string_view> MannersWords() { return kMannersWords; }
size_t Size() { return sizeof(OldRecipe); }

void SetManners(size_t manners, Offer& offer) {
  static constexpr Keywords kKeywords[] = {kIgnoresKeywords, kNegotiates, kStreamOnly, kNoKeywords};
  static constexpr Gives kGives[] = {Gives::kBufferError, Gives::kNone, Gives::kStored};
  const bool keywords = manners < std::size(kKeywords);
  offer.keywords = keywords ? kKeywords[manners] : kIgnoresKeywords;
  offer.gives = keywords ? Gives::kCapsule : kGives[manners - std::size(kKeywords)];
}

void SetOldLife(std::span<const OldStep> steps, Recipe& recipe) {
  recipe.used.steps = 0;
  bool owned[kSlots] = {};
  uint8_t barrier = 0;
  for (const OldStep& old : steps) {
    const uint8_t number = static_cast<uint8_t>(old.op % kOpWords.size());
    if (number == 0) return;
    Step step;
    step.op = OpOf(number);
    step.slot = static_cast<uint8_t>(old.slot % kSlots);
    step.argument = old.argument < 0 ? -(old.argument + 1) : old.argument;
    step.barrier = std::exchange(barrier, uint8_t{0});
    const int argument = std::exchange(step.argument, 0);
    switch (number == kDropElsewhere || number == kDeleteTogether ? Op::kEnd : step.op) {
      case Op::kEnd:
        if (number == kDropElsewhere) {
          step.op = Op::kDropArray;
          step.lane = step.barrier = barrier = 1;
          break;
        }
        // The slots whose tensors were taken, each on a lane of its own.
        step.op = Op::kDelete;
        step.context = Context::kRawThread;
        step.barrier = barrier = 1;
        for (uint8_t slot = 0; slot < kSlots; ++slot) {
          if (!owned[slot]) continue;
          step.slot = slot;
          ++step.lane;
          AddStep(recipe, step);
          step.barrier = 0;
        }
        continue;
      case Op::kImport:
      case Op::kImportCapsule:
        if (argument > 0 && argument <= kSlots && argument - 1 != step.slot) step.other = OtherOf(argument - 1);
        break;
      case Op::kReexport:
        if (argument >= kSlots) continue;  // did nothing
        step.other = OtherOf(argument);
        break;
      case Op::kExport:
        if (argument != 1) break;
        // Without max_version.
        if (recipe.used.calls == 1) AddCall(recipe, recipe.call()).max_version = {};
        step.call = 1;
        break;
      case Op::kDelete:
        if (argument == 1) step.context = Context::kRawThread;
        break;
      case Op::kLoseCapsule:
        if (argument == 1) step.context = Context::kPendingException;
        break;
      case Op::kTakeCapsule:
      case Op::kTableExport:
      case Op::kTableView:
      case Op::kTableAllocate:
        owned[step.slot] = true;
        step.argument = argument;
        break;
      default:
        step.argument = argument;
    }
    AddStep(recipe, step);
  }
}

Recipe Read(std::span<const uint8_t> bytes) {
  OldRecipe old{};
  std::copy_n(bytes.begin(), std::min(bytes.size(), sizeof(old)), reinterpret_cast<uint8_t*>(&old));
  Recipe recipe = MakeRecipe(old.kind);
  ReadOffer(old.offer, recipe.offer());
  ReadRequest(old.request, recipe.request());
  recipe.call() = old.call;
  SetOldLife(old.life, recipe);
  return recipe;
}

}  // namespace dlpack_cts::format1
