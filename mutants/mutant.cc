// mutants/mutant.cc: the table of mutants.
#include "mutants/mutant.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace dlpack_cts {
namespace {

std::vector<Mutant>& DeclaredMutants() {
  static std::vector<Mutant> mutants;
  return mutants;
}

[[noreturn]] void Reject(const Mutant& mutant, const char* why) {
  std::fprintf(stderr, "the mutant %s %s\n", std::string(mutant.name).c_str(), why);
  std::abort();
}

}  // namespace

RegisterMutants::RegisterMutants(std::initializer_list<Mutant> declared) {
  DeclaredMutants().insert(DeclaredMutants().end(), declared);
}

const std::vector<Mutant>& Mutants() {
  static const std::vector<Mutant>& sorted = []() -> std::vector<Mutant>& {
    std::vector<Mutant>& mutants = DeclaredMutants();
    std::sort(mutants.begin(), mutants.end(), [](const Mutant& a, const Mutant& b) { return a.name < b.name; });
    for (size_t i = 0; i < mutants.size(); ++i) {
      if (mutants[i].name.empty() || mutants[i].what.empty() || mutants[i].apply == nullptr) {
        Reject(mutants[i], "has no name, no `what` or no `apply`");
      }
      if (!mutants[i].conforming && mutants[i].rules.empty())
        Reject(mutants[i], "does not name a rule that it violates");
      if (i > 0 && mutants[i].name == mutants[i - 1].name) Reject(mutants[i], "is declared twice");
    }
    return mutants;
  }();
  return sorted;
}

const Mutant* FindMutant(std::string_view name) {
  for (const Mutant& mutant : Mutants()) {
    if (mutant.name == name) return &mutant;
  }
  return nullptr;
}

void Activate(const Mutant* mutant, Reference& instance, const Mutant* shape) {
  instance.Reset();
  if (shape != nullptr) shape->apply(instance.behaviour);
  if (mutant != nullptr) mutant->apply(instance.behaviour);
}

void Declare(const Mutant& variant, Profile& profile) {
  for (const Claim claim : variant.lacks) profile.claims &= ~(1u << static_cast<uint32_t>(claim));
  for (const Trait trait : variant.says) profile.declared.traits |= 1u << static_cast<uint32_t>(trait);
  if (variant.ranks != 0) profile.declared.ranks = variant.ranks;
}

}  // namespace dlpack_cts
