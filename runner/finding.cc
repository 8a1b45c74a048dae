// runner/finding.cc: writes what replay and other people need to see a failure again.
#include "runner/finding.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "results/tally.h"
#include "runner/command.h"
#include "runner/places.h"

namespace dlpack_cts::runner {
namespace fs = std::filesystem;
namespace {

bool WriteFile(const fs::path& path, const std::string& text, std::string* error) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (file.flush()) return true;
  *error = "the file " + path.string() + " cannot be written; free some space, or choose another folder with --out";
  return false;
}

nlohmann::json Finding(const Desk& desk, const Run& run, const Result& result, const Library& library) {
  nlohmann::json adapters = nlohmann::json::array();
  if (!library.folder.empty()) adapters.push_back(library.folder);
  const std::string rule = result.breached.empty() ? result.rules.front() : result.breached.front();
  const auto known = desk.rules.find(rule);
  const bool touched = std::any_of(result.seen.ledger.begin(), result.seen.ledger.end(),
                                   [](const nlohmann::json& event) { return event.value("seen", "") == "fault"; });
  return {{"finding", 1},
          {"library", library.name},
          {"library_version", result.library_version},
          {"adapters", adapters},
          {"python", run.header.environment},
          {"case", result.seen.case_id},
          {"rule", rule},
          {"requirement", known == desk.rules.end() ? "" : known->second.requirement},
          {"source", known == desk.rules.end() ? "" : known->second.source},
          {"verdict", ToText(result.verdict)},
          {"message", result.seen.message},
          {"fact", result.seen.fact},
          {"wanted", result.seen.wanted},
          {"got", result.seen.got},
          {"touched", touched},
          {"requirements", library.requirements},
          {"environment", library.environment},
          {"recipe", result.seen.recipe}};
}

}  // namespace

bool WriteFindings(const Desk& desk, Run& run, const Library& library, const std::string& out, std::string* error) {
  const fs::path folder = fs::path(out) / "findings";
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) {
    *error =
        "the folder " + folder.string() + " cannot be made (" + failed.message() + "); choose another one with --out";
    return false;
  }
  constexpr auto kReplace = nlohmann::json::error_handler_t::replace;
  for (Result& result : run.results) {
    if (!IsDeviation(result.verdict) || result.seen.recipe.is_null()) continue;
    std::string name = result.seen.case_id;
    std::replace(name.begin(), name.end(), '/', '.');
    const fs::path json = folder / (name + ".json");
    if (!WriteFile(json, Finding(desk, run, result, library).dump(1, ' ', true, kReplace) + "\n", error)) return false;
    if (library.kind != "python") continue;
    const Finished script = RunCommand({Sibling("dlpack-cts-worker"), "--reproducer", json});
    // What no script outside this program can observe is replayed instead: the reproducer stays null.
    if (script.status != 0 || script.output.empty()) continue;
    if (!WriteFile(folder / (name + ".py"), script.output, error)) return false;
    result.reproducer = "findings/" + name + ".py";
  }
  return true;
}

}  // namespace dlpack_cts::runner
