// harness/ledger/words.cc: the words that facts and timelines print for enumerators.
#include <array>

#include "harness/ledger/facts.h"
#include "harness/recipe/fields.h"

namespace dlpack_cts {
namespace {

template <size_t kSize, typename Enum>
std::string_view Word(const std::array<std::string_view, kSize>& words, Enum value) {
  const size_t index = static_cast<size_t>(value);
  return index < kSize ? words[index] : "?";
}

}  // namespace

std::string_view ToText(Outcome outcome) {
  static constexpr std::array<std::string_view, 4> kWords = {"not-run", "accepted", "refused", "unsupported"};
  return Word(kWords, outcome);
}

std::string_view ToText(Reading reading) {
  static constexpr std::array<std::string_view, 6> kWords = {"not-read",    "matches",    "differs",
                                                             "wrong-count", "unreadable", "unsupported"};
  return Word(kWords, reading);
}

std::string_view ToText(NameSeen name) {
  static constexpr std::array<std::string_view, 7> kWords = {
      "not-seen", abi::kLegacyName, abi::kVersionedName, abi::kUsedLegacyName, abi::kUsedVersionedName, "foreign",
      "null"};
  return Word(kWords, name);
}

std::string_view ToText(Region region) {
  static constexpr std::array<std::string_view, 9> kWords = {"none",  "struct",  "shape", "strides", "data",
                                                             "guard", "context", "table", "view"};
  return Word(kWords, region);
}

std::string_view ToText(Op op) {
  const std::span<const std::string_view> words = StepFields().front().words;
  return op < Op::kCount ? words[static_cast<size_t>(op)] : "?";
}

std::string_view ToText(Seen seen) {
  static constexpr std::array<std::string_view, 9> kWords = {
      "step", "accepted", "refused", "producer-called", "deleter-called", "fault", "name-changed", "read", "dropped"};
  return Word(kWords, seen);
}

std::string PartsToText(uint32_t parts) {
  static constexpr std::array<std::string_view, 13> kWords = {
      "version", "manager_ctx",   "deleter",         "flags",       "data",  "device", "ndim",
      "dtype",   "shape-pointer", "strides-pointer", "byte_offset", "shape", "strides"};
  std::string text;
  for (size_t bit = 0; bit < kWords.size(); ++bit) {
    if ((parts >> bit & 1u) == 0) continue;
    if (!text.empty()) text += ' ';
    text += kWords[bit];
  }
  return text.empty() ? "none" : text;
}

}  // namespace dlpack_cts
