// harness/case/claims.h: the names of claims and traits, as library.toml writes them.
#ifndef DLPACK_CTS_HARNESS_CASE_CLAIMS_H_
#define DLPACK_CTS_HARNESS_CASE_CLAIMS_H_

#include <optional>
#include <string_view>

#include "harness/case/profile.h"

namespace dlpack_cts {

/// "read_only" for Claim::kReadOnly.
std::string_view ToText(Claim claim);
std::optional<Claim> ClaimFromText(std::string_view text);

/// "immutable" for Trait::kImmutable.
std::string_view ToText(Trait trait);
std::optional<Trait> TraitFromText(std::string_view text);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_CASE_CLAIMS_H_
