// runner/catalogue.h: what the worker says of its cases and mutants.
#ifndef DLPACK_CTS_RUNNER_CATALOGUE_H_
#define DLPACK_CTS_RUNNER_CATALOGUE_H_

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace dlpack_cts::runner {

struct CaseInfo {
  std::string id;
  std::vector<std::string> rules;
  std::string role;
  std::string suite;
  bool hostile = false;
  bool python = false;
  bool pair = false;
  bool whole = false;  // judges whole ledgers beside the reference
};

struct MutantInfo {
  std::string name;
  std::string kind;  // mutant, conforming, inconstant
  std::vector<std::string> rules;
  std::string what;

  /// To every rule: what is inconstant leaves its own ways alone.
  bool Conforms() const { return kind != "mutant"; }
};

/// Asks the worker; throws Failure (status 3) when it does not answer.
std::vector<CaseInfo> ListCases();
std::vector<MutantInfo> ListMutants();
/// The choices that the specification leaves: one object each, in the order that observations count them in.
nlohmann::json ListAmbiguities();
/// What a library may do otherwise than the reference: one object each, for printing.
nlohmann::json ListFreedoms();
/// Which rule speaks for what is wrong, and the peculiarities of exchanges; the same.
nlohmann::json ListHomes();
nlohmann::json ListCoordinates();

/// Ids of the cases that the globs and roles name; all without globs. Throws Failure for a glob or role that names
/// none.
std::vector<std::string> SelectCases(const std::vector<CaseInfo>& cases, const std::vector<std::string>& globs,
                                     const std::vector<std::string>& roles);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_CATALOGUE_H_
