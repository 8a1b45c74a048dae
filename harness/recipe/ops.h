// harness/recipe/ops.h: the operations of a life, in one table for everything except the engine.
//
// A new operation is an enumerator of Op, its row in ops.cc, and a row of the engine's table (LifeRun::Take).
#ifndef DLPACK_CTS_HARNESS_RECIPE_OPS_H_
#define DLPACK_CTS_HARNESS_RECIPE_OPS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "harness/recipe/enum_table.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// Properties of operations. Most operations have few of them.
enum class OpTrait : uint32_t {
  kPlainImport = 1u << 0,  // in the default life of an import
  kPlainExport = 1u << 1,
  kFuzzedImport = 1u << 2,  // the fuzz target for imports runs it after the import
  kFuzzedExport = 1u << 3,
  kImportSide = 1u << 4,  // a crash in it is a failure of the import; without both traits: of the recipe's kind
  kExportSide = 1u << 5,
  kTakesOffer = 1u << 6,  // `Step::block` is an offer
  kTakesRequest = 1u << 7,
  kPassesKeywords = 1u << 8,  // uses the arguments of `Step::call`; the exchange table has no keywords
  kFillsSlot = 1u << 9,       // fills its slot
  kFillsOther = 1u << 10,     // fills the slot `Step::other`
  kOtherIsAddress =
      1u << 11,  // `Step::other` is the slot whose struct address is used; otherwise the slot of the step's array
  kOfExport = 1u << 12,          // its slot is that of an export
  kOnlyLooks = 1u << 13,         // reads an export; changes nothing and calls nothing
  kOnlyReads = 1u << 14,         // reads, and does not affect the facts of other steps
  kUsesElements = 1u << 15,      // uses the memory of the exchanged elements
  kWrites = 1u << 16,            // writes an element
  kLetsGo = 1u << 17,            // releases something
  kNeedsNoExchange = 1u << 18,   // may crash without an exchange, because it makes an array or computes
  kTouchesElements = 1u << 19,   // a fault in it is about the address of elements
  kTouchesRelease = 1u << 20,    // a fault in it is about releases; without both traits: about memory in a call
  kRaces = 1u << 21,             // several threads run it at the same time
  kTakesLong = 1u << 22,         // takes as long as hundreds of exchanges
  kScriptedAlone = 1u << 23,     // a Python script passes nothing to it; otherwise the slot
  kScriptedArgument = 1u << 24,  // a Python script passes the slot and the argument
  kUnscripted = 1u << 25,        // no script can contain it
};
constexpr OpTrait operator|(OpTrait a, OpTrait b) {
  return static_cast<OpTrait>(static_cast<uint32_t>(a) | static_cast<uint32_t>(b));
}

/// All data of an operation.
struct OpRow {
  Op op;
  std::string_view word;  // in JSON, and with '_' for '-' in scripts; its trigger is "step-" and this word
  std::string_view
      statement;  // what the step does, as a statement about the exchange; docs/results.md shows it to users
  OpTrait traits;
  std::string_view notes{};  // beginnings of the keys of facts that only such steps record
  std::string_view further_notes{};
  std::span<const Named> arguments{};    // the values of `Step::argument`, if it is an enumeration
  std::string_view argument_property{};  // the property whose triggers they are
};

extern const std::array<OpRow, kEnumerators<Op>> kOpRows;
/// The words, for the table of fields.
extern const std::array<std::string_view, kEnumerators<Op>> kOpWords;

/// The row of the operation. A number that is not an operation does nothing, like Op::kEnd.
inline const OpRow& RowOf(Op op) {
  const auto index = static_cast<size_t>(op);
  return kOpRows[index < kOpRows.size() ? index : 0];
}

inline bool HasTrait(Op op, OpTrait trait) {
  return (static_cast<uint32_t>(RowOf(op).traits) & static_cast<uint32_t>(trait)) != 0;
}
/// Whether the default life of such recipes contains it.
inline bool IsPlain(RecipeKind kind, Op op) {
  return HasTrait(op, kind == RecipeKind::kImport ? OpTrait::kPlainImport : OpTrait::kPlainExport);
}
inline bool UsesOffer(Op op) { return HasTrait(op, OpTrait::kTakesOffer); }
inline bool UsesRequest(Op op) { return HasTrait(op, OpTrait::kTakesRequest); }

/// The slot that holds a tensor after the step, or -1.
inline int FilledSlot(const Step& step) {
  return HasTrait(step.op, OpTrait::kFillsSlot)    ? step.slot
         : HasTrait(step.op, OpTrait::kFillsOther) ? OtherSlot(step)
                                                   : -1;
}

/// The texts of the step's argument. NULL if it is a number.
const Named* ArgumentOf(const Step& step);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_OPS_H_
