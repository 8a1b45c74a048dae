// reports/junit.h: a run as JUnit XML, for continuous integration.
#ifndef DLPACK_CTS_REPORTS_JUNIT_H_
#define DLPACK_CTS_REPORTS_JUNIT_H_

#include <ostream>

#include "reports/reports.h"
#include "results/result.h"

namespace dlpack_cts {

/// FAIL, WARN, LEAK and UNSAFE are failures, CRASH and TIMEOUT errors, SKIP and BLOCKED skipped. A known deviation
/// passes, and system-out says so. A listed deviation that no longer occurs is a failure. The verdict sentence is the
/// property `conclusion` of the first suite.
void PrintJunit(const Run& run, const ReportContext& context, std::ostream& out);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_JUNIT_H_
