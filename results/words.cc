// results/words.cc: the readable form of an example as a JSON object, and its strict reader.
#include "results/words.h"

#include "results/fields.h"

namespace dlpack_cts {

nlohmann::json ToJson(const Words& words) {
  return {{"example", words.example}, {"meaning", words.meaning}, {"wanted", words.wanted}, {"got", words.got}};
}

bool FromJson(const nlohmann::json& json, Words* words, std::string* error) {
  Words read;
  Fields fields(json);
  fields.Read("example", &read.example);
  fields.Read("meaning", &read.meaning);
  fields.Read("wanted", &read.wanted);
  fields.Read("got", &read.got);
  if (!fields.Finish(error)) return false;
  *words = std::move(read);
  return true;
}

}  // namespace dlpack_cts
