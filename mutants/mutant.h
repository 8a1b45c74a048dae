// mutants/mutant.h: the reference with one deliberate defect, or with one legal peculiarity, as data.
//
// A mutant is a changed field of the reference's behaviour and the rules that it breaks with it; some case of one of
// these rules has to tell it from the reference. A conforming variant changes what the rules leave open; every case has
// to pass on it. One file per chapter.
#ifndef DLPACK_CTS_MUTANTS_MUTANT_H_
#define DLPACK_CTS_MUTANTS_MUTANT_H_

#include <string_view>
#include <vector>

#include "adapters/reference/instance.h"
#include "harness/case/profile.h"

namespace dlpack_cts {

struct Mutant {
  std::string_view name;  // "ignores-byte-offset"
  bool conforming = false;
  bool inconstant = false;  // conforming, and it leaves a way of its own (harness/judge/way.h): the sweep notes it
  std::vector<std::string_view> rules;  // that it breaks, or whose accept list it stands for
  std::string_view what;                // one sentence without a subject: "ignores byte_offset"
  void (*apply)(Behaviour& behaviour) = nullptr;
  /// What its library.toml would say otherwise than the reference's: claims (roles too) that it lacks, its ways, and
  /// the ranks of its arrays (bit per number of dimensions; 0: any).
  std::vector<Claim> lacks = {};
  std::vector<Trait> says = {};
  uint32_t ranks = 0;
};

/// Adds a mutant when the program starts:
///
///     const RegisterMutant kIgnoresOffset{{
///         .name = "ignores-byte-offset",
///         .rules = {"C-DATA-01"},
///         .what = "ignores byte_offset",
///         .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_byte_offset = When::Always(); },
///     }};
struct RegisterMutant {
  explicit RegisterMutant(Mutant declared);
};

/// All mutants and conforming variants by name. Aborts with the name when one is declared twice or lacks a field.
const std::vector<Mutant>& Mutants();
const Mutant* FindMutant(std::string_view name);

/// Makes the instance correct, gives it the shape of a conforming variant and applies the mutant on top of that. NULL
/// for no shape, and for no mutant.
void Activate(const Mutant* mutant, Reference& instance, const Mutant* shape = nullptr);
/// What the variant's library.toml would say, put into what the reference's says.
void Declare(const Mutant& variant, Profile& profile);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_MUTANTS_MUTANT_H_
