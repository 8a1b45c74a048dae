// reports/evidence.h: what every report shows of a failing example: the example, what is wrong, and both values.
#ifndef DLPACK_CTS_REPORTS_EVIDENCE_H_
#define DLPACK_CTS_REPORTS_EVIDENCE_H_

#include <string>
#include <string_view>
#include <vector>

#include "results/result.h"

namespace dlpack_cts {

/// "example" | "float32, shape (2,3), versioned 1.3, byte_offset 4".
struct ReportRow {
  std::string_view name;
  std::string text;         // never empty
  bool is_command = false;  // to be copied, so it is never wrapped or cut
};

/// The worker's texts. A file of an earlier version has only the bare values.
struct Evidence {
  std::string whose;  // in a pair: the library that the cause belongs to
  std::string example;
  std::string wrong;  // "flags of the struct (export0.flags)"
  std::string expected;
  std::string got;
  std::string
      leads_to;         // of a cause: a graver end of cases that it explains, "UNSAFE in 2 cases: read data memory ..."
  bool accuses = true;  // false for a NOTE: `expected` is what the reference does, and `got` is allowed too

  /// The names of `expected` and `got` in a report.
  std::string_view ExpectedName() const { return accuses ? "expected" : "also fine"; }
  std::string_view GotName() const { return accuses ? "got" : "observed"; }

  /// The parts that have a text, with their names. A NOTE begins with what was observed.
  std::vector<ReportRow> Rows() const;
};

Evidence EvidenceOf(const Observation& seen, Verdict verdict);
/// Without what the cause leads to, which only a run shows.
Evidence EvidenceOf(const Cause& cause);
Evidence EvidenceOf(const Run& run, const Cause& cause);

/// "UNSAFE in 2 cases" for a cause that ends cases in a graver way than it is itself, else empty.
std::string GraverEnd(const Run& run, const Cause& cause);

/// A cause in one sentence: the message of the cause or of its case. If neither has one, the fact with both values. The
/// message of a case that ended in another way is about that end.
std::string Headline(const Run& run, const Cause& cause);

/// For a case that compares all facts with the reference: a line for each fact that differs, with both values, how
/// often, and an example.
std::vector<std::string> DeviationTexts(const Observation& seen);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_EVIDENCE_H_
