// suites/whole/mix.h: exchanges that no case draws: the steps of one case with the tensor of another.
#ifndef DLPACK_CTS_SUITES_WHOLE_MIX_H_
#define DLPACK_CTS_SUITES_WHOLE_MIX_H_

#include "harness/case/case.h"

namespace dlpack_cts {

/// Returns a recipe that a case of the catalogue draws, often with the tensors or the arguments of another case. Uses
/// only cases that the subject can run, and no case with invalid input.
Recipe DrawMix(Draw& draw, RecipeKind kind);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_SUITES_WHOLE_MIX_H_
