// results/cause.cc: the ids of causes.
#include "results/cause.h"

#include <algorithm>

namespace dlpack_cts {

std::string FamilyId(Family family) {
  std::string id(ToText(family));
  std::replace(id.begin(), id.end(), ' ', '-');
  return id;
}

std::string CauseId(const Finding& finding) {
  std::string id = std::string(ToText(finding.side)) + "/" + FamilyId(finding.family);
  for (size_t i = 0; i < finding.triggers.size(); ++i) id += (i == 0 ? "/" : "+") + finding.triggers[i];
  return id;
}

}  // namespace dlpack_cts
