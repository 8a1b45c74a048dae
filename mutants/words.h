// mutants/words.h: the words that mutant files use for the enumerators and bits of Behaviour.
#ifndef DLPACK_CTS_MUTANTS_WORDS_H_
#define DLPACK_CTS_MUTANTS_WORDS_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/enum_words.h"
#include "harness/ledger/words.h"
#include "harness/recipe/names.h"
#include "harness/recipe/words.h"
#include "reference/behaviour.h"

namespace dlpack_cts {

consteval EnumWords<Vectors> WordsOf(Vectors) { return {"refused", "kept", "dimension"}; }
consteval EnumWords<Storage> WordsOf(Storage) { return {"packed", "padded", "high-first", "nibbles", "refused"}; }
consteval EnumWords<MajorCheck> WordsOf(MajorCheck) {
  return {"equal", "not-greater", "not-less", "none", "byte", "short", "minor-instead", "equal-with-known-minor"};
}
consteval EnumWords<Release> WordsOf(Release) { return {"now", "other-thread", "collect"}; }
consteval EnumWords<Manner> WordsOf(Manner) { return {"raises", "crashes", "aborts", "exits", "hangs"}; }
consteval EnumWords<ErrorClass> WordsOf(ErrorClass) {
  return {"right",      "buffer-error", "type-error",   "value-error", "runtime-error",
          "name-error", "typo",         "system-error", "memory-error"};
}
consteval EnumWords<NameStyle> WordsOf(NameStyle) {
  return {"right", "swapped", "trailing-space", "used", "null", "heap", "freed"};
}
consteval EnumWords<Moment> WordsOf(Moment) {
  return {"always", "with-device", "with-copy", "on-retry", "for-cuda", "for-rocm", "for-cuda-to-host"};
}
consteval EnumWords<ClassMemory> WordsOf(ClassMemory) { return {"nothing", "class", "name", "all"}; }
consteval EnumWords<Probing> WordsOf(Probing) { return {"none", "passes-on", "raises-another", "stays-pending"}; }
consteval EnumWords<Wish> WordsOf(Wish) {
  return {"newest",       "none",   "old-major",   "list",         "one-tuple", "floats",  "bools",
          "future-major", "string", "minor-first", "future-minor", "far-major", "negative"};
}
consteval EnumWords<Publishing::Form> WordsOf(Publishing::Form) {
  return {"both",       "nothing",  "misnamed", "integer",   "object",     "capsule-for-older",
          "two-tables", "new-name", "old-name", "on-arrays", "short-lived"};
}
consteval EnumWords<Slip::How> WordsOf(Slip::How) {
  return {"never",      "fails-quietly", "leaves-an-exception", "fails-with-one", "forgets-the-answer",
          "gives-null", "throws",        "always-throws"};
}

consteval EnumWords<Then> WordsOf(Then) {
  return {"nothing", "refuses", "raises", "copies", "read-only", "spoils", "turns-kind"};
}

/// A word of one bit, or of several that are usual together.
struct MaskWord {
  std::string_view word;
  uint64_t bits;
};
using MaskWords = std::span<const MaskWord>;

template <typename Enum, uint32_t kBit = 0>
consteval uint64_t BitsOf() {
  if constexpr (kBit == 32) {
    return 0;
  } else {
    constexpr uint32_t kMask = uint32_t{1} << kBit;
    return (IsEnumerator<static_cast<Enum>(kMask)>() ? kMask : 0) | BitsOf<Enum, kBit + 1>();
  }
}

/// True if the words of single bits are those of the enum's bits.
template <typename Enum>
consteval bool HasEachBit(MaskWords words) {
  uint64_t bits = 0;
  for (const MaskWord& word : words) bits |= (word.bits & (word.bits - 1)) == 0 ? word.bits : 0;
  return bits == BitsOf<Enum>();
}

inline constexpr MaskWord kAskedBits[] = {
    {"copy-true", kAskedCopyTrue},     {"copy-false", kAskedCopyFalse},   {"copy-none", kAskedCopyNone},
    {"device", kAskedDevice},          {"device-none", kAskedDeviceNone}, {"no-version", kAskedNoVersion},
    {"old-major", kAskedOldMajor},     {"old-minor", kAskedOldMinor},     {"newest", kAskedNewest},
    {"later-major", kAskedLaterMajor},
};
static_assert(HasEachBit<Asked>(kAskedBits));

inline constexpr MaskWord kArrivalBits[] = {
    {"bare-capsule", kByBareCapsule}, {"version", kByVersion},        {"none", kByNone},          {"device", kByDevice},
    {"newer-table", kByNewerTable},   {"given-table", kByGivenTable}, {"own-table", kByOwnTable}, {"peek", kByPeek}};
static_assert(HasEachBit<Arrival>(kArrivalBits));

inline constexpr MaskWord kPathBits[] = {
    {"version", kPathVersion},    {"device", kPathDevice},
    {"dtype", kPathDtype},        {"lanes", kPathLanes},
    {"dims", kPathDims},          {"shape", kPathShape},
    {"extents", kPathExtents},    {"strides", kPathStrides},
    {"null-data", kPathNullData}, {"keyword", kPathKeyword},
    {"polite", kPathPolite},      {"used", kPathUsed},
    {"name", kPathName},          {"producer", kPathProducer},
    {"no-shape", kPathNoShape},   {"any-tensor", kPathAnyTensor},
};
static_assert(HasEachBit<Path>(kPathBits));

inline constexpr MaskWord kDeviceAskedBits[] = {
    {"none", kDeviceNone},
    {"here", kDeviceHere},
    {"other-id", kDeviceOtherId},
    {"elsewhere", kDeviceElsewhere},
    {"unshared", kDeviceUnshared},
    {"list", kDeviceList},
    {"one-tuple", kDeviceOneTuple},
    {"floats", kDeviceFloats},
    {"other", kDeviceOther},
    {"bools", kDeviceBools},
    {"foreign", kDeviceForeign},
    {"malformed", kDeviceMalformed},
    {"any", kDeviceAny},
};
static_assert(HasEachBit<DeviceAsked>(kDeviceAskedBits));

inline constexpr MaskWord kIntegerClassBits[] = {{"enum", kOfEnum}, {"subclass", kOfSubclass}, {"index", kOfIndex}};
static_assert(HasEachBit<IntegerClass>(kIntegerClassBits));

inline constexpr MaskWord kStreamAskedBits[] = {
    {"minus-one", kStreamMinusOne}, {"zero", kStreamZero},    {"default", kStreamDefault}, {"handle", kStreamHandle},
    {"below", kStreamBelow},        {"no-int", kStreamNoInt}, {"int", kStreamInt},
};
static_assert(HasEachBit<StreamAsked>(kStreamAskedBits));

inline constexpr MaskWord kEndingBits[] = {
    {"plain", kEndsPlain},     {"copied", kEndsCopied},     {"unshared", kEndsUnshared}, {"device", kEndsAtDevice},
    {"refused", kEndsRefused}, {"raised", kEndsRaised},     {"within", kEndsWithin},     {"on-thread", kEndsOnThread},
    {"legacy", kEndsLegacy},   {"dropping", kEndsDropping},
};
static_assert(HasEachBit<Ending>(kEndingBits));

/// Bits of Tabling::hides_failures.
inline constexpr MaskWord kFailureBits[] = {{"unsupported", 1u << 0}, {"size", 1u << 1}};

inline constexpr MaskWord kFlagBits[] = {{"READ_ONLY", abi::kFlagReadOnly},
                                         {"IS_COPIED", abi::kFlagIsCopied},
                                         {"IS_SUBBYTE_TYPE_PADDED", abi::kFlagSubbytePadded}};

/// A mask whose bits have numbers and no words.
inline constexpr std::array<MaskWord, 0> kBitNumbers = {};

/// A mask with a bit for each enumerator.
template <size_t kSize>
consteval std::array<MaskWord, kSize> BitPerWord(std::span<const std::string_view> words) {
  std::array<MaskWord, kSize> masks{};
  for (size_t i = 0; i < kSize; ++i) masks[i] = {words[i], uint64_t{1} << i};
  return masks;
}
inline constexpr auto kOddityBits = BitPerWord<kEnumerators<Oddity>>(kOddities.words());
inline constexpr auto kCodeBits = BitPerWord<kCodeWords.all().size()>(kCodeWords.all());
inline constexpr auto kFunctionBits = BitPerWord<kEnumerators<TableFunction>>(kWordsOf<TableFunction>.all());

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_MUTANTS_WORDS_H_
