// runner/mutants_command.cc: `mutants`: runs the suites on every mutant and prints the kill matrix.
#include <algorithm>
#include <future>
#include <iostream>
#include <map>
#include <thread>

#include "reports/text.h"
#include "results/tally.h"
#include "runner/attribution.h"
#include "runner/causes.h"
#include "runner/failure.h"
#include "runner/glob.h"
#include "runner/judge.h"
#include "runner/options.h"
#include "runner/places.h"
#include "runner/progress.h"

namespace dlpack_cts::runner {
namespace {

/// What a case said of a mutant. The mutant is killed by the cases that say something else than of the reference, or of
/// the shape that it is applied to.
struct Saying {
  Verdict verdict;
  std::string message;
  double seconds;
  std::vector<std::string> deviates = {};  // of a case that judges whole ledgers: how from the reference
};
using Seen = std::map<std::string, Saying>;

struct Row {
  const MutantInfo* mutant;
  std::vector<std::string> killed_by = {};
  std::vector<std::string> own = {};       // those of killed_by that name one of the mutant's rules
  std::vector<std::string> deviates = {};  // what the judge of whole ledgers saw; no case's rule speaks for that
  std::vector<Cause> causes = {};          // worst first
  std::vector<std::string> blocked = {};   // cases that failed for a cause that breaks none of their rules
  bool named = false;                      // a cause names one of the mutant's rules, or one that says the same
  double seconds = 0;
  bool hidden = false;  // the shape shows nothing in any case of the mutant's rules
  bool right = false;   // caught by a case of a rule that it names, unless it is hidden; where it conforms, by none
};

nlohmann::json VerdictsOf(const Seen& seen) {
  nlohmann::json verdicts = nlohmann::json::object();
  for (const auto& [id, saying] : seen)
    verdicts[id] = {{"verdict", ToText(saying.verdict)}, {"message", saying.message}};
  return verdicts;
}

nlohmann::json ToJson(const std::vector<Cause>& causes) {
  nlohmann::json list = nlohmann::json::array();
  for (const Cause& cause : causes) {
    list.push_back(dlpack_cts::ToJson(cause));
    list.back().erase("type");
    for (const char* of_a_library : {"as_expected", "expectation", "replay"}) list.back().erase(of_a_library);
  }
  return list;
}

nlohmann::json ToJson(const std::vector<Row>& rows, const std::map<std::string, Seen>& seen) {
  nlohmann::json list = nlohmann::json::array();
  for (const Row& row : rows) {
    list.push_back({{"mutant", row.mutant->name},
                    {"kind", row.mutant->conforming ? "conforming" : "mutant"},
                    {"rules", row.mutant->rules},
                    {"killed", !row.killed_by.empty()},
                    {"killed_by", row.killed_by},
                    {"caught", !row.own.empty()},
                    {"hidden", row.hidden},
                    {"deviates", row.deviates},
                    {"causes", ToJson(row.causes)},
                    {"named", row.named},
                    {"blocked", row.blocked},
                    {"seconds", row.seconds}});
    // Of what conforms, a reader may ask how much the cases showed.
    if (row.mutant->conforming) list.back()["verdicts"] = VerdictsOf(seen.at(row.mutant->name));
  }
  return list;
}

/// A case that names one of the mutant's rules.
bool IsOwn(const Desk& desk, const MutantInfo& mutant, const std::string& id) {
  const auto info = std::find_if(desk.cases.begin(), desk.cases.end(), [&](const auto& c) { return c.id == id; });
  return std::any_of(info->rules.begin(), info->rules.end(), [&](const std::string& rule) {
    return std::find(mutant.rules.begin(), mutant.rules.end(), rule) != mutant.rules.end();
  });
}

void PrintMatrix(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    const bool conforming = row.mutant->conforming;
    std::cout << (row.right ? "ok    " : "WRONG ") << (conforming ? "conforming " : "mutant     ") << row.mutant->name
              << ": ";
    if (conforming) {
      for (const std::string& message : row.deviates) std::cout << message << "; ";
      std::cout << (row.right ? "passes every case" : "does not pass");
      for (const std::string& id : row.killed_by) std::cout << " " << id;
    } else if (row.hidden && row.own.empty()) {
      std::cout << "hidden: the shape shows nothing in any case of its rules";
    } else {
      std::cout << "killed by " << row.killed_by.size() << " cases, "
                << (row.own.empty() ? "none of a rule that it names" : row.own.front());
    }
    std::cout << "\n";
  }
}

/// What every killing case said, and what the sweep saw, for a reader who asked for this mutant by name.
void PrintSayings(const Row& row, const Seen& seen) {
  for (const std::string& message : row.deviates) std::cout << "         sweep: " << OneLine(message) << "\n";
  for (const Cause& cause : row.causes) {
    std::cout << "         cause " << cause.id << ": " << cause.rule << ", " << cause.cases.size() << " cases\n";
  }
  for (const std::string& id : row.killed_by) {
    const Saying& saying = seen.at(id);
    std::cout << "         " << ToText(saying.verdict) << " " << id << ": " << OneLine(saying.message) << "\n";
  }
}

/// Several workers share the mutants; each begins with the reference itself, whose name is empty.
struct Matrix {
  std::map<std::string, Seen> seen;                      // by mutant
  std::map<std::string, std::vector<Finding>> findings;  // by mutant
};

Matrix RunMutants(const Desk& desk, const std::vector<MutantInfo>& mutants, const Library& reference,
                  const nlohmann::json& job) {
  // One more than there are cores: a mutant that hangs leaves its core idle.
  const size_t workers = std::clamp<size_t>(std::thread::hardware_concurrency() + 1, 1, mutants.size());
  Progress progress(job.at("cases").size() * (mutants.size() + workers));
  std::vector<std::future<Matrix>> parts;
  for (size_t worker = 0; worker < workers; ++worker) {
    std::vector<std::string> names = {""};
    for (size_t i = worker; i < mutants.size(); i += workers) names.push_back(mutants[i].name);
    nlohmann::json share = job;
    share["mutants"] = names;
    parts.push_back(std::async(std::launch::async, [&desk, &reference, &progress, share] {
      Matrix matrix;
      Outcome outcome;
      const auto see = [&](const Observation& observation) {
        progress.Begin(observation.mutant.empty() ? reference.name : observation.mutant, observation.case_id);
        progress.Done(1);
        const Result result = MakeResult(desk, reference, observation);
        Saying& saying = matrix.seen[observation.mutant][observation.case_id];
        saying = {result.verdict, result.seen.message, observation.seconds};
        for (const nlohmann::json& deviation : observation.deviations) {
          saying.deviates.push_back(deviation.value("message", "") + ": wanted " + deviation.value("wanted", "") +
                                    ", got " + deviation.value("got", ""));
        }
      };
      const auto find = [&](const Finding& finding) { matrix.findings[finding.mutant].push_back(finding); };
      RunJob(share, reference, {see, find}, &outcome);
      if (outcome.interrupted) throw Failure("interrupted", "the matrix needs the whole run", kInterrupted);
      return matrix;
    }));
  }
  Matrix all;
  for (auto& part : parts) {
    Matrix matrix = part.get();
    all.seen.merge(matrix.seen);
    all.findings.merge(matrix.findings);
  }
  return all;
}

/// On a shape no other variants are asked for: two that conform need not conform together.
std::vector<MutantInfo> SelectMutants(const Desk& desk, const std::vector<std::string>& globs, bool on_shape) {
  std::vector<MutantInfo> selected;
  std::vector<std::string> names;
  for (const MutantInfo& mutant : desk.mutants) {
    if (on_shape && mutant.conforming) continue;
    names.push_back(mutant.name);
    const auto matches = [&](const std::string& glob) { return Matches(glob, mutant.name); };
    if (globs.empty() || std::any_of(globs.begin(), globs.end(), matches)) selected.push_back(mutant);
  }
  for (const std::string& glob : globs) {
    if (std::any_of(names.begin(), names.end(), [&](const std::string& name) { return Matches(glob, name); })) continue;
    const std::string near = Nearest(glob, names);
    throw Failure("no mutant matches " + glob, near.empty() ? "`dlpack-cts list mutants` names them" : near);
  }
  return selected;
}

void CheckShape(const Desk& desk, const std::string& shape) {
  std::vector<std::string> names;
  for (const MutantInfo& variant : desk.mutants) {
    if (variant.conforming) names.push_back(variant.name);
  }
  if (shape.empty() || std::find(names.begin(), names.end(), shape) != names.end()) return;
  const std::string near = Nearest(shape, names);
  throw Failure("no conforming variant is called " + shape,
                near.empty() ? "`dlpack-cts list mutants` names them" : near);
}

/// The row of one mutant: which cases tell it from the reference.
Row MakeRow(const Desk& desk, const MutantInfo& mutant, const Seen& usual, const Seen& seen) {
  Row row{.mutant = &mutant};
  for (const auto& [id, saying] : seen) {
    row.seconds += saying.seconds;
    row.deviates.insert(row.deviates.end(), saying.deviates.begin(), saying.deviates.end());
    if (!saying.deviates.empty()) continue;
    const auto own = usual.find(id);
    const bool same =
        own != usual.end() && own->second.verdict == saying.verdict && own->second.message == saying.message;
    // A case that could not judge a mutant does not catch it, for whatever reason. One of another rule sees few
    // examples of it, and may pass for having missed what it says of the reference.
    const bool judged = !same && saying.verdict != Verdict::kSkip && saying.verdict != Verdict::kBlocked;
    const bool told = judged && (saying.verdict != Verdict::kPass || IsOwn(desk, mutant, id));
    // A conforming variant may refuse or note what the reference does not: only a deviation accuses it.
    if (mutant.conforming ? IsDeviation(saying.verdict) : told) row.killed_by.push_back(id);
  }
  for (const std::string& id : row.killed_by) {
    if (IsOwn(desk, mutant, id)) row.own.push_back(id);
  }
  row.hidden = std::none_of(usual.begin(), usual.end(), [&](const auto& one) {
    return IsOwn(desk, mutant, one.first) && one.second.verdict != Verdict::kSkip &&
           one.second.verdict != Verdict::kBlocked;
  });
  row.right = mutant.conforming ? row.killed_by.empty() && row.deviates.empty() : row.hidden || !row.own.empty();
  return row;
}

void FindCauses(const Desk& desk, const std::vector<Finding>& findings, const Seen& seen, Row& row) {
  row.causes = CausesOf(desk.cases, desk.rules, true, findings);
  row.named = std::any_of(row.causes.begin(), row.causes.end(), [&](const Cause& cause) {
    const std::vector<std::string>& rules = row.mutant->rules;
    return std::any_of(rules.begin(), rules.end(),
                       [&](const std::string& rule) { return SaysTheSame(desk.rules, rule, cause.rule); });
  });
  std::vector<Result> results;
  for (const CaseInfo& info : desk.cases) {
    const auto saying = seen.find(info.id);
    if (saying == seen.end()) continue;
    Result& result = results.emplace_back();
    result.seen.case_id = info.id;
    result.verdict = saying->second.verdict;
    result.rules = info.rules;
  }
  std::vector<Cause> causes = row.causes;
  Attribute(desk.cases, causes, results);
  for (const Result& result : results) {
    if (result.verdict == Verdict::kBlocked && seen.at(result.seen.case_id).verdict != Verdict::kBlocked) {
      row.blocked.push_back(result.seen.case_id);
    }
  }
}

}  // namespace

int MutantsCommand(const Options& options) {
  const Desk desk = OpenDesk();
  const std::string& shape = options.shape;
  CheckShape(desk, shape);
  const std::vector<MutantInfo> mutants = SelectMutants(desk, options.mutants, !shape.empty());
  const Library reference = SelectLibrary(FindLibraries(DataFolder(), {}), "reference");
  const Environment environment = EnvironmentOf(reference, options.run);
  std::vector<CaseInfo> asked;
  for (const CaseInfo& info : desk.cases) {
    // On a shape it is asked alone whether the cases of a mutant's rules see it.
    const auto own = [&](const MutantInfo& mutant) { return IsOwn(desk, mutant, info.id); };
    const bool wanted = shape.empty() || std::any_of(mutants.begin(), mutants.end(), own);
    if (!info.pair && wanted) asked.push_back(info);
  }
  const std::vector<std::string> cases = SelectCases(asked, options.run.select, {});
  nlohmann::json job = MakeJob(reference, environment, cases, options.run);
  job["sweep"] = options.mutants_sweep;
  job["case_seconds"] = 2;  // a mutant that hangs is meant to
  job["verdicts_only"] = true;
  if (!shape.empty()) job["shape"] = shape;
  Matrix matrix = RunMutants(desk, mutants, reference, job);
  std::map<std::string, Seen>& seen = matrix.seen;
  bool wrong = false;
  for (const auto& [id, saying] : seen[""]) {
    if (!IsDeviation(saying.verdict)) continue;
    std::cerr << "WRONG " << (shape.empty() ? "the reference" : shape) << " does not pass " << id << ": "
              << ToText(saying.verdict) << " " << OneLine(saying.message) << "\n";
    wrong = true;
  }
  std::vector<Row> rows;
  for (const MutantInfo& mutant : mutants) {
    rows.push_back(MakeRow(desk, mutant, seen[""], seen[mutant.name]));
    FindCauses(desk, matrix.findings[mutant.name], seen[mutant.name], rows.back());
    wrong = wrong || !rows.back().right;
  }
  if (options.json) {
    std::cout << ToJson(rows, seen).dump(1) << "\n";
  } else if (!options.mutants.empty()) {
    for (const Row& row : rows) {
      PrintMatrix({row});
      PrintSayings(row, seen[row.mutant->name]);
    }
  } else {
    PrintMatrix(rows);
    const auto wrongs = std::count_if(rows.begin(), rows.end(), [](const Row& row) { return !row.right; });
    std::cout << rows.size() << " mutants and conforming variants over " << cases.size() << " cases; " << wrongs
              << " survive or are accused wrongly\n";
  }
  return wrong ? kUnexpected : kAsExpected;
}

}  // namespace dlpack_cts::runner
