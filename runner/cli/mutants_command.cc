// runner/cli/mutants_command.cc: `mutants`: runs the suites on every mutant and prints the kill matrix.
#include <algorithm>
#include <iostream>
#include <map>
#include <optional>

#include "base/failure.h"
#include "reports/text.h"
#include "results/tally.h"
#include "runner/base/glob.h"
#include "runner/base/places.h"
#include "runner/run/assignment.h"
#include "runner/run/matrix.h"
#include "runner/run/options.h"
#include "runner/run/unjudged.h"
#include "runner/verdict/limits.h"

namespace dlpack_cts::runner {
namespace {

/// The first violation that a case reported.
struct Answer {
  Verdict verdict;
  std::string message;
  std::string fact = {};  // the key of the fact that decided
};

struct Row {
  const MutantInfo* mutant;
  std::vector<std::string> killed_by = {};
  std::vector<std::string> own = {};           // the cases of killed_by that test one of the mutant's rules
  std::vector<std::string> deviates = {};      // the differences that the sweep found
  std::vector<Cause> causes = {};              // worst first
  std::vector<std::string> limits = {};        // ids of the limitations that violate no rule
  std::vector<std::string> blocked = {};       // cases that failed because of a cause that violates other rules
  bool named = false;                          // a cause names one of the mutant's rules, or a rule that restates it
  std::map<std::string, Answer> answers = {};  // of the cases that killed it; for a conforming variant, of all cases
  double seconds = 0;
  bool hidden = false;  // on the shape, every case of the mutant's rules is SKIP or BLOCKED
  bool right = false;   // killed by a case of its own rules, or hidden; for a conforming variant: not killed, and if it
                        // is limited, a limitation was reported
};

nlohmann::json VerdictsOf(const std::map<std::string, Answer>& answers) {
  nlohmann::json verdicts = nlohmann::json::object();
  for (const auto& [id, answer] : answers)
    verdicts[id] = {{"verdict", ToText(answer.verdict)}, {"message", answer.message}, {"fact", answer.fact}};
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
                    {"limits", row.limits},
                    {"named", row.named},
                    {"blocked", row.blocked},
                    {"verdicts", VerdictsOf(row.answers)},
                    {"seconds", row.seconds}});
  }
  return list;
}

/// Whether the case tests one of the mutant's rules.
bool IsOwn(const MutantInfo& mutant, const std::vector<std::string>& rules) {
  return std::any_of(rules.begin(), rules.end(), [&](const std::string& rule) {
    return std::find(mutant.rules.begin(), mutant.rules.end(), rule) != mutant.rules.end();
  });
}

/// Values that the selected cases did not judge say nothing, unless all cases ran.
std::optional<std::vector<UnjudgedValue>> UnjudgedIn(const Options& options, const std::vector<Result>& usual) {
  const bool all = options.shape.empty() && options.run.select.empty();
  if (!all) return std::nullopt;
  return UnjudgedValues(WorkerList("values"), usual);
}

void PrintUnjudged(const std::vector<UnjudgedValue>& values) {
  for (const UnjudgedValue& value : values) {
    std::cout << "unjudged " << value.value << ": " << value.words << " (" << Plural(value.drawn, "example")
              << ", of which none was conclusive)\n";
  }
  std::cout << Plural(static_cast<int64_t>(values.size()), "value")
            << " of properties that no case judges on the reference\n";
}

constexpr size_t kKindWidth = 11;

std::string WordsOfLimits(const Row& row) {
  if (row.limits.empty()) return "reports no limitation";
  const size_t more = row.limits.size() - 1;
  return "limits: " + row.limits.front() + (more == 0 ? "" : " and " + std::to_string(more) + " more");
}

void PrintMatrix(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    std::cout << (row.right ? "ok    " : "WRONG ") << row.mutant->kind
              << std::string(kKindWidth - row.mutant->kind.size(), ' ') << row.mutant->name << ": ";
    if (row.mutant->Conforms()) {
      for (const std::string& message : row.deviates) std::cout << message << "; ";
      std::cout << (row.killed_by.empty() && (row.right || row.mutant->kind == "limited") ? "passes every case"
                                                                                          : "does not pass");
      for (const std::string& id : row.killed_by) std::cout << " " << id;
      if (row.mutant->kind == "limited") std::cout << ", " << WordsOfLimits(row);
    } else if (row.killed_by.empty() && !row.limits.empty()) {
      std::cout << "not killed, " << WordsOfLimits(row);
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
void PrintAnswers(const Row& row) {
  for (const std::string& message : row.deviates) std::cout << "         sweep: " << OneLine(message) << "\n";
  for (const Cause& cause : row.causes) {
    std::cout << "         cause " << cause.id << ": " << cause.rule << ", "
              << Plural(static_cast<int64_t>(cause.cases.size()), "case") << '\n';
  }
  for (const std::string& id : row.killed_by) {
    const Answer& answer = row.answers.at(id);
    std::cout << "         " << ToText(answer.verdict) << " " << id << ": " << OneLine(answer.message) << "\n";
  }
}

/// For a name such as "A+B": a mutant with two defects.
std::optional<MutantInfo> PairOf(const Catalogue& catalogue, const std::string& name) {
  const size_t plus = name.find('+');
  if (plus == std::string::npos) return std::nullopt;
  MutantInfo pair{.name = name, .kind = "mutant", .rules = {}, .what = {}};
  for (const std::string& one : {name.substr(0, plus), name.substr(plus + 1)}) {
    const auto found = std::find_if(catalogue.mutants.begin(), catalogue.mutants.end(),
                                    [&](const MutantInfo& mutant) { return mutant.name == one && !mutant.Conforms(); });
    if (found == catalogue.mutants.end()) {
      throw Failure("there is no mutant " + one, "dlpack-cts list mutants shows all");
    }
    pair.rules.insert(pair.rules.end(), found->rules.begin(), found->rules.end());
  }
  return pair;
}

/// Conforming variants are left out on a shape: two of them together need not conform.
std::vector<MutantInfo> SelectMutants(const Catalogue& catalogue, const std::vector<std::string>& globs,
                                      bool on_shape) {
  std::vector<MutantInfo> selected;
  std::vector<std::string> names;
  for (const MutantInfo& mutant : catalogue.mutants) {
    if (on_shape && mutant.Conforms()) continue;
    names.push_back(mutant.name);
    const auto matches = [&](const std::string& glob) { return Matches(glob, mutant.name); };
    if (globs.empty() || std::any_of(globs.begin(), globs.end(), matches)) selected.push_back(mutant);
  }
  for (const std::string& glob : globs) {
    if (std::optional<MutantInfo> pair = PairOf(catalogue, glob)) {
      selected.push_back(*std::move(pair));
      continue;
    }
    if (std::any_of(names.begin(), names.end(), [&](const std::string& name) { return Matches(glob, name); })) continue;
    const std::string near = Nearest(glob, names);
    throw Failure("no mutant matches " + glob, near.empty() ? "dlpack-cts list mutants shows all" : near);
  }
  return selected;
}

void CheckShape(const Catalogue& catalogue, const std::string& shape) {
  std::vector<std::string> names;
  for (const MutantInfo& variant : catalogue.mutants) {
    if (variant.kind == "conforming" || variant.kind == "limited") names.push_back(variant.name);
  }
  if (shape.empty() || std::find(names.begin(), names.end(), shape) != names.end()) return;
  const std::string near = Nearest(shape, names);
  throw Failure("there is no conforming variant " + shape, near.empty() ? "dlpack-cts list mutants shows all" : near);
}

/// The differences from the reference that a sweep found.
std::vector<std::string> DeviationsOf(const Result& result) {
  std::vector<std::string> deviations;
  for (const SweptFact& swept : result.seen.deviations) {
    deviations.push_back(swept.message + ": expected " + swept.wanted + ", got " + swept.got);
  }
  return deviations;
}

/// Whether the case reports something else for the mutant than for the reference.
bool Kills(const MutantInfo& mutant, const Result& result, const std::vector<Result>& usual) {
  // A conforming variant may refuse or note more than the reference: only a deviation counts.
  if (mutant.Conforms()) return IsDeviation(result.verdict);
  const bool same = std::any_of(usual.begin(), usual.end(), [&](const Result& other) {
    return other.seen.case_id == result.seen.case_id && other.verdict == result.verdict &&
           other.seen.message == result.seen.message;
  });
  // A case that is SKIP or BLOCKED does not kill a mutant. A case of another rule has few examples in common with the
  // mutant, so its PASS may be chance.
  return !same && IsJudged(result.verdict) && (result.verdict != Verdict::kPass || IsOwn(mutant, result.rules));
}

/// Adds the cases that report something else than for the reference.
void AddKills(const Rounds& rounds, const std::vector<Result>& usual, Row& row) {
  const auto add = [&](const Result& result, const Result& shown) {
    const std::string& id = result.seen.case_id;
    row.killed_by.push_back(id);
    row.answers.insert({id, {shown.verdict, shown.seen.message, shown.seen.fact}});
    if (IsOwn(*row.mutant, result.rules)) row.own.push_back(id);
  };
  std::vector<Result> first = rounds.FirstResults();
  std::sort(first.begin(), first.end(),
            [](const Result& a, const Result& b) { return a.seen.case_id < b.seen.case_id; });
  for (const Result& result : first) {
    row.seconds += result.seen.seconds;
    const std::vector<std::string> deviations = DeviationsOf(result);
    row.deviates.insert(row.deviates.end(), deviations.begin(), deviations.end());
    if (deviations.empty() && Kills(*row.mutant, result, usual)) add(result, result);
    if (row.mutant->Conforms())
      row.answers.insert({result.seen.case_id, {result.verdict, result.seen.message, result.seen.fact}});
  }
  // A difference that only the comparison of all facts shows kills the mutant too.
  for (const Result& result : rounds.attributed().results) {
    const std::string& id = result.seen.case_id;
    if (!IsDeviation(result.verdict) || std::count(row.killed_by.begin(), row.killed_by.end(), id) != 0) continue;
    add(result, rounds.Observed(id));
  }
}

/// Adds the limitations. One that violates a rule is a cause, and kills the mutant.
void AddLimits(const Catalogue& catalogue, const MutantRun& run, bool array_api, Row& row) {
  Run all;
  all.results = run.rounds.attributed().results;
  all.causes = run.rounds.attributed().causes;
  for (Cause& cause : LimitationsOf(catalogue, array_api, run.limits, all)) {
    if (!IsDeviation(cause.verdict)) {
      row.limits.push_back(cause.id);
      continue;
    }
    row.killed_by.push_back(cause.case_id);
    row.answers.insert_or_assign(cause.case_id, Answer{cause.verdict, cause.message});
    if (IsOwn(*row.mutant, {cause.rule})) row.own.push_back(cause.case_id);
    row.causes.push_back(std::move(cause));
  }
}

Row MakeRow(const Catalogue& catalogue, const MutantInfo& mutant, const MutantRun& run, bool array_api,
            const std::vector<Result>& usual) {
  Row row{.mutant = &mutant};
  AddKills(run.rounds, usual, row);
  const Attributed& attributed = run.rounds.attributed();
  row.causes = attributed.causes;
  AddLimits(catalogue, run, array_api, row);
  row.named = std::any_of(row.causes.begin(), row.causes.end(), [&](const Cause& cause) {
    return std::any_of(mutant.rules.begin(), mutant.rules.end(),
                       [&](const std::string& rule) { return SaysTheSame(catalogue.rules, rule, cause.rule); });
  });
  bool swept = false;
  for (const Result& result : attributed.results) {
    if (result.verdict == Verdict::kBlocked && !result.cause.empty()) row.blocked.push_back(result.seen.case_id);
    swept = swept || (catalogue.Find(result.seen.case_id)->whole && result.verdict != Verdict::kSkip);
  }
  row.hidden = std::none_of(usual.begin(), usual.end(), [&](const Result& result) {
    return IsOwn(mutant, result.rules) && IsJudged(result.verdict);
  });
  if (mutant.kind == "inconstant") {
    row.right = row.killed_by.empty() && (!swept || !row.deviates.empty());
  } else if (mutant.Conforms()) {
    const bool reported = mutant.kind != "limited" || !row.limits.empty();
    row.right = row.killed_by.empty() && row.deviates.empty() && reported;
  } else {
    row.right = row.hidden || !row.own.empty();
  }
  return row;
}

}  // namespace

int MutantsCommand(const Options& options) {
  const Catalogue catalogue = ReadCatalogue();
  const std::string& shape = options.shape;
  CheckShape(catalogue, shape);
  std::vector<MutantInfo> mutants = SelectMutants(catalogue, options.mutants, !shape.empty());
  std::erase_if(mutants, [&](const MutantInfo& mutant) { return !options.shard.Has(mutant.name); });
  if (mutants.empty()) {
    std::cout << (options.json ? "{\"mutants\": []}" : "shard " + options.shard.Text() + " has no mutant") << "\n";
    return kAsExpected;
  }
  const Library reference = SelectLibrary(FindLibraries(DataFolder(), {}), "reference");
  const Environment environment = EnvironmentOf(reference, options.run);
  std::vector<CaseInfo> asked;
  for (const CaseInfo& info : catalogue.cases) {
    // On a shape only the cases of the mutants' rules run, without pairs.
    const auto own = [&](const MutantInfo& mutant) { return IsOwn(mutant, info.rules); };
    const bool wanted = shape.empty() || (!info.pair && std::any_of(mutants.begin(), mutants.end(), own));
    if (wanted) asked.push_back(info);
  }
  std::vector<std::string> cases = SelectCases(asked, options.run.select, {});
  const auto paired = std::stable_partition(cases.begin(), cases.end(), [&](const std::string& id) {
    return std::none_of(asked.begin(), asked.end(), [&](const CaseInfo& info) { return info.pair && info.id == id; });
  });
  const std::vector<std::string> pair_cases(paired, cases.end());
  cases.erase(paired, cases.end());
  JobFile job = MakeJob(reference, environment, cases, options.run);
  job.sweep = options.mutants_sweep;
  job.case_seconds = 2;  // some mutants hang deliberately
  job.verdicts_only = true;
  job.shape = shape;
  std::vector<Row> rows(mutants.size());
  const bool array_api = reference.Claims("array_api");
  const bool in_detail = options.json || !options.mutants.empty();
  const std::vector<Result> usual = RunMatrix(
      catalogue, mutants, {reference, job, pair_cases, options.run.select.empty() || !options.mutants.empty()},
      [&](size_t i, const MutantRun& run, const std::vector<Result>& usual) {
        rows[i] = MakeRow(catalogue, mutants[i], run, array_api, usual);
        if (in_detail) return;
        // The matrix of all mutants would hold the examples of thousands of causes.
        rows[i].causes = {};
        rows[i].answers = {};
      });
  bool wrong = std::any_of(rows.begin(), rows.end(), [](const Row& row) { return !row.right; });
  for (const Result& result : usual) {
    if (!IsDeviation(result.verdict)) continue;
    std::cerr << "WRONG " << (shape.empty() ? "the reference" : shape) << " does not pass " << result.seen.case_id
              << ": " << ToText(result.verdict) << " " << OneLine(result.seen.message) << "\n";
    wrong = true;
  }
  const std::optional<std::vector<UnjudgedValue>> unjudged = UnjudgedIn(options, usual);
  if (options.json) {
    nlohmann::json json = {{"mutants", ToJson(rows)}};
    if (unjudged) json["unjudged"] = ToJson(*unjudged);
    std::cout << json.dump(1) << "\n";
  } else if (!options.mutants.empty()) {
    for (const Row& row : rows) {
      PrintMatrix({row});
      PrintAnswers(row);
    }
  } else {
    PrintMatrix(rows);
    const auto wrongs = std::count_if(rows.begin(), rows.end(), [](const Row& row) { return !row.right; });
    const auto limited = std::count_if(rows.begin(), rows.end(), [](const Row& row) {
      return !row.mutant->Conforms() && row.own.empty() && !row.limits.empty();
    });
    std::cout << rows.size() << " mutants and conforming variants, " << cases.size() + pair_cases.size() << " cases; "
              << wrongs << " wrong (a mutant that survives, or a conforming variant that fails)";
    if (limited != 0) std::cout << ", of which " << limited << " visible only as limitations";
    std::cout << '\n';
  }
  if (unjudged && !options.json && options.mutants.empty()) PrintUnjudged(*unjudged);
  return wrong ? kUnexpected : kAsExpected;
}

}  // namespace dlpack_cts::runner
