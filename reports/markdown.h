// reports/markdown.h: a run as a report in Markdown.
#ifndef DLPACK_CTS_REPORTS_MARKDOWN_H_
#define DLPACK_CTS_REPORTS_MARKDOWN_H_

#include <ostream>

#include "reports/reports.h"

namespace dlpack_cts {

void PrintMarkdown(const Run& run, const ReportContext& context, std::ostream& out);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_MARKDOWN_H_
