// harness/case/controls.cc: controls that cases share.
#include "harness/case/controls.h"

#include "harness/case/case.h"
#include "harness/case/keywords.h"

namespace dlpack_cts::control {

void OrdinaryArray(const Profile&, Recipe& recipe) { recipe.request().oddity = Oddity::kNone; }

void OnCpu(const Profile&, Recipe& recipe) { PutOn(recipe.offer(), {abi::kDLCPU, 0}, Placement::kEndsAtGuard); }

void NoKeywords(const Profile& profile, Recipe& recipe) {
  recipe.call() = recipe.kind == RecipeKind::kImport ? Call{} : Draw{Random(0), 0, profile}.PlainCall();
}

void NoCopy(const Profile&, Recipe& recipe) { recipe.call().copy = {}; }

void UsualProducer(const Profile&, Recipe& recipe) {
  recipe.offer().gives = Gives::kCapsule;
  recipe.offer().keywords = kIgnoresKeywords;
}

void PlainMinor(const Profile& profile, Recipe& recipe) { recipe.offer().minor = profile.plain_minor; }

}  // namespace dlpack_cts::control
