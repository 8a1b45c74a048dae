// reports/html_assets.h: style and script of the page.
#ifndef DLPACK_CTS_REPORTS_HTML_ASSETS_H_
#define DLPACK_CTS_REPORTS_HTML_ASSETS_H_

#include <string_view>

namespace dlpack_cts {

/// Light and dark, desk and phone. Verdicts are words; colour only repeats them.
extern const std::string_view kPageStyle;

/// Filter by verdict and text, copy buttons, opening of folded parts that a link points into. Without it all is
/// readable.
extern const std::string_view kPageScript;

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_HTML_ASSETS_H_
