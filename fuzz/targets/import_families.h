// fuzz/targets/import_families.h: the families of recipes that all targets have that import a tensor.
#ifndef DLPACK_CTS_FUZZ_TARGETS_IMPORT_FAMILIES_H_
#define DLPACK_CTS_FUZZ_TARGETS_IMPORT_FAMILIES_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "fuzz/target.h"
#include "harness/recipe/laws.h"

namespace dlpack_cts::fuzz {

inline bool Breaks(const Recipe& recipe, uint32_t law) { return (BrokenLaws(recipe.offer()) & law) != 0; }

inline constexpr Family kImportFamilies[] = {
    {"legacy", Tier::kLegal,
     [](const Recipe& r) { return r.offer().kind == StructKind::kLegacy && r.offer().dims == 2; }},
    {"versioned", Tier::kLegal,
     [](const Recipe& r) { return r.offer().kind == StructKind::kVersioned && r.offer().dims == 2; }},
    {"scalar", Tier::kLegal, [](const Recipe& r) { return r.offer().dims == 0; }},
    {"empty", Tier::kLegal, [](const Recipe& r) { return IsEmpty(r.offer()); }},
    {"strided", Tier::kLegal,
     [](const Recipe& r) { return r.offer().strides_kind == StridesKind::kExplicit && r.offer().dims > 1; }},
    {"null-strides", Tier::kLegal,
     [](const Recipe& r) { return r.offer().strides_kind == StridesKind::kNull && r.offer().dims > 0; }},
    {"byte-offset", Tier::kLegal, [](const Recipe& r) { return r.offer().byte_offset != 0; }},
    {"no-deleter", Tier::kLegal, [](const Recipe& r) { return r.offer().deleter == DeleterKind::kNull; }},
    {"foreign-major", Tier::kEdge, [](const Recipe& r) { return Breaks(r, kLawMajor); }},
    {"foreign-device", Tier::kEdge, [](const Recipe& r) { return Breaks(r, kLawDevice); }},
    {"many-dims", Tier::kEdge, [](const Recipe& r) { return Breaks(r, kLawNdim); }},
    {"huge-beside-zero", Tier::kEdge, [](const Recipe& r) { return Breaks(r, kLawHuge); }},
};

/// These, and a target's own ones.
template <size_t kOwn>
constexpr auto WithImportFamilies(const Family (&own)[kOwn]) {
  std::array<Family, std::size(kImportFamilies) + kOwn> all{};
  std::copy(std::begin(own), std::end(own),
            std::copy(std::begin(kImportFamilies), std::end(kImportFamilies), all.begin()));
  return all;
}

}  // namespace dlpack_cts::fuzz

#endif  // DLPACK_CTS_FUZZ_TARGETS_IMPORT_FAMILIES_H_
