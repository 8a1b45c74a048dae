// mutants/mutant.h: the reference with one deliberate defect, or with one change that the rules allow, as data.
//
// A mutant changes fields of the reference's behaviour and names the rules that it violates. A case of one of these
// rules must fail on it. A conforming variant changes only what the rules leave open. Every case must pass on it. The
// files mutants/*.toml declare them, one file per chapter; HACKING.md describes their form.
#ifndef DLPACK_CTS_MUTANTS_MUTANT_H_
#define DLPACK_CTS_MUTANTS_MUTANT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/case/profile.h"
#include "reference/instance.h"

namespace dlpack_cts {

/// A field of the behaviour and its value.
struct FieldChange {
  size_t offset = 0;
  size_t size = 0;
  std::array<std::byte, sizeof(When)> value{};  // conditions are the largest fields
};

struct Mutant {
  std::string name;  // "ignores-byte-offset"
  bool conforming = false;
  bool inconstant = false;         // conforming, and its choice changes between exchanges: the sweep reports it
  bool limited = false;            // conforming, with a limitation that no rule forbids: the probes report it
  std::vector<std::string> rules;  // that it violates, or whose `accept` list it represents
  std::string what;                // verb phrase with the reference as subject: "ignores byte_offset on import"
  std::vector<FieldChange> changes;
  /// How its library.toml would differ from the reference's: claims and roles that it lacks, observed choices that it
  /// declares, and the ranks of its arrays (bit per number of dimensions; 0: any).
  std::vector<Claim> lacks;
  std::vector<Trait> says;
  uint32_t ranks = 0;

  void ApplyTo(Behaviour& behaviour) const;
};

/// All mutants and conforming variants, sorted by name. The first call reads the files, which are a part of the
/// program. It aborts with file, line and mutant if one of them has a mistake.
const std::vector<Mutant>& Mutants();
const Mutant* FindMutant(std::string_view name);

/// Resets the instance to correct behaviour, applies the conforming variant `shape`, and then the mutant. Either may be
/// NULL.
void Activate(const Mutant* mutant, Reference& instance, const Mutant* shape = nullptr);
/// Changes the profile of the reference to what the variant's library.toml would declare.
void Declare(const Mutant& variant, Profile& profile);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_MUTANTS_MUTANT_H_
