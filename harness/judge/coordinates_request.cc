// harness/judge/coordinates_request.cc: properties of an array that the library is asked to make.
#include <string>

#include "harness/judge/coordinate_list.h"
#include "harness/recipe/enum_words.h"
#include "harness/recipe/laws.h"
#include "harness/recipe/packing.h"

namespace dlpack_cts {
namespace {

bool StartsInsideByte(const Request& request) {
  return request.offset * PackedBits(request.dtype, false) % 8 != 0 && !IsEmpty(request);
}

bool IsReexported(const Recipe& recipe, int) {
  return AnyRequest(recipe, [](const Request& request) { return request.making == Making::kReexport; });
}

Coordinate MakingCoordinate() {
  const auto plain = [](Recipe& recipe) {
    ForRequests(recipe, [](Request& request) {
      request.making = Making::kFresh;
      request.strides_kind = StridesKind::kCompact;
      request.offset = 0;
    });
  };
  // Strides off the item size are those of a view.
  const auto is_view = [](const Recipe& recipe, int) {
    return AnyRequest(recipe, [](const Request& request) {
      return request.making == Making::kView || request.oddity == Oddity::kUnalignedStride;
    });
  };
  const auto set_view = [](Recipe& recipe, int) {
    ForRequests(recipe, [](Request& request) { request.making = Making::kView; });
  };
  return {"making",
          plain,
          {{"view", "a view", is_view, set_view},
           {"reexported", "an array that was imported through DLPack first", IsReexported, nullptr}}};
}

Coordinate OddityCoordinate() {
  static constexpr EnumWords<Oddity> kNames = {"none",        "foreign-byte-order",
                                               "long-double", "complex-long-double",
                                               "object",      "unaligned-stride",
                                               "conjugate",   "negated",
                                               "sparse",      "requires-grad",
                                               "meta",        "subclass",
                                               "idle-stride", "zeros",
                                               "date",        "quantized",
                                               "text",        "scalar-object"};
  static constexpr EnumWords<Oddity> kWords = {
      "an ordinary array",
      "an array of byte-swapped elements",
      "an array of long double elements",
      "an array of complex long double elements",
      "an array of objects",
      "an array with byte strides that are not multiples of the item size",
      "an array whose conjugate bit is set",
      "an array whose negative bit is set",
      "a sparse array",
      "an array with requires_grad",
      "an array on the meta device",
      "an array of a subclass",
      "an array with extents of 1 and byte strides that are not multiples of the item size",
      "an array of zeros without memory",
      "an array of dates",
      "an array of quantized integers",
      "an array of texts",
      "a scalar object of the library instead of an array"};
  const auto has = [](const Recipe& recipe, int oddity) {
    return AnyRequest(recipe, [&](const Request& request) { return static_cast<int>(request.oddity) == oddity; });
  };
  const auto set = [](Recipe& recipe, int oddity) {
    ForRequests(recipe, [&](Request& request) { request.oddity = static_cast<Oddity>(oddity); });
  };
  Coordinate coordinate{
      "oddity",
      [](Recipe& recipe) { ForRequests(recipe, [](Request& request) { request.oddity = Oddity::kNone; }); },
      {}};
  // No kind of array is simpler than another one.
  for (int i = 1; i < static_cast<int>(kEnumerators<Oddity>); ++i) {
    const std::string name(kNames[static_cast<Oddity>(i)]);
    coordinate.values.push_back({"odd-" + name, std::string(kWords[static_cast<Oddity>(i)]), has, set, i, true});
  }
  return coordinate;
}

}  // namespace

std::vector<Coordinate> RequestCoordinates() {
  return {
      OddityCoordinate(),
      {"writable",
       [](Recipe& recipe) { ForRequests(recipe, [](Request& request) { request.read_only = 0; }); },
       {{"read-only-array", "a read-only array",
         [](const Recipe& recipe, int) {
           return AnyRequest(recipe, [](const Request& request) { return request.read_only != 0; });
         },
         [](Recipe& recipe, int) { ForRequests(recipe, [](Request& request) { request.read_only = 1; }); }}}},
      MakingCoordinate(),
      {"array-offset",
       [](Recipe& recipe) { ForRequests(recipe, [](Request& request) { request.offset = 0; }); },
       {{"array-offset", "an array that starts after the first element of its memory",
         [](const Recipe& recipe, int) {
           return AnyRequest(recipe, [](const Request& request) {
             return request.offset != 0 && request.strides_kind == StridesKind::kCompact && !StartsInsideByte(request);
           });
         },
         nullptr},
        {"inside-a-byte", "an array that starts inside a byte",
         [](const Recipe& recipe, int) { return AnyRequest(recipe, StartsInsideByte); },
         [](Recipe& recipe, int) {
           ForRequests(recipe, [](Request& request) {
             if (!IsSubByte(request.dtype)) request.dtype = {abi::kDLInt, 4, 1};
             request.making = Making::kView;
             request.offset = 1;
           });
         }}}},
  };
}

}  // namespace dlpack_cts
