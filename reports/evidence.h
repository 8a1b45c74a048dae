// reports/evidence.h: what every report shows of a failing example: the example, what is wrong, and both values.
#ifndef DLPACK_CTS_REPORTS_EVIDENCE_H_
#define DLPACK_CTS_REPORTS_EVIDENCE_H_

#include <string>
#include <string_view>
#include <vector>

#include "results/result.h"

namespace dlpack_cts {

/// "example" | "float32, shape (2,3), versioned 1.3, byte_offset 4".
struct EvidenceRow {
  std::string_view name;  // whose, example, wrong, expected, got
  std::string text;       // never empty
};

/// In words where the worker wrote any; a file of an earlier version has the bare values. A row without a text is left
/// out.
std::vector<EvidenceRow> EvidenceRows(const Observation& seen);
std::vector<EvidenceRow> EvidenceRows(const Cause& cause);

/// For a case that compares all facts with the reference: a line for each fact that differs, with both values, how
/// often, and an example.
std::vector<std::string> DeviationTexts(const Observation& seen);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_EVIDENCE_H_
