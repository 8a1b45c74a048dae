// harness/case/controls.h: controls that cases share, and the reasons of those that have none.
#ifndef DLPACK_CTS_HARNESS_CASE_CONTROLS_H_
#define DLPACK_CTS_HARNESS_CASE_CONTROLS_H_

#include <string_view>

#include "harness/case/profile.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

// Each removes one trigger, for Case::control.
namespace control {

/// An ordinary array of the same dtype, shape and layout.
void OrdinaryArray(const Profile& profile, Recipe& recipe);
/// A tensor on the CPU.
void OnCpu(const Profile& profile, Recipe& recipe);
/// An import without keywords, or the export with the fewest keywords that returns a capsule.
void NoKeywords(const Profile& profile, Recipe& recipe);
/// An import or export with the same keywords, but without copy.
void NoCopy(const Profile& profile, Recipe& recipe);
/// A producer that accepts every keyword and exports the struct of the offer.
void UsualProducer(const Profile& profile, Recipe& recipe);
/// The version of the plain tensor that the probes imported.
void PlainMinor(const Profile& profile, Recipe& recipe);

}  // namespace control

// Why a judge that looks at refusals needs no control, for Case::uncontrolled.
namespace uncontrolled {

inline constexpr std::string_view kAcceptance = "the judge reports accepted exchanges only";
inline constexpr std::string_view kCalls = "the judge looks at the calls of the producer, whatever the outcome is";
inline constexpr std::string_view kMemory = "the judge looks at memory and ownership, whatever the outcome is";
inline constexpr std::string_view kResults = "the judge looks at what an accepted call returned";
inline constexpr std::string_view kSteps = "another step of the recipe is the same exchange without the trigger";
inline constexpr std::string_view kSimplest = "the exchange is the simplest one, and the rule requires its acceptance";

}  // namespace uncontrolled
}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_CASE_CONTROLS_H_
