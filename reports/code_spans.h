// reports/code_spans.h: the text of a rule in a page, with its code marked.
#ifndef DLPACK_CTS_REPORTS_CODE_SPANS_H_
#define DLPACK_CTS_REPORTS_CODE_SPANS_H_

#include <string_view>

#include "reports/markup.h"

namespace dlpack_cts {

/// What the catalogue writes between backticks is code. A backtick without a second one stays as it is.
Xml WithCode(std::string_view text);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_CODE_SPANS_H_
