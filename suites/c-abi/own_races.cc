// suites/c-abi/own_races.cc: ownership while several threads export or import at once.
#include "harness/case/case.h"
#include "harness/case/judges.h"

namespace dlpack_cts {
namespace {

Recipe DrawExports(Draw& draw, Beside beside) {
  return WithLife(draw.ExportOrCopy(), {{.op = Op::kMake},
                                        {.op = Op::kExport},
                                        {.op = Op::kTakeCapsule},
                                        {.op = Op::kExportTogether, .argument = static_cast<int32_t>(beside)},
                                        {.op = Op::kDropSource},
                                        {.op = Op::kCollect}});
}

std::string_view RuleOf(Race race) {
  switch (race) {
    case Race::kChanged:
      return "C-SHAPE-05";
    case Race::kReleasedTwice:
      return "C-OWN-02";
    case Race::kNotReleased:
      return "C-OWN-01";
    case Race::kReleasedEarly:
      return "C-OWN-03";
    default:
      return "C-OWN-11";
  }
}

void JudgeRace(FactName<Race> fact, Race race, std::string_view message, Judgement& judgement) {
  if (race == Race::kNotRun) {
    return judgement.SaysNothing("not every export or import succeeded, or the result is wrong on one thread too");
  }
  judgement.Expect(fact, Is(Race::kFair), message, {.rule = RuleOf(race)});
}

Judge JudgeExports(std::string_view message) {
  return [=](const Recipe&, const Ledger& ledger, Judgement& judgement) {
    if (!Exported(ledger)) return judgement.SaysNothing("the array was not exported");
    JudgeRace("export0.race", ledger.exports[0].race, message, judgement);
  };
}

const RegisterCases<OfProducer> kProducerCases = {
    // C-OWN-11: Each export is independent. Here three threads start together and export one array again and again.
    // C-OWN-13: Deleters of different tensors can run concurrently. Here they run at once, on threads that do not hold
    // the GIL.
    {.id = "c-abi/own/exports-on-several-threads-are-apart",
     .rules = {"C-OWN-11", "C-OWN-13", "C-SHAPE-05"},
     .examples = Examples::kTable,
     .table = 3,
     .draw = [](Draw& draw) { return DrawExports(draw, draw.index == 2 ? Beside::kImports : Beside::kNothing); },
     .judge = JudgeExports("concurrent exports of one array are not independent")},

    // C-OWN-11: Each export is independent, even if hundreds of exports of one array are alive at once.
    {.id = "c-abi/own/many-exports-are-apart",
     .rules = {"C-OWN-11", "C-SHAPE-05"},
     .examples = Examples::kTable,
     .table = 4,
     .draw = [](Draw& draw) { return DrawExports(draw, Beside::kMany); },
     .judge = JudgeExports("hundreds of live exports of one array are not independent")},

    // C-SHAPE-05: shape and strides arrays stay unchanged until the deleter runs. Here one thread transposes the array
    // in place while others export it.
    {.id = "c-abi/own/exports-stay-while-a-thread-changes-the-array",
     .rules = {"C-SHAPE-05", "C-OWN-11", "C-OWN-13"},
     .examples = Examples::kTable,
     .table = 2,
     .needs = {Claim::kTransposeInPlace},
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawExports(draw, Beside::kChangesMetadata);
           Request& request = recipe.request();
           request = draw.PlainRequest();
           request.dims = static_cast<uint8_t>(draw.MadeRank(2));
           for (int d = 0; d < request.dims; ++d) request.shape[d] = 2 + d;  // so that transposing changes it
           return recipe;
         },
     .judge = JudgeExports("exports of an array are not independent of a thread that transposes it in place")},
};

const RegisterCases<OfConsumer> kConsumerCases = {
    // C-OWN-02: The deleter is called exactly once per managed tensor, even if three threads import at once.
    {.id = "c-abi/own/imports-on-several-threads-are-released-once",
     .rules = {"C-OWN-02", "C-OWN-01", "C-OWN-03"},
     .examples = Examples::kTable,
     .table = 2,
     .draw = [](Draw& draw) { return WithLife(Releasable(draw.Import()), {Op::kImportTogether}); },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           JudgeRace("import0.race", ledger.imports[0].race,
                     "tensors that are imported concurrently are not each released exactly once, after their last use",
                     judgement);
         }},
};

}  // namespace
}  // namespace dlpack_cts
