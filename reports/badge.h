// reports/badge.h: a badge with the verdict, for the page of a project.
#ifndef DLPACK_CTS_REPORTS_BADGE_H_
#define DLPACK_CTS_REPORTS_BADGE_H_

#include <ostream>

#include "reports/reports.h"
#include "results/result.h"

namespace dlpack_cts {

/// badge.json: the endpoint form of shields.io, which draws the badge where the file is published.
void PrintBadgeJson(const Run& run, std::ostream& out);

/// badge.svg: the same as a picture that needs no service. Its title, which a browser shows under the pointer, is the
/// verdict sentence.
void PrintBadgeSvg(const Run& run, const ReportContext& context, std::ostream& out);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_BADGE_H_
