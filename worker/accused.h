// worker/accused.h: --accused SIDE FAMILY TRIGGERS FACT: the rules that a cause with that id can accuse.
#ifndef DLPACK_CTS_WORKER_ACCUSED_H_
#define DLPACK_CTS_WORKER_ACCUSED_H_

#include <nlohmann/json.hpp>
#include <string>

namespace dlpack_cts::worker {

/// The parts of the id of a cause; the triggers are joined by "+", and the fact may be empty.
struct CauseParts {
  std::string side;
  std::string family;  // with "-" for each blank
  std::string triggers;
  std::string fact;
};

/// {"rows": the rows of the attribution table that fit, the one that fits every fact and value first, "cases": the
/// cases that are about the same triggers, and whose check may name a rule itself}. NULL if there is no such side or
/// family.
nlohmann::json AccusedBy(const CauseParts& parts);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_ACCUSED_H_
