// reports/html_assets.h: the parts that are equal on every page: style sheet and script.
#ifndef DLPACK_CTS_REPORTS_HTML_ASSETS_H_
#define DLPACK_CTS_REPORTS_HTML_ASSETS_H_

#include <string_view>

namespace dlpack_cts {

/// For light and dark mode, wide and narrow screens. Verdicts are words, so that no information is only in a colour.
extern const std::string_view kPageStyle;

/// Filters by verdict and text, copies texts, and opens a folded part if a link points into it. The page is readable
/// without the script.
extern const std::string_view kPageScript;

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_HTML_ASSETS_H_
