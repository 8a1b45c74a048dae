// harness/judge/whole.h: judges a whole ledger by what the reference did with the same recipe.
//
// A case looks at its own fact; this looks at all of them. Facts in which the two ledgers differ, less what the library
// is free to do, are deviations. Pure: who runs the exchanges hands both ledgers in.
#ifndef DLPACK_CTS_HARNESS_JUDGE_WHOLE_H_
#define DLPACK_CTS_HARNESS_JUDGE_WHOLE_H_

#include <string>
#include <string_view>
#include <vector>

#include "harness/judge/freedom.h"

namespace dlpack_cts {

/// A fact that is not as it has to be.
struct Deviation {
  int row;  // an index into FactRows(): the decisive fact
  Family family;
  std::string_view wanted;  // what holds whatever the reference did; empty: its value
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

#endif  // DLPACK_CTS_HARNESS_JUDGE_WHOLE_H_
