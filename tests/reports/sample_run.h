// tests/reports/sample_run.h: a small run that holds every verdict, a listed deviation, a stale one, and hostile texts.
#ifndef DLPACK_CTS_TESTS_REPORTS_SAMPLE_RUN_H_
#define DLPACK_CTS_TESTS_REPORTS_SAMPLE_RUN_H_

#include "reports/reports.h"

namespace dlpack_cts {

/// Text that every report has to print without being hurt by it.
inline constexpr std::string_view kNastyText = "<script>alert(\"1\")</script> & 'x' | `y` ]]> \x1b[31m \xff\n2nd";

Run SampleRun();
ReportContext SampleContext();

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_TESTS_REPORTS_SAMPLE_RUN_H_
