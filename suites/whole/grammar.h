// suites/whole/grammar.h: lives that no case wrote down: a history, an exchange, and whatever may follow in any order.
#ifndef DLPACK_CTS_SUITES_WHOLE_GRAMMAR_H_
#define DLPACK_CTS_SUITES_WHOLE_GRAMMAR_H_

#include "harness/case/case.h"

namespace dlpack_cts {

/// Replaces the recipe's life by one that is drawn step by step, within what the subject claims. In front of the
/// exchange stand up to two of: a refused tensor, a producer that raises, other tensors that stay alive, one that came
/// and went at the same address, a refused export. Behind it come readings, writes, views, further exports and
/// releases, in any order, some with an exception pending, out of a collection or on a raw thread.
void DrawLife(Draw& draw, Recipe& recipe);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_SUITES_WHOLE_GRAMMAR_H_
