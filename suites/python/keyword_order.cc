// suites/python/keyword_order.cc: the result of an export does not depend on the order of its keywords.
#include <utility>

#include "harness/case/arguments.h"
#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"

namespace dlpack_cts {
namespace {

constexpr int kOther = 0;
constexpr int kUsual = 1;

const RegisterCases<OfPythonProducer> kCases = {
    // PY-DLPACK-01: Keywords have no order. Each row passes all four in another one.
    {.id = "python/dlpack/keywords-have-no-order",
     .rules = {"PY-DLPACK-01", "PY-COPY-01"},
     .examples = Examples::kTable,
     .table = 3 * kKeywordOrders,
     .on_refusal = OnRefusal::kJudge,
     .blocked = KnowsMaxVersion,
     .draw =
         [](Draw& draw) {
           constexpr Argument kCopies[] = {argument::kTrue, argument::kNone, argument::kFalse};
           Recipe recipe = draw.Export();
           Call& call = recipe.call();
           call = {};
           call.max_version = kNewestVersion;
           call.dl_device = draw.Pick(2) == 0 ? argument::kNone : argument::Pair(abi::kDLCPU, 0);
           call.copy = kCopies[draw.index / kKeywordOrders];
           call.stream = argument::kNone;
           AddCall(recipe, call);
           call.order = static_cast<uint8_t>(draw.index % kKeywordOrders);
           SetLife(recipe, {{.op = Op::kMake},
                            {.op = Op::kExport, .slot = kOther, .call = 0},
                            {.op = Op::kExport, .slot = kUsual, .call = 1},
                            {.op = Op::kReadExport, .slot = kOther},
                            {.op = Op::kDropSource},
                            {.op = Op::kCollect}});
           return recipe;
         },
     .uncontrolled = uncontrolled::kSteps,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& usual = ledger.exports[kUsual];
           const ExportLedger& other = ledger.exports[kOther];
           if (!Exported(ledger, kUsual)) return judgement.SaysNothing("__dlpack__ does not accept the keywords");
           if (!judgement.Expect("export0.outcome", Is(Outcome::kAccepted),
                                 "__dlpack__ refuses the keywords in another order")) {
             return;
           }
           if (usual.struct_address == 0 || other.struct_address == 0) return;
           judgement.Expect("export0.versioned", Is(usual.versioned != 0),
                            "__dlpack__ returns another kind of capsule if its keywords have another order");
           const bool placed = usual.place.area != Area::kUnknown && other.place.area != Area::kUnknown;
           judgement.Expect("export0.points_at_source", Is(usual.IsAtSource()),
                            "__dlpack__ copies, or shares memory, only if its keywords have another order",
                            {.rule = "PY-COPY-01", .when = placed});
           judgement.Expect("export0.flags", Is(usual.flags),
                            "the flags of the struct differ if the keywords have another order",
                            {.degree = Degree::kWarn, .when = usual.versioned != 0 && other.versioned != 0});
         }},
};

}  // namespace
}  // namespace dlpack_cts
