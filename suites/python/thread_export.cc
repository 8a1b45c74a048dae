// suites/python/thread_export.cc: how the deleter of a producer treats the interpreter.
#include "harness/case/case.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"

namespace dlpack_cts {
namespace {

/// An array or a copy of it, whose capsule is consumed before a deleter runs.
Recipe DrawDeletion(Draw& draw, Step deletion) {
  return WithLife(draw.ExportOrCopy(),
                  {Step{.op = Op::kMake}, Step{.op = Op::kExport}, Step{.op = Op::kTakeCapsule},
                   Step{.op = Op::kLoseCapsule}, Step{.op = Op::kDropSource}, deletion, Step{.op = Op::kCollect}});
}

/// The deleter is called in a forked process, and then in a forked process in that context.
Recipe DrawDeletionInCopies(Draw& draw, Context context) {
  return WithLife(draw.ExportOrCopy(), {Step{.op = Op::kMake}, Step{.op = Op::kExport}, Step{.op = Op::kTakeCapsule},
                                        Step{.op = Op::kLoseCapsule}, Step{.op = Op::kDropSource},
                                        Step{.op = Op::kDelete, .context = Context::kForkedChild},
                                        Step{.op = Op::kDelete, .context = context}, Step{.op = Op::kCollect}});
}

/// False where a deleter in a forked process is not conclusive.
bool WorksInCopies(const ExportLedger& exported, Judgement& judgement) {
  if (exported.has_deleter == 0) {
    judgement.SaysNothing("the deleter is NULL");
  } else if (exported.survives_fork != Answer::kYes) {
    judgement.SaysNothing("the deleter does not return in a forked process");
  }
  return exported.has_deleter != 0 && exported.survives_fork == Answer::kYes;
}

const RegisterCases<OfPythonProducer> kCases = {
    // PY-THREAD-01: The tensor deleter acquires the GIL by itself if it uses Python objects or API. In this case it is
    // called on a thread without a Python thread state, while no thread holds the GIL.
    {.id = "python/thread/deleter-takes-the-gil-itself",
     .rules = {"PY-THREAD-01"},
     .draw =
         [](Draw& draw) { return DrawDeletion(draw, {.op = Op::kDelete, .slot = 0, .context = Context::kRawThread}); },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!ledger.exports[0].has_deleter) return judgement.SaysNothing("the deleter is NULL");
           judgement.Expect("export0.deleted", Is(true), "the deleter could not be called");
           judgement.Expect("export0.frees_without_gil", AnyOf(Answer::kNo, kNothing),
                            "the deleter uses Python's memory on a thread that does not hold the GIL");
         }},

    // PY-THREAD-02: The deleter can be called after interpreter finalisation. A forked process finalises its
    // interpreter and then calls the deleter. If the library crashes during finalisation, the example is not
    // conclusive.
    {.id = "python/thread/deleter-survives-the-end-of-the-interpreter",
     .rules = {"PY-THREAD-02"},
     .examples = Examples::kTable,
     .table = 8,
     .draw = [](Draw& draw) { return DrawDeletionInCopies(draw, Context::kFinalised); },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           if (!WorksInCopies(exported, judgement)) return;
           if (exported.survives_end == Answer::kUnknown) {
             return judgement.SaysNothing("the interpreter could not be finalised in a forked process");
           }
           judgement.Expect("export0.survives_end", Is(Answer::kYes),
                            "the deleter does not return after the interpreter was finalised");
         }},

    // PY-THREAD-03: The deleter also works when the caller already holds the GIL: in a usual call, or during a garbage
    // collection. A deleter that waits for another thread that needs the GIL never returns.
    {.id = "python/thread/deleter-works-while-the-caller-holds-the-gil",
     .rules = {"PY-THREAD-03"},
     .draw =
         [](Draw& draw) {
           const Context context = draw.index % 2 == 0 ? Context::kUsual : Context::kCollection;
           Recipe recipe = DrawDeletion(draw, {.op = Op::kDelete, .slot = 0, .context = context});
           if (MakesSubBytes(draw.profile).empty() && draw.Pick(3) == 0) recipe.request().dtype = draw.SubByteType();
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!ledger.exports[0].has_deleter) return judgement.SaysNothing("the deleter is NULL");
           judgement.Expect("export0.deleted", Is(true), "the deleter could not be called");
         }},

    // PY-THREAD-03, as above, in an exit handler, when the interpreter still works. The rules do not mention forked
    // processes or the end of a subinterpreter, whose threads PyGILState_Ensure supports only since CPython 3.12. A
    // deleter that does not return there is a NOTE.
    {.id = "python/thread/deleter-works-in-an-exit-handler",
     .rules = {"PY-THREAD-03"},
     .examples = Examples::kTable,
     .table = 4,
     .draw =
         [](Draw& draw) {
           return DrawDeletionInCopies(draw, draw.index == 3 ? Context::kSubinterpreter : Context::kAtExit);
         },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           constexpr std::string_view kRule = "PY-THREAD-03";
           const ExportLedger& exported = ledger.exports[0];
           if (exported.has_deleter != 0 && exported.survives_fork == Answer::kNo) {
             judgement.Expect("export0.survives_fork", Is(Answer::kYes),
                              "the deleter does not return in a forked process",
                              {.rule = kRule, .degree = Degree::kNote});
           }
           if (!WorksInCopies(exported, judgement)) return;
           if (recipe.life()[6].context == Context::kSubinterpreter) {
             if (exported.survives_other == Answer::kUnknown) {
               return judgement.SaysNothing("the deleter could not be called at the end of a subinterpreter");
             }
             judgement.Expect("export0.survives_other", Is(Answer::kYes),
                              "the deleter does not return at the end of a subinterpreter",
                              {.rule = kRule, .degree = Degree::kNote});
             return;
           }
           if (exported.survives_exit == Answer::kUnknown) {
             return judgement.SaysNothing("the exit handlers were not reached in a forked process");
           }
           judgement.Expect("export0.survives_exit", Is(Answer::kYes),
                            "the deleter does not return when an exit handler calls it", {.rule = kRule});
         }},

    // PY-THREAD-04: The deleter does not return with a Python exception set.
    {.id = "python/thread/deleter-leaves-no-exception-behind",
     .rules = {"PY-THREAD-04"},
     .draw = [](Draw& draw) { return DrawDeletion(draw, {Op::kDelete}); },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           if (exported.left_exception == Answer::kUnknown) return judgement.SaysNothing("no deleter was called");
           judgement.Expect("export0.left_exception", Is(Answer::kNo),
                            "the deleter returns with a Python exception set");
         }},
};

}  // namespace
}  // namespace dlpack_cts
