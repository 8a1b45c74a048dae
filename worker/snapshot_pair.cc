// worker/snapshot_pair.cc: finds out which library of a pair fails, with the reference in the place of the other one.
#include <algorithm>
#include <utility>

#include "harness/recipe/codec.h"
#include "worker/diagnose/symptom.h"
#include "worker/run/trial.h"
#include "worker/snapshot.h"

namespace dlpack_cts::worker {
namespace {

bool IsOf(const Finding& found, const Symptom& symptom) {
  return symptom.Any() && symptom.family == found.family && symptom.fact == found.fact;
}

}  // namespace

/// The finding for one library of the pair, if it fails in the same way with the reference. It may crash the child.
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

/// Attributes each finding to the library of the pair that shows it with the reference. If neither does, it belongs to
/// both together.
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
