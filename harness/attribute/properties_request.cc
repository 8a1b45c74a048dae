// harness/attribute/properties_request.cc: properties of an array that the library is asked to make.
#include <string>

#include "harness/attribute/property_rows.h"
#include "harness/recipe/laws.h"
#include "harness/recipe/names.h"
#include "harness/recipe/packing.h"

namespace dlpack_cts {
namespace {

bool StartsInsideByte(const Request& request) {
  return request.offset * PackedBits(request.dtype, false) % 8 != 0 && !IsEmpty(request);
}

Property MakingProperty() {
  const auto plain = Plain<Request>([](Request& request) {
    request.making = Making::kFresh;
    request.strides_kind = StridesKind::kCompact;
    request.offset = 0;
  });
  // A layout with strides that are not multiples of the item size needs a view.
  constexpr auto kIsView = Some<Request>([](const Request& request) {
    return request.making == Making::kView || request.oddity == Oddity::kUnalignedStride;
  });
  constexpr auto kSetView = Each<Request>([](Request& request) { request.making = Making::kView; });
  return {
      "making",
      plain,
      {{std::string(kMakings[Making::kView].id), std::string(kMakings[Making::kView].statement), kIsView, kSetView}}};
}

Property OddityProperty() {
  constexpr auto kHas =
      Some<Request>([](const Request& request, int oddity) { return static_cast<int>(request.oddity) == oddity; });
  constexpr auto kSet =
      Each<Request>([](Request& request, int oddity) { request.oddity = static_cast<Oddity>(oddity); });
  Property property{"oddity", Plain<Request>([](Request& request) { request.oddity = Oddity::kNone; }), {}};
  AddValues(kOddities, kHas, kSet, property);
  // No kind of array is simpler than another.
  for (Trigger& value : property.values) value.wild = true;
  return property;
}

std::vector<Property> RequestProperties() {
  return {
      OddityProperty(),
      {"writable",
       Plain<Request>([](Request& request) { request.read_only = 0; }),
       {{"read-only-array", "the array is read-only",
         Some<Request>([](const Request& request) { return request.read_only != 0; }),
         Each<Request>([](Request& request) { request.read_only = 1; })}}},
      MakingProperty(),
      {"array-offset",
       Plain<Request>([](Request& request) { request.offset = 0; }),
       {{"array-offset", "the array starts after the first element of its memory",
         Some<Request>([](const Request& request) {
           return request.offset != 0 && request.strides_kind == StridesKind::kCompact && !StartsInsideByte(request);
         }),
         nullptr},
        {"inside-a-byte", "the array starts inside a byte",
         Some<Request>([](const Request& request) { return StartsInsideByte(request); }),
         Each<Request>([](Request& request) {
           if (!IsSubByte(request.dtype)) request.dtype = {abi::kDLInt, 4, 1};
           request.making = Making::kView;
           request.offset = 1;
         })}}},
  };
}

const RegisterProperties kRequest(PropertyGroup::kRequest, RequestProperties);

}  // namespace

}  // namespace dlpack_cts
