// reports/html_assets.h: the parts that are the same on every page: style, script, the keys of sources.
#ifndef DLPACK_CTS_REPORTS_HTML_ASSETS_H_
#define DLPACK_CTS_REPORTS_HTML_ASSETS_H_

#include <string_view>

namespace dlpack_cts {

/// For light and dark, wide and narrow screens. Verdicts are words, so no information is in the colour alone.
extern const std::string_view kPageStyle;

/// Filters by verdict and text, copies, and opens folded parts that a link points into. The page is readable without
/// it.
extern const std::string_view kPageScript;

/// The most frequent source keys of rules/README.md, explained.
extern const std::string_view kSourceKeys;

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_HTML_ASSETS_H_
