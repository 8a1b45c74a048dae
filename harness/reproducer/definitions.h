// harness/reproducer/definitions.h: the prelude as a list of definitions.
#ifndef DLPACK_CTS_HARNESS_REPRODUCER_DEFINITIONS_H_
#define DLPACK_CTS_HARNESS_REPRODUCER_DEFINITIONS_H_

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace dlpack_cts {

/// One statement at the left edge, or one method.
struct Definition {
  std::vector<std::string> names;  // names that it defines; an import defines its module
  std::string owner;               // the class of a method
  bool is_import = false;
  bool is_class = false;  // the head of a class: its first line, and its docstring
  std::vector<std::string> lines;
};

/// The definitions in the order of the text. If a class is written in several places, all its methods follow its first
/// head. Comments at the left edge, and before methods, are left out.
std::vector<Definition> Definitions(std::string_view text);

/// The names in a piece of Python, except those in strings and comments, and attributes of `library`.
struct Names {
  std::set<std::string> plain;
  std::set<std::string> attributes;  // after a dot
};
void AddNames(std::string_view line, Names& names);

size_t IndentOf(std::string_view line);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_REPRODUCER_DEFINITIONS_H_
