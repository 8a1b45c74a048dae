// runner/catalogue/catalogue.h: the rules, and the cases, mutants and tables of the worker.
#ifndef DLPACK_CTS_RUNNER_CATALOGUE_CATALOGUE_H_
#define DLPACK_CTS_RUNNER_CATALOGUE_CATALOGUE_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/terms.h"
#include "runner/catalogue/rules.h"

namespace dlpack_cts::runner {

struct CaseInfo {
  std::string id;
  std::vector<std::string> rules;
  Role role = Role::kConsumer;
  std::string suite;
  bool hostile = false;
  bool python = false;
  bool pair = false;
  bool whole = false;  // a sweep: compares all facts with the reference
  int rows = 0;        // of a table: so many examples, whatever --examples says; otherwise 0
  int times = 1;       // examples for each one of --examples
};

struct MutantInfo {
  std::string name;
  std::string kind;  // mutant, conforming, inconstant, limited
  std::vector<std::string> rules;
  std::string what;

  /// Whether it violates no rule. An inconstant variant only changes its observed choices between exchanges. A limited
  /// variant only has a limitation that no rule forbids.
  bool Conforms() const { return kind != "mutant"; }
};

/// What every command that runs or shows cases needs.
struct Catalogue {
  Rules rules = {};
  nlohmann::json source_keys = {};  // keys of the field `source` of rules (runner/catalogue/sources.h)
  std::vector<CaseInfo> cases = {};
  std::vector<MutantInfo> mutants = {};

  /// Index of the case, or the number of cases if there is no such case.
  size_t PlaceOf(const std::string& case_id) const;
  /// NULL if there is no such case.
  const CaseInfo* Find(const std::string& case_id) const;
  /// The ids of the cases that test the rule, and the names of the mutants that violate it.
  std::vector<std::string> CasesOf(const std::string& rule) const;
  std::vector<std::string> MutantsOf(const std::string& rule) const;
  /// A planned rule with a case counts as tested.
  std::string StatusOf(const Rule& rule) const;
};

/// Reads rules/ and calls the worker. This and the following functions throw Failure.
Catalogue ReadCatalogue();

/// A list of the worker (docs/processes.md), one object for each row: "choices" (in the order that observations
/// use), "freedoms", "homes", "coordinates", "limits".
nlohmann::json WorkerList(const std::string& name);

/// Ids of the cases that match the globs and roles, without those that match `deselected`; all cases if there are no
/// globs. Throws Failure if a glob matches no case, or if no case is left.
std::vector<std::string> SelectCases(const std::vector<CaseInfo>& cases, const std::vector<std::string>& globs,
                                     const std::vector<std::string>& roles,
                                     const std::vector<std::string>& deselected = {});

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_CATALOGUE_CATALOGUE_H_
