// reports/sarif.h: the deviations of a run in the Static Analysis Results Interchange Format, for code scanning.
#ifndef DLPACK_CTS_REPORTS_SARIF_H_
#define DLPACK_CTS_REPORTS_SARIF_H_

#include <ostream>

#include "reports/reports.h"
#include "results/result.h"

namespace dlpack_cts {

/// SARIF 2.1.0. One result for each cause except observed limitations, and one for each deviation of a case that no
/// cause explains. What the expectations list is suppressed, with their reason. A location is the reproducer of the
/// case if it has one, relative to the folder of the reports.
void PrintSarif(const Run& run, const ReportContext& context, std::ostream& out);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_SARIF_H_
