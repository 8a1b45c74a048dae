// suites/exchange-api/forged.h: what cases about consumers of a forged exchange table share.
#ifndef DLPACK_CTS_SUITES_EXCHANGE_API_FORGED_H_
#define DLPACK_CTS_SUITES_EXCHANGE_API_FORGED_H_

#include <string_view>

#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"

namespace dlpack_cts {

/// A versioned tensor within the limits, of a producer whose type has a valid exchange table.
inline Recipe DrawTabledWithin(Draw& draw, Limits limits) {
  limits.legacy = false;
  limits.versioned = true;
  Recipe recipe = Releasable(draw.Import(limits));
  recipe.table.attribute = TableAttribute::kCapsule;
  recipe.table.version = {1, 3};
  return recipe;
}

/// The same of a tensor that the subject imports.
inline Recipe DrawTabled(Draw& draw) { return DrawTabledWithin(draw, draw.limits()); }

/// Major versions that no consumer supports, of tables or of tensors.
inline constexpr uint32_t kForeignMajors[] = {2, 3, 257, 0x7fffffff};

/// Sometimes requests a copy: then the library may import without the table, which cannot express copy.
inline void AskForCopy(Draw& draw, Recipe& recipe) {
  if (draw.Pick(3) == 0 && draw.profile.Claims(Claim::kCopyKeyword)) recipe.call().copy.kind = ArgumentKind::kTrue;
}

/// A case about a consumer of tables; the default table is valid.
inline Case OfTables(Case made) {
  made.python = true;
  if (made.blocked == nullptr) made.blocked = LooksForTables;
  if (!made.draw) made.draw = DrawTabled;
  return made;
}

inline bool Called(const Ledger& ledger, TableFunction function, int slot = 0) {
  return (ledger.imports[slot].table.called & FunctionBit(function).bits) != 0;
}

/// True (and the judgement says why) where the library did not look up a table.
inline bool LooksForNoTable(const Ledger& ledger, Judgement& judgement, int slot = 0) {
  if (ledger.imports[slot].table.looked != 0) return false;
  judgement.SaysNothing("the library does not look up __dlpack_c_exchange_api__");
  return true;
}

inline bool TakesNothingThere(const Ledger& ledger, Judgement& judgement, int slot = 0) {
  if (Called(ledger, TableFunction::kFromObject, slot)) return false;
  judgement.SaysNothing("the library did not call managed_tensor_from_py_object_no_sync");
  return true;
}

/// What every consumer owes that met an invalid table and need not use it. It does not access invalid memory, which is
/// reported separately. If it imports the tensor in any way, the elements are right. A library that does not look up
/// tables is not judged. `wrong` are the terms of wrong elements.
inline void RefusedOrRight(const Ledger& ledger, Judgement& judgement, const Terms& wrong = {}) {
  if (LooksForNoTable(ledger, judgement)) return;
  const Refusal& refusal = ledger.imports[0].import;
  // CPython's message about a function that returned a value with an exception set.
  const bool left = refusal.message.view().find("with an exception set") != std::string_view::npos;
  if (Refused(ledger)) {
    judgement.Expect("import0.exception", InWords<std::string_view>("another exception, or none"),
                     "the library continues with a Python exception set", {.when = left});
    return;
  }
  ElementsMatch(judgement, wrong);
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_SUITES_EXCHANGE_API_FORGED_H_
