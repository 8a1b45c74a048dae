// mutants/mutant.h: the reference with one deliberate defect, or with one change that the rules allow, as data.
//
// A mutant changes a field of the reference's behaviour and names the rules that it violates. A case of one of these
// rules must fail on it. A conforming variant changes only what the rules leave open. Every case must pass on it. One
// file per chapter.
#ifndef DLPACK_CTS_MUTANTS_MUTANT_H_
#define DLPACK_CTS_MUTANTS_MUTANT_H_

#include <initializer_list>
#include <string_view>
#include <vector>

#include "harness/case/profile.h"
#include "reference/instance.h"

namespace dlpack_cts {

struct Mutant {
  std::string_view name;  // "ignores-byte-offset"
  bool conforming = false;
  bool inconstant = false;              // conforming, and its choice changes between exchanges: the sweep reports it
  std::vector<std::string_view> rules;  // that it violates, or whose `accept` list it represents
  std::string_view what;                // verb phrase with the reference as subject: "ignores byte_offset on import"
  void (*apply)(Behaviour& behaviour) = nullptr;
  /// How its library.toml would differ from the reference's: claims and roles that it lacks, observed choices that it
  /// declares, and the ranks of its arrays (bit per number of dimensions; 0: any).
  std::vector<Claim> lacks = {};
  std::vector<Trait> says = {};
  uint32_t ranks = 0;
};

/// Adds a table of mutants when the program starts:
///
///     const RegisterMutants kMutants = {
///         {.name = "ignores-byte-offset",
///          .rules = {"C-DATA-01"},
///          .what = "ignores byte_offset on import",
///          .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_byte_offset = When::Always(); }},
///     };
struct RegisterMutants {
  RegisterMutants(std::initializer_list<Mutant> declared);
};

/// All mutants and conforming variants, sorted by name. Aborts with the name if one is declared twice or lacks a field.
const std::vector<Mutant>& Mutants();
const Mutant* FindMutant(std::string_view name);

/// Resets the instance to correct behaviour, applies the conforming variant `shape`, and then the mutant. Either may be
/// NULL.
void Activate(const Mutant* mutant, Reference& instance, const Mutant* shape = nullptr);
/// Changes the profile of the reference to what the variant's library.toml would declare.
void Declare(const Mutant& variant, Profile& profile);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_MUTANTS_MUTANT_H_
