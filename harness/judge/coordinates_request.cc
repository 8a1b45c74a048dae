// harness/judge/coordinates_request.cc: what is peculiar about an array that the library is asked to make.
#include <array>
#include <string>

#include "harness/judge/coordinate_list.h"
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
           {"reexported", "an array that was imported itself", IsReexported, nullptr}}};
}

Coordinate OddityCoordinate() {
  static constexpr std::array<std::string_view, 18> kNames = {"none",        "foreign-byte-order",
                                                              "long-double", "complex-long-double",
                                                              "object",      "unaligned-stride",
                                                              "conjugate",   "negated",
                                                              "sparse",      "requires-grad",
                                                              "meta",        "subclass",
                                                              "idle-stride", "zeros",
                                                              "date",        "quantized",
                                                              "text",        "scalar-object"};
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
  // None is plainer than another.
  for (int i = 1; i < static_cast<int>(kNames.size()); ++i) {
    const std::string name(kNames[static_cast<size_t>(i)]);
    coordinate.values.push_back({"odd-" + name, "an array of the kind " + name, has, set, i, true});
  }
  return coordinate;
}

}  // namespace

std::vector<Coordinate> RequestCoordinates() {
  return {
      OddityCoordinate(),
      {"writable",
       [](Recipe& recipe) { ForRequests(recipe, [](Request& request) { request.read_only = 0; }); },
       {{"read-only-array", "an array that is read-only",
         [](const Recipe& recipe, int) {
           return AnyRequest(recipe, [](const Request& request) { return request.read_only != 0; });
         },
         [](Recipe& recipe, int) { ForRequests(recipe, [](Request& request) { request.read_only = 1; }); }}}},
      MakingCoordinate(),
      {"array-offset",
       [](Recipe& recipe) { ForRequests(recipe, [](Request& request) { request.offset = 0; }); },
       {{"array-offset", "an array that begins behind its memory's first element",
         [](const Recipe& recipe, int) {
           return AnyRequest(recipe, [](const Request& request) {
             return request.offset != 0 && request.strides_kind == StridesKind::kCompact && !StartsInsideByte(request);
           });
         },
         nullptr},
        {"inside-a-byte", "an array that begins inside a byte",
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
