// runner/run/pair_changes.h: what `interop --update` changes in the lists of the libraries.
#ifndef DLPACK_CTS_RUNNER_RUN_PAIR_CHANGES_H_
#define DLPACK_CTS_RUNNER_RUN_PAIR_CHANGES_H_

#include <vector>

#include "results/result.h"
#include "runner/run/update.h"
#include "runner/verdict/expectations.h"

namespace dlpack_cts::runner {

/// The changes in the lists of a pair. A new entry is for the library that shows the deviation with the reference too,
/// and names the other one. If neither shows it, the entry is for the consumer.
std::vector<ListChanges> ChangesOf(const PairLists& lists, const Expectations& expectations,
                                   const std::vector<StaleEntry>& stale, const Run& run);

/// Adds the changes of another pair. Entries that differ only in their partners become one.
void Merge(const std::vector<ListChanges>& of_pair, std::vector<ListChanges>& all);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_RUN_PAIR_CHANGES_H_
