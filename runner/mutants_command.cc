// runner/mutants_command.cc: `mutants`: runs the suites on every mutant and prints the kill matrix.
#include <algorithm>
#include <future>
#include <iostream>
#include <map>
#include <thread>

#include "results/tally.h"
#include "runner/failure.h"
#include "runner/judge.h"
#include "runner/options.h"
#include "runner/places.h"

namespace dlpack_cts {
namespace {

/// Verdict and message of a case: a mutant is killed by the cases where they differ from the reference's.
using Seen = std::map<std::string, std::pair<Verdict, std::string>>;

struct Row {
  const MutantInfo* mutant;
  std::vector<std::string> killed_by = {};
  bool right = false;  // caught by a case of a rule that it names; where it conforms, by none
};

nlohmann::json ToJson(const std::vector<Row>& rows) {
  nlohmann::json list = nlohmann::json::array();
  for (const Row& row : rows) {
    list.push_back({{"mutant", row.mutant->name},
                    {"kind", row.mutant->conforming ? "conforming" : "mutant"},
                    {"rules", row.mutant->rules},
                    {"killed", !row.killed_by.empty()},
                    {"killed_by", row.killed_by}});
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

void PrintMatrix(const Desk& desk, const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    const bool conforming = row.mutant->conforming;
    std::vector<std::string> own;
    for (const std::string& id : row.killed_by) {
      if (IsOwn(desk, *row.mutant, id)) own.push_back(id);
    }
    std::cout << (row.right ? "ok    " : "WRONG ") << (conforming ? "conforming " : "mutant     ") << row.mutant->name
              << ": ";
    if (conforming) {
      std::cout << (row.right ? "passes every case" : "does not pass");
      for (const std::string& id : row.killed_by) std::cout << " " << id;
    } else {
      std::cout << "killed by " << row.killed_by.size() << " cases";
      if (!own.empty()) std::cout << ", " << own.front();
      if (own.empty()) std::cout << ", none of a rule that it names";
    }
    std::cout << "\n";
  }
}

/// Several workers share the mutants; each begins with the reference itself, whose name is empty.
std::map<std::string, Seen> RunMutants(const Desk& desk, const Library& reference, const nlohmann::json& job) {
  const size_t workers = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::future<std::map<std::string, Seen>>> parts;
  for (size_t worker = 0; worker < workers; ++worker) {
    parts.push_back(
        std::async(std::launch::async, [&desk, &reference, own = nlohmann::json(job), worker, workers]() mutable {
          std::vector<std::string> names = {""};
          for (size_t i = worker; i < desk.mutants.size(); i += workers) names.push_back(desk.mutants[i].name);
          own["mutants"] = names;
          std::map<std::string, Seen> seen;
          RunJob(own, reference, [&](const Observation& observation) {
            const Result result = MakeResult(desk, reference, observation);
            seen[observation.mutant][observation.case_id] = {result.verdict, result.message};
          });
          return seen;
        }));
  }
  std::map<std::string, Seen> all;
  for (auto& part : parts) all.merge(part.get());
  return all;
}

}  // namespace

int MutantsCommand(const Options& options) {
  const Desk desk = OpenDesk();
  const Library reference = SelectLibrary(FindLibraries(DataFolder(), {}), "reference");
  const Environment environment = EnvironmentOf(reference, options.run);
  std::vector<std::string> cases;
  for (const CaseInfo& info : desk.cases) {
    if (!info.pair) cases.push_back(info.id);
  }
  nlohmann::json job = MakeJob(reference, environment, cases, options.run);
  job["case_seconds"] = 2;  // a mutant that hangs is meant to
  job["shrink_runs"] = 0;
  std::map<std::string, Seen> seen = RunMutants(desk, reference, job);
  const Seen& own = seen[""];
  bool wrong = false;
  for (const auto& [id, verdict] : own) {
    if (!IsDeviation(verdict.first)) continue;
    std::cerr << "WRONG the reference does not pass " << id << ": " << ToText(verdict.first) << " " << verdict.second
              << "\n";
    wrong = true;
  }
  std::vector<Row> rows;
  for (const MutantInfo& mutant : desk.mutants) {
    Row row{.mutant = &mutant};
    for (const auto& [id, verdict] : seen[mutant.name]) {
      // A conforming variant may refuse or note what the reference does not: only a deviation accuses it.
      const auto usual = own.find(id);
      const bool differs =
          mutant.conforming ? IsDeviation(verdict.first) : usual == own.end() || usual->second != verdict;
      if (differs) row.killed_by.push_back(id);
    }
    const bool caught = std::any_of(row.killed_by.begin(), row.killed_by.end(),
                                    [&](const std::string& id) { return IsOwn(desk, mutant, id); });
    row.right = mutant.conforming ? row.killed_by.empty() : caught;
    wrong = wrong || !row.right;
    rows.push_back(std::move(row));
  }
  if (options.json) {
    std::cout << ToJson(rows).dump(1) << "\n";
  } else {
    PrintMatrix(desk, rows);
    const auto wrongs = std::count_if(rows.begin(), rows.end(), [](const Row& row) { return !row.right; });
    std::cout << rows.size() << " mutants and conforming variants over " << cases.size() << " cases; " << wrongs
              << " survive or are accused wrongly\n";
  }
  return wrong ? kUnexpected : kAsExpected;
}

}  // namespace dlpack_cts
