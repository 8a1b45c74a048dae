// harness/judge/freedom.cc: lays the lists of freedoms out over the rows of the fact table.
#include "harness/judge/freedom.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "harness/judge/freedom_list.h"
#include "harness/judge/pattern.h"
#include "harness/judge/way.h"

namespace dlpack_cts {
namespace {

struct List {
  List() {
    for (const std::span<const Freedom> part : {ImportFreedoms(), ExportFreedoms()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
    if (all.size() > 64) std::abort();  // Profile::ways has a bit for each
    masks.resize(FactRows().size());
    for (size_t i = 0; i < all.size(); ++i) {
      AllWords(all[i].facts, [&](std::string_view pattern) {
        Add(pattern, i);
        return true;
      });
    }
  }

  void Add(std::string_view pattern, size_t freedom) {
    bool found = false;
    for (size_t row = 0; row < masks.size(); ++row) {
      if (!FitsPattern(pattern, FactRows()[row].pattern)) continue;
      masks[row] |= uint64_t{1} << freedom;
      found = true;
    }
    if (found) return;
    std::fprintf(stderr, "dlpack-cts: the freedom %s speaks of %.*s, which is no fact\n", all[freedom].id.data(),
                 static_cast<int>(pattern.size()), pattern.data());
    std::abort();
  }

  std::vector<Freedom> all;
  std::vector<uint64_t> masks;  // of each row
};

const List& TheList() {
  static const List list;
  return list;
}

}  // namespace

std::span<const Freedom> Freedoms() { return TheList().all; }

uint64_t FreedomsOf(int row) { return TheList().masks[static_cast<size_t>(row)]; }

void Learn(const Exchange& exchange, WaysSeen& ways) {
  for (size_t i = 0; i < Freedoms().size(); ++i) {
    const Freedom& freedom = Freedoms()[i];
    const Way* const way = WayOf(freedom.id);
    if (!freedom.constant && way == nullptr) continue;
    const uint64_t bit = uint64_t{1} << i;
    if (freedom.use(exchange, 0)) {
      ways.again |= ways.used & bit;
      ways.used |= bit;
    }
    if (way != nullptr && way->leaves(exchange, 0)) ways.left |= bit;
  }
}

bool Always(const Exchange&, int) { return true; }

bool HasNoElements(const int64_t* shape, int64_t ndim) {
  return std::count(shape, shape + std::clamp<int64_t>(ndim, 0, kDims), 0) != 0;
}

bool SameMeaning(const int64_t* shape, const int64_t* a, const int64_t* b, int64_t ndim) {
  const int64_t dims = std::clamp<int64_t>(ndim, 0, kDims);
  if (HasNoElements(shape, ndim)) return true;
  for (int64_t d = 0; d < dims; ++d) {
    if (shape[d] > 1 && a[d] != b[d]) return false;
  }
  return true;
}

bool AsksForCopy(const Recipe& recipe, ArgumentKind kind) {
  return std::any_of(recipe.calls, recipe.calls + recipe.used.calls,
                     [&](const Call& call) { return call.copy.kind == kind; });
}

}  // namespace dlpack_cts
