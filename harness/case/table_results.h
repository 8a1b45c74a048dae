// harness/case/table_results.h: what status, exception and out parameter of a table function say together.
#ifndef DLPACK_CTS_HARNESS_CASE_TABLE_RESULTS_H_
#define DLPACK_CTS_HARNESS_CASE_TABLE_RESULTS_H_

#include "harness/ledger/record_table.h"

namespace dlpack_cts {

/// Whether the function failed, as its exception and its missing result show, although it returned 0. The allocator
/// sets no exception.
inline bool HidesFailure(const TableCall& call) {
  return call.called != 0 && call.status == 0 && call.exception != 0 && call.out_written == 0;
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_CASE_TABLE_RESULTS_H_
