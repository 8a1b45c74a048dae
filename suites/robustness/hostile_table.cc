// suites/robustness/hostile_table.cc: what a consumer makes of an exchange table that breaks the contract.
#include "suites/exchange-api/forged.h"

namespace dlpack_cts {
namespace {

// XAPI-DISC-07: Consumers may cache the table of a type, or look it up each time. Here the type gives another address
// when it is asked again, and both tables stay: whichever is used, it serves.
const Register kMayMove{OfTables({
    .id = "robustness/exchange-api/table-that-moved-is-survived",
    .rules = {"XAPI-DISC-07"},
    .on_refusal = OnRefusal::kJudge,
    .hostile = true,
    .draw =
        [](Draw& draw) {
          Recipe recipe = DrawTabled(draw);
          recipe.table.moves = 1;
          SetLife(recipe, {Step{.op = Op::kImport}, Step{.op = Op::kDescribe}, Step{.op = Op::kRead},
                           Step{.op = Op::kImport, .slot = 1}, Step{.op = Op::kRead, .slot = 1},
                           Step{.op = Op::kDropArray}, Step{.op = Op::kDropArray, .slot = 1}});
          return recipe;
        },
    .judge = [](const Recipe&, const Ledger& ledger,
                Judgement& judgement) { RefusedOrRight("XAPI-DISC-07", ledger, judgement); },
})};

}  // namespace
}  // namespace dlpack_cts
