// harness/recipe/fields.cc: the table of the recipe's fields.
#include "harness/recipe/fields.h"

#include <array>
#include <cstring>
#include <type_traits>

namespace dlpack_cts {
namespace {

using Words = std::span<const std::string_view>;

template <typename Enum, size_t kSize>
constexpr Words Names(const std::array<std::string_view, kSize>& words, Enum last) {
  return kSize == static_cast<size_t>(last) + 1 ? Words(words) : throw "an enumerator has no name";
}

constexpr std::array<std::string_view, 2> kRecipeKinds = {"import", "export"};
constexpr std::array<std::string_view, 3> kStructKinds = {"legacy", "versioned", "view"};
constexpr std::array<std::string_view, 3> kStridesKinds = {"null", "compact", "explicit"};
constexpr std::array<std::string_view, 7> kPlacements = {
    "ends-at-guard", "starts-at-guard", "read-only-page", "unmapped", "null", "foreign-handle", "far-offset"};
constexpr std::array<std::string_view, 3> kStructPlaces = {"guarded", "read-only", "body-unmapped"};
constexpr std::array<std::string_view, 2> kDeleters = {"counting", "null"};
constexpr std::array<std::string_view, 4> kContexts = {"pointer", "null", "one", "unmapped"};
constexpr std::array<std::string_view, 2> kDestructors = {"releases", "none"};
constexpr std::array<std::string_view, 5> kNames = {"own", "used", "foreign", "trailing-space", "none"};
constexpr std::array<std::string_view, 7> kManners = {"obeys",  "negotiates",   "stream-only",   "no-keywords",
                                                      "raises", "returns-none", "returns-stored"};
constexpr std::array<std::string_view, 3> kMakings = {"fresh", "view", "reexport"};
constexpr std::array<std::string_view, 12> kOddities = {
    "none",   "foreign-byte-order", "long-double", "complex-long-double",
    "object", "unaligned-stride",   "conjugate",   "negated",
    "sparse", "requires-grad",      "meta",        "subclass"};
constexpr std::array<std::string_view, 12> kArguments = {"absent", "none",      "pair",   "int",    "true", "false",
                                                         "list",   "one-tuple", "string", "floats", "huge", "object"};
constexpr std::array<std::string_view, 37> kOps = {
    "end",           "import",        "import-capsule",  "import-again",   "describe",    "read",
    "compute",       "write-source",  "write-array",     "take-view",      "reexport",    "drop-array",
    "drop-capsule",  "drop-producer", "collect",         "drop-elsewhere", "make",        "export",
    "ask-device",    "inspect",       "read-export",     "write-export",   "drop-source", "change-metadata",
    "take-capsule",  "delete",        "delete-together", "lose-capsule",   "read-source", "use-source",
    "import-source", "table-find",    "table-export",    "table-import",   "table-view",  "table-allocate",
    "table-stream"};
static_assert(kOps.size() == static_cast<size_t>(Op::kCount) && !kOps.back().empty());

/// A number or enumerator of that C++ type.
template <typename T>
constexpr Field Entry(std::string_view name, size_t offset, Words words = {}) {
  using Plain = std::remove_all_extents_t<T>;
  static_assert(std::is_integral_v<Plain> || std::is_enum_v<Plain>);
  bool is_signed = false;
  if constexpr (std::is_integral_v<Plain>) is_signed = std::is_signed_v<Plain>;
  return {name, offset, sizeof(Plain), is_signed, static_cast<int>(sizeof(T) / sizeof(Plain)), words};
}

// The path of a member is its name, so that neither can be wrong alone.
#define CTS_FIELD(path, ...)                                                                                     \
  Entry<std::remove_reference_t<decltype((static_cast<Recipe*>(nullptr)->path))>>(#path, offsetof(Recipe, path), \
                                                                                  __VA_ARGS__)
#define CTS_ARGUMENT(name) \
  CTS_FIELD(name.kind, Names(kArguments, ArgumentKind::kObject)), CTS_FIELD(name.a, {}), CTS_FIELD(name.b, {})

constexpr Field kFields[] = {
    CTS_FIELD(offer.kind, Names(kStructKinds, StructKind::kView)),
    CTS_FIELD(offer.place, Names(kStructPlaces, StructPlace::kBodyUnmapped)),
    CTS_FIELD(offer.placement, Names(kPlacements, Placement::kFarOffset)),
    CTS_FIELD(offer.strides_kind, Names(kStridesKinds, StridesKind::kExplicit)),
    CTS_FIELD(offer.deleter, Names(kDeleters, DeleterKind::kNull)),
    CTS_FIELD(offer.context, Names(kContexts, ContextKind::kUnmapped)),
    CTS_FIELD(offer.destructor, Names(kDestructors, DestructorKind::kNone)),
    CTS_FIELD(offer.name, Names(kNames, CapsuleName::kNone)),
    CTS_FIELD(offer.manners, Names(kManners, Manners::kReturnsStored)),
    CTS_FIELD(offer.alignment_log2, {}),
    CTS_FIELD(offer.dims, {}),
    CTS_FIELD(offer.null_shape, {}),
    CTS_FIELD(offer.negative_metadata, {}),
    CTS_FIELD(offer.seal_on_delete, {}),
    CTS_FIELD(offer.major, {}),
    CTS_FIELD(offer.minor, {}),
    CTS_FIELD(offer.flags, {}),
    CTS_FIELD(offer.device.device_type, {}),
    CTS_FIELD(offer.device.device_id, {}),
    CTS_FIELD(offer.reported_device.device_type, {}),
    CTS_FIELD(offer.reported_device.device_id, {}),
    CTS_FIELD(offer.dtype.code, {}),
    CTS_FIELD(offer.dtype.bits, {}),
    CTS_FIELD(offer.dtype.lanes, {}),
    CTS_FIELD(offer.ndim, {}),
    CTS_FIELD(offer.fill_extent, {}),
    CTS_FIELD(offer.shape, {}),
    CTS_FIELD(offer.strides, {}),
    CTS_FIELD(offer.byte_offset, {}),
    CTS_FIELD(offer.seed, {}),
    CTS_FIELD(request.making, Names(kMakings, Making::kReexport)),
    CTS_FIELD(request.strides_kind, Names(kStridesKinds, StridesKind::kExplicit)),
    CTS_FIELD(request.oddity, Names(kOddities, Oddity::kSubclass)),
    CTS_FIELD(request.read_only, {}),
    CTS_FIELD(request.dims, {}),
    CTS_FIELD(request.dtype.code, {}),
    CTS_FIELD(request.dtype.bits, {}),
    CTS_FIELD(request.dtype.lanes, {}),
    CTS_FIELD(request.shape, {}),
    CTS_FIELD(request.strides, {}),
    CTS_FIELD(request.offset, {}),
    CTS_FIELD(request.seed, {}),
    CTS_ARGUMENT(call.max_version),
    CTS_ARGUMENT(call.dl_device),
    CTS_ARGUMENT(call.copy),
    CTS_ARGUMENT(call.stream),
    CTS_FIELD(call.unknown_keyword, {}),
};
#undef CTS_ARGUMENT
#undef CTS_FIELD

constexpr Field kStepFields[] = {
    Entry<Op>("op", offsetof(Step, op), kOps),
    Entry<uint8_t>("slot", offsetof(Step, slot)),
    Entry<int16_t>("argument", offsetof(Step, argument)),
};

}  // namespace

std::span<const Field> Fields() { return kFields; }
std::span<const Field> StepFields() { return kStepFields; }
std::span<const std::string_view> RecipeKindWords() { return kRecipeKinds; }

const Field* FindField(std::string_view name) {
  for (const Field& field : kFields) {
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
