// reports/verdict_sentence.h: the first sentence of every report: does the library conform, and why not?
#ifndef DLPACK_CTS_REPORTS_VERDICT_SENTENCE_H_
#define DLPACK_CTS_REPORTS_VERDICT_SENTENCE_H_

#include <string>

#include "reports/reports.h"
#include "results/result.h"

namespace dlpack_cts {

/// Whether no case and no cause is FAIL, CRASH, LEAK, TIMEOUT or UNSAFE on valid input. Known deviations count too. A
/// case may report a cause with a less severe verdict than that of the cause, so both count.
bool Conforms(const Run& run);

/// "numpy 2.4.6 conforms to DLPack: no unsafe behaviour; 2 known deviations (WARN: 1 MUST, 1 SHOULD); 1 crash on
/// invalid input; 206 of 344 rules judged here (exchange table not claimed, no CUDA device)." A run of a single case
/// does not show whether the library conforms: "numpy 2.4.6: the case ... is PASS."
std::string VerdictSentence(const Run& run, const ReportContext& context);

/// "does not conform: 1 memory fault, 2 FAIL and 5 WARN": the answer for a cell of a table.
std::string VerdictInShort(const Run& run);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_VERDICT_SENTENCE_H_
