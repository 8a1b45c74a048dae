// worker/probe/hook_check.cc: runs the hooks of an adapter on a made array, and compares the results.
#include "worker/probe/hook_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/text.h"
#include "harness/ledger/ledger.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/elements.h"
#include "harness/recipe/normalize.h"
#include "subject/hooks.h"
#include "subject/readable.h"

namespace dlpack_cts::worker {
namespace {

using Bytes = std::vector<uint8_t>;

std::string Named(const MadeArray& made) {
  return fmt::format("a {} array of shape {}", DataTypeName(made.request.dtype),
                     TupleText(made.request.shape, made.request.dims));
}

/// The result of values(), or nothing if it cannot read the array.
Bytes ValuesOf(Subject& subject, Handle array, size_t size) {
  Bytes values(size + 1);
  const int64_t given = subject.Values(array, values);
  values.resize(static_cast<size_t>(std::clamp<int64_t>(given, 0, static_cast<int64_t>(size) + 1)));
  return values;
}

/// The error message about an array that `hook` derived from the made one, or "". Drops `derived`.
std::string JudgeDerived(Subject& subject, const MadeArray& made, const HookRow& row, Handle derived) {
  Description described;
  subject.Describe(derived, described);
  const bool on_host = Comparable(described);
  const Bytes values = on_host ? ValuesOf(subject, derived, made.values.size()) : Bytes();
  subject.Drop(derived);
  const std::string unreadable = subject.Take(Complaint::kReading);
  if (!unreadable.empty()) {
    if (!made.plainest) return {};
    return fmt::format("the adapter's {}() returned an object that is not an array of the library: {}", row.python,
                       unreadable);
  }
  if (!on_host) return {};
  if (described.known_dtype && made.described.known_dtype && described.dtype != made.described.dtype) {
    return fmt::format("the adapter's {}() returned {} for {}; return the same type", row.python,
                       DataTypeName(described.dtype), Named(made));
  }
  if (!values.empty() && values != made.values) {
    return fmt::format("the adapter's {}() returned other elements than those of {}; return equal elements", row.python,
                       Named(made));
  }
  const bool elsewhere = described.has_pointer && made.described.has_pointer && made.described.pointer != 0 &&
                         described.pointer != made.described.pointer;
  if (row.check == HookCheck::kMemory && elsewhere) {
    return fmt::format("the adapter's {}() returned other memory than that of {}; return a view of the same memory",
                       row.python, Named(made));
  }
  return {};
}

/// The error message if the hook returned nothing, or raised an exception that looks like a bug.
std::string Failed(Subject& subject, const MadeArray& made) {
  const std::string failure = subject.Take(Complaint::kHook);
  return made.plainest ? failure : std::string();
}

std::string CheckDerived(Subject& subject, const MadeArray& made, const HookRow& row) {
  Handle derived = subject.Derive(row.hook, made.array);
  if (derived == nullptr) return Failed(subject, made);
  return JudgeDerived(subject, made, row, derived);
}

std::string CheckWrite(Subject& subject, const MadeArray& made) {
  const auto item = static_cast<size_t>(ItemSize(made.request.dtype));
  uint8_t bits[16] = {};
  if (item > sizeof(bits) || made.values.size() < item) return {};
  // Not the first element, which has the same position in every order.
  const size_t index = made.values.size() > item ? 1 : 0;
  Bytes wanted = made.values;
  if (!OtherBits(made.request.dtype, made.request.seed, static_cast<int64_t>(index), wanted.data() + index * item,
                 bits)) {
    return {};
  }
  std::copy_n(bits, item, wanted.begin() + static_cast<std::ptrdiff_t>(index * item));
  Refusal refusal{};
  const bool wrote = subject.Write(made.array, static_cast<int64_t>(index), std::span(bits, item), refusal);
  if (!wrote) return Failed(subject, made);
  const Bytes values = ValuesOf(subject, made.array, made.values.size());
  if (values.empty() || values == wanted) return {};
  return fmt::format(
      "the adapter's write() of element {} of {} changed {}, according to values(); it must change that element, "
      "counted "
      "row-major, in the array itself",
      index, Named(made), values == made.values ? "nothing" : "something else");
}

/// Uses a matrix, because each change alters it. A vector is its own transpose, and may already have the new shape.
std::string CheckChanges(Subject& subject, const Profile& profile, const MadeArray& made) {
  if (made.request.dims != 2) return {};
  Description before = made.described;
  for (const int how : {kTranspose, kReshape, kResize}) {
    const Change& change = kChanges[how];
    Refusal refusal{};
    if (!profile.Claims(change.claim) || !subject.ChangeMetadata(made.array, how, refusal)) continue;
    Description after;
    subject.Describe(made.array, after);
    if (!after.valid || !after.has_shape) continue;
    const bool shape = after.ndim == before.ndim && std::equal(before.shape, before.shape + before.ndim, after.shape);
    const bool strides = before.has_strides == after.has_strides &&
                         std::equal(before.byte_strides, before.byte_strides + before.ndim, after.byte_strides);
    if (shape && strides) {
      return fmt::format(
          "the adapter's change_metadata(array, \"{}\") changed nothing in {}, according to describe(); it must change "
          "the shape or strides of the array itself, or raise an exception",
          change.word, Named(made));
    }
    before = after;
  }
  return {};
}

std::string CheckHook(Subject& subject, const Profile& profile, const MadeArray& made, const HookRow& row) {
  // A wrong result for a strided array may be the library's error. A write into a copy of it is the adapter's.
  const bool compact = made.request.making != Making::kView;
  const bool writable =
      made.described.writable != Answer::kNo && !profile.Says(Trait::kImmutable) && !made.request.read_only;
  switch (row.check) {
    case HookCheck::kElements:
    case HookCheck::kMemory:
      return compact ? CheckDerived(subject, made, row) : std::string();
    case HookCheck::kOneElement:
      return writable ? CheckWrite(subject, made) : std::string();
    case HookCheck::kLayout:
      return compact ? CheckChanges(subject, profile, made) : std::string();
    case HookCheck::kNone:
      break;
  }
  return {};
}

bool Same(abi::DLDevice one, abi::DLDevice other) {
  return one.device_type == other.device_type && one.device_id == other.device_id;
}

std::string Text(abi::DLDevice device) { return fmt::format("({}, {})", device.device_type, device.device_id); }

}  // namespace

bool Comparable(const Description& described) {
  return described.valid && (!described.has_device || OnHost(described.device));
}

Call PlainExportCall(const Profile& profile) {
  Call call{};
  if (profile.makes_legacy == 0 && profile.takes_keywords != 0) call.max_version = kNewestVersion;
  return call;
}

std::string CheckHooks(Subject& subject, const Profile& profile, const MadeArray& made) {
  // If an export wrote into the array since then, that is an error of the library.
  if (ValuesOf(subject, made.array, made.values.size()) != made.values) return {};
  subject.Take(Complaint::kHook);
  std::string complaint;
  for (const HookCheck check : {HookCheck::kElements, HookCheck::kMemory, HookCheck::kOneElement, HookCheck::kLayout}) {
    for (const HookRow& row : Hooks()) {
      if (row.check != check || (row.claims & profile.claims) == 0 || !complaint.empty()) continue;
      complaint = CheckHook(subject, profile, made, row);
    }
  }
  subject.Take(Complaint::kHook);
  return complaint;
}

std::string CheckDevice(Subject& subject, const Profile& profile, const MadeArray& made) {
  const Description& described = made.described;
  const bool told = described.valid && described.has_device != 0;
  SourceLedger source{};
  subject.Take(Complaint::kHook);
  subject.exporter().AskDevice(made.array, source);
  std::string failure = subject.Take(Complaint::kHook);
  if (!failure.empty()) return failure;
  if (!told || Same(described.device, made.request.device)) return {};
  // A plug-in has no __dlpack_device__: it would answer through describe() again.
  const bool answered = subject.IsPython() && source.device_is_pair && source.device_type_is_int &&
                        source.device_id_is_int && source.device_call.outcome == Outcome::kAccepted;
  static Ledger ledger;
  Clear(ledger);
  subject.exporter().Export(made.array, PlainExportCall(profile), 0, ledger);
  const bool exported = subject.exporter().ExportedStruct(0) != nullptr;
  const abi::DLDevice in_struct = ledger.exports[0].tensor.device;
  if (exported) subject.exporter().LoseCapsule(0);
  // Cases report an exception that a destructor leaves pending.
  (void)subject.runtime().ForgetException();
  const bool differs = (!answered || !Same(source.device, described.device)) &&
                       (!exported || !Same(in_struct, described.device)) && (answered || exported);
  const bool agree = !answered || !exported || Same(source.device, in_struct);
  if (!differs || !agree) return {};
  return fmt::format(
      "the adapter's describe() returned the device {} for {}, but the library says {}; return the device that the "
      "library says, or None if it is not known",
      Text(described.device), Named(made), Text(answered ? source.device : in_struct));
}

}  // namespace dlpack_cts::worker
