// harness/reproducer/select.h: selects the parts of the prelude that one script needs.
#ifndef DLPACK_CTS_HARNESS_REPRODUCER_SELECT_H_
#define DLPACK_CTS_HARNESS_REPRODUCER_SELECT_H_

#include <set>
#include <string>
#include <string_view>

namespace dlpack_cts {

/// What a script needs.
struct Needs {
  std::set<std::string>
      tags;          // "offer.placement.null" and so on; a tag also stands for all tags that begin with it and a dot
  std::string fact;  // facts that end with these words are recorded; all facts if `every_fact`
  bool every_fact = false;
  std::string code;  // Python that names the needed functions and steps of the prelude
};

struct Selection {
  std::string imports;  // names of modules, separated by ", "
  std::string code;
};

/// The definitions that `code` names, and those that these name, in the order of the prelude. A definition is a
/// statement at the left edge or a method; a class that is written in several places counts once. Left out of a
/// definition are
///  - lines with `#? TAG...` if none of the tags is needed, or with `#? !TAG` if it is needed, each with the block that
///    it opens;
///  - statements that record another fact than the watched one (`facts[... "NAME"] = ...`, `count(... "NAME")`);
///  - assignments to attributes and local names that nothing reads, unless they call the library;
///  - conditions and loops that have no body any more.
/// `if True:` is removed, and its block moves to the left.
Selection Select(std::string_view prelude, const Needs& needs);

/// Whether the code has the name after a dot.
bool NamesAttribute(std::string_view code, std::string_view name);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_REPRODUCER_SELECT_H_
