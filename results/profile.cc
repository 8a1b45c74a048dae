// results/profile.cc: the profile of a library as a JSON array, and its strict reader.
#include "results/profile.h"

#include <utility>

#include "results/fields.h"

namespace dlpack_cts {

nlohmann::json ToJson(const ProfileLines& lines) {
  nlohmann::json list = nlohmann::json::array();
  for (const ProfileLine& line : lines) list.push_back({{"part", line.part}, {"id", line.id}, {"words", line.words}});
  return list;
}

bool FromJson(const nlohmann::json& json, ProfileLines* lines, std::string* error) {
  if (!json.is_array()) {
    if (error != nullptr) *error = "expected an array";
    return false;
  }
  ProfileLines read;
  for (const nlohmann::json& one : json) {
    ProfileLine& line = read.emplace_back();
    Fields fields(one);
    fields.Read("part", &line.part);
    fields.Read("id", &line.id);
    fields.Read("words", &line.words);
    if (!fields.Finish(error)) return false;
  }
  *lines = std::move(read);
  return true;
}

}  // namespace dlpack_cts
