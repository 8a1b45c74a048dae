// worker/process/hangs.h: how long an exchange may take if the library is known to hang.
#ifndef DLPACK_CTS_WORKER_PROCESS_HANGS_H_
#define DLPACK_CTS_WORKER_PROCESS_HANGS_H_

#include "harness/recipe/recipe.h"
#include "results/hang_table.h"

namespace dlpack_cts::worker {

/// Each hang costs the whole time limit once. In a step in which an exchange has hung, further exchanges get only a few
/// times what the longest exchange took. After kMost whole limits this holds, less strictly, for every step. A slow
/// exchange may not end within such a short limit: AddTooShort() makes all of them longer.
class Hangs {
 public:
  /// `table`: NULL if there is no memory for it.
  explicit Hangs(HangTable* table) : table_(table) {}

  bool Knows(Op op) const;
  /// The limit in that step. `usual`: without hangs. `longest`: seconds of the longest exchange that ended. `patient`:
  /// as if AddTooShort() had been called once more.
  double LimitIn(Op op, double usual, double longest, bool patient = false) const;
  /// An exchange has hung in that step. `paid`: the whole limit has passed.
  void Add(Op op, bool paid);
  /// A limit that was shorter than the usual one ended an exchange that does not hang.
  void AddTooShort();
  /// Before another mutant.
  void Forget();

 private:
  static constexpr int kMost = 4;

  HangTable* table_;
};

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_PROCESS_HANGS_H_
