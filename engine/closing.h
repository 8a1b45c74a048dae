// engine/closing.h: closes an array of the library, or a view of it.
#ifndef DLPACK_CTS_ENGINE_CLOSING_H_
#define DLPACK_CTS_ENGINE_CLOSING_H_

#include "subject/subject.h"

namespace dlpack_cts {

/// Closes as Op::kCloseArray and Op::kCloseSource say. `array` is then the array that the slot keeps. `call` runs the
/// call of the library. Returns kUnsupported without a call if the library makes no view.
template <typename Call>
Outcome Close(Subject& owner, Closing how, Handle& array, const Call& call) {
  Handle view = nullptr;
  if (how != Closing::kAlone) {
    view = owner.Derive(Hook::kView, array);
    if (view == nullptr) return Outcome::kUnsupported;
  }
  Handle closed = how == Closing::kOfView ? view : array;
  Handle kept = how == Closing::kKeepsView ? view : array;
  Refusal refusal{};
  call([&] { owner.Close(closed, refusal); });
  array = kept;
  if (closed != kept) owner.Drop(closed);
  return refusal.outcome;
}

/// The step's argument. A number that is not a Closing closes the array alone.
inline Closing ClosingOf(const Step& step) {
  const bool known = step.argument > 0 && step.argument < static_cast<int32_t>(Closing::kCount);
  return known ? static_cast<Closing>(step.argument) : Closing::kAlone;
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ENGINE_CLOSING_H_
