// worker/job/job.cc: reads a job file.
#include "worker/job/job.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/failure.h"
#include "harness/case/case.h"
#include "harness/case/claims.h"
#include "harness/recipe/codec.h"
#include "mutants/pair.h"
#include "results/parse.h"
#include "results/stopwatch.h"
#include "worker/job/declared.h"

namespace dlpack_cts::worker {
namespace {

using nlohmann::json;

// A Failure with a hint is about what the user wrote and the driver passed through: the user can fix it. Any other one
// is about the job file.

std::string AllClaims() {
  std::string list;
  for (uint32_t i = 0; i < static_cast<uint32_t>(Claim::kCount); ++i) {
    list += list.empty() ? "" : ", ";
    list += ToText(static_cast<Claim>(i));
  }
  return list;
}

uint32_t ClaimsOf(const std::vector<std::string>& names) {
  uint32_t claims = 0;
  for (const std::string& name : names) {
    const std::optional<Claim> claim = ClaimFromText(name);
    if (!claim) throw Failure("library.toml: there is no claim \"" + name + "\"", "the claims are " + AllClaims());
    claims |= 1u << static_cast<uint32_t>(*claim);
  }
  return claims;
}

SubjectSource SourceOf(const JobLibrary& asked) {
  static_cast<void>(DeclaredOf(asked.profile, ""));  // its errors are reported before the library is imported
  return {asked.library, asked.kind, asked.adapter, ClaimsOf(asked.claims), asked.profile};
}

Recipe RecipeIn(const json& finding, const std::string& invalid) {
  return WithContext(invalid, "use the finding as it was written", [&] { return RecipeFromJson(finding.dump()); });
}

Avoided AvoidedOf(const LeftOut& one) {
  const Recipe example = WithContext("field \"avoid\": ", "", [&] { return RecipeFromJson(one.recipe.dump()); });
  return {one.side, NeedsOf(one.triggers, example), one.widely};
}

/// Uses the order of the catalogue, not that of the job.
void SelectCases(Job* job) {
  for (const std::string& id : job->cases) {
    if (FindCase(id) == nullptr) throw Failure("the case \"" + id + "\" does not exist");
  }
  std::vector<std::string> selected;
  for (const Case& candidate : Catalogue()) {
    const bool named = std::find(job->cases.begin(), job->cases.end(), candidate.id) != job->cases.end();
    const bool fits = candidate.pair == job->pair.has_value();
    if (fits && (job->cases.empty() || named)) selected.emplace_back(candidate.id);
  }
  job->cases = std::move(selected);
}

/// Lists all combinations that cannot be active together in one message.
void CheckMutants(const Job& job) {
  std::string apart;
  for (const std::string& names : job.mutants) {
    const std::vector<const Mutant*> mutants = MutantsOf(names);
    if (std::find(mutants.begin(), mutants.end(), nullptr) != mutants.end()) {
      throw Failure("there is no mutant " + names);
    }
    if (!GoTogether(mutants)) apart += (apart.empty() ? "" : ", ") + names;
  }
  if (apart.empty()) return;
  throw Failure("these mutants cannot be combined, because they change the same step: " + apart,
                "leave these pairs out");
}

Job JobOf(JobFile file) {
  Job job{std::move(file), {}, {}, {}, {}, {}};
  job.subject = SourceOf(job.tested);
  if (job.partner) job.pair = SourceOf(*job.partner);
  if (!job.replayed.is_null()) job.replay = RecipeIn(job.replayed, "the recipe in the finding is invalid: ");
  for (const json& one : job.run_before) {
    job.earlier.push_back(RecipeIn(one, "an earlier recipe in the finding is invalid: "));
  }
  for (const auto& [id, list] : job.left_out) {
    for (const LeftOut& one : list) job.avoid[id].push_back(AvoidedOf(one));
  }
  SelectCases(&job);
  CheckMutants(job);
  return job;
}

}  // namespace

double Job::LimitOf(std::string_view case_id) const {
  const Case* const tested = FindCase(case_id);
  return case_seconds * (tested != nullptr && tested->hostile ? kHostileShare : 1);
}

int Job::IndexOf(std::string_view case_id) const {
  return static_cast<int>(std::find(cases.begin(), cases.end(), case_id) - cases.begin());
}

const std::vector<Avoided>& Job::AvoidedBy(std::string_view case_id) const {
  static const std::vector<Avoided> kNothing;
  if (avoid.empty()) return kNothing;
  const auto found = avoid.find(std::string(case_id));
  return found == avoid.end() ? kNothing : found->second;
}

Job ReadJob(const std::string& path) {
  try {
    std::ifstream file(path);
    if (!file) throw Failure("it cannot be opened");
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    return JobOf(FromJson<JobFile>(WithContext("it ", "", [&] { return ParseJson(text); })));
  } catch (const Failure& failure) {
    if (!failure.hint().empty()) throw;
    throw Failure("the job file " + path + " is invalid: " + failure.what(),
                  "start dlpack-cts instead: it writes the job file and starts the worker");
  }
}

}  // namespace dlpack_cts::worker
