// harness/reproducer/plain_script.cc: fills the templates of short scripts.
#include "harness/reproducer/plain.h"

#include <fmt/format.h>

#include <regex>
#include <string>
#include <string_view>

#include "base/text.h"
#include "harness/reproducer/literal.h"
#include "harness/reproducer/needs.h"
#include "harness/reproducer/plain_facts.h"
#include "harness/reproducer/plain_values.h"
#include "harness/reproducer/prelude.h"
#include "harness/reproducer/python.h"
#include "harness/reproducer/select.h"
#include "harness/reproducer/texts.h"
#include "harness/reproducer/watched.h"

namespace dlpack_cts {
namespace {

/// The code with every name replaced by its value, and with the bodies of functions without parameters at the left
/// edge.
std::string Filled(std::string_view code, const Values& values) {
  static const std::regex kName("(, )?\\b(OFFER|EXPORT|FINDING)\\.\\w+");
  std::string text;
  bool straight = false;  // inside such a function
  for (const std::string_view raw : Split(code, "\n")) {
    std::string line(raw);
    if (line.empty()) continue;
    if (!line.starts_with(' ')) straight = line.starts_with("def ") && line.ends_with("():");
    if (straight && line.starts_with("def ")) continue;
    if (straight) line.erase(0, 4);
    if (line.starts_with('#') && !text.ends_with("\n\n")) text += '\n';
    if (line == "#") continue;
    std::string filled;
    auto rest = line.cbegin();
    for (std::sregex_iterator match(line.begin(), line.end(), kName), end; match != end; ++match) {
      filled.append(rest, match->prefix().second);
      const std::string name = match->str();
      const auto whole = values.find(name);
      filled += whole != values.end() ? whole->second
                                      : name.substr(0, static_cast<size_t>(match->length(1))) +
                                            values.at(name.substr(static_cast<size_t>(match->length(1))));
      rest = match->suffix().first;
    }
    filled.append(rest, line.cend());
    text += filled + "\n";
  }
  return text;
}

/// The adapter with its modules and variables.
std::string AdapterPart(const ReproducerInput& input) {
  std::string text = Copies(input) + AdapterLiterals(input);
  if (!input.modules.empty()) {
    text +=
        "FOLDER = tempfile.mkdtemp()  # for the modules, which the adapter imports\n"
        "for name, source in MODULES.items():\n"
        "    os.makedirs(os.path.dirname(os.path.join(FOLDER, name)), exist_ok=True)\n"
        "    with open(os.path.join(FOLDER, name), \"wb\") as file:\n"
        "        file.write(source)\n"
        "sys.path.insert(0, FOLDER)\n";
  }
  for (const auto& [name, value] : input.environment) {
    const bool inside = value.find("{environment}") != std::string::npos;
    text += fmt::format("os.environ.setdefault({}, {}{})\n", python::Literal(name), python::Literal(value),
                        inside ? ".replace(\"{environment}\", sys.prefix)" : "");
  }
  return text;
}

/// keeps: the script keeps each capsule that __dlpack__ makes; own: the one that from_dlpack gets.
void KeepCapsules(Needs& needs) {
  if (needs.tags.erase("hands-out") != 0) needs.tags.insert("keeps");
  if (needs.tags.contains("step.import-capsule")) needs.tags.insert("own");
}

/// counts: the script counts the calls of the deleter, and keeps each capsule to see whether it was used. late: the
/// adapter can release what the library keeps.
void CountDeleterCalls(Needs& needs) {
  needs.tags.insert("counts");
  KeepCapsules(needs);
  if (needs.tags.contains("adapter.release")) needs.tags.insert("late");
  // Everything is dropped at the end.
  for (const char* step : {"step.drop-producer", "step.drop-array"}) needs.tags.erase(step);
}

/// table: the C exchange API is called; accepts, returns: its status then says how the call ended, else that no
/// exception was raised. by-capsule, by-table: a field of what was exported is read. only-asks, asks-first:
/// __dlpack_device__ is called. changes: the array is changed in place. may-ask-first, may-change: these may raise an
/// exception, of which the run does not know. may-take-type: it is unknown if the adapter's from_dlpack has the
/// parameter ndim.
void AddCalls(const ReproducerInput& input, const std::string& fact, Needs& needs) {
  const Op call = CallOf(input).op;
  const bool table = call == Op::kTableImport || call == Op::kTableExport;
  if (table) needs.tags.insert("table");
  if (EndingOf(fact) == "outcome") needs.tags.insert(table ? "returns" : "accepts");
  if (!python::Offers(input.recipe) && IsField(fact, input.recipe.request())) {
    needs.tags.insert(table ? "by-table" : "by-capsule");
  }
  if (needs.tags.contains("step.ask-device"))
    needs.tags.insert(call == Op::kAskDevice ? "only-asks" : input.refused ? "may-ask-first" : "asks-first");
  if (needs.tags.contains("step.change-metadata")) needs.tags.insert(input.refused ? "may-change" : "changes");
  const bool says = input.adapter.find("def from_dlpack(") != std::string::npos;
  if (IsDescribed(fact)) needs.tags.insert("describes");
  if (!table && !says && needs.tags.contains("adapter.ndim")) needs.tags.insert("adapter.may-take-type");
  if (needs.tags.contains("step.collect") && needs.tags.contains("adapter.release")) needs.tags.insert("late");
}

/// The imports and the code that is not the adapter's.
Selection CodeOf(const ReproducerInput& input) {
  Needs needs = NeedsOf(input);
  needs.code = python::Offers(input.recipe) ? "process, imports" : "process, exports";
  if (!input.modules.empty()) {
    needs.code += ", tempfile";
    needs.tags.erase("adapter.file");  // its file is with the modules
  }
  const std::string fact = PlainKey(needs.fact);
  const std::string ending = EndingOf(fact);
  if (!ending.empty()) needs.tags.insert({"ended", ending});
  if (!needs.tags.contains("step.import")) needs.tags.erase("step.drop-producer");  // nothing is dropped
  AddCalls(input, fact, needs);
  if (input.verdict == "TIMEOUT") needs.tags.insert("timeout");
  if (fact == kDeleterCallsFact) CountDeleterCalls(needs);
  if (fact == "import.name_after") KeepCapsules(needs);
  Selection selection = Select(kPlainTemplates, needs);
  selection.code = Filled(selection.code, ValuesOf(input, needs));
  return selection;
}

}  // namespace

std::string PlainCode(const ReproducerInput& input) { return CodeOf(input).code; }

std::string PlainScript(const ReproducerInput& input) {
  const Selection selection = CodeOf(input);
  std::string text = ShortHeader(input) + "import " + selection.imports + "\n";
  if (!CrashOf(input).empty()) text += "EXPECTED_END = " + EndsLiteral(input) + "\n";
  return text + "\n" + AdapterPart(input) + selection.code;
}

}  // namespace dlpack_cts
