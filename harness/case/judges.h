// harness/case/judges.h: judgements that many cases share, each one sentence of the specification.
#ifndef DLPACK_CTS_HARNESS_CASE_JUDGES_H_
#define DLPACK_CTS_HARNESS_CASE_JUDGES_H_

#include <algorithm>
#include <span>
#include <string_view>

#include "harness/case/judgement.h"
#include "harness/ledger/ledger.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// A version that was published: 1.0 to 1.3, or from that minor on.
inline Matcher<abi::DLPackVersion> IsPublishedVersion(uint32_t minor = 0) {
  Matcher<abi::DLPackVersion> matcher;
  for (; minor <= 3; ++minor) matcher.Add(FactTraits<abi::DLPackVersion>::Value({1, minor}));
  return matcher;
}

/// The shape that the library describes.
inline Matcher<Tuple> ShapeOf(const Description& described) {
  return described.has_shape != 0 ? Is(Tuple{described.shape, described.ndim}) : HasNoValue<Tuple>();
}

constexpr FunctionSet FunctionBit(TableFunction function) {
  return {static_cast<uint8_t>(1u << static_cast<int>(function))};
}

// Each is false, and says why, for an example that cannot show what its case is about.

/// The export is a versioned struct, or is on the CPU.
bool IsVersioned(Judgement& judgement);
bool IsOnCpu(Judgement& judgement);
/// The imported array was re-exported, into slot 1.
bool IsReexported(Judgement& judgement);
/// The adapter reports this of the imported array.
bool TellsAddress(Judgement& judgement);
bool TellsDevice(Judgement& judgement);
bool TellsDtype(Judgement& judgement);
/// The imported array has elements, in the memory of the tensor.
bool SharesElements(const Recipe& recipe, Judgement& judgement);

// The terms of a judgement give its rule, if that is not the case's first one, its slot and its degree.

/// True for an export that is refused; that it is refused with a BufferError is judged.
bool RefusedWithBufferError(Judgement& judgement, const Terms& terms = {});

/// Every reading of the slot's elements (raw memory, the library's conversion, a computation) has the elements of the
/// recipe. Says "nothing" when the elements could not be read.
bool ElementsMatch(Judgement& judgement, std::string_view message, const Terms& terms = {});
bool ElementsMatch(Judgement& judgement, const Terms& terms = {});

/// A 0-d tensor was imported with the shape (1,) or (1, 1): libraries without 0-d arrays have no other choice.
inline bool ArrivedAsOneElement(int dims, const Description& result) {
  if (dims != 0 || result.has_shape == 0 || result.ndim < 1 || result.ndim > kDims) return false;
  return std::all_of(result.shape, result.shape + result.ndim, [](int64_t extent) { return extent == 1; });
}

/// The result's shape is the offer's; for a 0-d tensor also (1,), (1, 1) ...
bool ShapeMatches(const Recipe& recipe, Judgement& judgement, const Terms& terms = {});

/// The dtype of the result is not another one than `wanted`, as far as the name of the library's dtype is known.
bool DtypeMatches(abi::DLDataType wanted, Judgement& judgement, std::string_view message, const Terms& terms = {});

/// The imported array has the lanes of the tensor's vectors as one more dimension.
bool HasLanesBehind(const Recipe& recipe, const Description& result);

/// A tensor of vectors was imported as an array of vectors, or with their lanes as one more dimension.
bool LanesMatch(const Recipe& recipe, Judgement& judgement, const Terms& terms = {});

/// A tensor on another device was not imported as host memory.
bool NotTakenForHost(const Recipe& recipe, Judgement& judgement, std::string_view message, const Terms& terms = {});

/// However the import ended, the deleter ran once for each exported tensor (never for a NULL deleter).
bool ReleasedOnce(const Recipe& recipe, Judgement& judgement, const Terms& terms = {});

/// The same, and the deleter did not run while an array that shares the memory was alive. A consumer that copied may
/// call it at once.
bool ReleasedWithTheArray(const Recipe& recipe, Judgement& judgement, const Terms& terms = {});

/// After an import the capsule has the used name of its kind. A consumer that copied may leave the capsule alone, whose
/// destructor then releases the tensor: WARN, as ownership never moved. A consumer that borrows leaves it alone: NOTE.
bool MarkedUsed(const Recipe& recipe, Judgement& judgement, const Terms& terms = {});

/// The array object is gone once every export was deleted or lost. An export that never held it is not conclusive.
bool NothingHeld(Judgement& judgement, std::string_view message, const Terms& terms = {});

/// As NothingHeld after Op::kExportOften, which counts memory where the array object is not conclusive.
bool NothingStays(Judgement& judgement, std::string_view message, const Terms& terms = {});

/// The recorded calls of __dlpack__ and __dlpack_device__.
inline std::span<const ProducerCall> CallsOf(const ImportLedger& import) {
  return {import.calls, static_cast<size_t>(std::clamp(import.producer_calls, 0, kProducerCalls))};
}

/// Calls the visitor with each recorded call of __dlpack__, and with its number. False without a call.
template <typename Visit>
bool ForEachCallOfDlpack(const Ledger& ledger, Visit visit) {
  bool any = false;
  int number = 0;
  for (const ProducerCall& call : CallsOf(ledger.imports[0])) {
    if (!call.is_device) visit(call, number);
    any = any || !call.is_device;
    ++number;
  }
  return any;
}

/// The exported struct's elements are those of the array.
bool ExportMatches(Judgement& judgement, std::string_view message, const Terms& terms = {});
bool ExportMatches(Judgement& judgement, const Terms& terms = {});

/// The data of whole arrays is aligned to 256 bytes: a NOTE. One array can be aligned by accident, so those that the
/// probes saw count too.
void AlignmentIs256(Judgement& judgement, std::string_view message);

// Judges that make one of these statements.
Judge ExpectsElements(std::string_view message, const Terms& terms = {});
Judge ExpectsExport(std::string_view message, const Terms& terms = {});
Judge ExpectsNotHost(std::string_view message, const Terms& terms = {});
/// Judges examples that can show it.
Judge Where(bool (*shows)(Judgement& judgement), Judge judge);
/// An export that is refused is refused with a BufferError; `judge` judges any other one.
Judge BufferErrorOr(Judge judge);

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
