// suites/python/from_again.cc: one producer object that is imported twice, and exports another tensor each time.
#include <utility>

#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"

namespace dlpack_cts {
namespace {

constexpr int kFirst = 0;
constexpr int kSecond = 1;

Case OfSecondImport(Case made) {
  made.on_refusal = OnRefusal::kJudge;
  made.uncontrolled = uncontrolled::kSteps;
  made.blocked = TakesObjects;
  return OfPythonConsumer(std::move(made));
}

const RegisterCases<OfSecondImport> kCases = {
    // PY-FROM-04: The result has the elements of the tensor that this call of __dlpack__ exports. The two tensors have
    // the same metadata, other elements and other memory. The array of the first import is alive at the second one.
    // PY-FROM-14: The second import is accepted if the first one was.
    {.id = "python/from/second-import-takes-the-second-tensor",
     .rules = {"PY-FROM-04", "PY-FROM-14"},
     .draw =
         [](Draw& draw) {
           Recipe recipe = Releasable(draw.Import());
           recipe.offer().gives = Gives::kEarlierObject;
           recipe.offer().deleter = DeleterKind::kCounting;
           recipe.call() = {};
           SetLife(recipe, {{.op = Op::kImport, .slot = kFirst},
                            {.op = Op::kDescribe, .slot = kFirst},
                            {.op = Op::kRead, .slot = kFirst},
                            {.op = Op::kImport, .slot = kSecond},
                            {.op = Op::kDescribe, .slot = kSecond},
                            {.op = Op::kRead, .slot = kSecond},
                            {.op = Op::kDropArray, .slot = kSecond},
                            {.op = Op::kDropArray, .slot = kFirst}});
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!Accepted(ledger, kFirst)) return judgement.SaysNothing("the first tensor was not accepted");
           if (ledger.imports[kFirst].library.reading != Reading::kMatches) {
             return judgement.SaysNothing("the elements of the first array could not be read, or are wrong");
           }
           if (!judgement.Expect("importS.outcome", Is(Outcome::kAccepted),
                                 "an object is refused at its second import, and accepted at the first",
                                 {.rule = "PY-FROM-14", .slot = kSecond})) {
             return;
           }
           ElementsMatch(judgement,
                         "the second import of an object lacks the elements of the tensor that it exports then",
                         {.slot = kSecond});
         }},
};

}  // namespace
}  // namespace dlpack_cts
