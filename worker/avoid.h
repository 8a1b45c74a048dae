// worker/avoid.h: exchanges that a case does without when it runs again: those in which a known cause shows.
#ifndef DLPACK_CTS_WORKER_AVOID_H_
#define DLPACK_CTS_WORKER_AVOID_H_

#include <string>
#include <vector>

#include "harness/judge/coordinates.h"
#include "harness/judge/homes.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts::worker {

/// What a cause needs.
struct Avoided {
  struct Need {
    const Coordinate* coordinate;
    const Peculiarity* value;
  };

  Side side = Side::kImport;
  std::vector<Need> needs;
  bool widely = false;  // whatever the values of the coordinates that it needs: reducing made one of another

  /// True where the library plays that role in the exchange, and the recipe has all that the cause needs.
  bool MayShow(const Recipe& recipe) const;

  /// The cause needs the plainest tensor, which is where reducing leads to.
  bool NeedsScalars() const;
};

/// True where an exchange with that recipe may show one of them.
bool MayShowAny(const std::vector<Avoided>& avoided, const Recipe& recipe);

/// True where the recipe may show one that needs scalars: whatever else fails would be reduced to that one.
bool LeadsTo(const std::vector<Avoided>& avoided, const Recipe& recipe);

/// Those ids; where one of them cannot be told by a recipe ("refused-offer"), all that is peculiar about the example.
std::vector<Avoided::Need> NeedsOf(const std::vector<std::string>& ids, const Recipe& example);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_AVOID_H_
