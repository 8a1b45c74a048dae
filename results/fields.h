// results/fields.h: the fields of lines as tables: a row writes a field, reads it strictly, and describes it.
//
// A struct with a table has `static std::span<const LineField<Struct>> Fields()`. One that is a line of its own also
// has `kType`, the value of the field "type". The table of a struct with `kDefinition` is a definition of the schema.
#ifndef DLPACK_CTS_RESULTS_FIELDS_H_
#define DLPACK_CTS_RESULTS_FIELDS_H_

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/enum_words.h"
#include "base/failure.h"
#include "results/verdict.h"

namespace dlpack_cts {

/// One object while its fields are read.
class FieldReader {
 public:
  explicit FieldReader(const nlohmann::json& object);

  /// NULL if the object has no such field.
  const nlohmann::json* Find(std::string_view name);
  /// The field must hold exactly this word.
  void Expect(std::string_view name, std::string_view word);
  /// Throws for a field that was not looked for, so that a misspelt name does not silently give a default.
  void Finish() const;

 private:
  const nlohmann::json& object_;
  std::set<std::string_view> known_;
};

/// A field of one struct.
template <typename Line>
struct LineField {
  std::string_view name = {};  // its key
  std::string_view what = {};  // one sentence, for the schema
  bool optional = false;       // a line does not have it if it is empty
  bool is_newer = false;       // an older file may lack it
  bool in_files = true;        // false: only the worker's lines have it
  void (*write)(const LineField&, const Line&, nlohmann::json& object) = nullptr;
  void (*read)(const LineField&, FieldReader&, Line&) = nullptr;
  /// Adds to "properties" and "required" of an object's schema.
  void (*describe)(const LineField&, nlohmann::ordered_json& object) = nullptr;
};

template <typename Line>
concept Tabled = requires { Line::Fields(); };

template <typename T>
inline constexpr bool kIsList = false;
template <Tabled T>
inline constexpr bool kIsList<std::vector<T>> = true;

template <typename T>
inline constexpr bool kIsOptional = false;
template <Worded T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

/// The object's schema: every field of the table, and nothing else.
template <Tabled Line>
nlohmann::ordered_json ObjectSchema() {
  nlohmann::ordered_json object = {{"type", "object"}, {"additionalProperties", false}};
  object["required"] = nlohmann::ordered_json::array();
  object["properties"] = nlohmann::ordered_json::object();
  if constexpr (requires { Line::kType; }) {
    object["required"].push_back("type");
    object["properties"]["type"] = {{"const", Line::kType}};
  }
  for (const LineField<Line>& field : Line::Fields()) field.describe(field, object);
  return object;
}

template <Tabled Line>
void WriteFields(const Line& line, nlohmann::json& object) {
  for (const LineField<Line>& field : Line::Fields()) field.write(field, line, object);
}

template <Tabled Line>
void ReadFields(FieldReader& reader, Line& line) {
  for (const LineField<Line>& field : Line::Fields()) field.read(field, reader, line);
}

template <Tabled Line>
nlohmann::json ToJson(const Line& line) {
  nlohmann::json object = nlohmann::json::object();
  if constexpr (requires { Line::kType; }) object["type"] = Line::kType;
  WriteFields(line, object);
  return object;
}

/// Reads it strictly: a Failure names the field.
template <Tabled Line>
Line FromJson(const nlohmann::json& json) {
  FieldReader reader(json);
  Line line;
  if constexpr (requires { Line::kType; }) reader.Expect("type", Line::kType);
  ReadFields(reader, line);
  reader.Finish();
  return line;
}

// How values are read: they throw Failure.
void ReadValue(const nlohmann::json& json, std::string* text);
void ReadValue(const nlohmann::json& json, bool* flag);
void ReadValue(const nlohmann::json& json, double* number);  // never negative
void ReadValue(const nlohmann::json& json, uint64_t* number);
void ReadValue(const nlohmann::json& json, int64_t* number);  // never negative
void ReadValue(const nlohmann::json& json, int* number);      // never negative
void ReadValue(const nlohmann::json& json, std::vector<std::string>* texts);
void ReadValue(const nlohmann::json& json, std::vector<unsigned>* numbers);
void RequireObjects(const nlohmann::json& json);  // an array of them
/// Throws that the word is not one of those.
[[noreturn]] void NotAmong(std::string_view word, std::span<const std::string_view> words);

template <Worded Enum>
void ReadValue(const nlohmann::json& json, Enum* value) {
  std::string word;
  ReadValue(json, &word);
  const std::optional<Enum> read = FromText<Enum>(word);
  if (!read && std::is_same_v<Enum, Verdict>) throw Failure("\"" + word + "\" is not a verdict");
  if (!read) NotAmong(word, kWordsOf<Enum>.all());
  *value = *read;
}

/// "" means that there is no value.
template <Worded Enum>
void ReadValue(const nlohmann::json& json, std::optional<Enum>* value) {
  value->reset();
  const bool nothing = json.is_string() && json.get_ref<const std::string&>().empty();
  if (!nothing) ReadValue(json, &value->emplace());
}

template <Tabled Line>
void ReadValue(const nlohmann::json& json, Line* line) {
  *line = FromJson<Line>(json);
}

template <Tabled Line>
void ReadValue(const nlohmann::json& json, std::vector<Line>* lines) {
  RequireObjects(json);
  lines->clear();
  for (const nlohmann::json& one : json) {
    try {
      lines->push_back(FromJson<Line>(one));
    } catch (const Failure& failure) {
      throw Failure(std::string("an entry: ") + failure.what());
    }
  }
}

/// Whether a line may lack the value: false, or an empty text, list or object.
template <typename Value>
bool IsEmpty(const Value& value) {
  if constexpr (std::is_same_v<Value, bool>) {
    return !value;
  } else if constexpr (requires { value.empty(); }) {
    return value.empty();
  } else {
    return false;
  }
}

template <typename Value>
nlohmann::json WriteValue(const Value& value) {
  if constexpr (Worded<Value>) {
    return ToText(value);
  } else if constexpr (kIsList<Value>) {
    nlohmann::json list = nlohmann::json::array();
    for (const auto& one : value) list.push_back(ToJson(one));
    return list;
  } else if constexpr (Tabled<Value>) {
    return ToJson(value);
  } else {
    return value;
  }
}

template <Worded Enum>
nlohmann::json WriteValue(const std::optional<Enum>& value) {
  return value ? ToText(*value) : "";
}

template <typename List>
  requires kIsList<List>
List FromJson(const nlohmann::json& json) {
  List list;
  ReadValue(json, &list);
  return list;
}

template <Tabled Line>
nlohmann::json ToJson(const std::vector<Line>& lines) {
  return WriteValue(lines);
}

/// What the schema says of a type. An optional text or list is never empty, and an optional flag is true.
template <typename Value>
nlohmann::ordered_json SchemaOf(bool optional) {
  using Schema = nlohmann::ordered_json;
  const auto of_array = [](bool filled, const Schema& items) {
    Schema schema = {{"type", "array"}};
    if (filled) schema["minItems"] = 1;
    schema["items"] = items;
    return schema;
  };
  if constexpr (std::is_same_v<Value, bool>) {
    return optional ? Schema{{"const", true}} : Schema{{"type", "boolean"}};
  } else if constexpr (std::is_same_v<Value, double>) {
    return {{"type", "number"}, {"minimum", 0}};
  } else if constexpr (std::is_integral_v<Value>) {
    return {{"$ref", "#/definitions/count"}};
  } else if constexpr (std::is_same_v<Value, std::string>) {
    return optional ? Schema{{"type", "string"}, {"minLength", 1}} : Schema{{"type", "string"}};
  } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
    return optional ? of_array(true, {{"type", "string"}}) : Schema{{"$ref", "#/definitions/texts"}};
  } else if constexpr (std::is_same_v<Value, std::vector<unsigned>>) {
    return of_array(optional, {{"$ref", "#/definitions/count"}});
  } else if constexpr (std::is_same_v<Value, Verdict>) {
    return {{"$ref", "#/definitions/verdict"}};
  } else if constexpr (Worded<Value>) {
    return {{"enum", kWordsOf<Value>.all()}};
  } else if constexpr (kIsOptional<Value>) {
    Schema schema = SchemaOf<typename Value::value_type>(false);
    schema["enum"].insert(schema["enum"].begin(), "");
    return schema;
  } else if constexpr (requires { Value::kDefinition; }) {
    return {{"$ref", "#/definitions/" + std::string(Value::kDefinition)}};
  } else if constexpr (requires { Value::value_type::kDefinition; }) {
    return {{"$ref", "#/definitions/" + std::string(Value::value_type::kDefinition)}};
  } else if constexpr (kIsList<Value>) {
    return of_array(optional, ObjectSchema<typename Value::value_type>());
  } else {
    static_assert(Tabled<Value>);
    return ObjectSchema<Value>();
  }
}

// Kinds of fields: how a member is written and read, and what the schema says of it. Read() accepts nothing that the
// schema does not accept.

/// As its type says.
struct Plain {
  template <typename Value>
  static nlohmann::json Write(const Value& value) {
    return WriteValue(value);
  }
  template <typename Value>
  static void Read(const nlohmann::json& json, Value* value) {
    ReadValue(json, value);
  }
  template <typename Value>
  static nlohmann::ordered_json Schema(bool optional) {
    return SchemaOf<Value>(optional);
  }
};

/// Only some values of an enum.
template <auto... kValues>
struct Among : Plain {
  template <typename Enum>
  static void Read(const nlohmann::json& json, Enum* value) {
    Enum read{};
    constexpr std::string_view kNames[] = {ToText(kValues)...};
    std::string word;
    ReadValue(json, &word);
    if (std::find(std::begin(kNames), std::end(kNames), word) == std::end(kNames)) NotAmong(word, kNames);
    ReadValue(json, &read);
    *value = read;
  }
  template <typename Enum>
  static nlohmann::ordered_json Schema(bool) {
    return {{"enum", {ToText(kValues)...}}};
  }
};

/// One of these texts.
template <const auto& kTexts>
struct OneOf : Plain {
  static void Read(const nlohmann::json& json, std::string* text) {
    ReadValue(json, text);
    if (std::find(std::begin(kTexts), std::end(kTexts), *text) == std::end(kTexts)) NotAmong(*text, kTexts);
  }
  template <typename>
  static nlohmann::ordered_json Schema(bool) {
    return {{"enum", kTexts}};
  }
};

/// A text or a list that is not empty.
struct Filled : Plain {
  template <typename Value>
  static void Read(const nlohmann::json& json, Value* value) {
    ReadValue(json, value);
    if (value->empty()) throw Failure("is empty");
  }
  template <typename Value>
  static nlohmann::ordered_json Schema(bool) {
    return SchemaOf<Value>(true);
  }
};

/// A text that is null if it is empty.
struct TextOrNull {
  static nlohmann::json Write(const std::string& text) {
    return text.empty() ? nlohmann::json() : nlohmann::json(text);
  }
  static void Read(const nlohmann::json& json, std::string* text);
  template <typename>
  static nlohmann::ordered_json Schema(bool) {
    return {{"type", {"string", "null"}}};
  }
};

/// JSON of other programs or other files: any object, an object or null, or objects.
struct AnyObject {
  static nlohmann::json Write(const nlohmann::json& json) { return json; }
  static void Read(const nlohmann::json& json, nlohmann::json* object);
  template <typename>
  static nlohmann::ordered_json Schema(bool) {
    return {{"type", "object"}};
  }
};
struct ObjectOrNull : AnyObject {
  static void Read(const nlohmann::json& json, nlohmann::json* object);
  template <typename>
  static nlohmann::ordered_json Schema(bool) {
    return {{"type", {"object", "null"}}};
  }
};
struct Objects : AnyObject {
  static void Read(const nlohmann::json& json, nlohmann::json* objects) {
    RequireObjects(json);
    *objects = json;
  }
  template <typename>
  static nlohmann::ordered_json Schema(bool optional) {
    nlohmann::ordered_json schema = {{"type", "array"}};
    if (optional) schema["minItems"] = 1;
    schema["items"] = {{"type", "object"}};
    return schema;
  }
};

template <typename Member>
struct MemberType;
template <typename Line, typename Value>
struct MemberType<Value Line::*> {
  using Of = Line;
  using Is = Value;
};
template <auto kMember>
using LineOf = typename MemberType<std::remove_cv_t<decltype(kMember)>>::Of;
template <auto kMember>
using ValueOf = typename MemberType<std::remove_cv_t<decltype(kMember)>>::Is;

/// The row of a member that every line has.
template <auto kMember, typename Kind = Plain>
constexpr LineField<LineOf<kMember>> Always(std::string_view name, std::string_view what = "") {
  using Line = LineOf<kMember>;
  using Field = LineField<Line>;
  return {.name = name,
          .what = what,
          .write =
              [](const Field& field, const Line& line, nlohmann::json& object) {
                if (field.optional && IsEmpty(line.*kMember)) return;
                object[std::string(field.name)] = Kind::Write(line.*kMember);
              },
          .read =
              [](const Field& field, FieldReader& reader, Line& line) {
                const nlohmann::json* const value = reader.Find(field.name);
                if (value == nullptr && (field.optional || field.is_newer)) return;
                try {
                  if (value == nullptr) throw Failure("is missing");
                  Kind::Read(*value, &(line.*kMember));
                  if (field.optional && IsEmpty(line.*kMember)) throw Failure("must be absent if it is empty or false");
                } catch (const Failure& failure) {
                  throw Failure("field \"" + std::string(field.name) + "\": " + failure.what());
                }
              },
          .describe =
              [](const Field& field, nlohmann::ordered_json& object) {
                if (!field.in_files) return;
                if (!field.optional && !field.is_newer) object["required"].push_back(field.name);
                nlohmann::ordered_json schema = Kind::template Schema<ValueOf<kMember>>(field.optional);
                if (!field.what.empty()) schema["description"] = field.what;
                object["properties"][std::string(field.name)] = std::move(schema);
              }};
}

/// The row of a member that a line lacks if it is empty or false.
template <auto kMember, typename Kind = Plain>
constexpr LineField<LineOf<kMember>> IfAny(std::string_view name, std::string_view what = "") {
  LineField<LineOf<kMember>> field = Always<kMember, Kind>(name, what);
  field.optional = true;
  return field;
}

/// A field that files of an earlier program with the same schema do not have.
template <typename Line>
constexpr LineField<Line> Newer(LineField<Line> field) {
  field.is_newer = true;
  return field;
}

/// A field that only the worker's lines have.
template <typename Line>
constexpr LineField<Line> InWorkerOnly(LineField<Line> field) {
  field.in_files = false;
  return field;
}

/// All fields of a member that has a table, in the same object. Those that only the worker's lines have are left out.
template <auto kMember>
constexpr LineField<LineOf<kMember>> FieldsOfMember() {
  using Line = LineOf<kMember>;
  using Field = LineField<Line>;
  return {
      .write =
          [](const Field&, const Line& line, nlohmann::json& object) {
            for (const auto& field : ValueOf<kMember>::Fields()) {
              if (field.in_files) field.write(field, line.*kMember, object);
            }
          },
      .read =
          [](const Field&, FieldReader& reader, Line& line) {
            for (const auto& field : ValueOf<kMember>::Fields()) {
              if (field.in_files) field.read(field, reader, line.*kMember);
            }
          },
      .describe =
          [](const Field&, nlohmann::ordered_json& object) {
            for (const auto& field : ValueOf<kMember>::Fields()) field.describe(field, object);
          },
  };
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_FIELDS_H_
