// harness/reproducer/plain_facts.h: the facts that a short script can watch.
#ifndef DLPACK_CTS_HARNESS_REPRODUCER_PLAIN_FACTS_H_
#define DLPACK_CTS_HARNESS_REPRODUCER_PLAIN_FACTS_H_

#include <string>
#include <string_view>
#include <vector>

#include "harness/recipe/dtypes.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// How often the deleter of the offered tensor was called.
inline constexpr char kDeleterCallsFact[] = "import.deleter.calls";

/// "outcome", "exception" and so on if the fact is how a call ended; else empty. Its key is without numbers.
std::string EndingOf(std::string_view fact);

/// Whether a short script reads the fact from the exported struct; of its elements only usual ones.
bool IsField(std::string_view fact, const Request& request);

/// Whether a short script reads the fact from the library's description of what it imported.
bool IsDescribed(std::string_view fact);

/// The dtypes whose code, bits and lanes are in the value of a fact.
std::vector<NamedDataType> TypesIn(std::string_view value);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_REPRODUCER_PLAIN_FACTS_H_
