// harness/case/keywords.h: keywords of __dlpack__ that do not change what a case tests.
#ifndef DLPACK_CTS_HARNESS_CASE_KEYWORDS_H_
#define DLPACK_CTS_HARNESS_CASE_KEYWORDS_H_

#include "harness/case/case.h"

namespace dlpack_cts {

/// In one of three examples the call passes copy and dl_device too, where __dlpack__ accepts them: each is absent, None
/// or one of its values, and dl_device is the CPU. A copy that the case requests stays.
void AddKeywords(Draw& draw, Recipe& recipe);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_CASE_KEYWORDS_H_
