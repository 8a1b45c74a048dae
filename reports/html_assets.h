// reports/html_assets.h: what is the same on every page: style, script, the keys of sources.
#ifndef DLPACK_CTS_REPORTS_HTML_ASSETS_H_
#define DLPACK_CTS_REPORTS_HTML_ASSETS_H_

#include <string_view>

namespace dlpack_cts {

/// Light and dark, desk and phone. Verdicts are words; colour only repeats them.
extern const std::string_view kPageStyle;

/// Filter by verdict and text, copy buttons, opening of folded parts that a link points into. Without it all is
/// readable.
extern const std::string_view kPageScript;

/// The commonest keys of rules/README.md, so that a reader of the page alone finds the sentence.
extern const std::string_view kSourceKeys;

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_HTML_ASSETS_H_
