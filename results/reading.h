// results/reading.h: what a library does where the specification leaves a choice. A line of a result file.
#ifndef DLPACK_CTS_RESULTS_READING_H_
#define DLPACK_CTS_RESULTS_READING_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "results/fields.h"

namespace dlpack_cts {

/// One question that the specification leaves open, and the observed choices of a run. No choice violates a rule.
struct Readings {
  static constexpr std::string_view kType = "reading";
  static std::span<const LineField<Readings>> Fields();

  struct Reading {
    static std::span<const LineField<Reading>> Fields();

    std::string words;  // without a subject: "clears it"
    int64_t count = 0;  // examples
  };
  std::string id;              // of the open question: "A-23"
  std::string rule;            // that leaves it open
  std::string question;        // "the destructor of a consumed capsule"
  std::vector<Reading> shown;  // at least one, in the order of the catalogue
};

/// "clears it", or of several "leaves it (40), clears it (2)".
std::string TextOf(const Readings& readings);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_READING_H_
