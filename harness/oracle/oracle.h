// harness/oracle/oracle.h: pure functions from a recipe to what a conforming subject may do.
#ifndef DLPACK_CTS_HARNESS_ORACLE_ORACLE_H_
#define DLPACK_CTS_HARNESS_ORACLE_ORACLE_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "harness/ledger/ledger.h"
#include "harness/recipe/elements.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// Bytes that reading all elements in row-major order must give. Writes ElementCount * ItemSize bytes.
/// `slot` varies the seed, so that two slots never hold equal elements.
void ExpectedElements(const Offer& offer, int slot, std::span<uint8_t> out);
void ExpectedElements(const Request& request, std::span<uint8_t> out);

/// What a consumer may do with an offer.
enum class Allowed : uint8_t {
  kAcceptOrRefuse,  // both are fine
  kMustRefuse,      // foreign major above 1, wrong capsule name, used capsule
  kAnything,        // hostile: only memory safety is asked
};
Allowed AllowedFor(const Recipe& recipe);

/// Verdicts that stand for themselves whatever the rule, read from a finished ledger.
struct Safety {
  bool unsafe = false;  // a fault in memory that may not be touched, or a use after the deleter
  bool leak = false;    // a capsule was made and its tensor was never released
};
Safety SafetyOf(const Recipe& recipe, const Ledger& ledger);

/// In what the reference's own ledger of a recipe that is not hostile contradicts what is known of it: memory that it
/// may not access, a tensor that was never released, elements that are not the expected ones. Empty where it does not.
/// Then what is wrong is ours, and no subject can be judged beside it.
std::string_view Contradiction(const Recipe& recipe, const Ledger& reference);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_ORACLE_ORACLE_H_
