// worker/probe/profile_words.cc: describes a profile in a few short lines.
#include "worker/probe/profile_words.h"

#include <fmt/format.h>

#include <bit>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "harness/choices/choice.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/layout.h"

namespace dlpack_cts::worker {
namespace {

constexpr size_t kNamed = 8;  // most names in one line; a longer list is shortened or counted

std::string Structs(uint8_t legacy, uint8_t versioned) {
  if (legacy != 0 && versioned != 0) return "legacy and versioned structs";
  if (legacy != 0) return "legacy structs only";
  return versioned != 0 ? "versioned structs only" : "neither legacy nor versioned structs";
}

/// "0 to 64 dimensions"; "1, 2, 4 dimensions" if some numbers between are missing.
std::string Ranks(uint32_t ranks, uint8_t deepest) {
  std::vector<std::string> all;
  int first = -1;
  int last = -1;
  for (int dims = 0; dims <= kWalkedDims; ++dims) {
    if (((ranks >> dims) & 1u) == 0) continue;
    all.push_back(std::to_string(dims));
    first = first < 0 ? dims : first;
    last = dims;
  }
  if (all.empty()) return "";
  const bool gaps = static_cast<int>(all.size()) != last - first + 1;
  if (deepest != 0 && last == kWalkedDims && !gaps) return fmt::format("{} to {} dimensions", first, deepest);
  if (deepest != 0) all.push_back(std::to_string(deepest));
  if (gaps || all.size() < 3) return Joined(all, ", ") + (all.back() == "1" ? " dimension" : " dimensions");
  return fmt::format("{} to {} dimensions", first, last);
}

/// Names of the dtypes in the mask. If it holds all 8-bit floats, they share one name.
std::vector<std::string> TypeNames(uint64_t mask) {
  constexpr std::string_view kFloat8 = "float8_";
  const auto of_8_bits = [&](size_t i) { return DataTypes()[i].name.starts_with(kFloat8); };
  bool all = true;
  for (size_t i = 0; i < WholeByteTypes().size(); ++i) all = all && (!of_8_bits(i) || ((mask >> i) & 1u) != 0);
  std::vector<std::string> names;
  for (size_t i = 0; i < DataTypes().size(); ++i) {
    if (((mask >> i) & 1u) != 0 && !(all && of_8_bits(i))) names.emplace_back(DataTypes()[i].name);
  }
  if (all) names.push_back(std::string(kFloat8) + "*");
  return names;
}

std::string WholeTypes(uint64_t dtypes, uint64_t every) {
  if (dtypes == every) return fmt::format("all {} types", WholeByteTypes().size());
  const std::vector<std::string> has = TypeNames(dtypes);
  const std::vector<std::string> lacks = TypeNames(~dtypes & every);
  if (has.size() <= kNamed && has.size() <= lacks.size()) return Joined(has, ", ");
  if (lacks.size() <= kNamed) return "all types except " + Joined(lacks, ", ");
  return fmt::format("{} of {} types", std::popcount(dtypes), WholeByteTypes().size());
}

/// Few libraries have dtypes of fewer than 8 bits, so they are listed separately.
std::string Types(uint64_t dtypes) {
  const uint64_t every = (uint64_t{1} << WholeByteTypes().size()) - 1;
  if (std::popcount(dtypes) == static_cast<int>(DataTypes().size()))
    return fmt::format("all {} types", DataTypes().size());
  const std::vector<std::string> small = TypeNames(dtypes & ~every);
  return WholeTypes(dtypes & every, every) + (small.empty() ? "" : "; sub-byte: " + Joined(small, ", "));
}

std::string Layouts(uint32_t layouts) {
  constexpr uint32_t kCompactBit = 1u << static_cast<uint32_t>(Layout::kCompact);
  constexpr uint32_t kAll = (1u << kLayouts) - 1;
  constexpr uint32_t kBackwards =
      (1u << static_cast<uint32_t>(Layout::kNegative)) | (1u << static_cast<uint32_t>(Layout::kMixed));
  if ((layouts & kAll) == kAll) return "any strides";
  if ((layouts & kAll) == (kAll & ~kBackwards)) return "any strides except negative ones";
  return (layouts & kAll) == kCompactBit ? "compact tensors only" : "some strides";
}

class Lines {
 public:
  void Add(const char* part, std::string_view id, std::string words) {
    if (!words.empty()) lines_.push_back({part, std::string(id), std::move(words)});
  }
  ProfileLines Take() { return std::move(lines_); }

 private:
  ProfileLines lines_;
};

void AddTakes(const Profile& profile, Lines& lines) {
  constexpr const char* kTakes = "takes";
  if (!profile.Claims(Claim::kConsumer) || profile.import_kills != 0) return;
  lines.Add(kTakes, "structs", Structs(profile.takes_legacy, profile.takes_versioned));
  if (profile.takes_legacy == 0 && profile.takes_versioned == 0) return;
  if (profile.Claims(Claim::kCuda)) {
    lines.Add(kTakes, "device",
              profile.refuses_host != 0   ? "memory of CUDA devices only"
              : profile.takes_device != 0 ? "memory of the host and of CUDA devices"
                                          : "host memory, and no memory of CUDA devices");
  }
  lines.Add(kTakes, "ranks", Ranks(profile.takes_ranks, profile.takes_deepest));
  lines.Add(kTakes, "dtypes", Types(profile.takes_dtypes));
  lines.Add(kTakes, "layouts", Layouts(profile.takes_layouts));
  if (profile.takes_read_only == 0) lines.Add(kTakes, "read-only", "no read-only tensors");
  if (profile.takes_alignment_log2 != 0) {
    lines.Add(kTakes, "alignment", fmt::format("data aligned to {} bytes", 1 << profile.takes_alignment_log2));
  }
  // If no address is known the line is left out. A library that always copies has an observed choice for that.
  if (profile.aliases != 0) lines.Add(kTakes, "memory", "shares the memory of the producer");
}

void AddMakes(const Profile& profile, Lines& lines) {
  constexpr const char* kMakes = "makes";
  if (!profile.Claims(Claim::kProducer) || profile.export_kills != 0) return;
  lines.Add(kMakes, "structs", Structs(profile.makes_legacy, profile.makes_versioned));
  if (profile.makes_legacy == 0 && profile.makes_versioned == 0) return;
  lines.Add(kMakes, "ranks", Ranks(profile.makes_ranks, profile.makes_deepest));
  lines.Add(kMakes, "dtypes", Types(profile.makes_dtypes));
  lines.Add(kMakes, "layouts", Layouts(profile.makes_layouts));
  lines.Add(kMakes, "alignment", fmt::format("data aligned to {} bytes", 1 << profile.makes_alignment_log2));
}

/// The observed choices that are constant for the library. A choice per exchange is listed if every exchange showed it.
void AddChoices(const Profile& profile, Lines& lines) {
  const uint64_t kept = profile.choices.Kept();
  for (size_t i = 0; i < std::min<size_t>(Choices().size(), 64); ++i) {
    const Choice& choice = Choices()[i];
    const uint64_t seen = choice.constant ? profile.choices.used : kept;
    if (((seen >> i) & 1u) == 0) continue;
    const bool sometimes = choice.more.habit.plain && ((profile.choices.left >> i) & 1u) != 0;
    lines.Add("ways", choice.id, (sometimes ? "sometimes " : "") + std::string(choice.what));
  }
}

}  // namespace

ProfileLines WordsOf(const Profile& profile) {
  Lines lines;
  AddTakes(profile, lines);
  AddMakes(profile, lines);
  AddChoices(profile, lines);
  return lines.Take();
}

}  // namespace dlpack_cts::worker
