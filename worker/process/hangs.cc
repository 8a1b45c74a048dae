// worker/process/hangs.cc: limits in steps that are known to hang.
#include "worker/process/hangs.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace dlpack_cts::worker {
namespace {

constexpr double kLeast = 0.2;       // seconds
constexpr double kTimes = 3;         // the longest exchange
constexpr double kMostShare = 0.5;   // of the usual limit
constexpr double kOtherShare = 0.2;  // of the usual limit, in steps that have not hung
constexpr double kOtherLeast = 0.5;  // seconds
constexpr double kPatience = 5;      // how much longer short limits become if one was too short

}  // namespace

bool Hangs::Knows(Op op) const {
  static_assert(static_cast<int>(Op::kCount) <= HangTable::kSteps);
  return table_ != nullptr && op < Op::kCount && table_->hangs[static_cast<size_t>(op)].load() != 0;
}

double Hangs::LimitIn(Op op, double usual, double longest, bool patient) const {
  const bool known = Knows(op);
  if (!known && (table_ == nullptr || table_->limits.load() < kMost)) return usual;
  const double enough = longest >= 0 ? std::min(kTimes * longest, kMostShare * usual) : usual;
  const double few = known ? std::max(kLeast, enough) : std::max({kOtherLeast, kOtherShare * usual, enough});
  return std::min(usual, few * std::pow(kPatience, table_->too_short.load() + int{patient}));
}

void Hangs::Add(Op op, bool paid) {
  if (table_ == nullptr || op >= Op::kCount) return;
  const bool known = table_->hangs[static_cast<size_t>(op)].exchange(1) != 0;
  if (paid && !known) ++table_->limits;
}

void Hangs::AddTooShort() {
  if (table_ != nullptr) ++table_->too_short;
}

void Hangs::Forget() {
  if (table_ == nullptr) return;
  table_->limits = table_->too_short = 0;
  for (auto& hang : table_->hangs) hang = 0;
}

}  // namespace dlpack_cts::worker
