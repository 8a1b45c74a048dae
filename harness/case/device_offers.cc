// harness/case/device_offers.cc: puts tensors of a recipe into device memory, for consumers of CUDA memory.
#include <algorithm>
#include <iterator>
#include <span>

#include "harness/case/case.h"
#include "harness/recipe/arguments.h"
#include "harness/recipe/laws.h"
#include "harness/recipe/life.h"
#include "harness/recipe/together.h"

namespace dlpack_cts {
namespace {

constexpr abi::DLDevice kHost = {abi::kDLCPU, 0};
constexpr abi::DLDevice kCuda = {abi::kDLCUDA, 0};
constexpr uint64_t kEvery = 4;  // a consumer of host and device memory gets one tensor in four there

bool Is(const Offer& offer, abi::DLDevice device) { return offer.device == device && offer.reported_device == device; }

bool IsInPages(const Offer& offer) {
  return offer.placement == Placement::kEndsAtGuard || offer.placement == Placement::kStartsAtGuard ||
         offer.placement == Placement::kReadOnlyPage;
}

/// Invalid tensors stay in host memory: a library that reads them there is stopped by a guard page, and on a device it
/// would lose the CUDA context of the process. Offsets that no block of memory has stay there too.
bool MayMove(const Offer& offer) {
  if (!Is(offer, kHost) || offer.byte_offset > kMostDeviceOffset) return false;
  if ((BrokenLaws(offer) & kHostileLaws) != 0) return false;
  return IsInPages(offer) || IsEmpty(offer);
}

/// Whether a step makes tensors of its own in host memory.
bool HasOwnTensors(const Recipe& recipe) {
  return HasStep(recipe, [](const Step& step) {
    if (step.op != Op::kImportTogether) return false;
    const auto sharing = static_cast<Sharing>(step.argument);
    return IsMany(sharing) || IsFar(sharing) || IsReexports(sharing);
  });
}

void Move(Recipe& recipe) {
  const auto offers = std::span(recipe.offers, recipe.used.offers);
  if (HasOwnTensors(recipe) || !std::all_of(offers.begin(), offers.end(), MayMove)) return;
  for (Offer& offer : offers) {
    PutOn(offer, kCuda, IsInPages(offer) ? Placement::kDevice : offer.placement);
    // A kernel that reads a misaligned element ends the context of the process.
    const int natural = NaturalAlignmentLog2(offer.dtype);
    offer.alignment_log2 = static_cast<uint8_t>(std::max<int>(offer.alignment_log2, natural));
  }
  for (Call& call : std::span(recipe.calls, recipe.used.calls)) {
    // The device of the tensor itself.
    const Argument& asked = call.dl_device;
    if (IsPair(asked) && asked.a == kHost.device_type && asked.b == 0) {
      call.dl_device.a = kCuda.device_type;
    }
    // Not a handle of a stream.
    if (IsInt(call.stream)) call.stream = {};
  }
}

}  // namespace

int32_t ForeignDevice(const Profile& profile, int index) {
  constexpr auto kCount = static_cast<int>(std::size(kForeignDevices));
  const int32_t type = kForeignDevices[index % kCount];
  return type == profile.made_device.device_type ? kForeignDevices[(index + 1) % kCount] : type;
}

void PlaceOffers(const Profile& profile, Recipe& recipe) {
  if (recipe.kind != RecipeKind::kImport || !profile.Claims(Claim::kCuda)) return;
  // A simpler recipe must not declare host memory as device memory, or device memory as host memory.
  for (Offer& offer : std::span(recipe.offers, recipe.used.offers)) {
    if (Is(offer, kHost) && offer.placement == Placement::kDevice) offer.placement = Placement::kEndsAtGuard;
    if (Is(offer, kCuda) && IsInPages(offer)) offer.placement = Placement::kDevice;
  }
  if (profile.refuses_host != 0 && profile.takes_device != 0) Move(recipe);
}

void SometimesOnDevice(const Profile& profile, Recipe& recipe) {
  if (recipe.kind != RecipeKind::kImport || !profile.Claims(Claim::kCuda) || profile.takes_device == 0) return;
  if ((recipe.offer().seed >> 24) % kEvery == 0) Move(recipe);
}

}  // namespace dlpack_cts
