// worker/run/attach.h: adds recipe, ledger and their words to an observation.
#ifndef DLPACK_CTS_WORKER_RUN_ATTACH_H_
#define DLPACK_CTS_WORKER_RUN_ATTACH_H_

#include <string>
#include <string_view>

#include "harness/ledger/ledger.h"
#include "harness/recipe/recipe.h"
#include "results/result.h"

namespace dlpack_cts::worker {

/// The exchange as text, for a fact that has another value than wanted.
Words WordsOf(std::string_view fact, const Recipe& recipe, const Ledger& ledger, const std::string& wanted,
              const std::string& got);

/// Sets words, ledger and recipe of an observation.
void Attach(const Recipe& recipe, const Ledger& ledger, Observation& observation);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_RUN_ATTACH_H_
