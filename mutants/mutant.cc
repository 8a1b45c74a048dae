// mutants/mutant.cc: the mutants of the program.
#include "mutants/mutant.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "mutants/read.h"

namespace dlpack_cts {

void Mutant::ApplyTo(Behaviour& behaviour) const {
  auto* const bytes = reinterpret_cast<std::byte*>(&behaviour);
  for (const FieldChange& change : changes) std::memcpy(bytes + change.offset, change.value.data(), change.size);
}

const std::vector<Mutant>& Mutants() {
  static const std::vector<Mutant> mutants = [] {
    try {
      return ReadMutants(MutantFiles());
    } catch (const Failure& failure) {
      std::fprintf(stderr, "%s\n", failure.what());
      std::abort();
    }
  }();
  return mutants;
}

const Mutant* FindMutant(std::string_view name) {
  const auto found = std::ranges::lower_bound(Mutants(), name, {}, &Mutant::name);
  return found != Mutants().end() && found->name == name ? &*found : nullptr;
}

void Activate(const Mutant* mutant, Reference& instance, const Mutant* shape) {
  instance.Reset();
  if (shape != nullptr) shape->ApplyTo(instance.behaviour);
  if (mutant != nullptr) mutant->ApplyTo(instance.behaviour);
}

void Declare(const Mutant& variant, Profile& profile) {
  for (const Claim claim : variant.lacks) profile.claims &= ~(1u << static_cast<uint32_t>(claim));
  for (const Trait trait : variant.says) profile.declared.traits |= 1u << static_cast<uint32_t>(trait);
  if (variant.ranks != 0) profile.declared.ranks = variant.ranks;
}

}  // namespace dlpack_cts
