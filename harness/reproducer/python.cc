// harness/reproducer/python.cc: writes the blocks of recipes as Python text.
#include "harness/reproducer/python.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "harness/forge/layout.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/elements.h"
#include "harness/recipe/fields.h"
#include "harness/recipe/life.h"
#include "harness/recipe/normalize.h"
#include "harness/recipe/ops.h"
#include "harness/recipe/packing.h"
#include "harness/reproducer/literal.h"
#include "harness/reproducer/select.h"

namespace dlpack_cts::python {
namespace {

constexpr size_t kWidth = 116;                      // characters in a line
constexpr size_t kHexBytes = 52;                    // bytes of elements in one line of hexadecimal digits
constexpr int64_t kMetadataEntries = 3 * 4096 / 8;  // entries of shape or strides in memory
constexpr uint64_t kPage = 4096;
constexpr uint64_t kDataPages = 20;

std::string Value(const Field& field, const void* block) {
  const uint64_t value = ReadField(field, block);
  if (!field.words.empty()) return Literal(field.words[value]);
  return field.is_signed ? fmt::to_string(static_cast<int64_t>(value)) : fmt::to_string(value);
}

std::string List(const int64_t* values, int count) {
  return fmt::format("[{}]", fmt::join(values, values + count, ", "));
}

/// `name=value` entries, broken into lines. Leaves out names that the code does not contain.
class Arguments {
 public:
  explicit Arguments(std::string_view code) : code_(code) {}

  void Add(std::string_view name, std::string_view value) {
    if (NamesAttribute(code_, name)) Keep(name, value);
  }

  /// Adds a value even if the script does not name it, because an adapter may read it in any module.
  void Keep(std::string_view name, std::string_view value) {
    std::string entry = fmt::format("{}={}", name, value);
    if (line_.size() + entry.size() + 2 > kWidth && !line_.empty()) Flush();
    line_ += (line_.empty() ? "    " : " ") + entry + ",";
  }

  std::string Text() {
    Flush();
    return text_.empty() ? "types.SimpleNamespace()" : "types.SimpleNamespace(\n" + text_ + ")";
  }

 private:
  void Flush() {
    if (!line_.empty()) text_ += line_ + "\n";
    line_.clear();
  }

  std::string_view code_;
  std::string text_;
  std::string line_;
};

/// Fields of one inner struct, such as device.device_type and device.device_id, become one tuple.
void AddFields(std::span<const Field> fields, const void* block, Arguments& arguments) {
  std::string group;
  std::vector<std::string> values;
  const auto flush = [&] {
    if (!group.empty()) arguments.Add(group, fmt::format("({})", fmt::join(values, ", ")));
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
    } else if (field.count == 1 && name != "name") {
      arguments.Add(name, Value(field, block));
    }
  }
  flush();
}

/// The entries in memory: the first `dims`, then `fill` up to `ndim`.
std::string Declared(const int64_t* values, const Offer& offer, int64_t fill) {
  const int64_t entries = std::clamp<int64_t>(offer.ndim, 0, kMetadataEntries);
  const int64_t own = std::min<int64_t>(entries, offer.dims);
  const std::string list = List(values, static_cast<int>(own));
  return entries == own ? list : fmt::format("{} + [{}] * {}", list, fill, entries - own);
}

/// The memory around the elements.
void AddPlace(const Offer& offer, Arguments& arguments) {
  const Place place = PlaceOf(offer);
  arguments.Add("room", fmt::to_string(place.room));
  arguments.Add("below", fmt::to_string(place.below));
  arguments.Add("canary_front", fmt::to_string(place.canary_front));
  arguments.Add("canary_behind", fmt::to_string(place.canary_behind));
}

}  // namespace

Place PlaceOf(const Offer& offer) {
  constexpr uint64_t kStart = kPage;  // an odd page number, as in class Piece of the prelude
  constexpr uint64_t kEnd = kStart + kDataPages * kPage;
  int64_t strides[kDims];
  EffectiveStrides(offer, strides);
  const bool at_start = offer.placement == Placement::kStartsAtGuard;
  const forge::DataPlan plan = forge::PlanData(offer, forge::ReachOf(offer, strides), kStart, kEnd, at_start);
  const bool unmapped = offer.placement == Placement::kUnmapped || offer.placement == Placement::kDevice;
  const uint64_t room = unmapped   ? forge::AlignedAbove(kStart, offer.alignment_log2) - kStart
                        : at_start ? plan.element0 - kStart
                                   : kEnd - plan.element0;
  return {room, plan.element0 - plan.begin, plan.begin - plan.canary_begin, plan.canary_end - plan.end};
}

std::string ShapeOf(const Offer& offer) { return Declared(offer.shape, offer, offer.fill_extent); }

std::string StridesOf(const Offer& offer) {
  int64_t strides[kDims];
  EffectiveStrides(offer, strides);
  return Declared(strides, offer, 1);
}

std::string CapsuleNameOf(const Offer& offer) {
  const std::string own = offer.kind == StructKind::kLegacy ? "dltensor" : "dltensor_versioned";
  switch (offer.name) {
    case CapsuleName::kUsed:
      return "b\"used_" + own + "\"";
    case CapsuleName::kForeign:
      return "b\"arrow_schema\"";
    case CapsuleName::kTrailingSpace:
      return "b\"" + own + " \"";
    case CapsuleName::kNone:
      return "None";
    case CapsuleName::kOwn:
      break;
  }
  return "b\"" + own + "\"";
}

std::string Bytes(std::span<const uint8_t> bytes) {
  std::string text = "bytes.fromhex(\"";
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i > 0 && i % kHexBytes == 0) text += "\"\n    \"";
    text += fmt::format("{:02x}", bytes[i]);
  }
  return text + "\")";
}

bool Offers(const Recipe& recipe) {
  return std::ranges::any_of(recipe.life(), [](const Step& step) { return UsesOffer(step.op); });
}

bool Requests(const Recipe& recipe) {
  return std::ranges::any_of(recipe.life(), [](const Step& step) { return step.op == Op::kMake; });
}

std::string Block(const Offer& offer, std::string_view code) {
  int64_t strides[kDims];
  EffectiveStrides(offer, strides);
  Arguments arguments(code);
  AddFields(OfferFields(), &offer, arguments);
  arguments.Add("shape", ShapeOf(offer));
  arguments.Add("strides", StridesOf(offer));
  arguments.Add("meant_shape", List(offer.shape, offer.dims));
  arguments.Add("meant_strides", List(strides, offer.dims));
  arguments.Add("item", fmt::to_string(ItemSize(offer.dtype)));
  arguments.Add("dtype_name", Literal(DataTypeName(offer.dtype)));
  arguments.Add("capsule_name", CapsuleNameOf(offer));
  arguments.Add("code", fmt::format("({}, {}, {})", offer.dtype.code, offer.dtype.bits, offer.dtype.lanes));
  AddPlace(offer, arguments);
  return arguments.Text();
}

/// The memory that the library makes its array from.
static std::vector<uint8_t> BackingOf(const Request& request) {
  int64_t strides[kDims];
  EffectiveStrides(request, strides);
  const int64_t count = request.offset + ElementSpan(request.shape, strides, request.dims).highest + 1;
  std::vector<uint8_t> backing(static_cast<size_t>(std::max<int64_t>(0, count * ItemSize(request.dtype))));
  ElementRun(request.dtype, request.seed, 0, 1, count, backing.data());
  return backing;
}

std::string Block(const Request& request, std::string_view code) {
  int64_t strides[kDims];
  EffectiveStrides(request, strides);
  const std::string item = fmt::to_string(ItemSize(request.dtype));
  const auto tuple = [&request](const int64_t* values) { return TupleText(values, request.dims); };
  std::string oddity(FindField(RequestFields(), "oddity")->words[static_cast<size_t>(request.oddity)]);
  std::replace(oddity.begin(), oddity.end(), '-', '_');
  Arguments arguments(code);
  for (const Field& field : RequestFields()) {
    if (field.name == "making") arguments.Keep("making", Value(field, &request));
  }
  arguments.Add("code", fmt::format("({}, {}, {})", request.dtype.code, request.dtype.bits, request.dtype.lanes));
  arguments.Keep("dtype", Literal(DataTypeName(request.dtype)));
  arguments.Add("dtype_name", Literal(DataTypeName(request.dtype)));
  arguments.Keep("shape", tuple(request.shape));
  arguments.Keep("strides", tuple(strides));
  arguments.Keep("offset", fmt::to_string(request.offset));
  arguments.Add("item", item);
  arguments.Keep("itemsize", item);
  arguments.Keep("read_only", request.read_only != 0 ? "True" : "False");
  arguments.Keep("oddity", Literal(oddity));
  arguments.Keep("device",
                 fmt::format("({}, {})", static_cast<int>(request.device.device_type), request.device.device_id));
  arguments.Keep("backing", Bytes(BackingOf(request)));
  return arguments.Text();
}

/// The elements in row-major order, taken from a store. The block's element 0 has the number `first` there.
template <typename Block>
static std::vector<uint8_t> RowMajor(const Block& block, const int64_t* strides, int64_t first,
                                     std::span<const uint8_t> store) {
  std::vector<int64_t> places = {first};
  for (int d = 0; d < block.dims; ++d) {
    std::vector<int64_t> further;
    for (const int64_t place : places) {
      for (int64_t i = 0; i < block.shape[d]; ++i) further.push_back(place + i * strides[d]);
    }
    places = std::move(further);
  }
  const int64_t item = ItemSize(block.dtype);
  std::vector<uint8_t> elements;
  for (const int64_t place : places) {
    const auto element = store.subspan(static_cast<size_t>(place * item), static_cast<size_t>(item));
    elements.insert(elements.end(), element.begin(), element.end());
  }
  return elements;
}

/// The elements from the lowest to the highest one, each in bytes of its own; empty if the offer is not backed.
static std::vector<uint8_t> Stored(const Offer& offer, int slot) {
  int64_t strides[kDims];
  EffectiveStrides(offer, strides);
  const forge::Reach reach = forge::ReachOf(offer, strides);
  if (!reach.backed) return {};
  std::vector<uint8_t> store(static_cast<size_t>((reach.highest - reach.lowest + 1) * ItemSize(offer.dtype)));
  ElementRun(offer.dtype, SlotSeed(offer.seed, slot), 0, 1, reach.highest - reach.lowest + 1, store.data());
  return store;
}

std::vector<uint8_t> Memory(const Offer& offer, int slot) {
  std::vector<uint8_t> store = Stored(offer, slot);
  const int packed = PackedBits(offer);
  if (packed == 0 || store.empty()) return store;
  int64_t strides[kDims];
  EffectiveStrides(offer, strides);
  const int64_t lowest = forge::ReachOf(offer, strides).lowest;
  // Element 0 starts at a byte.
  const int64_t before = PackedBytes(-lowest * packed) * 8 + lowest * packed;
  const int64_t bits = before + static_cast<int64_t>(store.size()) * packed;
  std::vector<uint8_t> memory(static_cast<size_t>(PackedBytes(bits)), 0);
  Pack(store, packed, before, memory.data());
  return memory;
}

std::vector<uint8_t> Right(const Offer& offer, int slot) {
  int64_t strides[kDims];
  EffectiveStrides(offer, strides);
  return RowMajor(offer, strides, -forge::ReachOf(offer, strides).lowest, Stored(offer, slot));
}

std::vector<uint8_t> Right(const Request& request) {
  int64_t strides[kDims];
  EffectiveStrides(request, strides);
  return RowMajor(request, strides, request.offset, BackingOf(request));
}

std::string Types() {
  std::string text = "TYPES = {}\n";
  std::string line;
  const auto flush = [&] {
    text += fmt::format("TYPES.update({{{}}})\n", line);
    line.clear();
  };
  for (const auto& [name, dtype, fraction, since] : DataTypes()) {
    const std::string entry = fmt::format("\"{}\": ({}, {}, {})", name, dtype.code, dtype.bits, dtype.lanes);
    if (line.size() + entry.size() > kWidth - 20) flush();
    line += (line.empty() ? "" : ", ") + entry;
  }
  flush();
  return text;
}

std::string Elements(const Recipe& recipe, bool right) {
  const Offer& offer = recipe.offer();
  int64_t strides[kDims];
  EffectiveStrides(offer, strides);
  const forge::Reach reach = forge::ReachOf(offer, strides);
  const bool another =
      ImportsAnother(offer.deleter) || offer.gives == Gives::kImportsFirst || HasStep(recipe, Op::kCountImports);
  const int spare = another ? SpareSlot(recipe) : -1;
  const std::string within =
      spare < 0
          ? ""
          : fmt::format("SPARE = {}  # the number of the tensor that is imported inside another import, or again\n",
                        spare);
  if (!Offers(recipe) || !reach.backed) return "ELEMENTS = {}\n" + within;
  std::string stored;
  std::string wanted;
  bool alike = true;
  for (int slot = 0; slot < kSlots; ++slot) {
    const bool used =
        slot == spare || std::ranges::any_of(recipe.life(), [slot](const Step& step) { return step.slot == slot; });
    if (!used) continue;
    const std::vector<uint8_t> memory = Memory(offer, slot);
    stored += fmt::format("{}{}: {}", stored.empty() ? "" : ",\n            ", slot, Bytes(memory));
    if (!right) continue;
    const std::vector<uint8_t> elements = Right(offer, slot);
    wanted += fmt::format("{}{}: {}", wanted.empty() ? "" : ",\n         ", slot, Bytes(elements));
    alike = alike && elements == memory;
  }
  std::string text = fmt::format("ELEMENTS = {{{}}}\n", stored) + within;
  if (right) text += alike ? "RIGHT = ELEMENTS\n" : fmt::format("RIGHT = {{{}}}  # row-major\n", wanted);
  return text;
}

}  // namespace dlpack_cts::python
