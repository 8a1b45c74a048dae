// worker/setup.cc: engines for the libraries of this process, and the number of examples.
#include "worker/setup.h"

#include <algorithm>

#include "mutants/pair.h"
#include "reference/instance.h"

namespace dlpack_cts::worker {
namespace {

constexpr int kOtherShare = 30;      // divides the number of examples of cases whose rules the mutant does not violate
constexpr int kConformingShare = 3;  // the same for a conforming variant, which no case may report

}  // namespace

Libraries::Libraries(const Subjects& given, CrashRecord& crash_record)
    : subjects(given),
      engine(subjects.subject, subjects.partner != nullptr ? *subjects.partner : subjects.subject),
      reference_run(subjects.reference, crash_record.reference, [&reference = subjects.reference](bool accepts) {
        reference.AsReference()->stands_in_for_cuda = accepts;
      }) {
  if (subjects.partner == nullptr) return;
  halves.push_back({Side::kExport, std::make_unique<Engine>(subjects.subject, subjects.reference)});
  halves.push_back({Side::kImport, std::make_unique<Engine>(subjects.reference, *subjects.partner)});
}

CaseRunner::Extent Setup::ExtentOf(const Case& tested, const std::vector<int>& crashing) const {
  const std::vector<const Mutant*> mutants = MutantsOf(mutant);
  if (!job.verdicts_only || mutants.empty()) {
    return {job.examples, Effort::kFull, crashing, hangs, /*counts_all=*/job.verdicts_only};
  }
  const bool own = std::any_of(tested.rules.begin(), tested.rules.end(), [&](std::string_view rule) {
    return std::any_of(mutants.begin(), mutants.end(), [&](const Mutant* one) {
      return std::find(one->rules.begin(), one->rules.end(), rule) != one->rules.end();
    });
  });
  if (own) return {job.examples, Effort::kFull, crashing, hangs};
  const bool conforming =
      std::all_of(mutants.begin(), mutants.end(), [](const Mutant* one) { return one->conforming; });
  if (conforming) return {std::max(1, job.examples / kConformingShare), Effort::kFull, crashing, hangs};
  return {std::max(1, job.examples / kOtherShare), Effort::kBrief, crashing, hangs};
}

}  // namespace dlpack_cts::worker
