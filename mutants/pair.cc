// mutants/pair.cc: several defects at once.
#include "mutants/pair.h"

#include <algorithm>
#include <cstring>

namespace dlpack_cts {
namespace {

/// Copies bytes, so that the padding between unchanged fields is equal too.
void Apply(const Mutant& first, const Mutant& second, Behaviour& behaviour) {
  static const Behaviour correct = CorrectBehaviour();
  std::memcpy(&behaviour, &correct, sizeof behaviour);
  first.apply(behaviour);
  second.apply(behaviour);
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
      Behaviour one{};
      Behaviour other{};
      Apply(*mutants[i], *mutants[j], one);
      Apply(*mutants[j], *mutants[i], other);
      const auto* bytes = reinterpret_cast<const unsigned char*>(&one);
      if (!std::equal(bytes, bytes + sizeof one, reinterpret_cast<const unsigned char*>(&other))) return false;
    }
  }
  return true;
}

}  // namespace dlpack_cts
