// reports/rule_page.cc: reads where the folder docs is published.
#include "reports/rule_page.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace dlpack_cts {

std::string RulePage(std::string rule) {
  const char* const variable = std::getenv("DLPACK_CTS_DOCS_URL");
  std::string url = variable == nullptr ? "" : variable;
  if (!url.starts_with("https://") && !url.starts_with("http://")) return "";
  while (url.ends_with('/')) url.pop_back();
  std::ranges::transform(rule, rule.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return url + "/rules/" + rule.substr(0, rule.rfind('-')) + ".md#" + rule;
}

}  // namespace dlpack_cts
