// worker/process/exchange_clock.h: how long an exchange took, and how much of that time its process slept.
#ifndef DLPACK_CTS_WORKER_PROCESS_EXCHANGE_CLOCK_H_
#define DLPACK_CTS_WORKER_PROCESS_EXCHANGE_CLOCK_H_

#include "worker/process/crash_record.h"

namespace dlpack_cts::worker {

/// Starts before the exchange.
class ExchangeClock {
 public:
  ExchangeClock();
  /// The exchange in the record has ended: adds its times to the record.
  void Stop(CrashRecord& crash_record) const;

 private:
  double began_;
  double cpu_;
};

/// Whether exchanges have slept for so many seconds that a property, or a sweep, needs no more than the `ran` examples.
constexpr bool EndsEarly(double asleep, bool sweep, int ran) { return asleep > 30 && ran >= (sweep ? 100 : 10); }

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_PROCESS_EXCHANGE_CLOCK_H_
