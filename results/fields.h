// results/fields.h: reads the fields of one JSON object strictly, and says which one is wrong.
#ifndef DLPACK_CTS_RESULTS_FIELDS_H_
#define DLPACK_CTS_RESULTS_FIELDS_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

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
  void Read(const char* name, Verdict* verdict);
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
  /// The field must hold one of the words.
  void ReadWord(const char* name, const std::vector<std::string_view>& words, std::string* text);
  /// The field must hold exactly this word.
  void Expect(const char* name, std::string_view word);

  void Wrong(const char* name, const std::string& what);
  bool Finish(std::string* error);

 private:
  const nlohmann::json* Find(const char* name);

  const nlohmann::json& json_;
  std::set<std::string, std::less<>> seen_;
  std::string error_;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_FIELDS_H_
