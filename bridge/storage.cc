// bridge/storage.cc: a cached list of this process's mappings.
#include "bridge/storage.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

#include "harness/forge/forge.h"

namespace dlpack_cts {
namespace {

struct Mapping {
  uint64_t low;
  uint64_t high;
  bool file;
};

std::vector<Mapping> ReadMappings() {
  std::vector<Mapping> mappings;
  std::FILE* maps = std::fopen("/proc/self/maps", "re");
  if (maps == nullptr) return mappings;
  char line[512];
  while (std::fgets(line, sizeof(line), maps) != nullptr) {
    unsigned long low = 0;
    unsigned long high = 0;
    char first = '\0';
    std::sscanf(line, "%lx-%lx %*s %*s %*s %*s %c", &low, &high, &first);
    mappings.push_back({low, high, first == '/'});
  }
  std::fclose(maps);
  return mappings;
}

const Mapping* Find(const std::vector<Mapping>& mappings, uint64_t address) {
  const auto found = std::upper_bound(mappings.begin(), mappings.end(), address,
                                      [](uint64_t value, const Mapping& mapping) { return value < mapping.high; });
  return found != mappings.end() && address >= found->low ? &*found : nullptr;
}

}  // namespace

NameStorage Storage(const void* bytes) {
  static std::vector<Mapping> mappings;
  const auto address = reinterpret_cast<uint64_t>(bytes);
  const Mapping* mapping = Find(mappings, address);
  if (mapping == nullptr) {
    // A library may have been loaded, or memory allocated, since the list was read.
    mappings = ReadMappings();
    mapping = Find(mappings, address);
  }
  if (mapping == nullptr) return NameStorage::kUnknown;
  return mapping->file ? NameStorage::kStatic : NameStorage::kOther;
}

NameSeen SeenName(const char* name) {
  if (name == nullptr) return NameSeen::kNull;
  struct Published {
    const char* text;
    NameSeen seen;
  };
  constexpr Published kPublished[] = {{abi::kVersionedName, NameSeen::kVersioned},
                                      {abi::kUsedVersionedName, NameSeen::kUsedVersioned},
                                      {abi::kLegacyName, NameSeen::kLegacy},
                                      {abi::kUsedLegacyName, NameSeen::kUsedLegacy}};
  for (const Published& published : kPublished) {
    if (name == published.text) return published.seen;
  }
  const bool constant = Storage(name) == NameStorage::kStatic;
  for (const Published& published : kPublished) {
    const size_t size = std::strlen(published.text) + 1;
    if (!constant && !Forge::IsReadable(reinterpret_cast<uint64_t>(name), size)) continue;
    if (std::strncmp(name, published.text, size) == 0) return published.seen;
  }
  return NameSeen::kForeign;
}

}  // namespace dlpack_cts
