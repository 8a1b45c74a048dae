// runner/run/stored_cause.cc: finds a cause of a stored run by its id, or by a part of it.
#include "runner/run/stored_cause.h"

#include <algorithm>
#include <cstddef>
#include <set>

#include "base/failure.h"
#include "base/text.h"
#include "runner/base/glob.h"

namespace dlpack_cts::runner {
namespace {

/// The first of many ids. Those of limitations are the last ones.
std::string Some(const std::vector<std::string>& ids) {
  constexpr size_t kShown = 10;
  const std::vector<std::string> shown(ids.begin(),
                                       ids.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, ids.size())));
  const size_t more = ids.size() - shown.size();
  return Joined(shown, ", ") + (more == 0 ? "" : ", and " + std::to_string(more) + " more");
}

}  // namespace

std::vector<StoredCause> CausesCalled(const std::vector<StoredRun>& runs, const std::string& id) {
  std::set<std::string> ids;
  for (const StoredRun& stored : runs) {
    for (const Cause& cause : stored.run.causes) ids.insert(cause.id);
  }
  if (ids.empty()) throw Failure("the results have no cause", "dlpack-cts report RESULTS prints what they have");
  std::vector<std::string> matching;
  for (const std::string& one : ids) {
    if (IsSame(one, id)) {
      matching = {one};
      break;
    }
    if (HasPart(one, id)) matching.push_back(one);
  }
  const std::vector<std::string> all(ids.begin(), ids.end());
  if (matching.empty()) {
    const std::string near = Nearest(id, all);
    throw Failure("the results have no cause " + id, near.empty() ? "their causes are " + Some(all) : near);
  }
  if (matching.size() > 1) {
    throw Failure("the results have several causes with " + id, "write more of one: " + Some(matching));
  }
  std::vector<StoredCause> found;
  for (const StoredRun& stored : runs) {
    for (const Cause& cause : stored.run.causes) {
      if (cause.id == matching.front()) found.push_back({&stored, &cause});
    }
  }
  return found;
}

}  // namespace dlpack_cts::runner
