// reports/rule_page.h: addresses of published pages: the section of a rule in docs/rules/, and CONTRIBUTING.md.
#ifndef DLPACK_CTS_REPORTS_RULE_PAGE_H_
#define DLPACK_CTS_REPORTS_RULE_PAGE_H_

#include <string>

namespace dlpack_cts {

/// "URL/rules/c-data.md#c-data-01", as GitHub names the section, where URL is the value of DLPACK_CTS_DOCS_URL. "" if
/// that is not set, or does not begin with https:// or http://.
std::string RulePage(std::string rule);

/// The address of the section of CONTRIBUTING.md about a finding that looks wrong, beside the folder docs; "" as above.
std::string WrongFindingPage();

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_RULE_PAGE_H_
