// harness/reproducer/reproducer.h: writes a finding on a Python library as a standalone Python script.
#ifndef DLPACK_CTS_HARNESS_REPRODUCER_REPRODUCER_H_
#define DLPACK_CTS_HARNESS_REPRODUCER_REPRODUCER_H_

#include <map>
#include <string>
#include <vector>

#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// The finding as in the results, and the text of the adapter.
struct ReproducerInput {
  std::string case_id;
  std::string verdict;      // FAIL, WARN, NOTE, CRASH, TIMEOUT, LEAK or UNSAFE
  std::string rule;         // id of the violated rule
  std::string requirement;  // the rule's sentence
  std::string source;       // the place in the specification, as text
  std::string message;
  std::string fact;    // a key of docs/facts.md; empty for a crash
  std::string wanted;  // correct values, separated by " | "
  std::string got;
  std::string ended;          // how a CRASH ended: "SIGSEGV", "exit 3"; empty if the process did not end
  bool touched = false;       // the library accessed forbidden memory before the exchange ended
  std::string touched_in;     // the word of the step with the first such access; empty if there was none
  bool refused = true;        // a call was refused; false only if it is known that none was
  bool by_destructor = true;  // a capsule's destructor released a tensor; false only if it is known that none did
  std::string library;
  std::string library_version;
  std::vector<std::string> requirements;  // pinned, for pip
  std::map<std::string, std::string>
      environment;                             // variables that the library needs; the caller's values have priority
  std::string adapter;                         // the text of adapter.py
  std::map<std::string, std::string> modules;  // modules that it imports from its own folder, by path
  Recipe recipe;
  bool every_fact = false;  // the script records every fact that it can, and prints them as JSON after the word FACTS
};

/// Why a script cannot show this finding; empty if it can. A script cannot see the GIL or a pending exception, and does
/// not use the C exchange API.
std::string WhyNoReproducer(const ReproducerInput& input);

/// The script. It needs Python 3.8 or newer and the library, and nothing of this project. It prints its observations,
/// then `REPRODUCED <verdict> <case>` with exit status 1, or `NOT REPRODUCED` with exit status 0.
std::string Reproducer(const ReproducerInput& input);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_REPRODUCER_REPRODUCER_H_
