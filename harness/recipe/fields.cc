// harness/recipe/fields.cc: the table of the recipe's fields.
#include "harness/recipe/fields.h"

#include <concepts>
#include <cstring>
#include <type_traits>

#include "base/enum_words.h"
#include "base/for_each.h"
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

// The name is made from the member's path, so that the two cannot differ. Several fields have the same words, or none.
#define CTS_FIELD(block, words, path) \
  Entry<std::remove_reference_t<decltype((static_cast<block*>(nullptr)->path))>>(#path, offsetof(block, path), words)
#define CTS_FIELDS(block, words, ...) CTS_FOR_EACH(CTS_FIELD, block, words, __VA_ARGS__)
#define CTS_NUMBERS(block, ...) CTS_FIELDS(block, {}, __VA_ARGS__)

constexpr Field kOfferFields[] = {
    CTS_FIELD(Offer, kStructKinds, kind),
    CTS_FIELD(Offer, kStructPlaces, place),
    CTS_FIELD(Offer, kPlacements, placement),
    CTS_FIELD(Offer, kStridesKinds, strides_kind),
    CTS_FIELD(Offer, kDeleters, deleter),
    CTS_FIELD(Offer, kManagerContexts, context),
    CTS_FIELD(Offer, kDestructors, destructor),
    CTS_FIELD(Offer, kCapsuleNames, name),
    CTS_FIELDS(Offer, kReplies, keywords.max_version, keywords.dl_device, keywords.copy, keywords.stream),
    CTS_FIELD(Offer, kGives, gives),
    CTS_NUMBERS(Offer, alignment_log2, dims, null_shape, negative_metadata, seal_on_delete, large, major, minor, flags,
                device.device_type, device.device_id, reported_device.device_type, reported_device.device_id,
                dtype.code, dtype.bits, dtype.lanes, ndim, fill_extent, shape, strides, byte_offset, seed),
};

constexpr Field kRequestFields[] = {
    CTS_FIELD(Request, kMakings, making),
    CTS_FIELD(Request, kStridesKinds, strides_kind),
    CTS_FIELD(Request, kOddities, oddity),
    CTS_NUMBERS(Request, read_only, dims, large, dtype.code, dtype.bits, dtype.lanes, device.device_type,
                device.device_id, shape, strides, offset, seed),
};

#define CTS_ARGUMENT(name) CTS_FIELD(Call, kArguments, name.kind), CTS_NUMBERS(Call, name.a, name.b)
constexpr Field kCallFields[] = {
    CTS_ARGUMENT(max_version),
    CTS_ARGUMENT(dl_device),
    CTS_ARGUMENT(copy),
    CTS_ARGUMENT(stream),
    CTS_NUMBERS(Call, unknown_keyword, fresh_names, order),
};
#undef CTS_ARGUMENT

constexpr Field kStepFields[] = {
    CTS_FIELD(Step, kOpWords, op),       CTS_NUMBERS(Step, slot),
    CTS_FIELD(Step, kOthers, other),     CTS_NUMBERS(Step, block, call),
    CTS_FIELD(Step, kActors, actor),     CTS_NUMBERS(Step, lane, barrier),
    CTS_FIELD(Step, kContexts, context), CTS_NUMBERS(Step, stream, argument),
};

constexpr Field kTableFields[] = {
    CTS_FIELD(ForgedTable, kTableAttributes, attribute),
    CTS_NUMBERS(ForgedTable, null_slots, failing_slots, silent_slots, empty_slots, chain_length, moves, version.major,
                version.minor, chain[0].major, chain[0].minor, chain[1].major, chain[1].minor, chain[2].major,
                chain[2].minor, chain[3].major, chain[3].minor),
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
