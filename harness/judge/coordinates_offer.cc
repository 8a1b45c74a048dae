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
          {{"minor-0", "version 1.0", has_minor, set_minor, 0},
           {"minor-1", "version 1.1", has_minor, set_minor, 1},
           {"minor-2", "version 1.2", has_minor, set_minor, 2},
           {"legacy", "a legacy struct", is_legacy, set_legacy},
           {"minor-undefined", "an undefined minor version", has_minor, set_minor, 99},
           {"major-2", "a later major version", has_major, set_major, 2},
           {"major-0", "major version 0", has_major, set_major, 0}}};
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
          {{"read-only", "the flag READ_ONLY", has, set, static_cast<int>(abi::kFlagReadOnly)},
           {"is-copied", "the flag IS_COPIED", has, set, static_cast<int>(abi::kFlagIsCopied)},
           {"subbyte-padded", "the flag IS_SUBBYTE_TYPE_PADDED", has, set, static_cast<int>(abi::kFlagSubbytePadded)},
           {"unknown-flags", "flags that no version defines", has, set, 0}}};
}

Coordinate PlacementCoordinate() {
  constexpr auto kPlacement = &Offer::placement;
  Coordinate coordinate = FieldCoordinate<kPlacement, Placement::kEndsAtGuard>(
      "placement", {{I(Placement::kStartsAtGuard), "starts-at-guard", "data directly after an inaccessible page"},
                    {I(Placement::kReadOnlyPage), "read-only-page", "data in read-only memory"},
                    {I(Placement::kFarOffset), "far-offset", "a byte_offset beyond 32 bits"}});
  // One value: NULL, an inaccessible page and a number alike do not point to memory.
  coordinate.values.push_back({"no-memory", "data that does not point to memory",
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
  coordinate.values.push_back({"device-memory", "data in CUDA device memory",
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
          {{"device-id", "a device_id other than 0", numbered,
            [](Recipe& recipe, int) {
              ForOffers(recipe, [](Offer& offer) { offer.device = offer.reported_device = {abi::kDLCPU, 1}; });
            }},
           {"foreign-device", "a device that is not the CPU", foreign, set_foreign},
           {"pinned-device", "pinned or managed host memory", pinned, set_pinned},
           {"two-devices", "a struct whose device differs from __dlpack_device__", differs, nullptr}}};
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
  add(Reply::kObeys, name + "-obeyed", "a producer that raises BufferError if it cannot satisfy " + name);
  add(Reply::kTypeError, name + "-unknown", "a producer that raises TypeError for " + name);
  add(Reply::kBufferError, name + "-refused", "a producer that raises BufferError for " + name);
  add(Reply::kRaises, name + "-raises", "a producer that raises RuntimeError for " + name);
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
          {{"byte-offset", "a byte_offset",
            [](const Recipe& recipe, int) {
              return AnyOffer(recipe, [](const Offer& offer) { return offer.byte_offset != 0; });
            },
            [](Recipe& recipe, int) { ForOffers(recipe, [](Offer& offer) { offer.byte_offset = 64; }); }},
           {"odd-byte-offset", "a byte_offset that is not a multiple of the item size",
            [](const Recipe& recipe, int) { return AnyOffer(recipe, HasOddOffset); },
            [](Recipe& recipe, int) { ForOffers(recipe, [](Offer& offer) { offer.byte_offset = 65; }); }}}};
}

bool IsMisaligned(const Offer& offer) { return offer.alignment_log2 < NaturalAlignmentLog2(offer.dtype); }

Coordinate AlignmentCoordinate() {
  return {"alignment",
          [](Recipe& recipe) { ForOffers(recipe, [](Offer& offer) { offer.alignment_log2 = 6; }); },
          {{"little-alignment", "an address that is not a multiple of 64",
            [](const Recipe& recipe, int) {
              return AnyOffer(recipe,
                              [](const Offer& offer) { return offer.alignment_log2 < 6 && !IsMisaligned(offer); });
            },
            [](Recipe& recipe, int) { ForOffers(recipe, [](Offer& offer) { offer.alignment_log2 = 4; }); }},
           {"misaligned", "an address that is not a multiple of the item size",
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
      {{"ndim-beyond", "an ndim larger than the number of backed dimensions",
        [](const Recipe& recipe, int) {
          return AnyOffer(recipe, [](const Offer& offer) { return offer.ndim > offer.dims; });
        },
        nullptr},
       {"null-shape", "a NULL shape",
        [](const Recipe& recipe, int) {
          return AnyOffer(recipe, [](const Offer& offer) { return offer.null_shape != 0; });
        },
        nullptr},
       {"impossible-extents", "negative or impossibly large extents",
        [](const Recipe& recipe, int) {
          return AnyOffer(recipe, [](const Offer& offer) { return offer.negative_metadata != 0 && offer.ndim >= 0; });
        },
        nullptr},
       {"negative-ndim", "a negative ndim",
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
          {{I(Gives::kStored), "stored-capsule", "a producer whose __dlpack__ returns the same capsule at each call"},
           {I(Gives::kBufferError), "producer-refuses", "a producer whose __dlpack__ raises BufferError"},
           {I(Gives::kNone), "gives-none", "a producer whose __dlpack__ returns None"},
           {I(Gives::kOSError), "producer-raises", "a producer whose __dlpack__ raises OSError"},
           {I(Gives::kTypeError), "producer-errs", "a producer whose __dlpack__ raises TypeError for any arguments"},
           {I(Gives::kNoDevice), "device-raises", "a producer whose __dlpack_device__ raises OSError"},
           {I(Gives::kNoneForDevice), "none-for-device", "a producer whose __dlpack_device__ returns None"},
           {I(Gives::kNumberForDevice), "number-for-device", "a producer whose __dlpack_device__ returns 1"},
           {I(Gives::kOneForDevice), "one-for-device", "a producer whose __dlpack_device__ returns (1,)"},
           {I(Gives::kThreeForDevice), "three-for-device", "a producer whose __dlpack_device__ returns (1, 0, 0)"},
           {I(Gives::kTextForDevice), "text-for-device", "a producer whose __dlpack_device__ returns ('cpu', 0)"},
           {I(Gives::kDeviceAlone), "device-alone", "an object without __dlpack__"},
           {I(Gives::kNoMethods), "no-methods", "an object with neither __dlpack__ nor __dlpack_device__"}}),
      KeywordCoordinate<&Keywords::max_version>("max_version"),
      KeywordCoordinate<&Keywords::dl_device>("dl_device"),
      KeywordCoordinate<&Keywords::copy>("copy"),
      KeywordCoordinate<&Keywords::stream>("stream"),
      FieldCoordinate<&Offer::name, CapsuleName::kOwn>(
          "name", {{I(CapsuleName::kForeign), "foreign-name", "a capsule with the name \"arrow_schema\""},
                   {I(CapsuleName::kTrailingSpace), "name-with-space", "a capsule whose name ends in a space"},
                   {I(CapsuleName::kNone), "no-name", "a capsule without a name"},
                   {I(CapsuleName::kUsed), "used-name", "a capsule with a used name"}}),
      FieldCoordinate<&Offer::deleter, DeleterKind::kCounting>(
          "deleter",
          {{I(DeleterKind::kNull), "null-deleter", "a NULL deleter"},
           {I(DeleterKind::kReenters), "deleter-reenters", "a deleter during which the library imports another tensor"},
           {I(DeleterKind::kMeetsThread), "deleter-meets-thread",
            "a deleter during which another thread imports a tensor"}}),
      FieldCoordinate<&Offer::destructor, DestructorKind::kReleases>(
          "destructor", {{I(DestructorKind::kNone), "no-destructor", "a capsule without a destructor"}}),
      FieldCoordinate<&Offer::context, ContextKind::kPointer>(
          "context", {{I(ContextKind::kNull), "null-context", "a NULL manager_ctx"},
                      {I(ContextKind::kOne), "number-context", "a manager_ctx that is not a pointer"},
                      {I(ContextKind::kUnmapped), "unmapped-context", "a manager_ctx that cannot be read"}}),
      FieldCoordinate<&Offer::place, StructPlace::kGuarded>(
          "struct-place",
          {{I(StructPlace::kReadOnly), "read-only-struct", "a struct in read-only memory"},
           {I(StructPlace::kBodyUnmapped), "unmapped-body", "a struct of which only the first 32 bytes are readable"}}),
      PlacementCoordinate(),
      OffsetCoordinate(),
      AlignmentCoordinate(),
      DeviceCoordinate(),
      FlagsCoordinate(),
      VersionCoordinate(),
  };
}

}  // namespace dlpack_cts
