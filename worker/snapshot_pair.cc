// worker/snapshot_pair.cc: which library of a pair shows what was found, with the reference in the other one's place.
#include <algorithm>
#include <utility>

#include "harness/recipe/codec.h"
#include "worker/snapshot.h"
#include "worker/symptom.h"
#include "worker/trial.h"

namespace dlpack_cts::worker {
namespace {

bool IsOf(const Finding& found, const Symptom& symptom) {
  return symptom.Any() && ToText(symptom.family) == found.family && symptom.fact == found.fact;
}

}  // namespace

/// What the library does with the same recipe, where that is what was found of the pair. It may kill what runs it.
std::optional<Finding> Snapshot::ShownBy(Side side, const Finding& found) {
  const Case* const tested = FindCase(found.case_id);
  Recipe recipe;
  std::string ignored;
  if (tested == nullptr || !FromJson(found.recipe.dump(), &recipe, &ignored)) return std::nullopt;
  const int index = IndexOf(found.case_id);
  const auto accused = [&](Symptom symptom) {
    symptom.side = side;
    symptom.swept = found.swept;
    symptom.degree = found.degree;
    symptom.of_pair = true;
    Finding finding = FindingOf(symptom, {recipe, PeculiaritiesOf(recipe), NeedsScalars(found)}, Shows::kAlone);
    finding.case_id = found.case_id;
    finding.mutant = found.mutant;
    finding.count = found.count;
    finding.judged = found.judged;
    return finding;
  };
  const auto examine = [&](const Output& out) {
    const auto half = std::find_if(stage_->halves.begin(), stage_->halves.end(),
                                   [side](const Half& one) { return one.side == side; });
    Trial trial(*half->engine, stage_->peer, board_);
    trial.Begin(index, *tested);
    Symptom symptom = trial.Examine(*tested, recipe);
    if (!IsOf(found, symptom)) symptom = trial.ExamineOwn(*tested, recipe);
    if (IsOf(found, symptom)) out.Write(ToJson(accused(symptom)));
  };
  findings_.clear();
  const Death death = InChild(LimitOf(index), examine);
  if (!findings_.empty()) return std::move(std::exchange(findings_, {}).front());
  if (!death.died || death.stillborn) return std::nullopt;
  const Symptom end = SymptomOf(death, RemainsOf(board_, index), Told::kFirst);
  return IsOf(found, end) ? std::optional(accused(end)) : std::nullopt;
}

/// Each library of a pair that shows what was found answers for it, as in its own run; where neither does, both
/// together.
void Snapshot::AccuseHalves() {
  if (!job_.pair) return;
  const double began = began_;
  std::vector<Finding> accused;
  for (Finding& found : std::exchange(findings_, {})) {
    const size_t before = accused.size();
    for (const Side side : {Side::kExport, Side::kImport}) {
      if (std::optional<Finding> finding = ShownBy(side, found)) accused.push_back(*std::move(finding));
    }
    if (accused.size() != before) continue;
    found.peculiarities = {"only-together"};
    accused.push_back(std::move(found));
  }
  findings_ = std::move(accused);
  began_ = began;
}

}  // namespace dlpack_cts::worker
