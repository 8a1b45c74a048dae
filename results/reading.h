// results/reading.h: what a library does where the specification leaves a choice. A line of a result file.
#ifndef DLPACK_CTS_RESULTS_READING_H_
#define DLPACK_CTS_RESULTS_READING_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace dlpack_cts {

/// One question that the specification leaves open, and the observed choices of a run. No choice violates a rule.
struct Readings {
  struct Reading {
    std::string words;  // without a subject: "clears it"
    int64_t count = 0;  // examples
  };
  std::string id;              // of the open question: "A-23"
  std::string rule;            // that leaves it open
  std::string question;        // "the destructor of a consumed capsule"
  std::vector<Reading> shown;  // at least one, in the order of the catalogue
};

nlohmann::json ToJson(const Readings& readings);

/// Strict, as those of result.h.
bool FromJson(const nlohmann::json& json, Readings* readings, std::string* error);

/// "clears it", or of several "leaves it (40), clears it (2)".
std::string TextOf(const Readings& readings);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_READING_H_
