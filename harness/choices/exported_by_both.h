// harness/choices/exported_by_both.h: a slot with the exports of a library and of the reference, as the choices see it.
#ifndef DLPACK_CTS_HARNESS_CHOICES_EXPORTED_BY_BOTH_H_
#define DLPACK_CTS_HARNESS_CHOICES_EXPORTED_BY_BOTH_H_

#include <algorithm>
#include <optional>

#include "harness/choices/choice_views.h"
#include "harness/recipe/life.h"
#include "harness/recipe/packing.h"

namespace dlpack_cts {

/// A slot with an export of both libraries.
struct Exported {
  static std::optional<Exported> In(const Exchange& x, int slot) {
    return Exported{x, slot, x.subject.exports[slot], x.reference.exports[slot]};
  }

  bool Both() const { return subject.struct_address != 0 && ours.struct_address != 0; }
  bool BothVersioned() const { return Both() && subject.versioned != 0 && ours.versioned != 0; }
  bool NoElements() const { return HasNoElements(ours.shape, ours.tensor.ndim); }
  bool LiesElsewhere() const { return subject.place.area == Area::kElsewhere || subject.place.area == Area::kUnknown; }

  /// The step that exported into the slot. NULL if an imported array was exported.
  const Step* StepOf() const {
    return FindStep(x.recipe, [this](const Step& step) {
      const bool exports = step.op == Op::kExport || step.op == Op::kTableExport || step.op == Op::kTableView;
      return step.slot == slot && exports;
    });
  }
  bool HasStep(Op op) const {
    return dlpack_cts::HasStep(x.recipe, [&](const Step& step) { return step.op == op && step.slot == slot; });
  }
  /// The source array of the export.
  int SourceOf() const { return StepOf() == nullptr ? 0 : std::max(OtherSlot(*StepOf()), 0); }
  /// The arguments of the export.
  const Call& CallOf() const { return x.recipe.call(StepOf() == nullptr ? 0 : StepOf()->call); }

  /// The slot of the imported array that is re-exported; -1 if the array was made.
  int ImportOf() const {
    for (const Step& step : x.recipe.life()) {
      if (step.op == Op::kReexport && OtherSlot(step) == slot) return step.slot;
    }
    return -1;
  }
  /// The array that the library made and that is exported, or was imported and is re-exported; -1 without one.
  int OriginOf() const {
    const int import = ImportOf();
    if (import < 0) return StepOf() == nullptr ? -1 : SourceOf();
    const Step* const step =
        FindStep(x.recipe, [&](const Step& one) { return one.op == Op::kImportSource && one.slot == import; });
    return step == nullptr ? -1 : std::max(OtherSlot(*step), 0);
  }
  /// Both libraries re-exported an imported array.
  bool BothReexport() const { return Both() && ImportOf() >= 0; }
  const ImportLedger& Imported() const { return x.subject.imports[ImportOf()]; }

  /// IS_SUBBYTE_TYPE_PADDED is set for elements that are not padded.
  bool LiesOfPadding() const {
    const bool padded = IsSubByte(subject.tensor.dtype) && subject.packing != Packing::kLowFirst;
    return subject.versioned != 0 && (subject.flags & abi::kFlagSubbytePadded) != 0 && !padded;
  }
  /// The struct says that it is a copy. A legacy struct has no flag for that.
  bool SaysCopied() const {
    return subject.versioned == 0 || ((subject.flags & abi::kFlagIsCopied) != 0 && !LiesOfPadding());
  }

  bool SameLayout() const;
  bool IsLaidOutAs(const Description& array) const;

  const Exchange& x;
  int slot;
  const ExportLedger& subject;
  const ExportLedger& ours;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_CHOICES_EXPORTED_BY_BOTH_H_
