// suites/python/thread_export.cc: what the deleter of a producer does to the interpreter.
#include "harness/case/case.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"

namespace dlpack_cts {
namespace {

/// An array or a copy of it, whose tensor is taken over before a deleter runs.
Recipe DrawDeletion(Draw& draw, Step deletion) {
  Recipe recipe = draw.ExportOrCopy();
  SetLife(recipe, {Step{.op = Op::kMake}, Step{.op = Op::kExport}, Step{.op = Op::kTakeCapsule},
                   Step{.op = Op::kLoseCapsule}, Step{.op = Op::kDropSource}, deletion, Step{.op = Op::kCollect}});
  return recipe;
}

/// In a copy of the process that is no more than that, then in one in that context.
Recipe DrawDeletionInCopies(Draw& draw, Context context) {
  Recipe recipe = draw.ExportOrCopy();
  SetLife(recipe,
          {Step{.op = Op::kMake}, Step{.op = Op::kExport}, Step{.op = Op::kTakeCapsule}, Step{.op = Op::kLoseCapsule},
           Step{.op = Op::kDropSource}, Step{.op = Op::kDelete, .context = Context::kForkedChild},
           Step{.op = Op::kDelete, .context = context}, Step{.op = Op::kCollect}});
  return recipe;
}

/// False where nothing can be said of a context that stands in a copy.
bool WorksInCopies(const ExportLedger& exported, Judgement& judgement) {
  if (exported.has_deleter == 0) {
    judgement.SaysNothing("the deleter is NULL");
  } else if (exported.survives_fork != Answer::kYes) {
    judgement.SaysNothing("the deleter does not come back in a copy of the process");
  }
  return exported.has_deleter != 0 && exported.survives_fork == Answer::kYes;
}

// PY-THREAD-01: The tensor deleter acquires the GIL by itself if it uses Python objects or API. Here it is called on a
// thread that has no state in the interpreter, while nobody holds the GIL.
const Register kTakesTheGil{{
    .id = "python/thread/deleter-takes-the-gil-itself",
    .rules = {"PY-THREAD-01"},
    .role = Role::kProducer,
    .python = true,
    .draw =
        [](Draw& draw) { return DrawDeletion(draw, {.op = Op::kDelete, .slot = 0, .context = Context::kRawThread}); },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          if (!ledger.exports[0].has_deleter) return judgement.SaysNothing("the deleter is NULL");
          judgement.Equal("PY-THREAD-01", "export0.deleted", 1, ledger.exports[0].deleted,
                          "the deleter could not be called");
          Check(ledger.exports[0].frees_without_gil != Answer::kYes, ledger, judgement, "PY-THREAD-01",
                "export0.frees_without_gil", "no | none",
                "the deleter uses memory of Python's on a thread that does not hold the GIL");
        },
}};

// PY-THREAD-02: The deleter survives being called after interpreter finalisation. A copy of the process finalises its
// interpreter and calls the deleter then; where the library does not survive the former, nobody can say.
const Register kSurvivesTheEnd{{
    .id = "python/thread/deleter-survives-the-end-of-the-interpreter",
    .rules = {"PY-THREAD-02"},
    .role = Role::kProducer,
    .examples = Examples::kTable,
    .table = 8,
    .python = true,
    .draw = [](Draw& draw) { return DrawDeletionInCopies(draw, Context::kFinalised); },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          const ExportLedger& exported = ledger.exports[0];
          if (!WorksInCopies(exported, judgement)) return;
          if (exported.survives_end == Answer::kUnknown) {
            return judgement.SaysNothing("the interpreter could not be finalised in a copy of the process");
          }
          Check(exported.survives_end == Answer::kYes, ledger, judgement, "PY-THREAD-02", "export0.survives_end", "yes",
                "the deleter ends a process whose interpreter was finalised");
        },
}};

// PY-THREAD-03: The deleter also works when the caller already holds the GIL: called as such, or out of a collection.
// One that waits for another thread which needs the GIL never ends.
const Register kWorksUnderTheGil{{
    .id = "python/thread/deleter-works-while-the-caller-holds-the-gil",
    .rules = {"PY-THREAD-03"},
    .role = Role::kProducer,
    .python = true,
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
          judgement.Equal("PY-THREAD-03", "export0.deleted", 1, ledger.exports[0].deleted,
                          "the deleter could not be called");
        },
}};

// PY-THREAD-03, as above, out of an exit handler, whose interpreter is whole. No rule speaks of forked children, nor of
// the end of another interpreter, whose thread PyGILState_Ensure serves since CPython 3.12 only: what does not come
// back there is noted.
const Register kWorksAtExit{{
    .id = "python/thread/deleter-works-in-an-exit-handler",
    .rules = {"PY-THREAD-03"},
    .role = Role::kProducer,
    .examples = Examples::kTable,
    .table = 4,
    .python = true,
    .draw =
        [](Draw& draw) {
          return DrawDeletionInCopies(draw, draw.index == 3 ? Context::kSubinterpreter : Context::kAtExit);
        },
    .judge =
        [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
          constexpr std::string_view kRule = "PY-THREAD-03";
          const ExportLedger& exported = ledger.exports[0];
          if (exported.has_deleter != 0 && exported.survives_fork == Answer::kNo) {
            judgement.Expect(false, kRule, "export0.survives_fork", "yes", "no", "the deleter ends a forked child",
                             Degree::kNote);
          }
          if (!WorksInCopies(exported, judgement)) return;
          if (recipe.life()[6].context == Context::kSubinterpreter) {
            if (exported.survives_other == Answer::kUnknown) {
              return judgement.SaysNothing("the interpreter serves no threads of another one");
            }
            judgement.Expect(exported.survives_other == Answer::kYes, kRule, "export0.survives_other", "yes", "no",
                             "the deleter ends the process at the end of another interpreter", Degree::kNote);
            return;
          }
          if (exported.survives_exit == Answer::kUnknown) {
            return judgement.SaysNothing("no copy of the process came to its exit handlers");
          }
          Check(exported.survives_exit == Answer::kYes, ledger, judgement, kRule, "export0.survives_exit", "yes",
                "the deleter does not come back out of an exit handler");
        },
}};

// PY-THREAD-04: The deleter leaves no Python exception set behind.
const Register kLeavesNoException{{
    .id = "python/thread/deleter-leaves-no-exception-behind",
    .rules = {"PY-THREAD-04"},
    .role = Role::kProducer,
    .python = true,
    .draw = [](Draw& draw) { return DrawDeletion(draw, {Op::kDelete}); },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          const ExportLedger& exported = ledger.exports[0];
          if (exported.left_exception == Answer::kUnknown) return judgement.SaysNothing("no deleter was called");
          Check(exported.left_exception == Answer::kNo, ledger, judgement, "PY-THREAD-04", "export0.left_exception",
                "no", "the deleter leaves a Python exception behind");
        },
}};

}  // namespace
}  // namespace dlpack_cts
