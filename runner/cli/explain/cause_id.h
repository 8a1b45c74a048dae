// runner/cli/explain/cause_id.h: the parts of the id of a cause.
#ifndef DLPACK_CTS_RUNNER_CLI_EXPLAIN_CAUSE_ID_H_
#define DLPACK_CTS_RUNNER_CLI_EXPLAIN_CAUSE_ID_H_

#include <optional>
#include <string>
#include <vector>

#include "base/terms.h"
#include "runner/catalogue/catalogue.h"

namespace dlpack_cts::runner {

struct KnownTrigger {
  std::string id;
  std::string words;
};

/// "import/place/byte-offset". `earlier-exchanges` alone has neither side nor family.
struct CauseParts {
  struct Kind {
    Side side;
    Family family;
  };

  std::optional<Kind> kind;
  std::vector<KnownTrigger> triggers;
  std::string fact;  // or the rule, if the id ends with one

  /// As a run prints it.
  std::string Text() const;
};

/// The parts of a text that is the id of a cause, in any case of letters: an existing side, family and triggers, and
/// for families of answers also a fact or a rule.
std::optional<CauseParts> ParseCause(const Catalogue& catalogue, const std::string& text);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_CLI_EXPLAIN_CAUSE_ID_H_
