// mutants/condition.cc: reads conditions: "always", "not rank 2", "versioned and code complex".
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "base/text.h"
#include "mutants/values.h"

namespace dlpack_cts {
namespace {

using Property = Term::Trait;

/// What follows the words of a term.
enum class Operand : uint8_t { kNothing, kNumber, kCode, kDevice, kFlags, kAsked, kArrivals };

struct TermRow {
  std::string_view words;
  Term term = {};  // with the value, where no operand follows
  Operand operand = Operand::kNothing;
};

/// Longer words before those with which they begin.
constexpr TermRow kTerms[] = {
    {"never", {Property::kNever}},
    {"always", {Property::kAlways}},
    {"versioned", {Property::kVersioned}},
    {"legacy", {Property::kVersioned, true}},
    {"code", {Property::kCode}, Operand::kCode},
    {"bits", {Property::kBits}, Operand::kNumber},
    {"lanes", {Property::kLanes}, Operand::kNumber},
    {"item-size", {Property::kItemSize}, Operand::kNumber},
    {"scalar", {Property::kRank, false, 0}},
    {"rank at least", {Property::kRankAtLeast}, Operand::kNumber},
    {"rank", {Property::kRank}, Operand::kNumber},
    {"elements at least", {Property::kElementsAtLeast}, Operand::kNumber},
    {"empty", {Property::kEmpty}},
    {"unit", {Property::kUnit}},
    {"last-negative", {Property::kLastNegative}},
    {"null-strides", {Property::kNullStrides}},
    {"strided", {Property::kStrided}},
    {"negative", {Property::kNegative}},
    {"broadcast", {Property::kBroadcast}},
    {"offset at least", {Property::kOffsetAtLeast}, Operand::kNumber},
    {"offset", {Property::kOffset}},
    {"device", {Property::kDevice}, Operand::kDevice},
    {"minor at least", {Property::kMinorAtLeast}, Operand::kNumber},
    {"minor", {Property::kMinor}, Operand::kNumber},
    {"major at least", {Property::kMajorAtLeast}, Operand::kNumber},
    {"flag", {Property::kFlag}, Operand::kFlags},
    {"read-only", {Property::kReadOnly}},
    {"null-deleter", {Property::kNullDeleter}},
    {"imported", {Property::kImported}},
    {"view", {Property::kViews, false, 1}},
    {"copy", {Property::kCopy}},
    {"asking", {Property::kAsked}, Operand::kAsked},
    {"by", {Property::kArrival}, Operand::kArrivals},
    {"every", {Property::kEvery}, Operand::kNumber},
};

consteval bool HasEachProperty() {
  size_t found = 0;
  for (size_t i = 0; i < kEnumerators<Property>; ++i) {
    found +=
        std::ranges::any_of(kTerms, [i](const TermRow& row) { return row.term.trait == static_cast<Property>(i); });
  }
  return found == kEnumerators<Property>;
}
static_assert(HasEachProperty());

constexpr std::string_view kOperands[] = {"", " N", " CODE", " DEVICE", " FLAGS", " ARGUMENTS", " ARRIVAL"};
static_assert(std::size(kOperands) == kEnumerators<Operand>);

uint64_t ReadOperand(Operand operand, std::string_view text) {
  constexpr uint64_t kAll = std::numeric_limits<uint32_t>::max();
  switch (operand) {
    case Operand::kNothing:
      break;
    case Operand::kNumber:
      return ReadDigits(text);
    case Operand::kCode:
      return ReadCode(text);
    case Operand::kDevice:
      return static_cast<uint64_t>(ReadDeviceType(text));
    case Operand::kFlags:
      return WordMask(text, kFlagBits, kAll);
    case Operand::kAsked:
      return WordMask(text, kAskedBits, kAll);
    case Operand::kArrivals:
      return WordMask(text, kArrivalBits, kAll);
  }
  return 0;
}

Term ReadTerm(std::string_view text) {
  constexpr std::string_view kNot = "not ";
  const bool negated = text.starts_with(kNot);
  if (negated) text.remove_prefix(kNot.size());
  std::string allowed;
  for (const TermRow& row : kTerms) {
    const bool alone = row.operand == Operand::kNothing;
    allowed += fmt::format(", {}{}", row.words, kOperands[static_cast<size_t>(row.operand)]);
    if (alone ? text != row.words : !text.starts_with(fmt::format("{} ", row.words))) continue;
    Term term = row.term;
    term.negated ^= negated;
    if (!alone) term.value = ReadOperand(row.operand, text.substr(row.words.size() + 1));
    return term;
  }
  throw Failure(fmt::format("\"{}\" is not a condition; these are, also after \"not\": {}", text, allowed.substr(2)));
}

}  // namespace

When ReadCondition(std::string_view text) {
  const std::vector<std::string_view> terms = Split(text, " and ");
  if (terms.size() > 2) throw Failure(fmt::format("\"{}\" joins more than two conditions", text));
  When when{ReadTerm(terms[0])};
  if (terms.size() == 2) when.second = ReadTerm(terms[1]);
  return when;
}

}  // namespace dlpack_cts
