// results/cause.cc: the ids of causes.
#include "results/cause.h"

namespace dlpack_cts {

std::string CauseId(const Finding& finding) {
  std::string id = std::string(ToText(finding.side)) + "/";
  for (const char c : ToText(finding.family)) id += c == ' ' ? '-' : c;
  for (size_t i = 0; i < finding.peculiarities.size(); ++i) id += (i == 0 ? "/" : "+") + finding.peculiarities[i];
  return id;
}

}  // namespace dlpack_cts
