// harness/recipe/fields.cc: the table of the recipe's fields.
#include "harness/recipe/fields.h"

#include <concepts>
#include <cstring>
#include <type_traits>

#include "base/enum_words.h"
#include "harness/recipe/names.h"
#include "harness/recipe/ops.h"

namespace dlpack_cts {
namespace {

using Words = std::span<const std::string_view>;

constexpr EnumWords<RecipeKind> kRecipeKinds = {"import", "export"};
constexpr EnumWords<StructKind> kStructKinds = {"legacy", "versioned", "view"};
constexpr EnumWords<StridesKind> kStridesKinds = {"null", "compact", "explicit"};
constexpr EnumWords<Other> kOthers = {"none", "0", "1", "2", "3"};
static_assert(kEnumerators<Other> == kSlots + 1);
/// A number of that C++ type, or an enumerator with its words.
template <typename T>
constexpr Field Entry(std::string_view name, size_t offset, Words words) {
  using Plain = std::remove_all_extents_t<T>;
  bool is_signed = false;
  if constexpr (std::is_integral_v<Plain>) is_signed = std::is_signed_v<Plain>;
  return {name, offset, sizeof(Plain), is_signed, static_cast<int>(sizeof(T) / sizeof(Plain)), words};
}
// The template arguments are deduced: there are no tables for number types.
template <typename T, typename Table>
  requires std::same_as<Table, EnumWords<T>>
constexpr Field Entry(std::string_view name, size_t offset, const Table& words) {
  return Entry<T>(name, offset, words.all());
}
template <typename T, typename Table>
  requires std::same_as<Table, EnumTable<T>>
constexpr Field Entry(std::string_view name, size_t offset, const Table& table) {
  return Entry<T>(name, offset, table.words());
}

// The name is made from the member's path, so that the two cannot differ.
#define CTS_FIELD(block, path, ...)                                                                            \
  Entry<std::remove_reference_t<decltype((static_cast<block*>(nullptr)->path))>>(#path, offsetof(block, path), \
                                                                                 __VA_ARGS__)

constexpr Field kOfferFields[] = {
    CTS_FIELD(Offer, kind, kStructKinds),
    CTS_FIELD(Offer, place, kStructPlaces),
    CTS_FIELD(Offer, placement, kPlacements),
    CTS_FIELD(Offer, strides_kind, kStridesKinds),
    CTS_FIELD(Offer, deleter, kDeleters),
    CTS_FIELD(Offer, context, kManagerContexts),
    CTS_FIELD(Offer, destructor, kDestructors),
    CTS_FIELD(Offer, name, kCapsuleNames),
    CTS_FIELD(Offer, keywords.max_version, kReplies),
    CTS_FIELD(Offer, keywords.dl_device, kReplies),
    CTS_FIELD(Offer, keywords.copy, kReplies),
    CTS_FIELD(Offer, keywords.stream, kReplies),
    CTS_FIELD(Offer, gives, kGives),
    CTS_FIELD(Offer, alignment_log2, {}),
    CTS_FIELD(Offer, dims, {}),
    CTS_FIELD(Offer, null_shape, {}),
    CTS_FIELD(Offer, negative_metadata, {}),
    CTS_FIELD(Offer, seal_on_delete, {}),
    CTS_FIELD(Offer, large, {}),
    CTS_FIELD(Offer, major, {}),
    CTS_FIELD(Offer, minor, {}),
    CTS_FIELD(Offer, flags, {}),
    CTS_FIELD(Offer, device.device_type, {}),
    CTS_FIELD(Offer, device.device_id, {}),
    CTS_FIELD(Offer, reported_device.device_type, {}),
    CTS_FIELD(Offer, reported_device.device_id, {}),
    CTS_FIELD(Offer, dtype.code, {}),
    CTS_FIELD(Offer, dtype.bits, {}),
    CTS_FIELD(Offer, dtype.lanes, {}),
    CTS_FIELD(Offer, ndim, {}),
    CTS_FIELD(Offer, fill_extent, {}),
    CTS_FIELD(Offer, shape, {}),
    CTS_FIELD(Offer, strides, {}),
    CTS_FIELD(Offer, byte_offset, {}),
    CTS_FIELD(Offer, seed, {}),
};

constexpr Field kRequestFields[] = {
    CTS_FIELD(Request, making, kMakings),
    CTS_FIELD(Request, strides_kind, kStridesKinds),
    CTS_FIELD(Request, oddity, kOddities),
    CTS_FIELD(Request, read_only, {}),
    CTS_FIELD(Request, dims, {}),
    CTS_FIELD(Request, large, {}),
    CTS_FIELD(Request, dtype.code, {}),
    CTS_FIELD(Request, dtype.bits, {}),
    CTS_FIELD(Request, dtype.lanes, {}),
    CTS_FIELD(Request, device.device_type, {}),
    CTS_FIELD(Request, device.device_id, {}),
    CTS_FIELD(Request, shape, {}),
    CTS_FIELD(Request, strides, {}),
    CTS_FIELD(Request, offset, {}),
    CTS_FIELD(Request, seed, {}),
};

#define CTS_ARGUMENT(name) \
  CTS_FIELD(Call, name.kind, kArguments), CTS_FIELD(Call, name.a, {}), CTS_FIELD(Call, name.b, {})
constexpr Field kCallFields[] = {
    CTS_ARGUMENT(max_version),
    CTS_ARGUMENT(dl_device),
    CTS_ARGUMENT(copy),
    CTS_ARGUMENT(stream),
    CTS_FIELD(Call, unknown_keyword, {}),
    CTS_FIELD(Call, fresh_names, {}),
};
#undef CTS_ARGUMENT

constexpr Field kStepFields[] = {
    CTS_FIELD(Step, op, kOpWords), CTS_FIELD(Step, slot, {}),     CTS_FIELD(Step, other, kOthers),
    CTS_FIELD(Step, block, {}),    CTS_FIELD(Step, call, {}),     CTS_FIELD(Step, actor, kActors),
    CTS_FIELD(Step, lane, {}),     CTS_FIELD(Step, barrier, {}),  CTS_FIELD(Step, context, kContexts),
    CTS_FIELD(Step, stream, {}),   CTS_FIELD(Step, argument, {}),
};

constexpr Field kTableFields[] = {
    CTS_FIELD(ForgedTable, attribute, kTableAttributes),
    CTS_FIELD(ForgedTable, null_slots, {}),
    CTS_FIELD(ForgedTable, failing_slots, {}),
    CTS_FIELD(ForgedTable, silent_slots, {}),
    CTS_FIELD(ForgedTable, empty_slots, {}),
    CTS_FIELD(ForgedTable, chain_length, {}),
    CTS_FIELD(ForgedTable, moves, {}),
    CTS_FIELD(ForgedTable, version.major, {}),
    CTS_FIELD(ForgedTable, version.minor, {}),
    CTS_FIELD(ForgedTable, chain[0].major, {}),
    CTS_FIELD(ForgedTable, chain[0].minor, {}),
    CTS_FIELD(ForgedTable, chain[1].major, {}),
    CTS_FIELD(ForgedTable, chain[1].minor, {}),
    CTS_FIELD(ForgedTable, chain[2].major, {}),
    CTS_FIELD(ForgedTable, chain[2].minor, {}),
    CTS_FIELD(ForgedTable, chain[3].major, {}),
    CTS_FIELD(ForgedTable, chain[3].minor, {}),
};
static_assert(ForgedTable::kChain == 4);
#undef CTS_FIELD

constexpr BlockType kBlockTypes[] = {
    {"offers", kOfferFields, offsetof(Recipe, offers), sizeof(Offer), kBlocks, offsetof(Recipe, used.offers)},
    {"requests", kRequestFields, offsetof(Recipe, requests), sizeof(Request), kBlocks, offsetof(Recipe, used.requests)},
    {"calls", kCallFields, offsetof(Recipe, calls), sizeof(Call), kBlocks, offsetof(Recipe, used.calls)},
    {"life", kStepFields, offsetof(Recipe, steps), sizeof(Step), kSteps, offsetof(Recipe, used.steps)},
};

}  // namespace

std::span<const Field> OfferFields() { return kOfferFields; }
std::span<const Field> RequestFields() { return kRequestFields; }
std::span<const Field> CallFields() { return kCallFields; }
std::span<const Field> StepFields() { return kStepFields; }
std::span<const Field> TableFields() { return kTableFields; }
std::span<const BlockType> BlockTypes() { return kBlockTypes; }
std::span<const std::string_view> RecipeKindWords() { return kRecipeKinds.all(); }

const Field* FindField(std::span<const Field> fields, std::string_view name) {
  for (const Field& field : fields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

uint64_t ReadField(const Field& field, const void* block, int index) {
  uint64_t value = 0;
  std::memcpy(&value, static_cast<const uint8_t*>(block) + field.offset + static_cast<size_t>(index) * field.size,
              field.size);
  const size_t unused = 64 - 8 * field.size;
  return field.is_signed ? static_cast<uint64_t>(static_cast<int64_t>(value << unused) >> unused) : value;
}

void WriteField(const Field& field, void* block, int index, uint64_t value) {
  std::memcpy(static_cast<uint8_t*>(block) + field.offset + static_cast<size_t>(index) * field.size, &value,
              field.size);
}

}  // namespace dlpack_cts
