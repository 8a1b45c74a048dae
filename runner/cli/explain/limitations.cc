// runner/cli/explain/limitations.cc: explains the ids of limitations, such as limit/import-object/dtype=bool.
#include <algorithm>
#include <iostream>
#include <iterator>

#include "runner/base/glob.h"
#include "runner/cli/explain/print.h"
#include "runner/cli/explain/topics.h"

namespace dlpack_cts::runner {
namespace {

constexpr std::string_view kPrefix = "limit/";

struct EntryPoint {
  std::string_view id;
  std::string_view words;
};
constexpr EntryPoint kEntryPoints[] = {
    {"import-object", "from_dlpack of an object with __dlpack__"},
    {"import-capsule", "from_dlpack of a bare capsule"},
    {"make", "an array that the library does not make"},
    {"export", "__dlpack__ of an array that was made"},
    {"pair", "an array that one library exports and the other one refuses"},
    {"examples", "an import of which every example of a passing case was refused"},
    {"table-import", "a function of the C exchange API"},
    {"table-export", "a function of the C exchange API"},
    {"table-view", "a function of the C exchange API"},
    {"table-allocate", "a function of the C exchange API"},
};

}  // namespace

bool PrintLimitation(const Catalogue& catalogue, const std::string& id) {
  const std::string rest = id.substr(std::min(id.size(), kPrefix.size()));
  const auto entry = std::ranges::find(kEntryPoints, std::string_view(rest).substr(0, rest.find('/')), &EntryPoint::id);
  if (!id.starts_with(kPrefix) || entry == std::end(kEntryPoints) || rest.find('/') == std::string::npos) return false;
  std::cout << id << "\n";
  PrintText("", "a limitation: something that the library does not support (docs/results.md#limitations)");
  PrintText("entry point: ", std::string(entry->words));
  PrintText("what is not supported: ", rest.substr(rest.find('/') + 1));
  bool asked = false;
  for (const auto& [rule_id, rule] : catalogue.rules) {
    // "copied export/layout=*" is about one kind of the limitations of export.
    const bool names = std::any_of(rule.limits.begin(), rule.limits.end(), [&](const std::string& pattern) {
      return Matches(pattern.substr(pattern.rfind(' ') + 1), rest);
    });
    if (names) PrintText(asked ? "or: " : "violated rule: ", rule_id + ": " + rule.requirement);
    asked = asked || names;
  }
  if (!asked) PrintText("", "No rule asks for it, so it is a NOTE.");
  return true;
}

}  // namespace dlpack_cts::runner
