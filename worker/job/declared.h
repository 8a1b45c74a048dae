// worker/job/declared.h: reads the table [profile] of library.toml.
#ifndef DLPACK_CTS_WORKER_JOB_DECLARED_H_
#define DLPACK_CTS_WORKER_JOB_DECLARED_H_

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "harness/case/profile.h"

namespace dlpack_cts::worker {

/// What the table declares of that version of the library: its own fields, then those of each [[profile.when]] block
/// whose condition the version satisfies, in their order. Checks every block. Throws Failure.
Declared DeclaredOf(const nlohmann::json& profile, const std::string& version);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_JOB_DECLARED_H_
