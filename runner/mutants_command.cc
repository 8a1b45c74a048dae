// runner/mutants_command.cc: `mutants`: runs the suites on every mutant and prints the kill matrix.
#include <algorithm>
#include <iostream>
#include <iterator>
#include <optional>

#include "reports/text.h"
#include "results/tally.h"
#include "runner/attribution.h"
#include "runner/failure.h"
#include "runner/glob.h"
#include "runner/matrix.h"
#include "runner/options.h"
#include "runner/places.h"

namespace dlpack_cts::runner {
namespace {

struct Row {
  const MutantInfo* mutant;
  std::vector<std::string> killed_by = {};
  std::vector<std::string> own = {};       // those of killed_by that test one of the mutant's rules
  std::vector<std::string> deviates = {};  // the differences that the sweep saw
  std::vector<Cause> causes = {};          // worst first
  std::vector<std::string> blocked = {};   // cases that failed for a cause that violates other rules
  bool named = false;                      // a cause names one of the mutant's rules, or a rule that restates it
  Seen sayings = {};                       // of the cases that killed it; for a conforming variant, of all cases
  double seconds = 0;
  bool hidden = false;  // on the shape, every case of the mutant's rules is SKIP or BLOCKED
  bool right = false;   // killed by a case of its own rules, or hidden; for a conforming variant: not killed
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

nlohmann::json ToJson(const std::vector<Row>& rows) {
  nlohmann::json list = nlohmann::json::array();
  for (const Row& row : rows) {
    list.push_back({{"mutant", row.mutant->name},
                    {"kind", row.mutant->kind},
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
    // For a conforming variant the verdicts show how much was tested.
    if (row.mutant->Conforms()) list.back()["verdicts"] = VerdictsOf(row.sayings);
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

constexpr size_t kKindWidth = 11;

void PrintMatrix(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    std::cout << (row.right ? "ok    " : "WRONG ") << row.mutant->kind
              << std::string(kKindWidth - row.mutant->kind.size(), ' ') << row.mutant->name << ": ";
    if (row.mutant->Conforms()) {
      for (const std::string& message : row.deviates) std::cout << message << "; ";
      std::cout << (row.right ? "passes every case" : "does not pass");
      for (const std::string& id : row.killed_by) std::cout << " " << id;
    } else if (row.hidden && row.own.empty()) {
      std::cout << "hidden: no case of its rules was judged (not selected, SKIP or BLOCKED)";
    } else {
      std::cout << "killed by " << Plural(static_cast<int64_t>(row.killed_by.size()), "case") << ", "
                << (row.own.empty() ? "but by no case of its own rules" : row.own.front());
    }
    std::cout << "\n";
  }
}

/// Prints what every killing case and the sweep reported. Used if the mutant was named on the command line.
void PrintSayings(const Row& row) {
  for (const std::string& message : row.deviates) std::cout << "         sweep: " << OneLine(message) << "\n";
  for (const Cause& cause : row.causes) {
    std::cout << "         cause " << cause.id << ": " << cause.rule << ", "
              << Plural(static_cast<int64_t>(cause.cases.size()), "case") << '\n';
  }
  for (const std::string& id : row.killed_by) {
    const Saying& saying = row.sayings.at(id);
    std::cout << "         " << ToText(saying.verdict) << " " << id << ": " << OneLine(saying.message) << "\n";
  }
}

/// For a name such as "A+B": a mutant with two defects.
std::optional<MutantInfo> PairOf(const Desk& desk, const std::string& name) {
  const size_t plus = name.find('+');
  if (plus == std::string::npos) return std::nullopt;
  MutantInfo pair{.name = name, .kind = "mutant", .rules = {}, .what = {}};
  for (const std::string& one : {name.substr(0, plus), name.substr(plus + 1)}) {
    const auto found = std::find_if(desk.mutants.begin(), desk.mutants.end(),
                                    [&](const MutantInfo& mutant) { return mutant.name == one && !mutant.Conforms(); });
    if (found == desk.mutants.end()) {
      throw Failure("there is no mutant " + one, "dlpack-cts list mutants shows all");
    }
    pair.rules.insert(pair.rules.end(), found->rules.begin(), found->rules.end());
  }
  return pair;
}

/// Conforming variants are left out on a shape: two of them together need not conform.
std::vector<MutantInfo> SelectMutants(const Desk& desk, const std::vector<std::string>& globs, bool on_shape) {
  std::vector<MutantInfo> selected;
  std::vector<std::string> names;
  for (const MutantInfo& mutant : desk.mutants) {
    if (on_shape && mutant.Conforms()) continue;
    names.push_back(mutant.name);
    const auto matches = [&](const std::string& glob) { return Matches(glob, mutant.name); };
    if (globs.empty() || std::any_of(globs.begin(), globs.end(), matches)) selected.push_back(mutant);
  }
  for (const std::string& glob : globs) {
    if (std::optional<MutantInfo> pair = PairOf(desk, glob)) {
      selected.push_back(*std::move(pair));
      continue;
    }
    if (std::any_of(names.begin(), names.end(), [&](const std::string& name) { return Matches(glob, name); })) continue;
    const std::string near = Nearest(glob, names);
    throw Failure("no mutant matches " + glob, near.empty() ? "dlpack-cts list mutants shows all" : near);
  }
  return selected;
}

void CheckShape(const Desk& desk, const std::string& shape) {
  std::vector<std::string> names;
  for (const MutantInfo& variant : desk.mutants) {
    if (variant.kind == "conforming") names.push_back(variant.name);
  }
  if (shape.empty() || std::find(names.begin(), names.end(), shape) != names.end()) return;
  const std::string near = Nearest(shape, names);
  throw Failure("there is no conforming variant " + shape, near.empty() ? "dlpack-cts list mutants shows all" : near);
}

/// The row of one mutant: the cases that report something else than for the reference.
Row MakeRow(const Desk& desk, const MutantInfo& mutant, const Seen& usual, const Seen& seen) {
  Row row{.mutant = &mutant};
  for (const auto& [id, saying] : seen) {
    row.seconds += saying.seconds;
    row.deviates.insert(row.deviates.end(), saying.deviates.begin(), saying.deviates.end());
    if (!saying.deviates.empty()) continue;
    const auto own = usual.find(id);
    const bool same =
        own != usual.end() && own->second.verdict == saying.verdict && own->second.message == saying.message;
    // A case that is SKIP or BLOCKED does not kill a mutant. A case of another rule has few examples in common with the
    // mutant, so its PASS may be chance.
    const bool judged = !same && saying.verdict != Verdict::kSkip && saying.verdict != Verdict::kBlocked;
    const bool told = judged && (saying.verdict != Verdict::kPass || IsOwn(desk, mutant, id));
    // A conforming variant may refuse or note more than the reference: only a deviation counts.
    if (mutant.Conforms() ? IsDeviation(saying.verdict) : told) row.killed_by.push_back(id);
  }
  for (const std::string& id : row.killed_by) {
    if (IsOwn(desk, mutant, id)) row.own.push_back(id);
  }
  const auto wanted = [&](const std::string& id) {
    return mutant.Conforms() || std::count(row.killed_by.begin(), row.killed_by.end(), id) != 0;
  };
  std::copy_if(seen.begin(), seen.end(), std::inserter(row.sayings, row.sayings.end()),
               [&](const auto& one) { return wanted(one.first); });
  row.hidden = std::none_of(usual.begin(), usual.end(), [&](const auto& one) {
    return IsOwn(desk, mutant, one.first) && one.second.verdict != Verdict::kSkip &&
           one.second.verdict != Verdict::kBlocked;
  });
  return row;
}

/// Adds the causes of the mutant, and the cases that failed but are blocked by a cause.
void FindCauses(const Desk& desk, const Told& told, Row& row) {
  row.causes = told.causes;
  row.named = std::any_of(row.causes.begin(), row.causes.end(), [&](const Cause& cause) {
    const std::vector<std::string>& rules = row.mutant->rules;
    return std::any_of(rules.begin(), rules.end(),
                       [&](const std::string& rule) { return SaysTheSame(desk.rules, rule, cause.rule); });
  });
  for (const Result& result : told.results) {
    const std::string& id = result.seen.case_id;
    if (result.verdict == Verdict::kBlocked && !result.cause.empty()) row.blocked.push_back(id);
    // A difference that only the comparison of all facts shows kills as well.
    if (!IsDeviation(result.verdict) || std::count(row.killed_by.begin(), row.killed_by.end(), id) != 0) continue;
    row.killed_by.push_back(id);
    row.sayings.emplace(id, told.seen.at(id));
    if (IsOwn(desk, *row.mutant, id)) row.own.push_back(id);
  }
  if (row.mutant->kind == "inconstant") {
    const auto swept = std::any_of(desk.cases.begin(), desk.cases.end(), [&](const CaseInfo& info) {
      const auto saying = told.seen.find(info.id);
      return info.whole && saying != told.seen.end() && saying->second.verdict != Verdict::kSkip;
    });
    row.right = row.killed_by.empty() && (!swept || !row.deviates.empty());
  } else if (row.mutant->Conforms()) {
    row.right = row.killed_by.empty() && row.deviates.empty();
  } else {
    row.right = row.hidden || !row.own.empty();
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
    // On a shape only the cases of the mutants' rules run, without pairs.
    const auto own = [&](const MutantInfo& mutant) { return IsOwn(desk, mutant, info.id); };
    const bool wanted = shape.empty() || (!info.pair && std::any_of(mutants.begin(), mutants.end(), own));
    if (wanted) asked.push_back(info);
  }
  std::vector<std::string> cases = SelectCases(asked, options.run.select, {});
  const auto paired = std::stable_partition(cases.begin(), cases.end(), [&](const std::string& id) {
    return std::none_of(asked.begin(), asked.end(), [&](const CaseInfo& info) { return info.pair && info.id == id; });
  });
  const std::vector<std::string> pair_cases(paired, cases.end());
  cases.erase(paired, cases.end());
  nlohmann::json job = MakeJob(reference, environment, cases, options.run);
  job["sweep"] = options.mutants_sweep;
  job["case_seconds"] = 2;  // some mutants hang deliberately
  job["verdicts_only"] = true;
  if (!shape.empty()) job["shape"] = shape;
  std::vector<Row> rows(mutants.size());
  const Seen usual =
      RunMatrix(desk, mutants, {reference, job, pair_cases}, [&](size_t i, const Told& told, const Seen& usual) {
        rows[i] = MakeRow(desk, mutants[i], usual, told.first);
        FindCauses(desk, told, rows[i]);
      });
  bool wrong = std::any_of(rows.begin(), rows.end(), [](const Row& row) { return !row.right; });
  for (const auto& [id, saying] : usual) {
    if (!IsDeviation(saying.verdict)) continue;
    std::cerr << "WRONG " << (shape.empty() ? "the reference" : shape) << " does not pass " << id << ": "
              << ToText(saying.verdict) << " " << OneLine(saying.message) << "\n";
    wrong = true;
  }
  if (options.json) {
    std::cout << ToJson(rows).dump(1) << "\n";
  } else if (!options.mutants.empty()) {
    for (const Row& row : rows) {
      PrintMatrix({row});
      PrintSayings(row);
    }
  } else {
    PrintMatrix(rows);
    const auto wrongs = std::count_if(rows.begin(), rows.end(), [](const Row& row) { return !row.right; });
    std::cout << rows.size() << " mutants and conforming variants, " << cases.size() + pair_cases.size() << " cases; "
              << wrongs << " wrong (a mutant that survives, or a conforming variant that fails)\n";
  }
  return wrong ? kUnexpected : kAsExpected;
}

}  // namespace dlpack_cts::runner
