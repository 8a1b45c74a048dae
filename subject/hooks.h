// subject/hooks.h: the functions of an adapter and of a plug-in, one row each.
//
// The bridge and the native subject look functions up by these rows. The loaders and the adapter check read which rows
// are needed. The table in docs/adapters.md is written from them.
#ifndef DLPACK_CTS_SUBJECT_HOOKS_H_
#define DLPACK_CTS_SUBJECT_HOOKS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "harness/case/profile.h"

namespace dlpack_cts {

enum class Hook : uint8_t {
  kName,
  kVersion,
  kFromDlpack,
  kFromExchange,
  kPeek,
  kDescribe,
  kArrayStruct,
  kValues,
  kDrop,
  kMake,
  kRelease,
  kWrite,
  kCompute,
  kView,
  kChangeMetadata,
  kClose,
  kExport,
  kDevice,
  kWatch,
  kStream,
  kFetch,
  kLacks,
  kLive,
  kCount,
};

/// What the adapter check (worker/probe/hook_check.h) compares after it called the hook on a new array, in this order.
enum class HookCheck : uint8_t {
  kNone,
  kElements,    // the returned array has equal elements
  kMemory,      // and shares the memory
  kOneElement,  // one element changed
  kLayout,      // shape or strides changed
};

constexpr uint32_t ClaimBit(Claim claim) { return 1u << static_cast<uint32_t>(claim); }

/// A function that adapters and plug-ins both have has both names.
struct HookRow {
  Hook hook;
  std::string_view python = {};      // its name in adapter.py
  std::string_view parameters = {};  // as docs/adapters.md writes them
  std::string_view native = {};      // its name in the table of a plug-in
  size_t in_table = 0;               // its offset in dlpack_cts_plugin_table
  bool always = false;               // every adapter must have it
  uint32_t claims = 0;               // an adapter that makes one of these claims must have it
  uint32_t native_claims = 0;        // a plug-in that makes one of these claims must have it
  std::string_view because = {};     // added, after a comma, to the message about a plug-in that lacks it
  HookCheck check = HookCheck::kNone;
  std::string_view scope = {};  // for docs/adapters.md: the role or claim
  std::string_view doc = {};    // what it returns or does, for docs/adapters.md

  /// Whether an adapter, or a plug-in, with those claims must have it.
  bool IsNeededBy(uint32_t claimed) const { return always || (claims & claimed) != 0; }
  bool IsNeededByPlugin(uint32_t claimed) const { return IsNeededBy(claimed) || (native_claims & claimed) != 0; }
};

/// In the order of enum class Hook.
std::span<const HookRow> Hooks();

inline const HookRow& RowOf(Hook hook) { return Hooks()[static_cast<size_t>(hook)]; }

/// How change_metadata() and change() change an array. Its index is also the code in the plug-in ABI.
struct Change {
  std::string_view word;
  Claim claim;
};
inline constexpr Change kChanges[] = {
    {"reshape", Claim::kReshapeInPlace}, {"transpose", Claim::kTransposeInPlace}, {"resize", Claim::kResizeInPlace}};
enum : int { kReshape, kTranspose, kResize };  // indices into kChanges

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_SUBJECT_HOOKS_H_
