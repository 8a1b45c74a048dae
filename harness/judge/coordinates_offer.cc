// harness/judge/coordinates_offer.cc: properties of an offer: struct, capsule, memory, and the behaviour of its
// producer.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "harness/judge/coordinate_rows.h"
#include "harness/recipe/laws.h"
#include "harness/recipe/names.h"

namespace dlpack_cts {
namespace {

/// A field of the offer: its default value, and the other values by their enumerators.
template <auto kField, auto kPlain>
void SetPlain(Recipe& recipe) {
  ForOffers(recipe, [](Offer& offer) { offer.*kField = kPlain; });
}
template <auto kField>
void SetField(Recipe& recipe, int value) {
  using Field = std::remove_reference_t<decltype(std::declval<Offer&>().*kField)>;
  ForOffers(recipe, [&](Offer& offer) { offer.*kField = static_cast<Field>(value); });
}
template <auto kField>
bool HasField(const Recipe& recipe, int value) {
  return AnyOffer(recipe, [&](const Offer& offer) { return static_cast<int>(offer.*kField) == value; });
}

template <auto kField, auto kPlain>
Coordinate FieldCoordinate(const char* id, const EnumTable<std::remove_const_t<decltype(kPlain)>>& table) {
  Coordinate coordinate{id, SetPlain<kField, kPlain>, {}};
  AddValues(table, HasField<kField>, SetField<kField>, coordinate);
  return coordinate;
}

void MakeVersioned(Offer& offer, uint32_t major, uint32_t minor) {
  offer.kind = StructKind::kVersioned;
  offer.major = major;
  offer.minor = minor;
}

/// The versions that a struct may declare: 1.0 to 1.2, and undefined minor and major versions.
Coordinate VersionCoordinate() {
  constexpr int kUndefined = 4;
  const auto has_minor = [](const Recipe& recipe, int minor) {
    return AnyOffer(recipe, [&](const Offer& offer) {
      return offer.kind == StructKind::kVersioned && offer.major == 1 &&
             (minor < kUndefined ? offer.minor == static_cast<uint32_t>(minor) : offer.minor >= kUndefined);
    });
  };
  const auto set_minor = [](Recipe& recipe, int minor) {
    ForOffers(recipe, [&](Offer& offer) { MakeVersioned(offer, 1, static_cast<uint32_t>(minor)); });
  };
  const auto has_major = [](const Recipe& recipe, int major) {
    return AnyOffer(recipe, [&](const Offer& offer) {
      return offer.kind == StructKind::kVersioned && offer.major != 1 &&
             (major == 0 ? offer.major == 0 : offer.major != 0);
    });
  };
  const auto set_major = [](Recipe& recipe, int major) {
    ForOffers(recipe, [&](Offer& offer) { MakeVersioned(offer, static_cast<uint32_t>(major), 0); });
  };
  const auto is_legacy = [](const Recipe& recipe, int) {
    return AnyOffer(recipe, [](const Offer& offer) { return offer.kind == StructKind::kLegacy; });
  };
  const auto set_legacy = [](Recipe& recipe, int) {
    ForOffers(recipe, [](Offer& offer) {
      offer.kind = StructKind::kLegacy;
      offer.flags = 0;
    });
  };
  return {"version",
          [](Recipe& recipe) { ForOffers(recipe, [](Offer& offer) { MakeVersioned(offer, 1, 3); }); },
          {{"minor-0", "the struct declares version 1.0", has_minor, set_minor, 0},
           {"minor-1", "the struct declares version 1.1", has_minor, set_minor, 1},
           {"minor-2", "the struct declares version 1.2", has_minor, set_minor, 2},
           {"legacy", "the struct is a legacy DLManagedTensor", is_legacy, set_legacy},
           {"minor-undefined", "the struct declares major version 1 with an undefined minor version (above 3)",
            has_minor, set_minor, 99},
           {"major-2", "the struct declares a major version above 1", has_major, set_major, 2},
           {"major-0", "the struct declares major version 0", has_major, set_major, 0}}};
}

Coordinate FlagsCoordinate() {
  const auto has = [](const Recipe& recipe, int flag) {
    return AnyOffer(recipe, [&](const Offer& offer) {
      return offer.kind == StructKind::kVersioned && (flag != 0 ? (offer.flags & static_cast<uint64_t>(flag)) != 0
                                                                : (offer.flags & ~abi::kPublishedFlags) != 0);
    });
  };
  const auto set = [](Recipe& recipe, int flag) {
    ForOffers(recipe, [&](Offer& offer) { offer.flags = flag != 0 ? static_cast<uint64_t>(flag) : uint64_t{1} << 40; });
  };
  return {"flags",
          [](Recipe& recipe) { ForOffers(recipe, [](Offer& offer) { offer.flags = 0; }); },
          {{"read-only", "DLPACK_FLAG_BITMASK_READ_ONLY is set", has, set, static_cast<int>(abi::kFlagReadOnly)},
           {"is-copied", "DLPACK_FLAG_BITMASK_IS_COPIED is set", has, set, static_cast<int>(abi::kFlagIsCopied)},
           {"subbyte-padded", "DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED is set", has, set,
            static_cast<int>(abi::kFlagSubbytePadded)},
           {"unknown-flags", "a flag is set that no version defines", has, set, 0}}};
}

Coordinate PlacementCoordinate() {
  Coordinate coordinate = FieldCoordinate<&Offer::placement, Placement::kEndsAtGuard>("placement", kPlacements);
  // One value: NULL, an inaccessible page and a number alike do not point to memory.
  coordinate.values.push_back({"no-memory", "dl_tensor.data does not point to accessible memory",
                               [](const Recipe& recipe, int) {
                                 return AnyOffer(recipe, [](const Offer& offer) {
                                   return offer.placement == Placement::kUnmapped ||
                                          offer.placement == Placement::kNull ||
                                          offer.placement == Placement::kForeignHandle;
                                 });
                               },
                               [](Recipe& recipe, int) {
                                 ForOffers(recipe, [](Offer& offer) {
                                   offer.placement = Placement::kNull;
                                   offer.byte_offset = 0;
                                 });
                               }});
  coordinate.values.push_back({"device-memory", "the elements are in CUDA device memory",
                               [](const Recipe& recipe, int) {
                                 return AnyOffer(
                                     recipe, [](const Offer& offer) { return offer.placement == Placement::kDevice; });
                               },
                               nullptr});
  return coordinate;
}

Coordinate DeviceCoordinate() {
  const auto foreign = [](const Recipe& recipe, int) {
    return AnyOffer(recipe, [](const Offer& offer) { return offer.device.device_type != abi::kDLCPU; });
  };
  const auto set_foreign = [](Recipe& recipe, int) {
    ForOffers(recipe, [](Offer& offer) { offer.device = offer.reported_device = {99, 0}; });
  };
  const auto pinned = [](const Recipe& recipe, int) {
    return AnyOffer(recipe, [](const Offer& offer) {
      const int32_t type = offer.device.device_type;
      return type == abi::kDLCUDAHost || type == abi::kDLROCMHost || type == abi::kDLCUDAManaged;
    });
  };
  const auto set_pinned = [](Recipe& recipe, int) {
    ForOffers(recipe, [](Offer& offer) { offer.device = offer.reported_device = {abi::kDLCUDAHost, 0}; });
  };
  const auto numbered = [](const Recipe& recipe, int) {
    return AnyOffer(recipe, [](const Offer& offer) { return offer.device.device_id != 0; });
  };
  const auto differs = [](const Recipe& recipe, int) {
    return AnyOffer(recipe, [](const Offer& offer) {
      return offer.device.device_type != offer.reported_device.device_type ||
             offer.device.device_id != offer.reported_device.device_id;
    });
  };
  return {"device",
          [](Recipe& recipe) {
            ForOffers(recipe, [](Offer& offer) { offer.device = offer.reported_device = {abi::kDLCPU, 0}; });
          },
          {{"device-id", "dl_tensor.device.device_id is not 0", numbered,
            [](Recipe& recipe, int) {
              ForOffers(recipe, [](Offer& offer) { offer.device = offer.reported_device = {abi::kDLCPU, 1}; });
            }},
           {"foreign-device", "dl_tensor.device.device_type is not kDLCPU", foreign, set_foreign},
           {"pinned-device", "dl_tensor.device.device_type is kDLCUDAHost, kDLROCMHost or kDLCUDAManaged", pinned,
            set_pinned},
           {"two-devices", "dl_tensor.device differs from what __dlpack_device__ returns", differs, nullptr}}};
}

/// The producer's answers to one keyword: ignoring it is plain.
template <auto kKeyword>
Coordinate KeywordCoordinate(const std::string& name) {
  const auto has = [](const Recipe& recipe, int reply) {
    return AnyOffer(recipe, [&](const Offer& offer) { return static_cast<int>(offer.keywords.*kKeyword) == reply; });
  };
  const auto set = [](Recipe& recipe, int reply) {
    ForOffers(recipe, [&](Offer& offer) { offer.keywords.*kKeyword = static_cast<Reply>(reply); });
  };
  Coordinate coordinate{
      "offered-" + name,
      [](Recipe& recipe) { ForOffers(recipe, [](Offer& offer) { offer.keywords.*kKeyword = Reply::kIgnores; }); },
      {}};
  for (const Reply reply : kReplies.order()) {
    const Named& named = kReplies[reply];
    if (named.id.empty()) continue;
    coordinate.values.push_back({name + "-" + std::string(named.id),
                                 fmt::format("__dlpack__ {} {}", named.statement, name), has, set,
                                 static_cast<int>(reply)});
  }
  return coordinate;
}

bool HasOddOffset(const Offer& offer) {
  const int64_t item = ItemSize(offer.dtype);
  return item > 1 && offer.byte_offset % static_cast<uint64_t>(item) != 0;
}

/// An odd byte_offset is a byte_offset too: a failure that needs an odd one is masked by a failure that needs any.
Coordinate OffsetCoordinate() {
  return {"byte-offset",
          [](Recipe& recipe) { ForOffers(recipe, [](Offer& offer) { offer.byte_offset = 0; }); },
          {{"byte-offset", "dl_tensor.byte_offset is not 0",
            [](const Recipe& recipe, int) {
              return AnyOffer(recipe, [](const Offer& offer) { return offer.byte_offset != 0; });
            },
            [](Recipe& recipe, int) { ForOffers(recipe, [](Offer& offer) { offer.byte_offset = 64; }); }},
           {"odd-byte-offset", "dl_tensor.byte_offset is not a multiple of the item size",
            [](const Recipe& recipe, int) { return AnyOffer(recipe, HasOddOffset); },
            [](Recipe& recipe, int) { ForOffers(recipe, [](Offer& offer) { offer.byte_offset = 65; }); }}}};
}

bool IsMisaligned(const Offer& offer) { return offer.alignment_log2 < NaturalAlignmentLog2(offer.dtype); }

Coordinate AlignmentCoordinate() {
  return {"alignment",
          [](Recipe& recipe) { ForOffers(recipe, [](Offer& offer) { offer.alignment_log2 = 6; }); },
          {{"little-alignment", "the address of the first element is not a multiple of 64",
            [](const Recipe& recipe, int) {
              return AnyOffer(recipe,
                              [](const Offer& offer) { return offer.alignment_log2 < 6 && !IsMisaligned(offer); });
            },
            [](Recipe& recipe, int) { ForOffers(recipe, [](Offer& offer) { offer.alignment_log2 = 4; }); }},
           {"misaligned", "the address of the first element is not a multiple of its natural alignment",
            [](const Recipe& recipe, int) { return AnyOffer(recipe, IsMisaligned); },
            [](Recipe& recipe, int) { ForOffers(recipe, [](Offer& offer) { offer.alignment_log2 = 0; }); }}}};
}

/// Metadata that are not true.
Coordinate MetadataCoordinate() {
  return {
      "metadata",
      [](Recipe& recipe) {
        ForOffers(recipe, [](Offer& offer) {
          offer.null_shape = 0;
          offer.negative_metadata = 0;
          offer.ndim = offer.dims;
          std::replace_if(offer.shape, offer.shape + offer.dims, [](int64_t e) { return e < 0 || e > 4096; }, 2);
        });
      },
      {{"ndim-beyond", "dl_tensor.ndim is larger than the number of dimensions that the recipe describes",
        [](const Recipe& recipe, int) {
          return AnyOffer(recipe, [](const Offer& offer) { return offer.ndim > offer.dims; });
        },
        nullptr},
       {"null-shape", "dl_tensor.shape is NULL",
        [](const Recipe& recipe, int) {
          return AnyOffer(recipe, [](const Offer& offer) { return offer.null_shape != 0; });
        },
        nullptr},
       {"impossible-extents", "dl_tensor.shape has a negative or impossibly large extent",
        [](const Recipe& recipe, int) {
          return AnyOffer(recipe, [](const Offer& offer) { return offer.negative_metadata != 0 && offer.ndim >= 0; });
        },
        nullptr},
       {"negative-ndim", "dl_tensor.ndim is negative",
        [](const Recipe& recipe, int) {
          return AnyOffer(recipe, [](const Offer& offer) { return offer.negative_metadata != 0 && offer.ndim < 0; });
        },
        nullptr}}};
}

std::vector<Coordinate> OfferCoordinates() {
  return {
      MetadataCoordinate(),
      FieldCoordinate<&Offer::gives, Gives::kCapsule>("gives", kGives),
      KeywordCoordinate<&Keywords::max_version>("max_version"),
      KeywordCoordinate<&Keywords::dl_device>("dl_device"),
      KeywordCoordinate<&Keywords::copy>("copy"),
      KeywordCoordinate<&Keywords::stream>("stream"),
      FieldCoordinate<&Offer::name, CapsuleName::kOwn>("name", kCapsuleNames),
      FieldCoordinate<&Offer::deleter, DeleterKind::kCounting>("deleter", kDeleters),
      FieldCoordinate<&Offer::destructor, DestructorKind::kReleases>("destructor", kDestructors),
      FieldCoordinate<&Offer::context, ContextKind::kPointer>("context", kManagerContexts),
      FieldCoordinate<&Offer::place, StructPlace::kGuarded>("struct-place", kStructPlaces),
      PlacementCoordinate(),
      OffsetCoordinate(),
      AlignmentCoordinate(),
      DeviceCoordinate(),
      FlagsCoordinate(),
      VersionCoordinate(),
  };
}

const RegisterCoordinates kOffer(CoordinateGroup::kOffer, OfferCoordinates);

}  // namespace

}  // namespace dlpack_cts
