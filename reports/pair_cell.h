// reports/pair_cell.h: the run of one pair as a cell of the matrix.
#ifndef DLPACK_CTS_REPORTS_PAIR_CELL_H_
#define DLPACK_CTS_REPORTS_PAIR_CELL_H_

#include <string>

#include "results/pairs.h"
#include "results/result.h"

namespace dlpack_cts {

/// Sets everything except the names of the two libraries and their versions.
void FillCell(const Run& run, PairCell& cell);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_PAIR_CELL_H_
