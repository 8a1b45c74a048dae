// results/reading.cc: observed choices as JSON objects, their strict reader, and their text.
#include "results/reading.h"

#include <utility>

#include "results/fields.h"

namespace dlpack_cts {

nlohmann::json ToJson(const Readings& readings) {
  nlohmann::json shown = nlohmann::json::array();
  for (const Readings::Reading& one : readings.shown) shown.push_back({{"words", one.words}, {"count", one.count}});
  return {{"type", "reading"},
          {"id", readings.id},
          {"rule", readings.rule},
          {"question", readings.question},
          {"shown", shown}};
}

bool FromJson(const nlohmann::json& json, Readings* readings, std::string* error) {
  Readings read;
  nlohmann::json shown;
  Fields fields(json);
  fields.Expect("type", "reading");
  fields.Read("id", &read.id);
  fields.Read("rule", &read.rule);
  fields.Read("question", &read.question);
  fields.ReadArray("shown", &shown);
  if (!fields.Finish(error)) return false;
  for (const nlohmann::json& one : shown) {
    Readings::Reading& reading = read.shown.emplace_back();
    Fields parts(one);
    parts.Read("words", &reading.words);
    parts.Read("count", &reading.count);
    if (!parts.Finish(error)) return false;
  }
  *readings = std::move(read);
  return true;
}

std::string TextOf(const Readings& readings) {
  if (readings.shown.size() == 1) return readings.shown.front().words;
  std::string text;
  for (const Readings::Reading& one : readings.shown) {
    text += (text.empty() ? "" : ", ") + one.words + " (" + std::to_string(one.count) + ")";
  }
  return text;
}

}  // namespace dlpack_cts
