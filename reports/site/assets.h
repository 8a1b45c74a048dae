// reports/site/assets.h: the style sheet and the script of a site, beside those of the page of a run.
#ifndef DLPACK_CTS_REPORTS_SITE_ASSETS_H_
#define DLPACK_CTS_REPORTS_SITE_ASSETS_H_

#include <string_view>

namespace dlpack_cts {

/// Added to kPageStyle of reports/html_assets.h.
extern const std::string_view kSiteStyle;

/// Filters and sorts the elements of class "row" by the fields of the form "filter". The state is in the address, so a
/// filtered page can be linked to.
extern const std::string_view kSiteScript;

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_SITE_ASSETS_H_
