// harness/compare/whole.h: compares all facts of a ledger with those of the reference run.
//
// A case checks its own fact; this checks all of them. Facts in which the two ledgers differ, except what the library
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
  int row;  // an index into FactRows(): the violated fact
  Family family;
  std::string_view wanted;  // what is right whatever the reference did; empty: the reference's value
};

/// All deviations of the exchange, in causal order of their families; equal families in the order of docs/facts.md.
/// After another outcome, or where the library could not make what was asked for, only what holds of every exchange is
/// compared: elements are those of the tensor, each capsule is released once, nothing is changed. `found` is emptied
/// first and keeps its memory.
void Compare(const Exchange& exchange, std::vector<Deviation>& found);

/// The same, of what was known before that step: all that an exchange shows which did not end. Faults, and what the
/// step and those behind it did, are left out.
void CompareBefore(const Exchange& exchange, int step, std::vector<Deviation>& found);

/// The right value of a deviation, and the subject's, as texts.
std::string WantedText(const Deviation& deviation, const Ledger& reference);
std::string GotText(const Deviation& deviation, const Ledger& subject);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_COMPARE_WHOLE_H_
