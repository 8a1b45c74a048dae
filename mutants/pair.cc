// mutants/pair.cc: several defects at once.
#include "mutants/pair.h"

namespace dlpack_cts {
namespace {

Behaviour Both(const Mutant& first, const Mutant& second) {
  Behaviour behaviour = CorrectBehaviour();
  first.ApplyTo(behaviour);
  second.ApplyTo(behaviour);
  return behaviour;
}

}  // namespace

std::vector<const Mutant*> MutantsOf(std::string_view names) {
  std::vector<const Mutant*> mutants;
  while (!names.empty()) {
    const size_t plus = names.find('+');
    mutants.push_back(FindMutant(names.substr(0, plus)));
    names = plus == std::string_view::npos ? std::string_view() : names.substr(plus + 1);
  }
  return mutants;
}

bool GoTogether(const std::vector<const Mutant*>& mutants) {
  for (size_t i = 0; i < mutants.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (Both(*mutants[i], *mutants[j]) != Both(*mutants[j], *mutants[i])) return false;
    }
  }
  return true;
}

}  // namespace dlpack_cts
