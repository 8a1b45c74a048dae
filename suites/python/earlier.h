// suites/python/earlier.h: what the cases about earlier exchanges share.
#ifndef DLPACK_CTS_SUITES_PYTHON_EARLIER_H_
#define DLPACK_CTS_SUITES_PYTHON_EARLIER_H_

#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/judges.h"

namespace dlpack_cts {

/// The slots of such a life: an exchange, the one that must leave nothing behind, and the first one again.
inline constexpr int kBefore = 0;
inline constexpr int kBetween = 1;
inline constexpr int kAfter = 2;

/// Whether the exchange in kAfter is as the one in kBefore, with the same offer or array and the same arguments. The
/// first exchange is the control: what a library does always is not caused by an earlier exchange.
void ImportIsAsBefore(const Ledger& ledger, Judgement& judgement);
void ExportIsAsBefore(const Ledger& ledger, Judgement& judgement);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_SUITES_PYTHON_EARLIER_H_
