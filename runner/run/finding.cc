// runner/run/finding.cc: writes the files that reproduce a failure.
#include "runner/run/finding.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/failure.h"
#include "base/paths.h"
#include "results/parse.h"
#include "results/tally.h"
#include "runner/base/command.h"
#include "runner/base/places.h"
#include "runner/catalogue/sources.h"
#include "runner/run/finding_files.h"

namespace dlpack_cts::runner {
namespace fs = std::filesystem;
namespace {

/// What a replay needs in addition to the recipe.
nlohmann::json Surroundings(const Run& run, const Assignment& assignment) {
  const Library& library = assignment.library;
  nlohmann::json pythonpath = nlohmann::json::array();
  for (const std::string& folder : assignment.options.run.pythonpath) pythonpath.push_back(Absolute(folder));
  nlohmann::json adapters = nlohmann::json::array();
  if (!library.folder.empty()) adapters.push_back(library.folder);
  nlohmann::json surroundings = {
      {"finding", 1},         {"library", library.name},          {"library_version", run.header.library_version},
      {"adapters", adapters}, {"python", run.header.environment}, {"pythonpath", pythonpath}};
  const std::string& expectations = assignment.options.expectations;
  if (!expectations.empty()) surroundings["expectations"] = Absolute(expectations);
  if (!assignment.job.mutants.empty()) surroundings["mutant"] = assignment.job.mutants.front();
  return surroundings;
}

std::string Text(const nlohmann::json& event, const char* field) {
  const auto text = event.find(field);
  return text != event.end() && text->is_string() ? text->get<std::string>() : "";
}

/// The first event of the timeline whose field contains the text, or NULL.
const nlohmann::json* Seen(const nlohmann::json& ledger, const char* field, const char* what) {
  for (const nlohmann::json& event : ledger) {
    if (Text(event, field).find(what) != std::string::npos) return &event;
  }
  return nullptr;
}

nlohmann::json Finding(const Catalogue& catalogue, const Run& run, const Result& result, const Assignment& assignment) {
  const Library& library = assignment.library;
  const std::string rule = result.breached.empty() ? result.rules.front() : result.breached.front();
  const auto known = catalogue.rules.find(rule);
  const nlohmann::json& ledger = result.seen.ledger;
  const nlohmann::json* const fault = Seen(ledger, "seen", "fault");
  nlohmann::json finding = Surroundings(run, assignment);
  finding.update(
      {{"case", result.seen.case_id},
       {"rule", rule},
       {"requirement", known == catalogue.rules.end() ? "" : known->second.requirement},
       {"source", known == catalogue.rules.end() ? "" : SourceText(catalogue.source_keys, known->second.source)},
       {"verdict", ToText(result.verdict)},
       {"message", result.seen.message},
       {"fact", result.seen.fact},
       {"wanted", result.seen.wanted},
       {"got", result.seen.got},
       {"ended", result.seen.ended},
       {"touched", fault != nullptr || (ledger.empty() && result.verdict == Verdict::kUnsafe)},
       {"touched_in", fault == nullptr ? "" : Text(*fault, "op")},
       {"refused", ledger.empty() || Seen(ledger, "seen", "refused") != nullptr},
       {"by_destructor", ledger.empty() || Seen(ledger, "text", "by the capsule's destructor") != nullptr},
       {"requirements", library.requirements},
       {"environment", library.environment},
       {"recipe", result.seen.recipe},
       {"needed", result.seen.needed}});
  return finding;
}

/// Whether the fact, "import0.call2.copy", matches the pattern, "importS.callC.copy".
bool IsOf(std::string_view pattern, std::string_view fact) {
  size_t at = 0;
  for (const char c : pattern) {
    const size_t end = std::min(fact.find_first_not_of("0123456789", at), fact.size());
    if (std::isupper(static_cast<unsigned char>(c)) != 0 && end > at) {
      at = end;
    } else if (at < fact.size() && fact[at] == c) {
      ++at;
    } else {
      return false;
    }
  }
  return at == fact.size() && !fact.empty();
}

bool NeedsOthers(const Cause& cause) { return cause.id.starts_with(kEarlierExchanges) || cause.at_times; }

nlohmann::json ExampleOf(const Catalogue& catalogue, const Run& run, const Cause& cause, const Assignment& assignment) {
  nlohmann::json finding = Surroundings(run, assignment);
  finding.update({{"cause", cause.id},
                  {"case", CaseFor(catalogue, run, cause)},
                  {"rule", cause.rule},
                  {"verdict", ToText(cause.verdict)},
                  {"message", cause.message},
                  {"fact", cause.fact},
                  {"wanted", cause.wanted},
                  {"got", cause.got},
                  {"recipe", cause.recipe}});
  if (!cause.earlier.empty()) finding["earlier"] = cause.earlier;
  return finding;
}

void WriteCauses(const Catalogue& catalogue, Run& run, const Assignment& assignment, const fs::path& folder) {
  PrepareFindings(folder);
  std::vector<std::string> taken;
  for (Cause& cause : run.causes) {
    // No case judges a limitation of the probes. Without the earlier exchanges, or the other library, the example would
    // not show the cause.
    if ((NeedsOthers(cause) && cause.earlier.empty()) || assignment.IsPair() || cause.limitation) continue;
    taken.push_back(UnusedName(NameOfCause(cause.id), taken));
    const fs::path file = folder / (taken.back() + ".json");
    WriteFindingJson(file, ExampleOf(catalogue, run, cause, assignment));
    cause.replay = ReplayOfFile(file, assignment.options);
  }
}

/// The scripts that reproduce the findings in these files; "" for one that a script cannot observe, and that can only
/// be replayed. Empty if the worker could not write them.
std::vector<std::string> ScriptsOf(const std::vector<fs::path>& files) {
  if (files.empty()) return {};
  std::vector<std::string> question = {"--reproducers"};
  for (const fs::path& file : files) question.push_back(file);
  const std::string output = AskWorker(std::move(question)).output;
  const auto scripts = IfValid([&] { return ParseJson(output); }).value_or(nlohmann::json());
  return IfValid([&] {
           if (scripts.size() != files.size()) throw Failure("there are too few scripts");
           return scripts.get<std::vector<std::string>>();
         })
      .value_or(std::vector<std::string>());
}

/// Writes the scripts of results whose findings are in the folder.
void WriteScripts(const std::vector<Result*>& results, const fs::path& folder) {
  std::vector<fs::path> files;
  for (const Result* result : results) files.push_back(folder / (NameOfCase(result->seen.case_id) + ".json"));
  const std::vector<std::string> scripts = ScriptsOf(files);
  for (size_t i = 0; i < scripts.size(); ++i) {
    if (scripts[i].empty()) continue;
    const std::string name = NameOfCase(results[i]->seen.case_id) + ".py";
    WriteFindingFile(folder / name, scripts[i]);
    results[i]->reproducer = "findings/" + name;
  }
}

}  // namespace

std::string CaseFor(const Catalogue& catalogue, const Run& run, const Cause& cause) {
  const bool graded =
      cause.verdict == Verdict::kFail || cause.verdict == Verdict::kWarn || cause.verdict == Verdict::kNote;
  const bool judged = std::any_of(run.results.begin(), run.results.end(), [&](const Result& result) {
    return result.seen.case_id == cause.case_id && IsOf(cause.fact, result.seen.fact);
  });
  if (!graded || judged || !cause.message.empty()) return cause.case_id;
  const CaseInfo* const own = catalogue.Find(cause.case_id);
  if (own == nullptr || own->whole) return cause.case_id;
  const bool import = own->role == Role::kExchange ? cause.id.starts_with("import/") : own->role == Role::kConsumer;
  const auto whole = std::find_if(catalogue.cases.begin(), catalogue.cases.end(), [&](const CaseInfo& info) {
    return info.whole && info.pair == own->pair && (own->pair || (info.role == Role::kConsumer) == import);
  });
  return whole == catalogue.cases.end() ? cause.case_id : whole->id;
}

bool WriteCause(const Catalogue& catalogue, const Run& run, const Assignment& assignment, const Cause& cause,
                const std::string& folder) {
  const fs::path file = fs::path(folder) / "finding.json";
  const auto shown = std::find_if(run.results.begin(), run.results.end(), [](const Result& result) {
    return IsDeviation(result.verdict) && !result.seen.recipe.is_null();
  });
  if (shown == run.results.end() || NeedsOthers(cause)) {
    WriteFindingJson(file, ExampleOf(catalogue, run, cause, assignment));
    return false;
  }
  nlohmann::json finding = Finding(catalogue, run, *shown, assignment);
  finding["cause"] = cause.id;
  WriteFindingJson(file, finding);
  if (assignment.library.kind != "python" || assignment.IsPair()) return false;
  const std::vector<std::string> scripts = ScriptsOf({file});
  if (scripts.empty() || scripts.front().empty()) return false;
  WriteFindingFile(fs::path(folder) / "reproduce.py", scripts.front());
  return true;
}

void WriteFindings(const Catalogue& catalogue, Run& run, const Assignment& assignment, const std::string& out) {
  const fs::path folder = fs::path(out) / "findings";
  PrepareFindings(folder);
  // A script runs only the recipe, so it cannot show a failure that needs earlier exchanges.
  const auto needs_others = [&](const Result& result) {
    return std::any_of(run.causes.begin(), run.causes.end(),
                       [&](const Cause& cause) { return cause.id == result.cause && NeedsOthers(cause); });
  };
  std::vector<Result*> shown;
  for (Result& result : run.results) {
    if (!IsDeviation(result.verdict) || result.seen.recipe.is_null()) continue;
    const fs::path json = folder / (NameOfCase(result.seen.case_id) + ".json");
    WriteFindingJson(json, Finding(catalogue, run, result, assignment));
    if (assignment.library.kind == "python" && !assignment.IsPair() && !needs_others(result)) shown.push_back(&result);
  }
  WriteScripts(shown, folder);
  WriteCauses(catalogue, run, assignment, fs::path(out) / "causes");
}

}  // namespace dlpack_cts::runner
