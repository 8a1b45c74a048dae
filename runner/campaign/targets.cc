// runner/campaign/targets.cc: the rows of the table of fuzz targets.
#include "runner/campaign/targets.h"

#include <algorithm>

#include "base/failure.h"
#include "base/text.h"
#include "runner/base/glob.h"

namespace dlpack_cts::runner {
namespace {

const std::vector<FuzzTarget>& Table() {
  static const std::vector<FuzzTarget> table = {
      {.name = "import",
       .what = "the library imports tensors of all kinds; every fact is compared with the reference",
       .cases = {"whole/import/*"},
       .roles = {Role::kConsumer}},
      {.name = "export",
       .what = "the library exports arrays of all kinds, with all arguments; every fact is compared",
       .cases = {"whole/export/*"},
       .roles = {Role::kProducer}},
      {.name = "exchange",
       .what = "the functions of the exchange table, the library's own and forged ones",
       .cases = {"exchange-api/*"},
       .roles = {Role::kExchange, Role::kConsumer}},
      {.name = "lifecycle",
       .what = "several tensors: capsules, releases, threads, exceptions and repeated calls",
       .cases = {"c-abi/own/*", "python/capsule/*", "python/earlier/*", "python/references/*", "python/thread/*"},
       .roles = {Role::kConsumer, Role::kProducer}},
      {.name = "cases",
       .what = "every case of the suites with its own check; no invalid input, no sweep",
       .cases = {"c-abi/*", "exchange-api/*", "python/*"},
       .roles = {Role::kConsumer, Role::kProducer}},
      {.name = "hostile",
       .what = "invalid tensors and arguments, which violate the contract; only memory safety is judged",
       .cases = {"robustness/*"},
       .roles = {Role::kConsumer, Role::kProducer}},
      {.name = "pair",
       .what = "one library imports what another one exports",
       .cases = {"interop/*"},
       .roles = {Role::kProducer},
       .pair = true},
  };
  return table;
}

}  // namespace

std::span<const FuzzTarget> FuzzTargets() { return Table(); }

const FuzzTarget& FindFuzzTarget(const std::string& name) {
  std::vector<std::string> names;
  for (const FuzzTarget& target : FuzzTargets()) {
    if (target.name == name) return target;
    names.emplace_back(target.name);
  }
  const std::string near = Nearest(name, names);
  throw Failure("there is no fuzz target " + name,
                (near.empty() ? "" : near + " ") + "the targets are " + Joined(names, ", "));
}

std::vector<std::string> CasesOf(const Catalogue& catalogue, const FuzzTarget& target) {
  std::vector<CaseInfo> cases = catalogue.cases;
  std::erase_if(cases, [&](const CaseInfo& info) { return info.pair != target.pair; });
  return SelectCases(cases, target.cases, {});
}

}  // namespace dlpack_cts::runner
