// reports/pair_matrix.h: a set of pairs as a table, for a terminal.
#ifndef DLPACK_CTS_REPORTS_PAIR_MATRIX_H_
#define DLPACK_CTS_REPORTS_PAIR_MATRIX_H_

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "results/pairs.h"

namespace dlpack_cts {

/// A letter for a state, the same on every page: it is readable without colour.
std::string_view SignOf(PairState state);
/// What that state means, as a legend says it.
std::string_view MeaningOf(PairState state);

/// "v" for versioned structs, "l" for legacy ones, "t" for the exchange table; empty if that is not known.
std::string_view StructSignOf(const PairCell& cell);

/// The names, each once, in the order of the cells.
std::vector<std::string> ProducersOf(const Pairs& pairs);
std::vector<std::string> ConsumersOf(const Pairs& pairs);

/// NULL if the set does not have that pair.
const PairCell* FindPair(const Pairs& pairs, std::string_view producer, std::string_view consumer);

/// Producers in rows, consumers in columns, then the legend of what occurs.
void PrintMatrix(const Pairs& pairs, std::ostream& out);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_PAIR_MATRIX_H_
