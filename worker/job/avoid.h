// worker/job/avoid.h: exchanges that a case leaves out when it runs again, because they would show a known cause.
#ifndef DLPACK_CTS_WORKER_JOB_AVOID_H_
#define DLPACK_CTS_WORKER_JOB_AVOID_H_

#include <string>
#include <vector>

#include "harness/attribute/attribution.h"
#include "harness/attribute/properties.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts::worker {

/// The role of the library in that step.
Side SideOfStep(Op op, const Recipe& recipe);

/// The exchanges that show a known cause.
struct Avoided {
  struct Need {
    const Property* property;
    const Trigger* value;
  };

  Side side = Side::kImport;
  std::vector<Need> needs;
  bool widely = false;  // any non-default value of the needed properties counts, because minimising changed the value

  /// Whether the library has that role in the exchange, and the recipe has all triggers of the cause.
  bool MayShow(const Recipe& recipe) const;

  /// Whether the cause needs the default value of a property. Minimising leads to default values.
  bool NeedsDefault() const;
};

/// Whether an exchange with that recipe may show one of the causes.
bool MayShowAny(const std::vector<Avoided>& avoided, const Recipe& recipe);

/// Whether the recipe may show a cause that needs a default value: any other failure would be minimised to that one.
bool LeadsTo(const std::vector<Avoided>& avoided, const Recipe& recipe);

/// The properties with those ids. If an id is not a property of a recipe ("refused-offer"): all triggers of the
/// example.
std::vector<Avoided::Need> NeedsOf(const std::vector<std::string>& ids, const Recipe& example);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_JOB_AVOID_H_
