// reports/html.h: a run as one HTML page that needs no network.
#ifndef DLPACK_CTS_REPORTS_HTML_H_
#define DLPACK_CTS_REPORTS_HTML_H_

#include <ostream>
#include <string>

#include "reports/reports.h"

namespace dlpack_cts {

/// Embeds the reproducers below `out_dir`, up to a total size. Shows only the path of the others.
void PrintHtml(const Run& run, const ReportContext& context, const std::string& out_dir, std::ostream& out);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_HTML_H_
