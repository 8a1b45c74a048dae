// harness/ledger/words.h: the words of each enum that facts and timelines print.
#ifndef DLPACK_CTS_HARNESS_LEDGER_WORDS_H_
#define DLPACK_CTS_HARNESS_LEDGER_WORDS_H_

#include <string_view>

#include "base/enum_words.h"
#include "harness/ledger/ledger.h"

namespace dlpack_cts {

/// The method of the producer that was called.
enum class Method : uint8_t { kDlpack, kDlpackDevice };

consteval EnumWords<Outcome> WordsOf(Outcome) { return {"not-run", "accepted", "refused", "unsupported"}; }
consteval EnumWords<Reading> WordsOf(Reading) {
  return {"not-read", "matches", "differs", "wrong-count", "unreadable", "unsupported"};
}
consteval EnumWords<NameSeen> WordsOf(NameSeen) {
  return {"not-seen", abi::kLegacyName, abi::kVersionedName, abi::kUsedLegacyName, abi::kUsedVersionedName, "foreign",
          "null"};
}
consteval EnumWords<Region> WordsOf(Region) {
  return {"none", "struct", "shape", "strides", "data", "guard", "context", "table", "view"};
}
consteval EnumWords<Seen> WordsOf(Seen) {
  return {"step",  "accepted",     "refused", "producer-called", "deleter-called",
          "fault", "name-changed", "read",    "dropped"};
}
consteval EnumWords<Area> WordsOf(Area) {
  return {"none", "null", "data", "front", "behind", "guard", "metadata", "elsewhere"};
}
consteval EnumWords<Answer> WordsOf(Answer) { return {"unknown", "yes", "no"}; }
consteval EnumWords<WriteShown> WordsOf(WriteShown) { return {"not-run", "shown", "not-shown", "refused"}; }
consteval EnumWords<Survival> WordsOf(Survival) { return {"not-run", "survived", "lost"}; }
consteval EnumWords<NameStorage> WordsOf(NameStorage) { return {"unknown", "static", "other"}; }
consteval EnumWords<Race> WordsOf(Race) {
  return {"not-run", "fair",           "one-struct-twice", "another-tensor",
          "changed", "released-twice", "not-released",     "released-early"};
}
consteval EnumWords<Packing> WordsOf(Packing) {
  return {"none", "low-first", "padded", "high-first", "inside-a-byte", "other"};
}
consteval EnumWords<CudaMemory> WordsOf(CudaMemory) {
  return {"not-asked", "unknown", "pageable", "host", "device", "managed"};
}
consteval EnumWords<Published> WordsOf(Published) {
  return {"not", "capsule", "misnamed-capsule", "int", "other", "on-the-array-only"};
}
consteval EnumWords<ThreadKind> WordsOf(ThreadKind) { return {"none", "maker", "harness", "foreign"}; }
consteval EnumWords<Method> WordsOf(Method) { return {"__dlpack__", "__dlpack_device__"}; }
consteval EnumWords<TableFunction> WordsOf(TableFunction) {
  return {"allocator", "from_object", "to_object", "view", "stream"};
}

/// Names of the parts kPart*, in the order of their bits.
inline constexpr std::string_view kPartWords[] = {
    "version", "manager_ctx",   "deleter",         "flags",       "data",  "device", "ndim",
    "dtype",   "shape-pointer", "strides-pointer", "byte_offset", "shape", "strides"};
static_assert(1u << std::size(kPartWords) == kPartEnd);
inline constexpr std::string_view kLookedWords[] = {"type", "object"};
inline constexpr std::string_view kKeywordWords[] = {"max_version", "dl_device", "copy", "stream"};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_LEDGER_WORDS_H_
