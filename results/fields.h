// results/fields.h: reads the fields of one JSON object strictly, and says which one is wrong.
#ifndef DLPACK_CTS_RESULTS_FIELDS_H_
#define DLPACK_CTS_RESULTS_FIELDS_H_

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_words.h"
#include "results/profile.h"
#include "results/verdict.h"
#include "results/words.h"

namespace dlpack_cts {

/// Every Read names one field. The first error is kept, and later calls do nothing. Finish() also refuses fields that
/// were not read, so that a misspelt name does not silently give a default.
class Fields {
 public:
  explicit Fields(const nlohmann::json& json);

  void Read(const char* name, std::string* text);
  void Read(const char* name, bool* flag);
  void Read(const char* name, double* number);
  void Read(const char* name, uint64_t* number);
  void Read(const char* name, int64_t* number);  // never negative
  void Read(const char* name, std::vector<std::string>* texts);
  /// One of the words of the enum. The words of values that are not in `among` are refused, unless it is empty.
  template <Worded Enum>
  void Read(const char* name, Enum* value, std::initializer_list<Enum> among = {});
  /// As Read(), but an empty text means that there is no value.
  template <Worded Enum>
  void ReadOrEmpty(const char* name, std::optional<Enum>* value) {
    const auto found = json_.find(name);
    Enum read{};
    if (found == json_.end() || *found != "") return Read(name, &read), void(*value = read);
    Find(name);
    value->reset();
  }
  void ReadArray(const char* name, nlohmann::json* array);
  void ReadOptionalArray(const char* name, nlohmann::json* array);
  void ReadOptionalNumbers(const char* name, nlohmann::json* numbers);  // whole and never negative
  void ReadObject(const char* name, nlohmann::json* object);
  void ReadObjectOrNull(const char* name, nlohmann::json* object);
  void ReadTextOrNull(const char* name, std::string* text);
  /// Does nothing if the field is absent.
  void ReadOptional(const char* name, std::string* text);
  void ReadOptional(const char* name, std::vector<std::string>* texts);
  void ReadOptional(const char* name, Words* words);
  void ReadOptional(const char* name, ProfileLines* lines);
  /// The field must hold exactly this word.
  void Expect(const char* name, std::string_view word);

  void Wrong(const char* name, const std::string& what);
  bool Finish(std::string* error);

 private:
  const nlohmann::json* Find(const char* name);
  void NotAmong(const char* name, const std::string& read, const std::vector<std::string_view>& words);

  const nlohmann::json& json_;
  std::set<std::string, std::less<>> seen_;
  std::string error_;
};

template <Worded Enum>
void Fields::Read(const char* name, Enum* value, std::initializer_list<Enum> among) {
  std::string word;
  Read(name, &word);
  if (!error_.empty()) return;
  const std::optional<Enum> read = FromText<Enum>(word);
  const bool fits = read && (among.size() == 0 || std::find(among.begin(), among.end(), *read) != among.end());
  if (fits) {
    *value = *read;
    return;
  }
  if (std::is_same_v<Enum, Verdict>) return Wrong(name, "\"" + word + "\" is not a verdict");
  std::vector<std::string_view> words;
  for (const Enum one : among) words.push_back(ToText(one));
  if (words.empty()) words.assign(kWordsOf<Enum>.all().begin(), kWordsOf<Enum>.all().end());
  NotAmong(name, word, words);
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_FIELDS_H_
