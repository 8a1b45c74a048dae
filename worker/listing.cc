// worker/listing.cc: answers about cases and mutants that need no library.
#include "worker/listing.h"

#include "harness/case/case.h"
#include "harness/case/claims.h"
#include "harness/judge/freedom.h"
#include "mutants/mutant.h"

namespace dlpack_cts::worker {

nlohmann::json ListCases() {
  constexpr std::string_view kRoles[] = {"consumer", "producer", "exchange"};
  nlohmann::json list = nlohmann::json::array();
  for (const Case& listed : Catalogue()) {
    nlohmann::json needs = nlohmann::json::array();
    for (const Claim claim : listed.needs) needs.push_back(ToText(claim));
    list.push_back({{"case", listed.id},
                    {"rules", listed.rules},
                    {"role", kRoles[static_cast<size_t>(listed.role)]},
                    {"suite", SuiteOf(listed.id)},
                    {"hostile", listed.hostile},
                    {"whole", listed.examples == Examples::kWhole},
                    {"pair", listed.pair},
                    {"python", listed.python},
                    {"needs", needs}});
  }
  return list;
}

nlohmann::json ListMutants() {
  nlohmann::json list = nlohmann::json::array();
  for (const Mutant& mutant : Mutants()) {
    list.push_back({{"mutant", mutant.name},
                    {"kind", mutant.conforming ? "conforming" : "mutant"},
                    {"rules", mutant.rules},
                    {"what", mutant.what}});
  }
  return list;
}

nlohmann::json ListFreedoms() {
  nlohmann::json list = nlohmann::json::array();
  for (const Freedom& freedom : Freedoms()) {
    list.push_back({{"freedom", freedom.id},
                    {"holds", freedom.constant ? "of the library" : "of one exchange"},
                    {"rule", freedom.source},
                    {"what", freedom.what},
                    {"facts", freedom.facts}});
  }
  return list;
}

}  // namespace dlpack_cts::worker
