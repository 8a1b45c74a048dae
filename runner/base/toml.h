// runner/base/toml.h: strict reading of TOML files: every error names file, line and field.
#ifndef DLPACK_CTS_RUNNER_BASE_TOML_H_
#define DLPACK_CTS_RUNNER_BASE_TOML_H_

// The parser reports every malformed file. But in a build without NDEBUG one of its assertions would abort first.
#define TOML_ASSERT(expr) static_assert(true)
#include <toml++/toml.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace dlpack_cts::runner {

/// Parses the file; throws Failure.
toml::table ParseToml(const std::string& path);

/// One table of a file, read field by field.
class TomlTable {
 public:
  TomlTable(const toml::table& table, std::string file) : table_(table), file_(std::move(file)) {}

  /// Throws for a field that is not in the list: a misspelt field must not get its default without a message.
  void AllowOnly(std::initializer_list<std::string_view> fields) const;
  bool Has(std::string_view field) const { return table_.contains(field); }
  std::string Text(std::string_view field) const;  // throws if the field is missing
  std::string TextOr(std::string_view field, std::string otherwise) const;
  bool BoolOr(std::string_view field, bool otherwise) const;
  int64_t IntegerOr(std::string_view field, int64_t otherwise) const;
  std::vector<std::string> TextsOr(std::string_view field, std::vector<std::string> otherwise) const;

  /// Throws a Failure that names file, line and field.
  [[noreturn]] void Wrong(std::string_view field, const std::string& what,
                          const std::string& hint = "fix that line of the file") const;

 private:
  std::string Passed(std::string_view field, const std::string& text) const;

  const toml::table& table_;
  std::string file_;
};

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_BASE_TOML_H_
