// runner/run/unjudged.cc: adds up the shares of all cases.
#include "runner/run/unjudged.h"

#include <map>

namespace dlpack_cts::runner {

std::vector<UnjudgedValue> UnjudgedValues(const nlohmann::json& values, const std::vector<Result>& results) {
  struct Sum {
    int64_t drawn = 0;
    int64_t conclusive = 0;
  };
  std::map<std::string, Sum> sums;
  for (const Result& result : results) {
    for (const ValueShare& share : result.seen.shares) {
      sums[share.value].drawn += share.drawn;
      sums[share.value].conclusive += share.conclusive;
    }
  }
  std::vector<UnjudgedValue> unjudged;
  for (const nlohmann::json& value : values) {
    const std::string id = value.at("value");
    const Sum& sum = sums[id];
    if (sum.conclusive == 0) unjudged.push_back({id, value.at("words"), sum.drawn});
  }
  return unjudged;
}

nlohmann::json ToJson(const std::vector<UnjudgedValue>& values) {
  nlohmann::json list = nlohmann::json::array();
  for (const UnjudgedValue& one : values) {
    list.push_back({{"value", one.value}, {"words", one.words}, {"drawn", one.drawn}});
  }
  return list;
}

}  // namespace dlpack_cts::runner
