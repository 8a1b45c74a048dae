// suites/whole/mix.h: exchanges that no case thought of: the life of one case with the tensor of another.
#ifndef DLPACK_CTS_SUITES_WHOLE_MIX_H_
#define DLPACK_CTS_SUITES_WHOLE_MIX_H_

#include "harness/case/case.h"

namespace dlpack_cts {

/// Takes the recipe that a case of the catalogue draws, and often the tensors, or the arguments, of another case's in
/// place of its own. Only cases that the subject can run are asked; none is hostile.
Recipe DrawMix(Draw& draw, RecipeKind kind);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_SUITES_WHOLE_MIX_H_
