// harness/ledger/evidence.cc: finds the tensor that a fact is about, and puts its values into words.
#include "harness/ledger/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "harness/ledger/fact_table.h"
#include "harness/ledger/facts.h"
#include "harness/recipe/words.h"

namespace dlpack_cts {
namespace {

/// The tensor of a slot, as it was asked for.
struct Tensor {
  abi::DLDataType dtype;
  std::vector<int64_t> shape;
};

template <typename Described>
Tensor TensorOf(const Described& block) {
  return {block.dtype, {block.shape, block.shape + block.dims}};
}

/// What the last step that fills the slot puts there. A step on a source, or an array, of another slot leads on to it.
std::optional<Tensor> TensorIn(const Recipe& recipe, int slot, int depth = 0) {
  std::optional<Tensor> found;
  if (depth > kSlots) return found;
  const auto follow = [&](int other) { found = TensorIn(recipe, std::max(0, other), depth + 1); };
  for (const Step& step : recipe.life()) {
    if (step.op == Op::kReexport && OtherSlot(step) == slot && step.slot != slot) follow(step.slot);
    if (step.slot != slot) continue;
    if (UsesOffer(step.op)) found = TensorOf(recipe.offer(step.block));
    if (UsesRequest(step.op)) found = TensorOf(recipe.request(step.block));
    const bool of_source = step.op == Op::kExport || step.op == Op::kImportSource || step.op == Op::kTableExport ||
                           step.op == Op::kTableView;
    if (of_source && std::max(0, OtherSlot(step)) != slot) follow(OtherSlot(step));
  }
  return found;
}

/// "[0,1]" for the second element of a tensor of shape (2,3); the row-major number where the shape does not hold it.
std::string IndexWords(int64_t number, const std::vector<int64_t>& shape) {
  int64_t count = 1;
  for (const int64_t extent : shape) {
    if (extent <= 0 || __builtin_mul_overflow(count, extent, &count)) return fmt::format("{}", number);
  }
  if (number < 0 || number >= count) return fmt::format("{}", number);
  std::string text;
  for (size_t d = shape.size(); d-- > 0; number /= shape[d]) {
    text = std::to_string(number % shape[d]) + (text.empty() ? "" : ",") + text;
  }
  return "[" + text + "]";
}

/// Where elements differ: the first one that does, as it should be and as it is.
bool TellElement(const FactRow& row, const Recipe& recipe, const Ledger& ledger, Evidence& evidence) {
  const auto detail = [&](const char* name) -> FactValue {
    const int index = FactIndex(row.key + name);
    return index < 0 ? FactValue{} : FactRows()[static_cast<size_t>(index)].Of(ledger);
  };
  if (static_cast<Reading>(row.Of(ledger).first) != Reading::kDiffers) return false;
  const FactValue number = detail(".first_difference");
  const FactValue wanted = detail(".wanted");
  const FactValue got = detail(".got");
  const std::optional<Tensor> tensor = TensorIn(recipe, row.slot);
  if (number.form == FactValue::Form::kNothing || !tensor) return false;
  const std::string element =
      tensor->shape.empty() ? "the element = " : "element " + IndexWords(number.first, tensor->shape) + " = ";
  const auto bits = [](const FactValue& value) { return static_cast<uint64_t>(value.first); };
  evidence.wanted = ElementWords(tensor->dtype, bits(wanted));
  evidence.got = ElementWords(tensor->dtype, bits(got));
  // Two NaNs are two values.
  if (evidence.wanted == evidence.got) {
    evidence.wanted = fmt::format("bits {:#x}", bits(wanted));
    evidence.got = fmt::format("bits {:#x}", bits(got));
  }
  evidence.wanted.insert(0, element);
  evidence.got.insert(0, element);
  return true;
}

/// The integers of a tuple's text; none for any other text.
std::vector<int64_t> Integers(std::string_view text) {
  std::vector<int64_t> integers;
  if (!text.starts_with('(') || !text.ends_with(')')) return integers;
  const char* at = text.data() + 1;
  const char* const end = text.data() + text.size() - 1;
  while (at < end) {
    int64_t number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc()) return {};
    integers.push_back(number);
    at = next;
    while (at < end && (*at == ',' || *at == ' ')) ++at;
  }
  return integers;
}

bool IsFlags(const FactRow& row) { return row.family == Family::kFlags && row.type == FactType::kInt; }

std::optional<uint64_t> NumberOf(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string ValueWords(const FactRow& row, std::string_view text) {
  if (row.type == FactType::kBool && text == "0") return "no";
  if (row.type == FactType::kBool && text == "1") return "yes";
  const std::vector<int64_t> parts = Integers(text);
  if (row.type == FactType::kDtype && parts.size() == 3) {
    return DtypeWords(
        {static_cast<uint8_t>(parts[0]), static_cast<uint8_t>(parts[1]), static_cast<uint16_t>(parts[2])});
  }
  if (row.type == FactType::kDevice && parts.size() == 2) {
    return DeviceWords({static_cast<int32_t>(parts[0]), static_cast<int32_t>(parts[1])});
  }
  const std::optional<uint64_t> number = NumberOf(text);
  return number && IsFlags(row) ? FlagsWords(*number) : std::string(text);
}

std::vector<std::string_view> Split(std::string_view text) {
  constexpr std::string_view kOr = " | ";
  std::vector<std::string_view> parts;
  for (size_t end = text.find(kOr); end != std::string_view::npos; end = text.find(kOr)) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + kOr.size());
  }
  parts.push_back(text);
  return parts;
}

/// Of each of the alternatives; of flags what all of them have.
std::string Alternatives(const FactRow& row, std::string_view text) {
  const std::vector<std::string_view> parts = Split(text);
  uint64_t common = IsFlags(row) && parts.size() > 1 ? ~uint64_t{0} : 0;
  for (const std::string_view part : parts) common &= NumberOf(part).value_or(0);
  if (common != 0) return "at least " + FlagsWords(common);
  std::string words;
  for (const std::string_view part : parts) words += (words.empty() ? "" : " or ") + ValueWords(row, part);
  return words;
}

}  // namespace

Evidence EvidenceOf(std::string_view key, const Recipe& recipe, const Ledger& ledger, const std::string& wanted,
                    const std::string& got) {
  const int index = FactIndex(key);
  if (index < 0) return {"", wanted, got};
  const FactRow& row = FactRows()[static_cast<size_t>(index)];
  Evidence evidence{std::string(row.meaning), "", ""};
  if (row.type == FactType::kReading && TellElement(row, recipe, ledger, evidence)) return evidence;
  evidence.wanted = Alternatives(row, wanted);
  evidence.got = ValueWords(row, got);
  return evidence;
}

}  // namespace dlpack_cts
