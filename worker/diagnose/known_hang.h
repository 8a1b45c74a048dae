// worker/diagnose/known_hang.h: a hang whose cause is known, which later cases leave out.
#ifndef DLPACK_CTS_WORKER_DIAGNOSE_KNOWN_HANG_H_
#define DLPACK_CTS_WORKER_DIAGNOSE_KNOWN_HANG_H_

#include <optional>

#include "results/cause.h"
#include "results/result.h"
#include "worker/job/avoid.h"

namespace dlpack_cts::worker {

/// Every attempt at a hang costs time, so a case does not run exchanges that may show it.
struct KnownHang {
  Finding finding;
  Avoided avoided;

  /// Whether an exchange with that recipe has the step that hangs, and the triggers.
  bool MayShow(const Recipe& recipe) const;
  /// What the case reports if it left out its examples. The driver makes it BLOCKED by the cause.
  void Report(Observation& observation) const;
};

/// Nothing if the finding is not a hang.
std::optional<KnownHang> HangIn(const Finding& finding);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_DIAGNOSE_KNOWN_HANG_H_
