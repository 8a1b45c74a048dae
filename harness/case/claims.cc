// harness/case/claims.cc: the names of claims and traits.
#include "harness/case/claims.h"

#include <array>

namespace dlpack_cts {
namespace {

constexpr std::array<std::string_view, static_cast<size_t>(Claim::kCount)> kNames = {
    // In the order of enum class Claim.
    "consumer",
    "producer",
    "capsule_input",
    "compute",
    "view",
    "write",
    "reexport",
    "read_only",
    "reshape_in_place",
    "transpose_in_place",
    "resize_in_place",
    "array_api",
    "copy_keyword",
    "device_keyword",
    "exchange_api",
    "zero_copy",
    "cuda",
    "oddities",
    "close",
    "from_exchange",
    "peek",
    "python",
};
static_assert(!kNames.back().empty());

constexpr std::array<std::string_view, static_cast<size_t>(Trait::kCount)> kTraits = {
    "immutable", "copies", "borrows", "capsules_only", "typed_imports", "narrows", "no_weak_references",
};
static_assert(!kTraits.back().empty());

}  // namespace

std::string_view ToText(Claim claim) { return kNames[static_cast<size_t>(claim)]; }

std::optional<Claim> ClaimFromText(std::string_view text) {
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == text) return static_cast<Claim>(i);
  }
  return std::nullopt;
}

std::string_view ToText(Trait trait) { return kTraits[static_cast<size_t>(trait)]; }

std::optional<Trait> TraitFromText(std::string_view text) {
  for (size_t i = 0; i < kTraits.size(); ++i) {
    if (kTraits[i] == text) return static_cast<Trait>(i);
  }
  return std::nullopt;
}

}  // namespace dlpack_cts
