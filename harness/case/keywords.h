// harness/case/keywords.h: keywords of __dlpack__ that do not change what a case tests, or that its dtypes need.
#ifndef DLPACK_CTS_HARNESS_CASE_KEYWORDS_H_
#define DLPACK_CTS_HARNESS_CASE_KEYWORDS_H_

#include "harness/case/case.h"

namespace dlpack_cts {

/// In one of three examples the call passes copy and dl_device too, where __dlpack__ accepts them: each is absent, None
/// or one of its values, and dl_device is the CPU. A copy that the case requests stays.
void AddKeywords(Draw& draw, Recipe& recipe);

/// Sets max_version, where __dlpack__ accepts it, if a legacy struct cannot describe what is exported: its type, or an
/// array that was imported from a legacy struct. Some libraries make such an array read-only, since nothing says that
/// it is not.
void AskForVersioned(const Draw& draw, Recipe& recipe);

/// Requests the plain type instead of a type that a legacy struct does not have.
void RequestLegacyType(const Draw& draw, Recipe& recipe);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_CASE_KEYWORDS_H_
