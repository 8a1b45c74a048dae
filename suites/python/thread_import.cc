// suites/python/thread_import.cc: what a consumer does while a deleter runs that calls it again.
#include "harness/case/case.h"
#include "harness/case/judges.h"

namespace dlpack_cts {
namespace {

Recipe DrawActing(Draw& draw, DeleterKind deleter) {
  Recipe recipe = draw.Import();
  recipe.offer().deleter = deleter;
  return recipe;
}

void JudgeTaken(const char* rule, const char* message, const Ledger& ledger, Judgement& judgement) {
  const Answer taken = ledger.imports[0].taken_within;
  if (taken == Answer::kUnknown) return judgement.SaysNothing("no deleter ran that called the library");
  Check(taken == Answer::kYes, ledger, judgement, rule, "import0.taken_within", "yes", message);
}

// PY-THREAD-07: A consumer holds no lock of its own across a deleter call that a thread holding the GIL could be
// waiting for, because the deleter may have to acquire the GIL. Here the deleter gives up the GIL for a moment, in
// which another thread imports a tensor; where that one waits for the lock with the GIL in its hand, neither ends.
const Register kHoldsNoLock{{
    .id = "python/thread/no-lock-is-held-while-a-deleter-runs",
    .rules = {"PY-THREAD-07"},
    .python = true,
    .draw = [](Draw& draw) { return DrawActing(draw, DeleterKind::kMeetsThread); },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          JudgeTaken("PY-THREAD-07", "another thread cannot import while a deleter runs", ledger, judgement);
        },
}};

// PY-THREAD-08: A deleter may run arbitrary Python code, so a consumer calls it only when its own state is consistent
// and re-entry is safe. Here the deleter has the library import another such tensor, and drop it.
const Register kMayBeReentered{{
    .id = "python/thread/deleter-may-call-the-consumer",
    .rules = {"PY-THREAD-08"},
    .python = true,
    .draw = [](Draw& draw) { return DrawActing(draw, DeleterKind::kReenters); },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          JudgeTaken("PY-THREAD-08", "from within a deleter the library takes no tensor", ledger, judgement);
        },
}};

}  // namespace
}  // namespace dlpack_cts
