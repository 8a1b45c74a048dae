// harness/reproducer/reproducer.h: turns a finding on a Python library into a standalone Python script.
#ifndef DLPACK_CTS_HARNESS_REPRODUCER_REPRODUCER_H_
#define DLPACK_CTS_HARNESS_REPRODUCER_REPRODUCER_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// What a script is made of: the finding as the results have it, and the adapter's text.
struct ReproducerInput {
  std::string case_id;
  std::string verdict;      // FAIL, WARN, NOTE, CRASH, TIMEOUT, LEAK or UNSAFE
  std::string rule;         // id of the violated rule
  std::string requirement;  // its sentence
  std::string source;       // where the specification says so, written out
  std::string message;
  std::string fact;    // a key of docs/facts.md; empty for a crash
  std::string wanted;  // values that would have been right, separated by " | "
  std::string got;
  std::string ended;          // of a CRASH: "SIGSEGV", "exit 3"; empty if the process did not end
  bool touched = false;       // forbidden memory was accessed before the exchange ended
  std::string touched_in;     // the word of the step in which that came first; empty if there was no such access
  bool refused = true;        // something was refused; false only if it is known that nothing was
  bool by_destructor = true;  // a capsule's destructor released a tensor; the same
  std::string library;
  std::string library_version;
  std::vector<std::string> requirements;           // for pip, pinned
  std::map<std::string, std::string> environment;  // variables that the library needs; the caller's value wins
  std::string adapter;                             // the text of adapter.py
  std::map<std::string, std::string> modules;      // what it imports from its own folder: paths there, and texts
  Recipe recipe;
  bool every_fact = false;  // the script records every fact that it can, and prints them as JSON after the word FACTS
};

/// Why no script can show this; empty when one can. A script cannot see the GIL or a pending exception, and does not
/// use the C exchange API.
std::string WhyNoReproducer(const ReproducerInput& input);

/// The script. It needs Python 3.8 or newer, the library, and nothing of this project. It prints what it sees, then
/// `REPRODUCED <verdict> <case>` and exits 1, or `NOT REPRODUCED` and exits 0.
std::string Reproducer(const ReproducerInput& input);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_REPRODUCER_REPRODUCER_H_
