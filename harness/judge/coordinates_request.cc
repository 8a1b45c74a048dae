// harness/judge/coordinates_request.cc: properties of an array that the library is asked to make.
#include <string>

#include "harness/judge/coordinate_rows.h"
#include "harness/recipe/laws.h"
#include "harness/recipe/names.h"
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
  return {
      "making",
      plain,
      {{std::string(kMakings[Making::kView].id), std::string(kMakings[Making::kView].statement), is_view, set_view}}};
}

Coordinate OddityCoordinate() {
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
  AddValues(kOddities, has, set, coordinate);
  // No kind of array is simpler than another one.
  for (Peculiarity& value : coordinate.values) value.wild = true;
  return coordinate;
}

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

const RegisterCoordinates kRequest(CoordinateGroup::kRequest, RequestCoordinates);

}  // namespace

}  // namespace dlpack_cts
