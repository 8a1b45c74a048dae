// suites/c-abi/own_races.cc: ownership while several threads export or import at once.
#include "harness/case/case.h"
#include "harness/case/judges.h"

namespace dlpack_cts {
namespace {

Recipe DrawExports(Draw& draw, Beside beside) {
  Recipe recipe = draw.ExportOrCopy();
  SetLife(recipe, {{.op = Op::kMake},
                   {.op = Op::kExport},
                   {.op = Op::kTakeCapsule},
                   {.op = Op::kExportTogether, .argument = static_cast<int32_t>(beside)},
                   {.op = Op::kDropSource},
                   {.op = Op::kCollect}});
  return recipe;
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

void JudgeRace(std::string_view fact, Race race, const Ledger& ledger, std::string_view message, Judgement& judgement) {
  if (race == Race::kNotRun) return judgement.SaysNothing("not every one of them was accepted");
  Check(race == Race::kFair, ledger, judgement, RuleOf(race), fact, "fair", message);
}

// C-OWN-11: Each export is independent. Here three threads export one array again and again, with a start for all.
// C-OWN-13: Deleters of different tensors can run concurrently. Here they do, at once, where nobody holds the GIL.
const Register kExportsTogether{{
    .id = "c-abi/own/exports-on-several-threads-are-apart",
    .rules = {"C-OWN-11", "C-OWN-13", "C-SHAPE-05"},
    .role = Role::kProducer,
    .examples = Examples::kTable,
    .table = 3,
    .draw = [](Draw& draw) { return DrawExports(draw, draw.index == 2 ? Beside::kImports : Beside::kNothing); },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          if (!Exported(ledger)) return judgement.SaysNothing("nothing was exported");
          JudgeRace("export0.race", ledger.exports[0].race, ledger, "what threads export at once is not apart",
                    judgement);
        },
}};

// C-OWN-11: Each export is independent, also where hundreds of one array are alive at once.
const Register kManyExports{{
    .id = "c-abi/own/many-exports-are-apart",
    .rules = {"C-OWN-11", "C-SHAPE-05"},
    .role = Role::kProducer,
    .examples = Examples::kTable,
    .table = 4,
    .draw = [](Draw& draw) { return DrawExports(draw, Beside::kMany); },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          if (!Exported(ledger)) return judgement.SaysNothing("nothing was exported");
          JudgeRace("export0.race", ledger.exports[0].race, ledger, "hundreds of exports are not apart", judgement);
        },
}};

// C-SHAPE-05: shape and strides arrays stay unchanged until the deleter runs. Here one thread transposes the array in
// place while others export it.
const Register kChangesBesideExports{{
    .id = "c-abi/own/exports-stay-while-a-thread-changes-the-array",
    .rules = {"C-SHAPE-05", "C-OWN-11", "C-OWN-13"},
    .role = Role::kProducer,
    .examples = Examples::kTable,
    .table = 2,
    .needs = {Claim::kTransposeInPlace},
    .draw =
        [](Draw& draw) {
          Recipe recipe = DrawExports(draw, Beside::kChangesMetadata);
          Request& request = recipe.request();
          request = draw.PlainRequest();
          request.dims = static_cast<uint8_t>(draw.MadeRank(2));
          for (int d = 0; d < request.dims; ++d) request.shape[d] = 2 + d;  // each transposition shows
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          if (!Exported(ledger)) return judgement.SaysNothing("nothing was exported");
          JudgeRace("export0.race", ledger.exports[0].race, ledger,
                    "exports change while another thread changes the array", judgement);
        },
}};

// C-OWN-02: The deleter is called exactly once per managed tensor, also where three threads import at once.
const Register kImportsTogether{{
    .id = "c-abi/own/imports-on-several-threads-are-released-once",
    .rules = {"C-OWN-02", "C-OWN-01", "C-OWN-03"},
    .examples = Examples::kTable,
    .table = 2,
    .draw =
        [](Draw& draw) {
          Recipe recipe = draw.Import();
          MakeReleasable(recipe);
          SetLife(recipe, {Op::kImportTogether});
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          JudgeRace("import0.race", ledger.imports[0].race, ledger,
                    "what threads import at once is not released once each", judgement);
        },
}};

}  // namespace
}  // namespace dlpack_cts
