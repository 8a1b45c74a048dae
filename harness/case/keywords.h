// harness/case/keywords.h: the keywords of __dlpack__ that change nothing about what a case looks at.
#ifndef DLPACK_CTS_HARNESS_CASE_KEYWORDS_H_
#define DLPACK_CTS_HARNESS_CASE_KEYWORDS_H_

#include "harness/case/case.h"

namespace dlpack_cts {

/// In one of three examples the call names copy and dl_device too, where __dlpack__ knows them: each absent, None or
/// one of its values, dl_device the CPU. A copy that the case asks for stays.
void AddKeywords(Draw& draw, Recipe& recipe);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_CASE_KEYWORDS_H_
