// harness/choices/choice_views.h: views of an exchange, and conditions, that the rows of the table of choices share.
#ifndef DLPACK_CTS_HARNESS_CHOICES_CHOICE_VIEWS_H_
#define DLPACK_CTS_HARNESS_CHOICES_CHOICE_VIEWS_H_

#include <optional>

#include "harness/choices/choice.h"

namespace dlpack_cts {

inline constexpr auto kAlways = [](const Exchange&, int) { return true; };

inline bool Accepted(const Refusal& answer) { return answer.outcome == Outcome::kAccepted; }
inline bool Refused(const Refusal& answer) { return answer.outcome == Outcome::kRefused; }
inline bool IsUsed(NameSeen name) { return name == NameSeen::kUsedLegacy || name == NameSeen::kUsedVersioned; }

/// 0 for static memory, as in the reference; 1 for other memory.
inline int ReadingOf(NameStorage storage) {
  return storage == NameStorage::kUnknown ? kNoReading : storage == NameStorage::kStatic ? 0 : 1;
}

bool HasNoElements(const int64_t* shape, int64_t ndim);

/// Whether the strides are equal in dimensions of more than one element, for a tensor that has elements.
bool SameMeaning(const int64_t* shape, const int64_t* a, const int64_t* b, int64_t ndim);

/// Whether `shape` counts two elements that share a byte as one, in the last of the `ndim` dimensions.
inline bool CountsPairs(const int64_t* shape, const int64_t* elements, int ndim) {
  return shape[ndim - 1] == (elements[ndim - 1] + 1) / 2;
}

/// The device of an array that the library made, if it is not the CPU: as described, else as in the probes. Nothing
/// without such an array, and for slot -1.
std::optional<abi::DLDevice> DeviceOfArray(const Exchange& exchange, int source);

/// Whether a step of that slot passes that argument for copy=.
bool AsksForCopy(const Recipe& recipe, int slot, ArgumentKind kind);

/// The step that the recipe is about: the first import of an offer with from_dlpack, or the first export with
/// __dlpack__, depending on the recipe's kind. NULL without one.
const Step* ExchangeStep(const Recipe& recipe);

/// The first import of an offer in a recipe, and whether the library accepted or refused it.
struct ImportedOffer {
  static std::optional<ImportedOffer> In(const Exchange& exchange, int slot);

  bool IsVersioned() const { return offer.kind == StructKind::kVersioned; }
  bool IsOnCpu() const { return offer.device.device_type == abi::kDLCPU; }
  bool HasElements() const;
  bool SameDevice() const;
  /// The producer and the tensor are ones that every consumer should accept.
  bool IsUsual() const { return IsUsualAnywhere() && IsOnCpu() && SameDevice(); }
  bool IsUsualAnywhere() const;  // the same on any device
  /// Whether the producer accepted the arguments of the consumer.
  bool WasServed() const;
  bool IsPlain() const;  // all arguments are the defaults
  bool HasStride(bool (*test)(int64_t stride)) const;

  const Offer& offer;
  const Call& call;
  const ImportLedger& seen;
  bool bare;
};

/// The first export of an array that the library made, and whether the library accepted or refused it.
struct Made {
  static std::optional<Made> In(const Exchange& exchange, int slot);

  bool GaveStruct() const { return Accepted(seen.export_call) && seen.struct_address != 0; }
  bool IsPlain() const;  // the array, and all arguments except max_version, are the defaults

  const Request& request;
  const Call& call;
  const ExportLedger& seen;
  const Description& array;  // of the array that was made, which may differ from the requested one
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_CHOICES_CHOICE_VIEWS_H_
