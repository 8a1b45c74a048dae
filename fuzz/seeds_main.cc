// fuzz/seeds_main.cc: writes the seeds of corpus/ from the generator, a few per family.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "fuzz/fold.h"
#include "harness/recipe/codec.h"
#include "harness/recipe/laws.h"

namespace dlpack_cts {
namespace {

/// Recipes of one kind that a campaign should not have to find first.
struct Family {
  const char* name;
  Tier tier;
  bool (*belongs)(const Recipe& recipe);
};

constexpr Family kFamilies[] = {
    {"legacy", Tier::kLegal, [](const Recipe& r) { return r.offer.kind == StructKind::kLegacy && r.offer.dims == 2; }},
    {"versioned", Tier::kLegal,
     [](const Recipe& r) { return r.offer.kind == StructKind::kVersioned && r.offer.dims == 2; }},
    {"scalar", Tier::kLegal, [](const Recipe& r) { return r.offer.dims == 0; }},
    {"empty", Tier::kLegal, [](const Recipe& r) { return IsEmpty(r.offer); }},
    {"strided", Tier::kLegal,
     [](const Recipe& r) { return r.offer.strides_kind == StridesKind::kExplicit && r.offer.dims > 1; }},
    {"null-strides", Tier::kLegal,
     [](const Recipe& r) { return r.offer.strides_kind == StridesKind::kNull && r.offer.dims > 0; }},
    {"byte-offset", Tier::kLegal, [](const Recipe& r) { return r.offer.byte_offset != 0; }},
    {"read-only", Tier::kLegal, [](const Recipe& r) { return r.offer.placement == Placement::kReadOnlyPage; }},
    {"no-deleter", Tier::kLegal, [](const Recipe& r) { return r.offer.deleter == DeleterKind::kNull; }},
    {"foreign-major", Tier::kEdge, [](const Recipe& r) { return (BrokenLaws(r.offer) & kLawMajor) != 0; }},
    {"foreign-device", Tier::kEdge, [](const Recipe& r) { return (BrokenLaws(r.offer) & kLawDevice) != 0; }},
    {"foreign-type", Tier::kEdge,
     [](const Recipe& r) { return (BrokenLaws(r.offer) & kLawDtype) != 0 && r.offer.dtype.lanes == 1; }},
    {"lanes", Tier::kEdge, [](const Recipe& r) { return r.offer.dtype.lanes > 1; }},
    {"many-dims", Tier::kEdge, [](const Recipe& r) { return (BrokenLaws(r.offer) & kLawNdim) != 0; }},
    {"huge-beside-zero", Tier::kEdge, [](const Recipe& r) { return (BrokenLaws(r.offer) & kLawHuge) != 0; }},
    {"capsule-name", Tier::kEdge, [](const Recipe& r) { return (BrokenLaws(r.offer) & kLawName) != 0; }},
};
constexpr int kPerFamily = 2;
constexpr int kTries = 100000;

int Main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "dlpack-cts: one folder is needed\n  hint: dlpack-cts-fuzz-seeds corpus/import\n");
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  for (const Family& family : kFamilies) {
    Random random(1);
    int written = 0;
    for (int i = 0; i < kTries && written < kPerFamily; ++i) {
      Recipe recipe = DrawImport(random, i, family.tier, Limits{});
      FoldImport(recipe, Offering{});
      if (!family.belongs(recipe)) continue;
      const auto bytes = Encode(recipe);
      const auto path = folder / (std::string(family.name) + "-" + std::to_string(++written) + ".recipe");
      std::ofstream file(path, std::ios::binary);
      if (!file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()))) {
        std::fprintf(stderr, "dlpack-cts: %s cannot be written\n  hint: choose another folder\n", path.c_str());
        return 2;
      }
    }
    if (written < kPerFamily) {
      std::fprintf(stderr, "dlpack-cts: the generator no longer draws the family %s\n  hint: see fuzz/seeds_main.cc\n",
                   family.name);
      return 3;
    }
  }
  return 0;
}

}  // namespace
}  // namespace dlpack_cts

int main(int argc, char** argv) { return dlpack_cts::Main(argc, argv); }
