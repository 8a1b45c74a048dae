// harness/reproducer/select.h: takes from the prelude what one script needs.
#ifndef DLPACK_CTS_HARNESS_REPRODUCER_SELECT_H_
#define DLPACK_CTS_HARNESS_REPRODUCER_SELECT_H_

#include <set>
#include <string>
#include <string_view>

namespace dlpack_cts {

/// What a script is about.
struct Needs {
  std::set<std::string> tags;  // "offer.placement.null" and so on; a tag stands for all that begin with it and a dot
  std::string fact;            // the facts that are noted end with these words; all when `every_fact`
  bool every_fact = false;
  std::string code;  // Python that names functions and steps of the prelude, or of what it names
};

struct Selection {
  std::string imports;  // names of modules, separated by ", "
  std::string code;
};

/// The definitions that `code` names, and those that these name, in the order of the prelude. A definition is a
/// statement at the left edge or a method; a class that stands in several places is one. Of a definition are left out
///  - lines with `#? TAG...` if none of the tags is needed, or `#? !TAG` if it is needed, with the block they open;
///  - statements that record another fact than the watched one (`facts[... "NAME"] = ...`, `count(... "NAME")`);
///  - assignments to attributes and local names that nothing reads, unless they call the library;
///  - conditions and loops that are left without a body.
/// `if True:` is taken away from around its block.
Selection Select(std::string_view prelude, const Needs& needs);

/// True if the code has it after a dot.
bool NamesAttribute(std::string_view code, std::string_view name);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_REPRODUCER_SELECT_H_
