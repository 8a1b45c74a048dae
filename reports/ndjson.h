// reports/ndjson.h: a run as lines of JSON: header, one line per case, footer.
#ifndef DLPACK_CTS_REPORTS_NDJSON_H_
#define DLPACK_CTS_REPORTS_NDJSON_H_

#include <ostream>

#include "results/result.h"

namespace dlpack_cts {

/// A provisional run has no footer. results/results.schema.json describes each line. ReadRun() reads the lines. They
/// are ASCII; bytes that are not UTF-8 are replaced, and texts longer than kLongText are cut.
void PrintNdjson(const Run& run, std::ostream& out);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_NDJSON_H_
