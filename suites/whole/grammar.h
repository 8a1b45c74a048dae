// suites/whole/grammar.h: random sequences of steps: earlier exchanges, the main exchange, and later steps in any
// order.
#ifndef DLPACK_CTS_SUITES_WHOLE_GRAMMAR_H_
#define DLPACK_CTS_SUITES_WHOLE_GRAMMAR_H_

#include "harness/case/case.h"

namespace dlpack_cts {

/// Replaces the recipe's steps by random ones that the subject's claims allow. Before the exchange come up to two of: a
/// refused tensor, a producer that raises, other tensors that stay alive, a tensor that was released at the same
/// address, a refused export. After it come reads, writes, views, further exports and releases, in any order; some with
/// an exception pending, inside a collection or on a raw thread.
void DrawLife(Draw& draw, Recipe& recipe);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_SUITES_WHOLE_GRAMMAR_H_
