// runner/mutants_command.cc: `mutants`: runs the suites on every mutant and prints the kill matrix.
#include <algorithm>
#include <atomic>
#include <future>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <thread>

#include "reports/text.h"
#include "results/tally.h"
#include "runner/again.h"
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
    // Of what conforms, a reader may ask how much the cases showed.
    if (row.mutant->Conforms()) list.back()["verdicts"] = VerdictsOf(seen.at(row.mutant->name));
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

struct Matrix {
  std::map<std::string, Seen> seen;                      // by mutant; the reference's name is empty
  std::map<std::string, std::vector<Finding>> findings;  // by mutant
};

/// A result of a case as far as causes ask for it.
Saying SayingOf(const Desk& desk, const Library& reference, const Observation& observation) {
  const Result result = MakeResult(desk, reference, observation);
  Saying saying{result.verdict, result.seen.message, observation.seconds};
  for (const nlohmann::json& deviation : observation.deviations) {
    saying.deviates.push_back(deviation.value("message", "") + ": wanted " + deviation.value("wanted", "") + ", got " +
                              deviation.value("got", ""));
  }
  return saying;
}

/// One more than there are cores: a mutant that hangs leaves its core idle.
size_t WorkersFor(size_t mutants) { return std::clamp<size_t>(std::thread::hardware_concurrency() + 1, 1, mutants); }

/// Several workers share the reference and the mutants, some at a time: one that hangs holds up few others.
Matrix RunMutants(const Desk& desk, const std::vector<MutantInfo>& mutants, const Library& reference,
                  const nlohmann::json& job) {
  if (job.at("cases").empty()) return {};
  constexpr size_t kAtOnce = 16;
  std::vector<std::string> names = {""};
  for (const MutantInfo& mutant : mutants) names.push_back(mutant.name);
  Progress progress(job.at("cases").size() * names.size());
  std::atomic<size_t> next{0};
  const auto work = [&] {
    Matrix matrix;
    const auto see = [&](const Observation& observation) {
      progress.Begin(observation.mutant.empty() ? reference.name : observation.mutant, observation.case_id);
      progress.Done(1);
      matrix.seen[observation.mutant][observation.case_id] = SayingOf(desk, reference, observation);
    };
    const auto find = [&](const Finding& finding) { matrix.findings[finding.mutant].push_back(finding); };
    for (size_t first = next.fetch_add(kAtOnce); first < names.size(); first = next.fetch_add(kAtOnce)) {
      nlohmann::json share = job;
      share["mutants"] = std::vector<std::string>(
          names.begin() + static_cast<std::ptrdiff_t>(first),
          names.begin() + static_cast<std::ptrdiff_t>(std::min(first + kAtOnce, names.size())));
      Outcome outcome;
      RunJob(share, reference, {see, find}, &outcome);
      if (outcome.interrupted) throw Failure("interrupted", "the matrix needs the whole run", kInterrupted);
    }
    return matrix;
  };
  std::vector<std::future<Matrix>> parts;
  for (size_t worker = 0; worker < WorkersFor(mutants.size()); ++worker) {
    parts.push_back(std::async(std::launch::async, work));
  }
  Matrix all;
  for (auto& part : parts) {
    Matrix matrix = part.get();
    all.seen.merge(matrix.seen);
    all.findings.merge(matrix.findings);
  }
  return all;
}

/// One of the mutant's rules speaks of that role.
bool ActsAs(const Desk& desk, const MutantInfo& mutant, const std::string& role) {
  return std::any_of(mutant.rules.begin(), mutant.rules.end(), [&](const std::string& rule) {
    const std::string& actor = desk.rules.at(rule).actor;
    return actor == role || actor == "both";
  });
}

/// Cases of pairs, for each mutant beside the correct reference: in the role, or in each of both, that its rules speak
/// of. A case that accuses it in one of them kills it.
void RunPairs(const Desk& desk, const std::vector<MutantInfo>& mutants, const Library& reference, nlohmann::json job,
              Matrix& matrix) {
  job["pair"] = AsPartner(job);
  for (const char* const side : {"producer", "consumer"}) {
    job["mutated"] = side;
    std::vector<MutantInfo> acting;
    std::copy_if(mutants.begin(), mutants.end(), std::back_inserter(acting),
                 [&](const MutantInfo& mutant) { return ActsAs(desk, mutant, side); });
    if (acting.empty()) continue;
    for (auto& [mutant, sayings] : RunMutants(desk, acting, reference, job).seen) {
      for (auto& [id, saying] : sayings) {
        const auto [known, first] = matrix.seen[mutant].try_emplace(id, saying);
        if (!first && !IsDeviation(known->second.verdict)) known->second = saying;
      }
    }
  }
}

/// What the cases said of one mutant, with the causes of that, and who stands behind which.
struct Told {
  Seen seen;
  std::vector<Finding> findings;
  std::vector<Cause> causes = {};
  std::vector<Result> results = {};

  void Attribute(const Desk& desk) {
    causes = CausesOf(desk.cases, desk.rules, true, findings);
    results.clear();
    for (const CaseInfo& info : desk.cases) {
      const auto saying = seen.find(info.id);
      if (saying == seen.end()) continue;
      Result& result = results.emplace_back();
      result.seen.case_id = info.id;
      result.verdict = saying->second.verdict;
      result.rules = info.rules;
    }
    runner::Attribute(desk.cases, causes, results);
  }
};

/// As in a run: what another cause touched runs again without what that cause needs.
void RunAgain(const Desk& desk, const Library& reference, nlohmann::json job, const std::string& mutant, Told& told) {
  job["mutants"] = {mutant};
  Avoid avoid;
  told.Attribute(desk);
  for (int round = 0; round < kRounds; ++round) {
    avoid = ToRunAgain(desk.cases, {told.findings, told.causes, told.results}, avoid);
    if (avoid.empty()) return;
    std::vector<std::string> cases;
    for (const auto& [id, unused] : avoid) cases.push_back(id);
    job["cases"] = cases;
    job["avoid"] = avoid;
    std::vector<std::string> answered;
    std::vector<Finding> later;
    const auto see = [&](const Observation& observation) {
      if (!GivesVerdict(observation)) return;
      answered.push_back(observation.case_id);
      told.seen[observation.case_id] = SayingOf(desk, reference, observation);
    };
    const auto find = [&](const Finding& finding) { later.push_back(finding); };
    Outcome outcome;
    RunJob(job, reference, {see, find}, &outcome);
    if (outcome.interrupted) throw Failure("interrupted", "the matrix needs the whole run", kInterrupted);
    Join(later, answered, told.findings);
    told.Attribute(desk);
  }
}

/// The same for all mutants, in their order.
std::vector<Told> RunAllAgain(const Desk& desk, const std::vector<MutantInfo>& mutants, const Library& reference,
                              const nlohmann::json& job, Matrix& matrix) {
  std::vector<Told> all;
  for (const MutantInfo& mutant : mutants) {
    all.push_back({matrix.seen[mutant.name], std::move(matrix.findings[mutant.name])});
  }
  std::atomic<size_t> next{0};
  const auto work = [&] {
    for (size_t i = next++; i < all.size(); i = next++) RunAgain(desk, reference, job, mutants[i].name, all[i]);
  };
  std::vector<std::future<void>> parts;
  for (size_t worker = 0; worker < WorkersFor(mutants.size()); ++worker) {
    parts.push_back(std::async(std::launch::async, work));
  }
  for (std::future<void>& part : parts) part.get();
  return all;
}

/// Two defects in one reference, for a name as "A+B".
std::optional<MutantInfo> PairOf(const Desk& desk, const std::string& name) {
  const size_t plus = name.find('+');
  if (plus == std::string::npos) return std::nullopt;
  MutantInfo pair{.name = name, .kind = "mutant", .rules = {}, .what = {}};
  for (const std::string& one : {name.substr(0, plus), name.substr(plus + 1)}) {
    const auto found = std::find_if(desk.mutants.begin(), desk.mutants.end(),
                                    [&](const MutantInfo& mutant) { return mutant.name == one && !mutant.Conforms(); });
    if (found == desk.mutants.end()) {
      throw Failure("no mutant is called " + one, "`dlpack-cts list mutants` names them");
    }
    pair.rules.insert(pair.rules.end(), found->rules.begin(), found->rules.end());
  }
  return pair;
}

/// On a shape no other variants are asked for: two that conform need not conform together.
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
    throw Failure("no mutant matches " + glob, near.empty() ? "`dlpack-cts list mutants` names them" : near);
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
    if (mutant.Conforms() ? IsDeviation(saying.verdict) : told) row.killed_by.push_back(id);
  }
  for (const std::string& id : row.killed_by) {
    if (IsOwn(desk, mutant, id)) row.own.push_back(id);
  }
  row.hidden = std::none_of(usual.begin(), usual.end(), [&](const auto& one) {
    return IsOwn(desk, mutant, one.first) && one.second.verdict != Verdict::kSkip &&
           one.second.verdict != Verdict::kBlocked;
  });
  return row;
}

/// What the causes of all that was told say of the mutant. Blocked is what failed, and has no verdict of its own.
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
    // What the whole ledger alone shows kills as well.
    if (!IsDeviation(result.verdict) || std::count(row.killed_by.begin(), row.killed_by.end(), id) != 0) continue;
    row.killed_by.push_back(id);
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
    // On a shape it is asked alone whether the cases of a mutant's rules see it, and not in pairs.
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
  job["case_seconds"] = 2;  // a mutant that hangs is meant to
  job["verdicts_only"] = true;
  if (!shape.empty()) job["shape"] = shape;
  Matrix matrix = RunMutants(desk, mutants, reference, job);
  nlohmann::json pair_job = job;
  pair_job["cases"] = pair_cases;
  RunPairs(desk, mutants, reference, pair_job, matrix);
  std::map<std::string, Seen>& seen = matrix.seen;
  bool wrong = false;
  for (const auto& [id, saying] : seen[""]) {
    if (!IsDeviation(saying.verdict)) continue;
    std::cerr << "WRONG " << (shape.empty() ? "the reference" : shape) << " does not pass " << id << ": "
              << ToText(saying.verdict) << " " << OneLine(saying.message) << "\n";
    wrong = true;
  }
  const std::vector<Told> told = RunAllAgain(desk, mutants, reference, job, matrix);
  std::vector<Row> rows;
  for (size_t i = 0; i < mutants.size(); ++i) {
    rows.push_back(MakeRow(desk, mutants[i], seen[""], seen[mutants[i].name]));
    FindCauses(desk, told[i], rows.back());
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
    std::cout << rows.size() << " mutants and conforming variants over " << cases.size() + pair_cases.size()
              << " cases; " << wrongs << " survive or are accused wrongly\n";
  }
  return wrong ? kUnexpected : kAsExpected;
}

}  // namespace dlpack_cts::runner
