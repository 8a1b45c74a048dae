// harness/ledger/words.h: the one table of words for each enum that facts and timelines print.
#ifndef DLPACK_CTS_HARNESS_LEDGER_WORDS_H_
#define DLPACK_CTS_HARNESS_LEDGER_WORDS_H_

#include <string_view>

#include "harness/ledger/ledger.h"
#include "harness/recipe/enum_words.h"

namespace dlpack_cts {

/// The method of the producer that a call is about.
enum class Method : uint8_t { kDlpack, kDlpackDevice };

template <typename Enum>
struct NoWords {};

/// Specialised for each enum below.
template <typename Enum>
inline constexpr NoWords<Enum> kFactWords{};

template <>
inline constexpr EnumWords<Outcome> kFactWords<Outcome> = {"not-run", "accepted", "refused", "unsupported"};
template <>
inline constexpr EnumWords<Reading> kFactWords<Reading> = {"not-read",    "matches",    "differs",
                                                           "wrong-count", "unreadable", "unsupported"};
template <>
inline constexpr EnumWords<NameSeen> kFactWords<NameSeen> = {
    "not-seen", abi::kLegacyName, abi::kVersionedName, abi::kUsedLegacyName, abi::kUsedVersionedName, "foreign",
    "null"};
template <>
inline constexpr EnumWords<Region> kFactWords<Region> = {"none",  "struct",  "shape", "strides", "data",
                                                         "guard", "context", "table", "view"};
template <>
inline constexpr EnumWords<Seen> kFactWords<Seen> = {
    "step", "accepted", "refused", "producer-called", "deleter-called", "fault", "name-changed", "read", "dropped"};
template <>
inline constexpr EnumWords<Area> kFactWords<Area> = {"none",   "null",  "data",     "front",
                                                     "behind", "guard", "metadata", "elsewhere"};
template <>
inline constexpr EnumWords<Answer> kFactWords<Answer> = {"unknown", "yes", "no"};
template <>
inline constexpr EnumWords<WriteShown> kFactWords<WriteShown> = {"not-run", "shown", "not-shown", "refused"};
template <>
inline constexpr EnumWords<Survival> kFactWords<Survival> = {"not-run", "survived", "lost"};
template <>
inline constexpr EnumWords<NameStorage> kFactWords<NameStorage> = {"unknown", "static", "other"};
template <>
inline constexpr EnumWords<Race> kFactWords<Race> = {"not-run", "fair",           "one-struct-twice", "another-tensor",
                                                     "changed", "released-twice", "not-released",     "released-early"};
template <>
inline constexpr EnumWords<Packing> kFactWords<Packing> = {"none",       "low-first",     "padded",
                                                           "high-first", "inside-a-byte", "other"};
template <>
inline constexpr EnumWords<CudaMemory> kFactWords<CudaMemory> = {"not-asked", "unknown", "pageable",
                                                                 "host",      "device",  "managed"};
template <>
inline constexpr EnumWords<Published> kFactWords<Published> = {"not", "capsule", "misnamed-capsule", "int", "other"};
template <>
inline constexpr EnumWords<ThreadKind> kFactWords<ThreadKind> = {"none", "maker", "harness", "foreign"};
template <>
inline constexpr EnumWords<Method> kFactWords<Method> = {"__dlpack__", "__dlpack_device__"};
template <>
inline constexpr EnumWords<TableFunction> kFactWords<TableFunction> = {"allocator", "from_object", "to_object", "view",
                                                                       "stream"};

template <typename Enum>
concept HasFactWords = std::is_enum_v<Enum> && requires(Enum value) { kFactWords<Enum>[value]; };

template <HasFactWords Enum>
constexpr std::string_view ToText(Enum value) {
  return kFactWords<Enum>[value];
}

/// Names of parts, of kPart*, in the order of their bits.
inline constexpr std::string_view kPartWords[] = {
    "version", "manager_ctx",   "deleter",         "flags",       "data",  "device", "ndim",
    "dtype",   "shape-pointer", "strides-pointer", "byte_offset", "shape", "strides"};
static_assert(1u << std::size(kPartWords) == kPartEnd);
inline constexpr std::string_view kLookedWords[] = {"type", "object"};
inline constexpr std::string_view kKeywordWords[] = {"max_version", "dl_device", "copy", "stream"};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_LEDGER_WORDS_H_
