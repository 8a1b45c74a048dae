// harness/reproducer/python.cc: writes recipes as Python text.
#include "harness/reproducer/python.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "harness/forge/layout.h"
#include "harness/ledger/facts.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/elements.h"
#include "harness/recipe/fields.h"
#include "harness/recipe/normalize.h"
#include "harness/reproducer/literal.h"

namespace dlpack_cts::python {
namespace {

constexpr size_t kWidth = 116;  // of a line
constexpr int kHexBytes = 48;   // of elements in one line

/// Steps that need their argument beside the slot, and those that do not even need the slot.
constexpr std::array kWithArgument = {Op::kWriteSource, Op::kWriteArray, Op::kWriteExport, Op::kChangeMetadata};
constexpr std::array kAlone = {Op::kCollect,    Op::kMake,       Op::kAskDevice,
                               Op::kDropSource, Op::kReadSource, Op::kUseSource};

template <size_t kSize>
bool IsOneOf(const std::array<Op, kSize>& ops, Op op) {
  return std::find(ops.begin(), ops.end(), op) != ops.end();
}

std::string Value(const Field& field, const void* block) {
  const uint64_t value = ReadField(field, block);
  if (!field.words.empty()) return Literal(field.words[value]);
  return field.is_signed ? fmt::to_string(static_cast<int64_t>(value)) : fmt::to_string(value);
}

std::string List(const int64_t* values, int count) {
  return fmt::format("[{}]", fmt::join(values, values + count, ", "));
}

/// `name=value` entries, broken into lines.
class Dict {
 public:
  void Add(std::string_view name, std::string_view value) {
    std::string entry = fmt::format("{}={}", name, value);
    if (line_.size() + entry.size() + 2 > kWidth && !line_.empty()) Flush();
    line_ += (line_.empty() ? "    " : " ") + entry + ",";
  }

  std::string Text() {
    Flush();
    return text_.empty() ? "{}" : "dict(\n" + text_ + ")";
  }

 private:
  void Flush() {
    if (!line_.empty()) text_ += line_ + "\n";
    line_.clear();
  }

  std::string text_;
  std::string line_;
};

/// Fields of one struct inside the block, such as device.device_type and device.device_id, are one tuple.
void AddFields(std::span<const Field> fields, const void* block, Dict& dict) {
  std::string group;
  std::vector<std::string> values;
  const auto flush = [&] {
    if (!group.empty()) dict.Add(group, fmt::format("({})", fmt::join(values, ", ")));
    group.clear();
    values.clear();
  };
  for (const Field& field : fields) {
    const std::string_view name = field.name;
    const size_t dot = name.find('.');
    if (dot == std::string_view::npos || name.substr(0, dot) != group) flush();
    if (dot != std::string_view::npos) {
      group = name.substr(0, dot);
      values.push_back(Value(field, block));
    } else if (field.count == 1 && name != "seed") {
      dict.Add(name, Value(field, block));
    }
  }
  flush();
}

void AddOffer(const Offer& offer, Dict& dict) {
  int64_t strides[kDims];
  EffectiveStrides(offer, strides);
  const forge::Reach reach = forge::ReachOf(offer, strides);
  dict.Add("shape", List(offer.shape, offer.dims));
  dict.Add("strides", List(strides, offer.dims));
  dict.Add("item", fmt::to_string(ItemSize(offer.dtype)));
  dict.Add("reach", reach.backed ? fmt::format("({}, {})", reach.lowest, reach.highest) : "None");
}

void AddRequest(const Request& request, Dict& dict) {
  int64_t strides[kDims];
  EffectiveStrides(request, strides);
  const int64_t item = ItemSize(request.dtype);
  dict.Add("shape", List(request.shape, request.dims));
  dict.Add("strides", List(strides, request.dims));
  dict.Add("dtype_name", Literal(DataTypeName(request.dtype)));
  dict.Add("itemsize", fmt::to_string(item));
  dict.Add("item", fmt::to_string(item));
  const int64_t count = request.offset + ElementSpan(request.shape, strides, request.dims).highest + 1;
  std::vector<uint8_t> backing(static_cast<size_t>(std::max<int64_t>(0, count * item)));
  ElementRun(request.dtype, request.seed, 0, 1, count, backing.data());
  dict.Add("backing", Bytes(backing));
}

}  // namespace

std::string Bytes(std::span<const uint8_t> bytes) {
  std::string text = "bytes.fromhex(\"";
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i > 0 && i % kHexBytes == 0) text += "\"\n        \"";
    text += fmt::format("{:02x}", bytes[i]);
  }
  return text + "\")";
}

bool Offers(const Recipe& recipe) {
  return std::ranges::any_of(recipe.life(), [](const Step& step) {
    return step.op == Op::kImport || step.op == Op::kImportCapsule || step.op == Op::kTableImport;
  });
}

bool Requests(const Recipe& recipe) {
  return std::ranges::any_of(recipe.life(), [](const Step& step) { return step.op == Op::kMake; });
}

std::string Block(const Offer& offer) {
  Dict dict;
  AddFields(OfferFields(), &offer, dict);
  AddOffer(offer, dict);
  return dict.Text();
}

std::string Block(const Request& request) {
  Dict dict;
  AddFields(RequestFields(), &request, dict);
  AddRequest(request, dict);
  return dict.Text();
}

std::string Block(const Call& call) {
  Dict dict;
  AddFields(CallFields(), &call, dict);
  return dict.Text();
}

std::string Elements(const Recipe& recipe) {
  int64_t strides[kDims];
  EffectiveStrides(recipe.offer(), strides);
  const forge::Reach reach = forge::ReachOf(recipe.offer(), strides);
  if (!Offers(recipe) || !reach.backed) return "{}";
  const int64_t count = reach.highest - reach.lowest + 1;
  std::vector<uint8_t> bytes(static_cast<size_t>(count * ItemSize(recipe.offer().dtype)));
  std::string text = "{";
  for (int slot = 0; slot < kSlots; ++slot) {
    const bool used = std::ranges::any_of(recipe.life(), [slot](const Step& step) { return step.slot == slot; });
    if (!used) continue;
    ElementRun(recipe.offer().dtype, SlotSeed(recipe.offer().seed, slot), 0, 1, count, bytes.data());
    text += fmt::format("\n    {}: {},", slot, Bytes(bytes));
  }
  return text + "\n}";
}

/// Name and arguments of the method of the script's life that takes the step.
static std::string StepText(const Step& step) {
  if (step.op == Op::kDropArray && step.lane != 0) return fmt::format("drop_elsewhere({})", step.slot);
  std::string name(ToText(step.op));
  std::replace(name.begin(), name.end(), '-', '_');
  if (name == "import") name = "import_";
  std::string arguments = IsOneOf(kAlone, step.op) ? "" : fmt::to_string(step.slot);
  const int other = OtherSlot(step);
  if ((step.op == Op::kImport || step.op == Op::kImportCapsule) && other >= 0)
    arguments += fmt::format(", {}", other + 1);
  if (step.op == Op::kReexport) arguments += fmt::format(", {}", other);
  if (step.op == Op::kDelete && step.context == Context::kRawThread) arguments += ", 1";
  if (IsOneOf(kWithArgument, step.op) && step.argument != 0) arguments += fmt::format(", {}", step.argument);
  return fmt::format("{}({})", name, arguments);
}

std::string CallName(int call) { return call == 0 ? "CALL" : fmt::format("CALL_{}", call); }

std::string Steps(const Recipe& recipe) {
  std::string text;
  std::string together;  // slots whose deleters run at once
  const auto flush = [&] {
    if (!together.empty()) text += fmt::format("    life.delete_together({})\n", together);
    together.clear();
  };
  uint8_t call = 0;
  for (const Step& step : recipe.life()) {
    const bool lane = step.op == Op::kDelete && step.lane != 0;
    if (!lane || step.barrier != 0) flush();
    if (step.call != call) text += fmt::format("    life.call = {}\n", CallName(call = step.call));
    if (lane) {
      together += fmt::format("{}{}", together.empty() ? "" : ", ", step.slot);
    } else {
      text += fmt::format("    life.{}\n", StepText(step));
    }
  }
  flush();
  return text.empty() ? "    pass\n" : text;
}

}  // namespace dlpack_cts::python
