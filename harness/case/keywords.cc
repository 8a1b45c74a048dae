// harness/case/keywords.cc: draws keywords that a case does not test.
#include "harness/case/keywords.h"

namespace dlpack_cts {

void AddKeywords(Draw& draw, Recipe& recipe) {
  constexpr ArgumentKind kCopies[] = {ArgumentKind::kAbsent, ArgumentKind::kNone, ArgumentKind::kTrue,
                                      ArgumentKind::kFalse};
  constexpr Argument kDevices[] = {{}, {ArgumentKind::kNone, {}, 0, 0}, {ArgumentKind::kPair, {}, abi::kDLCPU, 0}};
  if (draw.profile.takes_keywords == 0 || !draw.profile.Claims(Claim::kPython) || draw.Pick(2) != 0) return;
  Call& call = recipe.call();
  if (call.copy.kind == ArgumentKind::kAbsent) call.copy.kind = kCopies[draw.Pick(4)];
  call.dl_device = kDevices[draw.Pick(3)];
}

}  // namespace dlpack_cts
