// harness/ledger/words.cc: the words of steps.
#include "harness/ledger/facts.h"
#include "harness/recipe/ops.h"

namespace dlpack_cts {

std::string_view ToText(Op op) { return op < Op::kCount ? RowOf(op).word : kUndefinedWord; }

}  // namespace dlpack_cts
