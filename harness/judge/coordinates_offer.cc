// harness/judge/coordinates_offer.cc: properties of an offer: struct, capsule, memory, and the behaviour of its
// producer.
#include <algorithm>
#include <string>

#include "harness/judge/coordinate_list.h"
#include "harness/recipe/enum_words.h"
#include "harness/recipe/laws.h"

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

struct Word {
  int value;
  const char* id;
  const char* words;
};

template <auto kField, auto kPlain, size_t kSize>
Coordinate FieldCoordinate(const char* id, const Word (&values)[kSize]) {
  using Field = std::remove_const_t<decltype(kPlain)>;
  // PlacementCoordinate() adds the other values.
  static_assert(std::is_same_v<Field, Placement> || kSize == kEnumerators<Field> - 1);
  Coordinate coordinate{id, SetPlain<kField, kPlain>, {}};
  for (const Word& word : values) {
    coordinate.values.push_back({word.id, word.words, HasField<kField>, SetField<kField>, word.value});
  }
  return coordinate;
}

template <typename Enum>
constexpr int I(Enum value) {
  return static_cast<int>(value);
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
  constexpr auto kPlacement = &Offer::placement;
  Coordinate coordinate = FieldCoordinate<kPlacement, Placement::kEndsAtGuard>(
      "placement",
      {{I(Placement::kStartsAtGuard), "starts-at-guard", "the elements begin directly after an inaccessible page"},
       {I(Placement::kReadOnlyPage), "read-only-page", "the elements are in read-only memory"},
       {I(Placement::kFarOffset), "far-offset", "dl_tensor.byte_offset does not fit in 32 bits"}});
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
  const auto add = [&](Reply reply, const std::string& id, const std::string& words) {
    coordinate.values.push_back({id, words, has, set, static_cast<int>(reply)});
  };
  add(Reply::kObeys, name + "-obeyed", "__dlpack__ raises BufferError if it cannot satisfy " + name);
  add(Reply::kTypeError, name + "-unknown", "__dlpack__ raises TypeError for the keyword " + name);
  add(Reply::kBufferError, name + "-refused", "__dlpack__ raises BufferError for the keyword " + name);
  add(Reply::kRaises, name + "-raises", "__dlpack__ raises RuntimeError for the keyword " + name);
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

}  // namespace

std::vector<Coordinate> OfferCoordinates() {
  return {
      MetadataCoordinate(),
      FieldCoordinate<&Offer::gives, Gives::kCapsule>(
          "gives",
          {{I(Gives::kStored), "stored-capsule", "__dlpack__ of the producer returns the same capsule at each call"},
           {I(Gives::kBufferError), "producer-refuses", "__dlpack__ of the producer raises BufferError"},
           {I(Gives::kNone), "gives-none", "__dlpack__ of the producer returns None"},
           {I(Gives::kOSError), "producer-raises", "__dlpack__ of the producer raises OSError"},
           {I(Gives::kTypeError), "producer-errs", "__dlpack__ of the producer raises TypeError for any arguments"},
           {I(Gives::kNoDevice), "device-raises", "__dlpack_device__ of the producer raises OSError"},
           {I(Gives::kNoneForDevice), "none-for-device", "__dlpack_device__ of the producer returns None"},
           {I(Gives::kNumberForDevice), "number-for-device", "__dlpack_device__ of the producer returns 1"},
           {I(Gives::kOneForDevice), "one-for-device", "__dlpack_device__ of the producer returns (1,)"},
           {I(Gives::kThreeForDevice), "three-for-device", "__dlpack_device__ of the producer returns (1, 0, 0)"},
           {I(Gives::kTextForDevice), "text-for-device", "__dlpack_device__ of the producer returns ('cpu', 0)"},
           {I(Gives::kDeviceAlone), "device-alone", "the imported object has no __dlpack__"},
           {I(Gives::kNoMethods), "no-methods", "the imported object has neither __dlpack__ nor __dlpack_device__"}}),
      KeywordCoordinate<&Keywords::max_version>("max_version"),
      KeywordCoordinate<&Keywords::dl_device>("dl_device"),
      KeywordCoordinate<&Keywords::copy>("copy"),
      KeywordCoordinate<&Keywords::stream>("stream"),
      FieldCoordinate<&Offer::name, CapsuleName::kOwn>(
          "name", {{I(CapsuleName::kForeign), "foreign-name", "the name of the capsule is \"arrow_schema\""},
                   {I(CapsuleName::kTrailingSpace), "name-with-space", "the name of the capsule ends with a space"},
                   {I(CapsuleName::kNone), "no-name", "the capsule has no name"},
                   {I(CapsuleName::kUsed), "used-name", "the capsule already has its used name"}}),
      FieldCoordinate<&Offer::deleter, DeleterKind::kCounting>(
          "deleter",
          {{I(DeleterKind::kNull), "null-deleter", "the deleter is NULL"},
           {I(DeleterKind::kReenters), "deleter-reenters", "the library imports another tensor while the deleter runs"},
           {I(DeleterKind::kMeetsThread), "deleter-meets-thread",
            "another thread imports a tensor while the deleter runs"}}),
      FieldCoordinate<&Offer::destructor, DestructorKind::kReleases>(
          "destructor", {{I(DestructorKind::kNone), "no-destructor", "the capsule has no destructor"}}),
      FieldCoordinate<&Offer::context, ContextKind::kPointer>(
          "context",
          {{I(ContextKind::kNull), "null-context", "manager_ctx is NULL"},
           {I(ContextKind::kOne), "number-context", "manager_ctx is a number and not a pointer"},
           {I(ContextKind::kUnmapped), "unmapped-context", "manager_ctx points to memory that cannot be read"}}),
      FieldCoordinate<&Offer::place, StructPlace::kGuarded>(
          "struct-place", {{I(StructPlace::kReadOnly), "read-only-struct", "the managed struct is in read-only memory"},
                           {I(StructPlace::kBodyUnmapped), "unmapped-body",
                            "only the first 32 bytes of the managed struct are readable"}}),
      PlacementCoordinate(),
      OffsetCoordinate(),
      AlignmentCoordinate(),
      DeviceCoordinate(),
      FlagsCoordinate(),
      VersionCoordinate(),
  };
}

}  // namespace dlpack_cts
