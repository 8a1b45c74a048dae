// harness/attribute/properties_call.cc: properties of the arguments of a call.
#include <string>

#include "harness/attribute/property_rows.h"
#include "harness/recipe/names.h"

namespace dlpack_cts {
namespace {

/// A keyword, with one value for each kind of argument.
template <auto kArgument>
Property ArgumentProperty(const std::string& id) {
  Property property{id, Plain<Call>([](Call& call) { call.*kArgument = {}; }), {}};
  constexpr auto kHas =
      Some<Call>([](const Call& call, int kind) { return static_cast<int>((call.*kArgument).kind) == kind; });
  constexpr auto kSet = Each<Call>([](Call& call, int kind) {
    if ((call.*kArgument).kind == ArgumentKind::kAbsent) return;
    call.*kArgument = {static_cast<ArgumentKind>(kind), {}, 1, 0};
  });
  for (const ArgumentKind kind : kArguments.order()) {
    const Named& named = kArguments[kind];
    if (named.id.empty()) continue;
    property.values.push_back({id + "-" + std::string(named.id), id + " " + std::string(named.statement), kHas, kSet,
                               static_cast<int>(kind)});
  }
  return property;
}

/// Replaces the value for one kind of argument by several finer values. The first of them is the default.
void TellApart(Property& property, const std::string& kind, const std::vector<Trigger>& values) {
  std::erase_if(property.values, [&](const Trigger& value) { return value.id == property.id + "-" + kind; });
  property.values.insert(property.values.begin(), values.begin(), values.end());
}

template <auto kArgument>
void SetGiven(Recipe& recipe, Argument argument) {
  ForEach<Call>(recipe, [&](Call& call) {
    if ((call.*kArgument).kind != ArgumentKind::kAbsent) call.*kArgument = argument;
  });
}

/// dl_device, with one value for each kind of target, relative to the CPU.
Property DlDeviceProperty() {
  Property property = ArgumentProperty<&Call::dl_device>("dl_device");
  static constexpr abi::DLDevice kDevices[] = {{abi::kDLCPU, 0}, {abi::kDLCPU, 1}, {abi::kDLCUDA, 0}};
  constexpr auto kHas = Some<Call>([](const Call& call, int index) {
    const Argument& argument = call.dl_device;
    if (argument.kind != ArgumentKind::kPair) return false;
    return index == (argument.a != abi::kDLCPU ? 2 : argument.b != 0 ? 1 : 0);
  });
  const auto kSet = [](Recipe& recipe, int index) {
    SetGiven<&Call::dl_device>(recipe,
                               {ArgumentKind::kPair, {}, kDevices[index].device_type, kDevices[index].device_id});
  };
  TellApart(property, "pair",
            {{"dl_device-pair", "dl_device is (1, 0), the CPU", kHas, kSet, 0},
             {"dl_device-pair-id", "dl_device is the CPU with a device_id other than 0", kHas, kSet, 1},
             {"dl_device-pair-elsewhere", "dl_device is a device other than the CPU", kHas, kSet, 2}});
  return property;
}

/// stream, with one value for each meaning of an integer on a device with streams.
Property StreamProperty() {
  Property property = ArgumentProperty<&Call::stream>("stream");
  static constexpr int64_t kStreams[] = {1, 0, -1, -2, 4096};
  constexpr auto kHas = Some<Call>([](const Call& call, int index) {
    if (call.stream.kind != ArgumentKind::kInt) return false;
    const int64_t stream = call.stream.a;
    return index == (stream < -1 ? 3 : stream == -1 ? 2 : stream == 0 ? 1 : stream == 1 ? 0 : stream == 2 ? 5 : 4);
  });
  const auto kSet = [](Recipe& recipe, int index) {
    SetGiven<&Call::stream>(recipe, {ArgumentKind::kInt, {}, kStreams[index], 0});
  };
  TellApart(property, "int",
            {{"stream-int", "stream is 1", kHas, kSet, 0},
             {"stream-zero", "stream is 0", kHas, kSet, 1},
             {"stream-minus-one", "stream is -1", kHas, kSet, 2},
             {"stream-below", "stream is less than -1", kHas, kSet, 3},
             {"stream-handle", "stream is greater than 2, as a handle is", kHas, kSet, 4},
             {"stream-per-thread", "stream is 2", kHas, nullptr, 5}});
  return property;
}

/// max_version, with one value for each kind of requested version.
Property MaxVersionProperty() {
  Property property = ArgumentProperty<&Call::max_version>("max_version");
  struct Asked {
    int64_t major;
    int64_t minor;
    const char* id;
    const char* words;
  };
  static constexpr Asked kAsked[] = {
      {1, 3, "max_version-1.3", "max_version is (1, 3)"},
      {1, 0, "max_version-1.0", "max_version is (1, 0)"},
      {1, 1, "max_version-1.1", "max_version is (1, 1)"},
      {1, 2, "max_version-1.2", "max_version is (1, 2)"},
      {1, 99, "max_version-later-minor", "max_version has major version 1 and an undefined minor version"},
      {2, 0, "max_version-later-major", "max_version has a major version above 1"},
      {0, 8, "max_version-before-1", "max_version has a major version below 1"}};
  std::vector<Trigger> pairs;
  for (int i = 0; i < static_cast<int>(std::size(kAsked)); ++i) {
    pairs.push_back({kAsked[i].id, kAsked[i].words,
                     [](const RecipeInUse& used, int index) {
                       const Asked& asked = kAsked[index];
                       return Any<Call>(used, [&](const Call& call) {
                         const Argument& argument = call.max_version;
                         if (argument.kind != ArgumentKind::kPair) return false;
                         if (asked.major == 2) return argument.a > 1;
                         if (asked.major == 0) return argument.a < 1;
                         if (argument.a != 1) return false;
                         return asked.minor == 99 ? argument.b > 3 || argument.b < 0 : argument.b == asked.minor;
                       });
                     },
                     Each<Call>([](Call& call, int index) {
                       if (call.max_version.kind == ArgumentKind::kAbsent) return;
                       call.max_version = {ArgumentKind::kPair, {}, kAsked[index].major, kAsked[index].minor};
                     }),
                     i});
  }
  // A pair is a valid argument. The other kinds are malformed, except None.
  TellApart(property, "pair", pairs);
  return property;
}

std::vector<Property> CallProperties() {
  return {
      {"unknown-keyword",
       Plain<Call>([](Call& call) { call.unknown_keyword = 0; }),
       {{"unknown-keyword", "a call has an unknown keyword",
         Some<Call>([](const Call& call) { return call.unknown_keyword != 0; }),
         Each<Call>([](Call& call) { call.unknown_keyword = 1; })}}},
      {"fresh-names",
       Plain<Call>([](Call& call) { call.fresh_names = 0; }),
       {{"fresh-names", "the keyword names of a call are not interned",
         Some<Call>([](const Call& call) { return call.fresh_names != 0; }),
         Each<Call>([](Call& call) { call.fresh_names = 1; })}}},
      {"keyword-order",
       Plain<Call>([](Call& call) { call.order = 0; }),
       {{"keyword-order", "the keywords of a call are passed in another order",
         Some<Call>([](const Call& call) { return call.order != 0; }),
         Each<Call>([](Call& call) { call.order = kKeywordOrders - 1; })}}},
      StreamProperty(),
      DlDeviceProperty(),
      ArgumentProperty<&Call::copy>("copy"),
      MaxVersionProperty(),
  };
}

const RegisterProperties kCall(PropertyGroup::kCall, CallProperties);

}  // namespace

}  // namespace dlpack_cts
