// worker/probe/rank_probes.h: which tensors and arrays of a rank a library supports, if not the simplest ones.
#ifndef DLPACK_CTS_WORKER_PROBE_RANK_PROBES_H_
#define DLPACK_CTS_WORKER_PROBE_RANK_PROBES_H_

#include "worker/probe/exchanges.h"

namespace dlpack_cts::worker {

/// What they find out is noted in the profile.
class RankProbes : public Exchanges {
 public:
  using Exchanges::Exchanges;

 protected:
  /// Whether another tensor of a refused rank is imported: one without extents of 1, with another last extent, or with
  /// NULL strides. Then the rank is not the reason, and cases draw such tensors.
  bool TakesAnother(int dims);

  /// The same of arrays, whose strides the library chooses.
  bool MakesAnother(int dims);

  /// The largest of some ranks above 8 that is accepted, unless library.toml declares ranks.
  void Deep();
};

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_PROBE_RANK_PROBES_H_
