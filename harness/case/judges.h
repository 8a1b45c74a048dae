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

/// The breach names a fact that decided: the ledger's value of it is `got` (words may follow), and none of `wanted`.
/// True also where the breach names none.
bool NamesWhatDecided(const Breach& breach, const Ledger& ledger);

/// Values as facts show them, for `wanted`: "(2, 3)", "(2, 32, 1)", "(1, 0)".
std::string AsText(std::span<const int64_t> tuple);
std::string AsText(abi::DLDataType dtype);
std::string AsText(abi::DLDevice device);

/// Says that the fact `key` has one of its right values (`wanted`, alternatives separated by " | "), or that `rule` is
/// broken. The seen value is the fact itself, so that a standalone reproducer can check the same thing again.
bool Check(bool holds, const Ledger& ledger, Judgement& judgement, std::string_view rule, std::string_view key,
           std::string_view wanted, std::string_view message, Degree degree = Degree::kRule);

/// Every reading of slot's elements that was taken (raw memory, the library's conversion, a computation) has the
/// elements that the recipe says. Says "nothing" when no reading was possible.
bool ElementsMatch(std::string_view rule, const Ledger& ledger, Judgement& judgement, int slot = 0,
                   std::string_view message = "the imported array has other elements than the tensor");

/// A tensor of no dimensions arrived as one of a single element, (1,) or (1, 1): libraries without 0-d arrays have no
/// other way.
inline bool ArrivedAsOneElement(int dims, const Description& result) {
  if (dims != 0 || result.has_shape == 0 || result.ndim < 1 || result.ndim > kDims) return false;
  return std::all_of(result.shape, result.shape + result.ndim, [](int64_t extent) { return extent == 1; });
}

/// The result's shape is the offer's; for no dimensions also (1,), (1, 1) ...
bool ShapeMatches(std::string_view rule, const Recipe& recipe, const Ledger& ledger, Judgement& judgement,
                  int slot = 0);

/// The result is not of another type than `wanted`, as far as the library names its type in words that we know.
bool DtypeMatches(std::string_view rule, abi::DLDataType wanted, const Ledger& ledger, Judgement& judgement,
                  std::string_view message, Degree degree = Degree::kRule);

/// A tensor of another device was not taken for host memory.
bool NotTakenForHost(std::string_view rule, const Recipe& recipe, const Ledger& ledger, Judgement& judgement,
                     std::string_view message, Degree degree = Degree::kRule);

/// However the import ended, the deleter ran once for each tensor that was handed out (never for a NULL deleter).
bool ReleasedOnce(std::string_view rule, const Recipe& recipe, const Ledger& ledger, Judgement& judgement,
                  int slot = 0);

/// The same, and the deleter did not run while an array that shares the memory was alive; who copied may call it at
/// once.
bool ReleasedWithTheArray(std::string_view rule, const Recipe& recipe, const Ledger& ledger, Judgement& judgement,
                          int slot = 0);

/// After an import the capsule has the used name of its kind. A consumer that copied may leave it alone, and its own
/// destructor releases the tensor: ownership never moved, WARN; one that borrows leaves it alone as well, NOTE.
bool MarkedUsed(std::string_view rule, const Recipe& recipe, const Ledger& ledger, Judgement& judgement, int slot = 0);

/// The array object is gone once every export was deleted or lost; an export that never held it shows nothing.
bool NothingHeld(std::string_view rule, const Ledger& ledger, Judgement& judgement, std::string_view message);

/// As NothingHeld after Op::kExportOften, which counts memory where the array object shows nothing.
bool NothingStays(std::string_view rule, const Ledger& ledger, Judgement& judgement, std::string_view message);

/// Calls the visitor with each call of __dlpack__ that was kept, and with what its facts begin with.
template <typename Visit>
void ForEachCallOfDlpack(const Ledger& ledger, Visit visit) {
  const ImportLedger& import = ledger.imports[0];
  for (int i = 0; i < import.producer_calls && i < kProducerCalls; ++i) {
    if (!import.calls[i].is_device) visit(import.calls[i], "import0.call" + std::to_string(i) + ".");
  }
}

/// The exported struct's elements are those of the array.
bool ExportMatches(std::string_view rule, const Ledger& ledger, Judgement& judgement, int slot = 0,
                   std::string_view message = "the exported struct describes other elements than the array has");

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

/// True when the offer is a versioned struct of at least / below that version.
inline bool AtLeast(const Offer& offer, uint32_t major, uint32_t minor) {
  return offer.kind == StructKind::kVersioned &&
         (offer.major > major || (offer.major == major && offer.minor >= minor));
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_CASE_JUDGES_H_
