// worker/diagnose/known_hang.cc: recognises exchanges that may show a known hang.
#include "worker/diagnose/known_hang.h"

#include <algorithm>
#include <string>

#include "base/failure.h"
#include "harness/recipe/codec.h"
#include "harness/recipe/ops.h"
#include "worker/diagnose/violated_fact.h"

namespace dlpack_cts::worker {

bool KnownHang::MayShow(const Recipe& recipe) const {
  const auto hangs = [&](const Step& step) { return finding.fact == HangFact(step.op); };
  const bool has_step =
      finding.fact == HangFact(Op::kEnd) || std::any_of(recipe.steps, recipe.steps + recipe.used.steps, hangs);
  return has_step && avoided.MayShow(recipe);
}

void KnownHang::Report(Observation& observation) const {
  observation.observed = Observed::kTimeout;
  observation.degree = Degree::kRule;
  const std::string during = finding.fact == HangFact(Op::kEnd)
                                 ? " while all objects were dropped"
                                 : " during " + finding.fact.substr(HangFact({}).find('-') + 1);
  observation.message = "did not end within its time limit" + during;
  observation.wanted = "a result or an exception";
  observation.got = "not run: the exchange hangs";
  observation.words = finding.words;
  observation.recipe = finding.recipe;
}

std::optional<KnownHang> HangIn(const Finding& finding) {
  const bool hangs = finding.observed == Observed::kTimeout || finding.observed == Observed::kOwn;
  if (finding.family != Family::kHang || !hangs) return std::nullopt;
  const std::optional<Recipe> example = IfValid([&] { return RecipeFromJson(finding.recipe.dump()); });
  if (!example) return std::nullopt;
  return KnownHang{finding, {finding.side, NeedsOf(finding.triggers, *example)}};
}

}  // namespace dlpack_cts::worker
