// harness/oracle/oracle.h: pure functions from a recipe to what a conforming subject may do.
#ifndef DLPACK_CTS_HARNESS_ORACLE_ORACLE_H_
#define DLPACK_CTS_HARNESS_ORACLE_ORACLE_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "harness/ledger/ledger.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// The bytes that reading all elements in row-major order must give: ElementCount * ItemSize bytes. `slot` changes the
/// seed, so that two slots never hold equal elements.
void ExpectedElements(const Offer& offer, int slot, std::span<uint8_t> out);
void ExpectedElements(const Request& request, std::span<uint8_t> out);

/// What a consumer may do with an offer.
enum class Allowed : uint8_t {
  kAcceptOrRefuse,  // both conform
  kMustRefuse,      // major version above 1, wrong capsule name, used capsule
  kAnything,        // invalid input: only memory safety is required
};
Allowed AllowedFor(const Recipe& recipe);

/// Whether somebody had to release the tensor of this import: its consumer, or the destructor of one of its capsules.
bool SomebodyHadToRelease(const Offer& offer, const ImportLedger& record);

/// Failures that need no rule, read from a complete ledger.
struct Safety {
  bool unsafe = false;  // access to forbidden memory, or use after the deleter was called
  bool leak = false;    // a tensor was exported and never released
};
Safety SafetyOf(const Recipe& recipe, const Ledger& ledger);

/// Why the reference's own ledger cannot be used for a comparison: a fault, a tensor that was never released, or wrong
/// elements. Empty if it can. A reason is a bug of this project, and no subject can be compared with that ledger.
std::string_view Contradiction(const Recipe& recipe, const Ledger& reference);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_ORACLE_ORACLE_H_
