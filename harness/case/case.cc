// harness/case/case.cc: the catalogue of cases, and what a draw offers.
#include "harness/case/case.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>

namespace dlpack_cts {
namespace {

std::vector<Case>& Declared() {
  static std::vector<Case> cases;
  return cases;
}

[[noreturn]] void BadCase(std::string_view id, const char* what) {
  std::fprintf(stderr, "dlpack-cts: the case \"%.*s\" %s\n", static_cast<int>(id.size()), id.data(), what);
  std::abort();
}

/// "suite/topic/what-holds": ids are typed, matched by globs, and made into file names.
bool IsPath(std::string_view id) {
  const auto plain = [](char c) {
    return std::islower(static_cast<unsigned char>(c)) || std::isdigit(static_cast<unsigned char>(c)) || c == '-' ||
           c == '.';
  };
  int names = 0;
  for (;; ++names) {
    const size_t end = id.find('/');
    const std::string_view name = id.substr(0, end);
    if (name.empty() || !std::all_of(name.begin(), name.end(), plain)) return false;
    if (end == std::string_view::npos) return names > 0;
    id.remove_prefix(end + 1);
  }
}

void Check(const Case& declared) {
  if (!IsPath(declared.id)) BadCase(declared.id, "is no path of a case");
  if (declared.examples == Examples::kTable && declared.table < 1) BadCase(declared.id, "has a table without rows");
  if (declared.rules.empty()) BadCase(declared.id, "names no rule");
  if (declared.draw == nullptr) BadCase(declared.id, "draws no recipe");
  if (declared.judge == nullptr) BadCase(declared.id, "judges nothing");
  if (declared.on_refusal == OnRefusal::kWarn && declared.control == nullptr) {
    BadCase(declared.id, "counts a refusal but has no control");
  }
}

bool Has(uint64_t mask) { return mask != 0; }

}  // namespace

Limits Draw::limits() const {
  Limits limits;
  limits.dtypes = profile.takes_dtypes;
  limits.legacy = profile.takes_legacy;
  limits.versioned = profile.takes_versioned;
  limits.strided = profile.takes_strided;
  limits.negative = profile.survives_negative;
  limits.empty = profile.takes_empty;
  limits.scalar = profile.takes_scalar;
  limits.offset = profile.takes_offset;
  limits.read_only = profile.takes_read_only;
  // A subject that takes neither kind is still asked both: its refusals are what the case then reports.
  if (!limits.legacy && !limits.versioned) limits.legacy = limits.versioned = true;
  return limits;
}

Recipe Draw::Import(Tier tier) { return Import(limits(), tier); }

Recipe Draw::Import(const Limits& limits, Tier tier) { return DrawImport(random, index, tier, limits); }

Recipe Draw::Export(Tier tier) {
  Limits limits;
  if (Has(profile.makes_dtypes)) limits.dtypes = profile.makes_dtypes;
  return Export(limits, tier);
}

Recipe Draw::Export(const Limits& limits, Tier tier) { return DrawExport(random, index, tier, limits); }

Recipe Draw::ExportOrCopy() {
  Recipe recipe = Export();
  if (profile.takes_keywords != 0 && random.OneIn(4)) recipe.call().copy.kind = ArgumentKind::kTrue;
  return recipe;
}

Register::Register(Case declared) {
  Check(declared);
  Declared().push_back(std::move(declared));
}

const std::vector<Case>& Catalogue() {
  static const std::vector<Case>& sorted = []() -> const std::vector<Case>& {
    std::vector<Case>& cases = Declared();
    std::sort(cases.begin(), cases.end(), [](const Case& a, const Case& b) { return a.id < b.id; });
    for (size_t i = 1; i < cases.size(); ++i) {
      if (cases[i].id == cases[i - 1].id) BadCase(cases[i].id, "is declared twice");
    }
    return cases;
  }();
  return sorted;
}

const Case* FindCase(std::string_view id) {
  const std::vector<Case>& cases = Catalogue();
  const auto found = std::lower_bound(cases.begin(), cases.end(), id,
                                      [](const Case& a, std::string_view wanted) { return a.id < wanted; });
  return found != cases.end() && found->id == id ? &*found : nullptr;
}

std::string TestName(std::string_view id) {
  std::string name;
  bool upper = true;
  for (const char c : id.substr(id.rfind('/') + 1)) {
    if (c == '-') {
      upper = true;
      continue;
    }
    name += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    upper = false;
  }
  return name;
}

std::string_view SuiteOf(std::string_view id) { return id.substr(0, id.rfind('/')); }

}  // namespace dlpack_cts
