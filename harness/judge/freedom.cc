// harness/judge/freedom.cc: lays the lists of freedoms out over the rows of the fact table.
#include "harness/judge/freedom.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "harness/judge/freedom_list.h"
#include "harness/judge/pattern.h"
#include "harness/judge/way.h"
#include "harness/recipe/ops.h"

namespace dlpack_cts {
namespace {

/// What probes look for.
bool IsRemembered(const Freedom& freedom) { return freedom.constant || WayOf(freedom.id) != nullptr; }

struct List {
  List() {
    for (const std::span<const Freedom> part : {ImportFreedoms(), ExportFreedoms()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
    const auto others = std::stable_partition(all.begin(), all.end(), IsRemembered);
    remembered = static_cast<size_t>(others - all.begin());
    if (remembered > 64 || all.size() > kMostFreedoms) std::abort();
    of_row.resize(FactRows().size());
    for (size_t i = 0; i < all.size(); ++i) {
      AllWords(all[i].facts, [&](std::string_view pattern) {
        Add(pattern, i);
        return true;
      });
    }
  }

  void Add(std::string_view pattern, size_t freedom) {
    bool found = false;
    for (size_t row = 0; row < of_row.size(); ++row) {
      if (!FitsPattern(pattern, FactRows()[row].pattern)) continue;
      if (of_row[row].empty() || of_row[row].back() != freedom) of_row[row].push_back(static_cast<uint8_t>(freedom));
      found = true;
    }
    if (found) return;
    std::fprintf(stderr, "dlpack-cts: the choice %s names the fact %.*s, which does not exist\n",
                 all[freedom].id.data(), static_cast<int>(pattern.size()), pattern.data());
    std::abort();
  }

  std::vector<Freedom> all;
  size_t remembered = 0;                     // that many stand first: a Profile has a bit for each
  std::vector<std::vector<uint8_t>> of_row;  // indices into `all`
};

const List& TheList() {
  static const List list;
  return list;
}

}  // namespace

std::span<const Freedom> Freedoms() { return TheList().all; }

std::span<const uint8_t> FreedomsOf(int row) { return TheList().of_row[static_cast<size_t>(row)]; }

void Learn(const Exchange& exchange, WaysSeen& ways) {
  for (size_t i = 0; i < TheList().remembered; ++i) {
    const Freedom& freedom = Freedoms()[i];
    const Way* const way = WayOf(freedom.id);
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
  const std::span<const Step> life = recipe.life();
  return std::any_of(life.begin(), life.end(), [&](const Step& step) {
    return HasTrait(step.op, OpTrait::kPassesKeywords) && recipe.call(step.call).copy.kind == kind;
  });
}

}  // namespace dlpack_cts
