// reports/site/page.h: the frame of every page of a site: head, navigation, style, script; and its small parts.
#ifndef DLPACK_CTS_REPORTS_SITE_PAGE_H_
#define DLPACK_CTS_REPORTS_SITE_PAGE_H_

#include <string>
#include <string_view>

#include "reports/markup.h"

namespace dlpack_cts {

struct PageFrame {
  std::string title;
  std::string file;  // "rules.html": marked in the navigation
  std::string root;  // "" at the top, "../" in a folder: how a link reaches the top
};

/// A whole page: no text of it is loaded from elsewhere, and it can be read without its script.
std::string PageOf(const PageFrame& frame, const Xml& content);

/// Explains the signs and words in the cells of the index.
Xml Legend();

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_SITE_PAGE_H_
