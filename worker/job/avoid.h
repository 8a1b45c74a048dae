// worker/job/avoid.h: exchanges that a case leaves out when it runs again, because a known cause would appear in
// them.
#ifndef DLPACK_CTS_WORKER_JOB_AVOID_H_
#define DLPACK_CTS_WORKER_JOB_AVOID_H_

#include <string>
#include <vector>

#include "harness/attribute/attribution.h"
#include "harness/attribute/coordinates.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts::worker {

/// Which role the library plays in that step.
Side SideOfStep(Op op, const Recipe& recipe);

/// What a cause needs.
struct Avoided {
  struct Need {
    const Coordinate* coordinate;
    const Peculiarity* value;
  };

  Side side = Side::kImport;
  std::vector<Need> needs;
  bool widely = false;  // any non-default value of the needed properties, because reducing changed the value

  /// True if the library has that role in the exchange, and the recipe has all triggers of the cause.
  bool MayShow(const Recipe& recipe) const;

  /// The cause needs a tensor without dimensions, which is what reducing leads to.
  bool NeedsScalars() const;
};

/// True if an exchange with that recipe may show one of them.
bool MayShowAny(const std::vector<Avoided>& avoided, const Recipe& recipe);

/// True if the recipe may show one that needs scalars: any other failure would be reduced to that one.
bool LeadsTo(const std::vector<Avoided>& avoided, const Recipe& recipe);

/// The properties with those ids. If an id is not a property of a recipe ("refused-offer"): all triggers of the
/// example.
std::vector<Avoided::Need> NeedsOf(const std::vector<std::string>& ids, const Recipe& example);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_JOB_AVOID_H_
