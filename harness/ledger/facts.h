// harness/ledger/facts.h: the facts of a ledger by key, as text.
//
// A breach names the fact that decides, and the right values. The reproducers make the same facts in Python with the
// same keys, so that anyone can check a breach without this program.
#ifndef DLPACK_CTS_HARNESS_LEDGER_FACTS_H_
#define DLPACK_CTS_HARNESS_LEDGER_FACTS_H_

#include <string>
#include <string_view>
#include <vector>

#include "harness/ledger/words.h"

namespace dlpack_cts {

/// The value of the fact `key`, for example "import0.deleter.calls" or "export1.name"; "?" for an unknown key.
std::string Fact(const Ledger& ledger, std::string_view key);

/// Every key that Fact() knows, in the order of docs/facts.md.
std::vector<std::string> FactKeys();

/// The word of a step.
std::string_view ToText(Op op);
/// The names of a set of kPart*; "none" for the empty set.
std::string PartsToText(uint32_t parts);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_LEDGER_FACTS_H_
