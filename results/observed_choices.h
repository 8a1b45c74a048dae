// results/observed_choices.h: the observed choices of a library. A line of a result file.
#ifndef DLPACK_CTS_RESULTS_OBSERVED_CHOICES_H_
#define DLPACK_CTS_RESULTS_OBSERVED_CHOICES_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "results/fields.h"

namespace dlpack_cts {

/// A question that the specification leaves open, and the observed choices of a run. No choice violates a rule.
struct ObservedChoices {
  static constexpr std::string_view kType = "reading";
  static std::span<const LineField<ObservedChoices>> Fields();

  struct Reading {
    static std::span<const LineField<Reading>> Fields();

    std::string words;  // without a subject: "clears it"
    int64_t count = 0;  // number of examples
  };
  std::string id;              // of the open question: "A-23"
  std::string rule;            // the rule that leaves it open
  std::string question;        // "the destructor of a consumed capsule"
  std::vector<Reading> shown;  // at least one, in the order of the catalogue
};

/// "clears it", or for several choices "leaves it (40), clears it (2)".
std::string TextOf(const ObservedChoices& readings);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_OBSERVED_CHOICES_H_
