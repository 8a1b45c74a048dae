// worker/once.cc: runs a replayed exchange once, in this process, for a debugger.
#include "worker/once.h"

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "base/failure.h"
#include "engine/engine.h"
#include "harness/forge/forge.h"
#include "harness/ledger/ledger.h"
#include "harness/recipe/normalize.h"
#include "harness/recipe/sentence.h"
#include "mutants/mutant.h"
#include "reference/instance.h"
#include "results/result.h"
#include "worker/run/attach.h"

namespace dlpack_cts::worker {

void RunOnce(const Job& job, const Subjects& subjects) {
  if (!job.replay) throw Failure("the job has no exchange to replay", "give a finding of dlpack-cts run --out DIR");
  if (Reference* reference = subjects.subject.AsReference(); reference != nullptr && !job.mutants.empty()) {
    Activate(FindMutant(job.mutants.front()), *reference);
  }
  Engine engine(subjects.subject, subjects.partner != nullptr ? *subjects.partner : subjects.subject);
  const auto ledger = std::make_unique<Ledger>();
  Forge::InstallFaultHandler();
  std::vector<Recipe> recipes = job.earlier;
  recipes.push_back(*job.replay);
  for (Recipe& recipe : recipes) {
    Normalize(recipe);
    std::printf("dlpack-cts: exchange: %s\n", SentenceOf(recipe).c_str());
    std::fflush(stdout);
    engine.Run(recipe, *ledger);
  }
  Observation seen;
  Attach(recipes.back(), *ledger, seen);
  for (const nlohmann::json& event : seen.ledger) {
    std::printf("  %s: %s\n", event.at("op").get<std::string>().c_str(), event.at("text").get<std::string>().c_str());
  }
  std::printf("dlpack-cts: the exchange has ended\n");
}

}  // namespace dlpack_cts::worker
