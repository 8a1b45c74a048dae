// suites/c-abi/closed.h: what cases about arrays that are closed share.
//
// The specification has no close. So a library may refuse to close, release later, and end the use of views and of the
// closed array with an exception. What it may not do follows from the rules of ownership.
#ifndef DLPACK_CTS_SUITES_C_ABI_CLOSED_H_
#define DLPACK_CTS_SUITES_C_ABI_CLOSED_H_

#include <utility>

#include "harness/case/case.h"
#include "harness/case/judges.h"

namespace dlpack_cts {

/// A closed array, and one of two views: a view of a closed array, or an array with a closed view.
inline Closing DrawView(Draw& draw) { return draw.Pick(2) == 0 ? Closing::kKeepsView : Closing::kOfView; }

/// Whether the library closed the array. Otherwise the example says nothing about a closed array.
inline bool Closes(Outcome closed, Judgement& judgement) {
  if (closed == Outcome::kAccepted) return true;
  judgement.SaysNothing("the library did not close the array");
  return false;
}

/// The library returned elements. Another number of them, or an exception, shows that it knows of the close.
inline bool Returned(const ElementReading& reading) {
  return reading.reading == Reading::kMatches || reading.reading == Reading::kDiffers ||
         reading.reading == Reading::kUnreadable;
}

/// The elements of an export that the library made after the close are right.
inline void ExportStillRight(const ExportLedger& exported, Judgement& judgement, std::string_view message, int slot) {
  if (exported.export_call.outcome == Outcome::kRefused) return judgement.Holds();
  if (!Returned(exported.elements)) return judgement.SaysNothing("the exported elements cannot be read");
  judgement.Expect("exportS.elements", Is(Reading::kMatches), message, {.slot = slot});
}

/// A case about arrays that the library closes.
inline Case OfClosed(Case made) {
  made.needs.push_back(Claim::kClose);
  return made;
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_SUITES_C_ABI_CLOSED_H_
