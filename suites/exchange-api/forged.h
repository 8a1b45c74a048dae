// suites/exchange-api/forged.h: what cases about consumers of a forged exchange table share.
#ifndef DLPACK_CTS_SUITES_EXCHANGE_API_FORGED_H_
#define DLPACK_CTS_SUITES_EXCHANGE_API_FORGED_H_

#include <string_view>

#include "harness/case/case.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"

namespace dlpack_cts {

/// A versioned tensor of a producer whose type carries a table that nobody has a reason to refuse.
inline Recipe DrawTabled(Draw& draw) {
  Recipe recipe = draw.ImportOf(StructKind::kVersioned);
  MakeReleasable(recipe);
  recipe.table.attribute = TableAttribute::kCapsule;
  recipe.table.version = {1, 3};
  return recipe;
}

/// Now and then a copy is wanted: then the library may come by another way to the tensor, which a table cannot copy.
inline void AskForCopy(Draw& draw, Recipe& recipe) {
  if (draw.Pick(3) == 0 && draw.profile.Claims(Claim::kCopyKeyword)) recipe.call().copy.kind = ArgumentKind::kTrue;
}

/// A case about a consumer of tables; by default about a table that nothing is wrong with.
inline Case OfTables(Case made) {
  made.python = true;
  if (made.blocked == nullptr) made.blocked = LooksForTables;
  if (!made.draw) made.draw = DrawTabled;
  return made;
}

constexpr uint8_t FunctionBit(TableFunction function) { return static_cast<uint8_t>(1u << static_cast<int>(function)); }

inline bool Called(const Ledger& ledger, TableFunction function, int slot = 0) {
  return (ledger.imports[slot].table.called & FunctionBit(function)) != 0;
}

/// True, and said, where nothing can be seen of a consumer of tables.
inline bool LooksForNoTable(const Ledger& ledger, Judgement& judgement, int slot = 0) {
  if (ledger.imports[slot].table.looked != 0) return false;
  judgement.SaysNothing("the library looks for no exchange table");
  return true;
}

inline bool TakesNothingThere(const Ledger& ledger, Judgement& judgement, int slot = 0) {
  if (Called(ledger, TableFunction::kFromObject, slot)) return false;
  judgement.SaysNothing("the library takes no tensor through an exchange table");
  return true;
}

/// What is left to ask of whoever met an odd table, and need not use it: no fault (which stands for itself), and where
/// a tensor came, by whatever way, the right one. Who looks for no table says nothing.
inline void RefusedOrRight(std::string_view rule, const Ledger& ledger, Judgement& judgement) {
  if (LooksForNoTable(ledger, judgement)) return;
  const Refusal& refusal = ledger.imports[0].import;
  // CPython says so of a function that came back with a value and an exception.
  const bool left = refusal.message.view().find("with an exception set") != std::string_view::npos;
  if (Refused(ledger)) {
    Check(!left, ledger, judgement, rule, "import0.exception", "another one, or none",
          "an exception was left pending when the library went on");
    return;
  }
  ElementsMatch(rule, ledger, judgement);
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_SUITES_EXCHANGE_API_FORGED_H_
