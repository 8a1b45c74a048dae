// reports/rule_page.cc: reads where the folder docs is published.
#include "reports/rule_page.h"

#include <cstdlib>
#include <utility>

#include "reports/text.h"

namespace dlpack_cts {

std::string RulePage(std::string rule) {
  const char* const variable = std::getenv("DLPACK_CTS_DOCS_URL");
  std::string url = variable == nullptr ? "" : variable;
  if (!url.starts_with("https://") && !url.starts_with("http://")) return "";
  while (url.ends_with('/')) url.pop_back();
  rule = Lower(std::move(rule));
  return url + "/rules/" + rule.substr(0, rule.rfind('-')) + ".md#" + rule;
}

}  // namespace dlpack_cts
