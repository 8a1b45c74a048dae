// harness/attribute/properties_offer.cc: properties of an offer: struct, capsule, memory, and what its producer does.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "harness/attribute/property_rows.h"
#include "harness/recipe/laws.h"
#include "harness/recipe/names.h"

namespace dlpack_cts {
namespace {

/// A field of the offer, with one value for each enumerator.
template <auto kField, auto kPlain>
Property FieldProperty(const char* id, const EnumTable<std::remove_const_t<decltype(kPlain)>>& table) {
  using Field = std::remove_const_t<decltype(kPlain)>;
  Property property{id, Plain<Offer>([](Offer& offer) { offer.*kField = kPlain; }), {}};
  AddValues(table, Some<Offer>([](const Offer& offer, int value) { return static_cast<int>(offer.*kField) == value; }),
            Each<Offer>([](Offer& offer, int value) { offer.*kField = static_cast<Field>(value); }), property);
  return property;
}

void MakeVersioned(Offer& offer, uint32_t major, uint32_t minor) {
  offer.kind = StructKind::kVersioned;
  offer.major = major;
  offer.minor = minor;
}

/// The declared version: 1.0 to 1.2, and undefined minor and major versions.
Property VersionProperty() {
  constexpr int kUndefined = 4;
  constexpr auto kHasMinor = Some<Offer>([](const Offer& offer, int minor) {
    return offer.kind == StructKind::kVersioned && offer.major == 1 &&
           (minor < kUndefined ? offer.minor == static_cast<uint32_t>(minor) : offer.minor >= kUndefined);
  });
  constexpr auto kSetMinor =
      Each<Offer>([](Offer& offer, int minor) { MakeVersioned(offer, 1, static_cast<uint32_t>(minor)); });
  constexpr auto kHasMajor = Some<Offer>([](const Offer& offer, int major) {
    return offer.kind == StructKind::kVersioned && offer.major != 1 &&
           (major == 0 ? offer.major == 0 : offer.major != 0);
  });
  constexpr auto kSetMajor =
      Each<Offer>([](Offer& offer, int major) { MakeVersioned(offer, static_cast<uint32_t>(major), 0); });
  constexpr auto kIsLegacy = Some<Offer>([](const Offer& offer) { return offer.kind == StructKind::kLegacy; });
  constexpr auto kSetLegacy = Each<Offer>([](Offer& offer) {
    offer.kind = StructKind::kLegacy;
    offer.flags = 0;
  });
  return {"version",
          Plain<Offer>([](Offer& offer) { MakeVersioned(offer, 1, 3); }),
          {{"minor-0", "the struct declares version 1.0", kHasMinor, kSetMinor, 0},
           {"minor-1", "the struct declares version 1.1", kHasMinor, kSetMinor, 1},
           {"minor-2", "the struct declares version 1.2", kHasMinor, kSetMinor, 2},
           {"legacy", "the struct is a legacy DLManagedTensor", kIsLegacy, kSetLegacy},
           {"minor-undefined", "the struct declares major version 1 with an undefined minor version (above 3)",
            kHasMinor, kSetMinor, 99},
           {"major-2", "the struct declares a major version above 1", kHasMajor, kSetMajor, 2},
           {"major-0", "the struct declares major version 0", kHasMajor, kSetMajor, 0}}};
}

Property FlagsProperty() {
  constexpr auto kHas = Some<Offer>([](const Offer& offer, int flag) {
    return offer.kind == StructKind::kVersioned &&
           (flag != 0 ? (offer.flags & static_cast<uint64_t>(flag)) != 0 : (offer.flags & ~abi::kPublishedFlags) != 0);
  });
  constexpr auto kSet = Each<Offer>(
      [](Offer& offer, int flag) { offer.flags = flag != 0 ? static_cast<uint64_t>(flag) : uint64_t{1} << 40; });
  return {"flags",
          Plain<Offer>([](Offer& offer) { offer.flags = 0; }),
          {{"read-only", "DLPACK_FLAG_BITMASK_READ_ONLY is set", kHas, kSet, static_cast<int>(abi::kFlagReadOnly)},
           {"is-copied", "DLPACK_FLAG_BITMASK_IS_COPIED is set", kHas, kSet, static_cast<int>(abi::kFlagIsCopied)},
           {"subbyte-padded", "DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED is set", kHas, kSet,
            static_cast<int>(abi::kFlagSubbytePadded)},
           {"unknown-flags", "a flag is set that no version defines", kHas, kSet, 0}}};
}

/// Whether element 0 is far after `data`. A byte_offset of 2^31 or more does not fit in a signed 32-bit number.
bool HasFarOffset(const Offer& offer, bool beyond_32_bits) {
  return offer.placement == Placement::kFarOffset && (offer.byte_offset >> 31 != 0) == beyond_32_bits;
}

void AddFarOffsets(Property& property) {
  constexpr auto kHas =
      Some<Offer>([](const Offer& offer, int beyond_32_bits) { return HasFarOffset(offer, beyond_32_bits != 0); });
  // The low 16 bits, or the low 32 bits, are those of a small offset.
  constexpr auto kSet = Each<Offer>([](Offer& offer, int beyond_32_bits) {
    offer.placement = Placement::kFarOffset;
    offer.byte_offset = uint64_t{1} << (beyond_32_bits != 0 ? 32 : 16);
  });
  property.values.push_back({"large-offset", "dl_tensor.byte_offset is larger than 8192", kHas, kSet, 0});
  property.values.push_back({"far-offset", "dl_tensor.byte_offset is 2^31 or more", kHas, kSet, 1});
}

Property PlacementProperty() {
  Property property = FieldProperty<&Offer::placement, Placement::kEndsAtGuard>("placement", kPlacements);
  AddFarOffsets(property);
  // A tensor cannot be in host memory and declare a CUDA device.
  property.plain = Plain<Offer>([](Offer& offer) {
    if (offer.placement == Placement::kDevice) offer.device = offer.reported_device = {abi::kDLCPU, 0};
    offer.placement = Placement::kEndsAtGuard;
  });
  // One value for all: NULL, an inaccessible page and a number do not point to memory.
  property.values.push_back({"no-memory", "dl_tensor.data does not point to accessible memory",
                             Some<Offer>([](const Offer& offer) {
                               return offer.placement == Placement::kUnmapped || offer.placement == Placement::kNull ||
                                      offer.placement == Placement::kForeignHandle;
                             }),
                             Each<Offer>([](Offer& offer) {
                               offer.placement = Placement::kNull;
                               offer.byte_offset = 0;
                             })});
  property.values.push_back({"device-memory", "the elements are in CUDA device memory",
                             Some<Offer>([](const Offer& offer) { return offer.placement == Placement::kDevice; }),
                             nullptr});
  return property;
}

Property DeviceProperty() {
  // For device memory that exists, the placement is the trigger.
  constexpr auto kForeign = Some<Offer>([](const Offer& offer) {
    return offer.device.device_type != abi::kDLCPU && offer.placement != Placement::kDevice;
  });
  constexpr auto kSetForeign = Each<Offer>([](Offer& offer) { offer.device = offer.reported_device = {99, 0}; });
  constexpr auto kOpenCl = Some<Offer>([](const Offer& offer) {
    return offer.device.device_type == abi::kDLOpenCL && offer.placement != Placement::kDevice;
  });
  constexpr auto kPinned = Some<Offer>([](const Offer& offer) {
    const int32_t type = offer.device.device_type;
    return type == abi::kDLCUDAHost || type == abi::kDLROCMHost || type == abi::kDLCUDAManaged;
  });
  constexpr auto kSetPinned =
      Each<Offer>([](Offer& offer) { offer.device = offer.reported_device = {abi::kDLCUDAHost, 0}; });
  constexpr auto kNumbered = Some<Offer>([](const Offer& offer) { return offer.device.device_id != 0; });
  constexpr auto kDiffers = Some<Offer>([](const Offer& offer) {
    return offer.device.device_type != offer.reported_device.device_type ||
           offer.device.device_id != offer.reported_device.device_id;
  });
  return {"device",
          Plain<Offer>([](Offer& offer) { offer.device = offer.reported_device = {abi::kDLCPU, 0}; }),
          {{"device-id", "dl_tensor.device.device_id is not 0", kNumbered,
            Each<Offer>([](Offer& offer) { offer.device = offer.reported_device = {abi::kDLCPU, 1}; })},
           {"foreign-device", "dl_tensor.device.device_type is not kDLCPU", kForeign, kSetForeign},
           {"opencl-device", "dl_tensor.device.device_type is kDLOpenCL, so data is a handle", kOpenCl,
            Each<Offer>([](Offer& offer) { offer.device = offer.reported_device = {abi::kDLOpenCL, 0}; })},
           {"pinned-device", "dl_tensor.device.device_type is kDLCUDAHost, kDLROCMHost or kDLCUDAManaged", kPinned,
            kSetPinned},
           {"two-devices", "dl_tensor.device differs from what __dlpack_device__ returns", kDiffers, nullptr}}};
}

/// The producer's answers to one keyword. The default is to ignore it.
template <auto kKeyword>
Property KeywordProperty(const std::string& name) {
  constexpr auto kHas =
      Some<Offer>([](const Offer& offer, int reply) { return static_cast<int>(offer.keywords.*kKeyword) == reply; });
  constexpr auto kSet =
      Each<Offer>([](Offer& offer, int reply) { offer.keywords.*kKeyword = static_cast<Reply>(reply); });
  Property property{
      "offered-" + name, Plain<Offer>([](Offer& offer) { offer.keywords.*kKeyword = Reply::kIgnores; }), {}};
  for (const Reply reply : kReplies.order()) {
    const Named& named = kReplies[reply];
    if (named.id.empty()) continue;
    property.values.push_back({name + "-" + std::string(named.id),
                               fmt::format("__dlpack__ {} {}", named.statement, name), kHas, kSet,
                               static_cast<int>(reply)});
  }
  return property;
}

constexpr auto kHasOddOffset = [](const Offer& offer) {
  const int64_t item = ItemSize(offer.dtype);
  return item > 1 && offer.byte_offset % static_cast<uint64_t>(item) != 0;
};

/// An odd byte_offset is a byte_offset too: a failure that needs an odd one is masked by a failure that needs any.
Property OffsetProperty() {
  return {"byte-offset",
          Plain<Offer>([](Offer& offer) { offer.byte_offset = 0; }),
          {{"byte-offset", "dl_tensor.byte_offset is not 0",
            Some<Offer>([](const Offer& offer) { return offer.byte_offset != 0; }),
            Each<Offer>([](Offer& offer) { offer.byte_offset = 64; })},
           {"odd-byte-offset", "dl_tensor.byte_offset is not a multiple of the item size", Some<Offer>(kHasOddOffset),
            Each<Offer>([](Offer& offer) { offer.byte_offset = 65; })}}};
}

constexpr auto kIsMisaligned = [](const Offer& offer) {
  return offer.alignment_log2 < NaturalAlignmentLog2(offer.dtype);
};

Property AlignmentProperty() {
  return {"alignment",
          Plain<Offer>([](Offer& offer) { offer.alignment_log2 = 6; }),
          {{"little-alignment", "the address of the first element is not a multiple of 64",
            Some<Offer>([](const Offer& offer) { return offer.alignment_log2 < 6 && !kIsMisaligned(offer); }),
            Each<Offer>([](Offer& offer) { offer.alignment_log2 = 4; })},
           {"misaligned", "the address of the first element is not a multiple of its natural alignment",
            Some<Offer>(kIsMisaligned), Each<Offer>([](Offer& offer) { offer.alignment_log2 = 0; })}}};
}

/// Invalid metadata.
Property MetadataProperty() {
  return {"metadata",
          Plain<Offer>([](Offer& offer) {
            offer.null_shape = 0;
            offer.negative_metadata = 0;
            offer.ndim = offer.dims;
            std::replace_if(offer.shape, offer.shape + offer.dims, [](int64_t e) { return e < 0 || e > 4096; }, 2);
          }),
          {{"ndim-beyond", "dl_tensor.ndim is larger than the number of dimensions that the recipe describes",
            Some<Offer>([](const Offer& offer) { return offer.ndim > offer.dims; }), nullptr},
           {"null-shape", "dl_tensor.shape is NULL",
            Some<Offer>([](const Offer& offer) { return offer.null_shape != 0; }), nullptr},
           {"impossible-extents", "dl_tensor.shape has a negative or impossibly large extent",
            Some<Offer>([](const Offer& offer) { return offer.negative_metadata != 0 && offer.ndim >= 0; }), nullptr},
           {"negative-ndim", "dl_tensor.ndim is negative",
            Some<Offer>([](const Offer& offer) { return offer.negative_metadata != 0 && offer.ndim < 0; }), nullptr}}};
}

std::vector<Property> OfferProperties() {
  return {
      MetadataProperty(),
      FieldProperty<&Offer::gives, Gives::kCapsule>("gives", kGives),
      KeywordProperty<&Keywords::max_version>("max_version"),
      KeywordProperty<&Keywords::dl_device>("dl_device"),
      KeywordProperty<&Keywords::copy>("copy"),
      KeywordProperty<&Keywords::stream>("stream"),
      FieldProperty<&Offer::name, CapsuleName::kOwn>("name", kCapsuleNames),
      FieldProperty<&Offer::deleter, DeleterKind::kCounting>("deleter", kDeleters),
      FieldProperty<&Offer::destructor, DestructorKind::kReleases>("destructor", kDestructors),
      FieldProperty<&Offer::context, ContextKind::kPointer>("context", kManagerContexts),
      FieldProperty<&Offer::place, StructPlace::kGuarded>("struct-place", kStructPlaces),
      PlacementProperty(),
      OffsetProperty(),
      AlignmentProperty(),
      DeviceProperty(),
      FlagsProperty(),
      VersionProperty(),
  };
}

const RegisterProperties kOffer(PropertyGroup::kOffer, OfferProperties);

}  // namespace

const Property& VersionedStructs() {
  static const Property versioned{
      "version",
      nullptr,
      {{kVersioned, "the struct is a DLManagedTensorVersioned; a legacy one does not show the failure",
        Some<Offer>([](const Offer& offer) { return offer.kind == StructKind::kVersioned; }), nullptr}}};
  return versioned;
}

}  // namespace dlpack_cts
