// harness/case/generous.h: the profile of a library that imports and makes everything.
#ifndef DLPACK_CTS_HARNESS_CASE_GENEROUS_H_
#define DLPACK_CTS_HARNESS_CASE_GENEROUS_H_

#include "harness/case/profile.h"
#include "harness/recipe/dtypes.h"

namespace dlpack_cts {

/// With all claims. No case draws less for it.
inline Profile Generous() {
  Profile profile{};
  profile.claims = ~0u;
  profile.takes_legacy = profile.takes_versioned = profile.makes_legacy = profile.makes_versioned = 1;
  profile.takes_scalar = profile.survives_negative = profile.takes_empty = profile.takes_strided = 1;
  profile.takes_offset = profile.takes_read_only = profile.shows_read_only = profile.shows_writable = 1;
  profile.aliases = profile.takes_keywords = 1;
  profile.takes_dtypes = profile.makes_dtypes = (uint64_t{1} << DataTypes().size()) - 1;
  return profile;
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_CASE_GENEROUS_H_
