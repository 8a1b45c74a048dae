// harness/case/judges.h: judgements that many cases share, each one sentence of the specification.
#ifndef DLPACK_CTS_HARNESS_CASE_JUDGES_H_
#define DLPACK_CTS_HARNESS_CASE_JUDGES_H_

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "harness/case/judgement.h"
#include "harness/ledger/ledger.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// The violation names the fact that decided: its value in the ledger is `got` (words may follow), and not one of
/// `wanted`. True also where the violation does not name a fact.
bool NamesWhatDecided(const Breach& breach, const Ledger& ledger);

/// Values as facts show them, for `wanted`: "(2, 3)", "(2, 32, 1)", "(1, 0)".
std::string AsText(std::span<const int64_t> tuple);
std::string AsText(abi::DLDataType dtype);
std::string AsText(abi::DLDevice device);

/// Says that the fact `key` has one of its right values (`wanted`, alternatives separated by " | "), or that `rule` is
/// violated. The seen value is the fact itself, so that a standalone reproducer can check the same thing again.
bool Check(bool holds, const Ledger& ledger, Judgement& judgement, std::string_view rule, std::string_view key,
           std::string_view wanted, std::string_view message, Degree degree = Degree::kRule);

/// Every reading of the slot's elements (raw memory, the library's conversion, a computation) has the elements of the
/// recipe. Says "nothing" when the elements could not be read.
bool ElementsMatch(std::string_view rule, const Ledger& ledger, Judgement& judgement, int slot = 0,
                   std::string_view message = "the elements of the imported array are not those of the tensor");

/// A 0-d tensor was imported with the shape (1,) or (1, 1): libraries without 0-d arrays have no other choice.
inline bool ArrivedAsOneElement(int dims, const Description& result) {
  if (dims != 0 || result.has_shape == 0 || result.ndim < 1 || result.ndim > kDims) return false;
  return std::all_of(result.shape, result.shape + result.ndim, [](int64_t extent) { return extent == 1; });
}

/// The result's shape is the offer's; for a 0-d tensor also (1,), (1, 1) ...
bool ShapeMatches(std::string_view rule, const Recipe& recipe, const Ledger& ledger, Judgement& judgement,
                  int slot = 0);

/// The dtype of the result is not another one than `wanted`, as far as the name of the library's dtype is known.
bool DtypeMatches(std::string_view rule, abi::DLDataType wanted, const Ledger& ledger, Judgement& judgement,
                  std::string_view message, Degree degree = Degree::kRule);

/// A tensor on another device was not imported as host memory.
bool NotTakenForHost(std::string_view rule, const Recipe& recipe, const Ledger& ledger, Judgement& judgement,
                     std::string_view message, Degree degree = Degree::kRule);

/// However the import ended, the deleter ran once for each exported tensor (never for a NULL deleter).
bool ReleasedOnce(std::string_view rule, const Recipe& recipe, const Ledger& ledger, Judgement& judgement,
                  int slot = 0);

/// The same, and the deleter did not run while an array that shares the memory was alive. A consumer that copied may
/// call it at once.
bool ReleasedWithTheArray(std::string_view rule, const Recipe& recipe, const Ledger& ledger, Judgement& judgement,
                          int slot = 0);

/// After an import the capsule has the used name of its kind. A consumer that copied may leave the capsule alone, whose
/// destructor then releases the tensor: WARN, as ownership never moved. A consumer that borrows leaves it alone: NOTE.
bool MarkedUsed(std::string_view rule, const Recipe& recipe, const Ledger& ledger, Judgement& judgement, int slot = 0);

/// The array object is gone once every export was deleted or lost. An export that never held it is not conclusive.
bool NothingHeld(std::string_view rule, const Ledger& ledger, Judgement& judgement, std::string_view message);

/// As NothingHeld after Op::kExportOften, which counts memory where the array object is not conclusive.
bool NothingStays(std::string_view rule, const Ledger& ledger, Judgement& judgement, std::string_view message);

/// Calls the visitor with each recorded call of __dlpack__, and with the prefix of its fact keys.
template <typename Visit>
void ForEachCallOfDlpack(const Ledger& ledger, Visit visit) {
  const ImportLedger& import = ledger.imports[0];
  for (int i = 0; i < import.producer_calls && i < kProducerCalls; ++i) {
    if (!import.calls[i].is_device) visit(import.calls[i], "import0.call" + std::to_string(i) + ".");
  }
}

/// The exported struct's elements are those of the array.
bool ExportMatches(std::string_view rule, const Ledger& ledger, Judgement& judgement, int slot = 0,
                   std::string_view message = "the elements of the exported tensor are not those of the array");

/// The import was accepted (for OnRefusal::kJudge cases).
inline bool Accepted(const Ledger& ledger, int slot = 0) {
  return ledger.imports[slot].import.outcome == Outcome::kAccepted;
}
inline bool Refused(const Ledger& ledger, int slot = 0) {
  return ledger.imports[slot].import.outcome == Outcome::kRefused;
}
inline bool Exported(const Ledger& ledger, int slot = 0) {
  return ledger.exports[slot].export_call.outcome == Outcome::kAccepted;
}

/// True when the exported shape holds an extent of 0.
inline bool IsEmpty(const ExportLedger& exported) {
  const int64_t* const end = exported.shape + std::clamp(exported.tensor.ndim, 0, kDims);
  return std::find(exported.shape, end, 0) != end;
}

/// True when the offer is a versioned struct of at least / below that version.
inline bool AtLeast(const Offer& offer, uint32_t major, uint32_t minor) {
  return offer.kind == StructKind::kVersioned &&
         (offer.major > major || (offer.major == major && offer.minor >= minor));
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_CASE_JUDGES_H_
