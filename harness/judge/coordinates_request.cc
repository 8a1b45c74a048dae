// harness/judge/coordinates_request.cc: properties of an array that the library is asked to make.
#include <string>

#include "harness/judge/coordinate_list.h"
#include "harness/recipe/enum_words.h"
#include "harness/recipe/fields.h"
#include "harness/recipe/laws.h"
#include "harness/recipe/packing.h"

namespace dlpack_cts {
namespace {

bool StartsInsideByte(const Request& request) {
  return request.offset * PackedBits(request.dtype, false) % 8 != 0 && !IsEmpty(request);
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
  return {"making", plain, {{"view", "the array is a view", is_view, set_view}}};
}

Coordinate OddityCoordinate() {
  static constexpr EnumWords<Oddity> kWords = {
      "the array is ordinary",
      "the elements of the array are byte-swapped",
      "the elements of the array are long double",
      "the elements of the array are complex long double",
      "the elements of the array are objects",
      "a byte stride of the array is not a multiple of the item size",
      "the conjugate bit of the array is set",
      "the negative bit of the array is set",
      "the array is sparse",
      "requires_grad of the array is set",
      "the array is on the meta device",
      "the type of the array is a subclass of the library's array type",
      "an extent of the array is 1, and its byte stride is not a multiple of the item size",
      "the elements of the array are zeros without memory",
      "the elements of the array are dates",
      "the elements of the array are quantized integers",
      "the elements of the array are texts",
      "a scalar object of the library is exported instead of an array"};
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
  const std::span<const std::string_view> names = FindField(RequestFields(), "oddity")->words;
  // No kind of array is simpler than another one.
  for (int i = 1; i < static_cast<int>(kEnumerators<Oddity>); ++i) {
    const std::string name(names[static_cast<size_t>(i)]);
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
       {{"read-only-array", "the array is read-only",
         [](const Recipe& recipe, int) {
           return AnyRequest(recipe, [](const Request& request) { return request.read_only != 0; });
         },
         [](Recipe& recipe, int) { ForRequests(recipe, [](Request& request) { request.read_only = 1; }); }}}},
      MakingCoordinate(),
      {"array-offset",
       [](Recipe& recipe) { ForRequests(recipe, [](Request& request) { request.offset = 0; }); },
       {{"array-offset", "the array starts after the first element of its memory",
         [](const Recipe& recipe, int) {
           return AnyRequest(recipe, [](const Request& request) {
             return request.offset != 0 && request.strides_kind == StridesKind::kCompact && !StartsInsideByte(request);
           });
         },
         nullptr},
        {"inside-a-byte", "the array starts inside a byte",
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
