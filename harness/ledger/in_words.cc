// harness/ledger/in_words.cc: finds the tensor that a fact is about, and describes its values.
#include "harness/ledger/in_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/text.h"
#include "harness/ledger/fact_table.h"
#include "harness/recipe/ops.h"
#include "harness/recipe/words.h"

namespace dlpack_cts {
namespace {

/// The tensor of a slot, as the recipe describes it.
struct Tensor {
  abi::DLDataType dtype;
  std::vector<int64_t> shape;
};

template <typename Described>
Tensor TensorOf(const Described& block) {
  return {block.dtype, {block.shape, block.shape + block.dims}};
}

/// The tensor that the last step puts into the slot. If that step uses a source or an array of another slot, the tensor
/// of that slot.
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

/// "[0,1]" for the second element of a tensor of shape (2,3). The row-major number if it is outside of the shape.
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

/// If elements differ: the first one that does, with its expected and its actual value.
bool ElementInWords(const FactRow& row, const Recipe& recipe, const Ledger& ledger, FactInWords& evidence) {
  const auto detail = [&](const char* name) -> FactValue {
    const int index = FactIndex(row.key + name);
    return index < 0 ? FactValue{} : FactRowAt(index).Of(ledger);
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
  // Two NaNs may have different bits.
  if (evidence.wanted == evidence.got) {
    evidence.wanted = fmt::format("bits {:#x}", bits(wanted));
    evidence.got = fmt::format("bits {:#x}", bits(got));
  }
  evidence.wanted.insert(0, element);
  evidence.got.insert(0, element);
  return true;
}

/// The integers in the text of a tuple; empty for any other text.
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

/// The field of a struct at that offset in bytes; empty after its end.
std::string_view FieldAt(StructKind kind, uint64_t offset) {
  using Legacy = abi::DLManagedTensor;
  using Versioned = abi::DLManagedTensorVersioned;
  struct Begin {
    uint64_t offset;
    std::string_view name;
  };
  static constexpr Begin kTensor[] = {{offsetof(abi::DLTensor, data), "dl_tensor.data"},
                                      {offsetof(abi::DLTensor, device), "dl_tensor.device"},
                                      {offsetof(abi::DLTensor, ndim), "dl_tensor.ndim"},
                                      {offsetof(abi::DLTensor, dtype), "dl_tensor.dtype"},
                                      {offsetof(abi::DLTensor, shape), "dl_tensor.shape"},
                                      {offsetof(abi::DLTensor, strides), "dl_tensor.strides"},
                                      {offsetof(abi::DLTensor, byte_offset), "dl_tensor.byte_offset"},
                                      {sizeof(abi::DLTensor), ""}};
  static constexpr Begin kLegacy[] = {
      {offsetof(Legacy, manager_ctx), "manager_ctx"}, {offsetof(Legacy, deleter), "deleter"}, {sizeof(Legacy), ""}};
  static constexpr Begin kVersioned[] = {{offsetof(Versioned, version), "version"},
                                         {offsetof(Versioned, manager_ctx), "manager_ctx"},
                                         {offsetof(Versioned, deleter), "deleter"},
                                         {offsetof(Versioned, flags), "flags"},
                                         {offsetof(Versioned, dl_tensor), ""}};
  const auto find = [](std::span<const Begin> fields, uint64_t at) {
    std::string_view name;
    for (const Begin& field : fields) {
      if (field.offset <= at) name = field.name;
    }
    return name;
  };
  const uint64_t tensor = kind == StructKind::kVersioned ? offsetof(Versioned, dl_tensor) : 0;
  if (offset >= tensor && offset - tensor < sizeof(abi::DLTensor)) return find(kTensor, offset - tensor);
  if (kind == StructKind::kView) return "";
  return kind == StructKind::kVersioned ? find(kVersioned, offset) : find(kLegacy, offset);
}

/// The kind of struct of the slot's tensor; if several were offered, of the last one.
StructKind StructIn(const Recipe& recipe, int slot) {
  StructKind kind = StructKind::kVersioned;
  for (const Step& step : recipe.life()) {
    if (step.slot == slot && UsesOffer(step.op)) kind = recipe.offer(step.block).kind;
  }
  return kind;
}

/// "read dl_tensor.ndim (struct offset 48)" for "read struct+48".
std::string TouchWords(std::string_view text, StructKind kind) {
  const size_t space = text.find(' ');
  const size_t plus = text.find('+');
  uint64_t offset = 0;
  if (space == std::string_view::npos || plus == std::string_view::npos || plus < space) return std::string(text);
  const auto [end, error] = std::from_chars(text.data() + plus + 1, text.data() + text.size(), offset);
  if (error != std::errc()) return std::string(text);
  const std::string_view access = text.substr(0, space);
  const std::string_view region = text.substr(space + 1, plus - space - 1);
  if (region == ToText(Region::kStruct)) {
    const std::string_view field = FieldAt(kind, offset);
    if (field.empty()) return fmt::format("{} past the end of the struct (struct offset {})", access, offset);
    return fmt::format("{} {} (struct offset {})", access, field, offset);
  }
  if (region == ToText(Region::kShape) || region == ToText(Region::kStrides)) {
    return fmt::format("{} dl_tensor.{}[{}]", access, region, offset / sizeof(int64_t));
  }
  if (region == ToText(Region::kGuard)) {
    return fmt::format("{} an inaccessible page, {} bytes outside the data", access, offset);
  }
  if (region == ToText(Region::kData)) return fmt::format("{} the data at byte {}", access, offset);
  if (region == ToText(Region::kContext))
    return fmt::format("{} memory behind manager_ctx (offset {})", access, offset);
  if (region == ToText(Region::kTable)) return fmt::format("{} the exchange table (offset {})", access, offset);
  if (region == ToText(Region::kView)) return fmt::format("{} the DLTensor of a view (offset {})", access, offset);
  return std::string(text);
}

/// "element 0 + 64 bytes" for "data+64".
std::string AddressWords(std::string_view text) {
  struct Named {
    std::string_view value;
    std::string_view words;
  };
  static constexpr Named kNamed[] = {
      {"null", "NULL"}, {"metadata", "memory of the struct, shape or strides"}, {"elsewhere", "other memory"}};
  static constexpr Named kCounted[] = {{"data", ""},
                                       {"front", ", before the data"},
                                       {"behind", ", after the data"},
                                       {"guard", ", an inaccessible page"}};
  const std::string_view place = text.substr(0, text.find(" of slot "));
  const std::string_view slot = text.substr(place.size());
  for (const Named& named : kNamed) {
    if (place == named.value) return std::string(named.words) + std::string(slot);
  }
  for (const Named& counted : kCounted) {
    if (!place.starts_with(counted.value)) continue;
    const std::string_view distance = place.substr(counted.value.size());
    if (distance.size() < 2 || (distance[0] != '+' && distance[0] != '-')) break;
    const std::string bytes =
        distance == "+0" ? "" : fmt::format(" {} {} bytes", distance.substr(0, 1), distance.substr(1));
    return fmt::format("element 0{}{}{}", slot, bytes, counted.words);
  }
  return std::string(text);
}

std::string ValueWords(const FactRow& row, std::string_view text, StructKind kind) {
  if (row.type == FactType::kTouch) return TouchWords(text, kind);
  if (row.type == FactType::kAddress) return AddressWords(text);
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

/// The texts of all alternatives. For flags: the flags that all alternatives have.
std::string Alternatives(const FactRow& row, std::string_view text, StructKind kind) {
  const std::vector<std::string_view> parts = Split(text, " | ");
  uint64_t common = IsFlags(row) && parts.size() > 1 ? ~uint64_t{0} : 0;
  for (const std::string_view part : parts) common &= NumberOf(part).value_or(0);
  if (common != 0) return "at least " + FlagsWords(common);
  std::string words;
  for (const std::string_view part : parts) words += (words.empty() ? "" : " or ") + ValueWords(row, part, kind);
  return words;
}

}  // namespace

FactInWords WordsOfFact(std::string_view key, const Recipe& recipe, const Ledger& ledger, const std::string& wanted,
                        const std::string& got) {
  const int index = FactIndex(key);
  if (index < 0) return {"", wanted, got};
  const FactRow& row = FactRowAt(index);
  FactInWords evidence{std::string(row.meaning), "", ""};
  if (row.type == FactType::kReading && ElementInWords(row, recipe, ledger, evidence)) return evidence;
  const bool touched = row.type == FactType::kTouch;
  const StructKind kind = StructIn(recipe, touched ? ledger.faults[row.index].slot : row.slot);
  evidence.wanted = Alternatives(row, wanted, kind);
  evidence.got = ValueWords(row, got, kind);
  return evidence;
}

}  // namespace dlpack_cts
