// harness/compare/whole.h: compares all facts of a ledger with those of the reference run.
//
// A case checks its own fact; this compares all facts. Facts in which the two ledgers differ, except what the library
// may choose, are deviations. Pure: the caller runs the exchanges and passes both ledgers.
#ifndef DLPACK_CTS_HARNESS_COMPARE_WHOLE_H_
#define DLPACK_CTS_HARNESS_COMPARE_WHOLE_H_

#include <string>
#include <string_view>
#include <vector>

#include "harness/choices/choice.h"

namespace dlpack_cts {

/// A fact with a wrong value.
struct Deviation {
  int row;  // the violated fact, as an index into FactRows()
  Family family;
  std::string wanted;  // the right value, whatever the reference did; empty: the value of the reference
};

/// All deviations of the exchange, in causal order of their families, then in the order of docs/facts.md. If the
/// outcome differs from that of the reference, or the library could not make the array, only the requirements of every
/// exchange are checked: the elements are those of the tensor, each capsule is released once, nothing is changed.
/// `found` is cleared first, and keeps its memory.
void Compare(const Exchange& exchange, std::vector<Deviation>& found);

/// The deviations that were known before `step`, for an exchange that did not end. Faults, and everything that this
/// step and later ones did, are left out.
void CompareBefore(const Exchange& exchange, int step, std::vector<Deviation>& found);

/// The right value of a deviation, and the subject's value, as texts.
std::string WantedText(const Deviation& deviation, const Ledger& reference);
std::string GotText(const Deviation& deviation, const Ledger& subject);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_COMPARE_WHOLE_H_
