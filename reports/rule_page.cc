// reports/rule_page.cc: reads where the folder docs is published.
#include "reports/rule_page.h"

#include <cstdlib>
#include <utility>

#include "reports/text.h"

namespace dlpack_cts {
namespace {

/// Where the folder docs is published, without a slash at its end; "" if that is not known.
std::string DocsUrl() {
  const char* const variable = std::getenv("DLPACK_CTS_DOCS_URL");
  std::string url = variable == nullptr ? "" : variable;
  if (!url.starts_with("https://") && !url.starts_with("http://")) return "";
  while (url.ends_with('/')) url.pop_back();
  return url;
}

}  // namespace

std::string RulePage(std::string rule) {
  const std::string url = DocsUrl();
  if (url.empty()) return "";
  rule = Lower(std::move(rule));
  return url + "/rules/" + rule.substr(0, rule.rfind('-')) + ".md#" + rule;
}

std::string WrongFindingPage() {
  const std::string url = DocsUrl();
  return url.empty() ? "" : url.substr(0, url.rfind('/')) + "/CONTRIBUTING.md#i-think-that-a-finding-is-wrong";
}

}  // namespace dlpack_cts
