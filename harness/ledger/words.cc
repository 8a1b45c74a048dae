// harness/ledger/words.cc: the words that facts and timelines print for enumerators.
#include <array>

#include "harness/ledger/facts.h"
#include "harness/recipe/enum_words.h"
#include "harness/recipe/ops.h"

namespace dlpack_cts {
std::string_view ToText(Outcome outcome) {
  static constexpr EnumWords<Outcome> kWords = {"not-run", "accepted", "refused", "unsupported"};
  return kWords[outcome];
}

std::string_view ToText(Reading reading) {
  static constexpr EnumWords<Reading> kWords = {"not-read",    "matches",    "differs",
                                                "wrong-count", "unreadable", "unsupported"};
  return kWords[reading];
}

std::string_view ToText(NameSeen name) {
  static constexpr EnumWords<NameSeen> kWords = {
      "not-seen", abi::kLegacyName, abi::kVersionedName, abi::kUsedLegacyName, abi::kUsedVersionedName, "foreign",
      "null"};
  return kWords[name];
}

std::string_view ToText(Region region) {
  static constexpr EnumWords<Region> kWords = {"none",  "struct",  "shape", "strides", "data",
                                               "guard", "context", "table", "view"};
  return kWords[region];
}

std::string_view ToText(Op op) { return op < Op::kCount ? RowOf(op).word : kUndefinedWord; }

std::string_view ToText(Seen seen) {
  static constexpr EnumWords<Seen> kWords = {"step",  "accepted",     "refused", "producer-called", "deleter-called",
                                             "fault", "name-changed", "read",    "dropped"};
  return kWords[seen];
}

std::string PartsToText(uint32_t parts) {
  static constexpr std::array<std::string_view, 13> kWords = {
      "version", "manager_ctx",   "deleter",         "flags",       "data",  "device", "ndim",
      "dtype",   "shape-pointer", "strides-pointer", "byte_offset", "shape", "strides"};
  static_assert(1u << kWords.size() == kPartEnd && !kWords.back().empty());
  std::string text;
  for (size_t bit = 0; bit < kWords.size(); ++bit) {
    if ((parts >> bit & 1u) == 0) continue;
    if (!text.empty()) text += ' ';
    text += kWords[bit];
  }
  return text.empty() ? "none" : text;
}

}  // namespace dlpack_cts
