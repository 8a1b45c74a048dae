// suites/python/thread_import.cc: what a consumer does while it calls a deleter that calls the consumer.
#include "harness/case/case.h"
#include "harness/case/judges.h"

namespace dlpack_cts {
namespace {

Recipe DrawActing(Draw& draw, DeleterKind deleter) {
  Recipe recipe = draw.Import();
  recipe.offer().deleter = deleter;
  return recipe;
}

Judge JudgeTaken(std::string_view rule, std::string_view message) {
  return [=](const Recipe&, const Ledger& ledger, Judgement& judgement) {
    const Answer taken = ledger.imports[0].taken_within;
    if (taken == Answer::kUnknown) return judgement.SaysNothing("the deleter that calls the library was not called");
    judgement.Expect("import0.taken_within", Is(Answer::kYes), message, {.rule = rule});
  };
}

const RegisterCases<OfPythonConsumer> kCases = {
    // PY-THREAD-07: A consumer does not call a deleter while it holds a lock that a thread with the GIL may wait for,
    // because the deleter may have to acquire the GIL. In this case the deleter releases the GIL for a moment, and
    // another thread imports a tensor. If that thread waits for the lock while it holds the GIL, both threads wait for
    // ever.
    {.id = "python/thread/no-lock-is-held-while-a-deleter-runs",
     .rules = {"PY-THREAD-07"},
     .draw = [](Draw& draw) { return DrawActing(draw, DeleterKind::kMeetsThread); },
     .judge = JudgeTaken("PY-THREAD-07", "another thread cannot import a tensor while the library calls a deleter")},

    // PY-THREAD-08: A deleter may run arbitrary Python code, so a consumer calls it only when its own state is
    // consistent and re-entry is safe. In this case the deleter makes the library import another such tensor, and drop
    // it.
    {.id = "python/thread/deleter-may-call-the-consumer",
     .rules = {"PY-THREAD-08"},
     .draw = [](Draw& draw) { return DrawActing(draw, DeleterKind::kReenters); },
     .judge = JudgeTaken("PY-THREAD-08", "the library cannot import a tensor from within a deleter that it calls")},
};

}  // namespace
}  // namespace dlpack_cts
