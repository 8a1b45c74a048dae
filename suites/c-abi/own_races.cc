// suites/c-abi/own_races.cc: ownership while several threads export or import at once, or one thread has hundreds of
// exports or imports.
#include <algorithm>

#include "harness/case/case.h"
#include "harness/case/judges.h"
#include "harness/recipe/together.h"

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
    case Race::kSharedStruct:
      return "C-OWN-19";
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

/// The engine keeps the tensors themselves, so it cannot keep their producers too.
std::string_view KeepsItsTensors(const Profile& profile) {
  return profile.Says(Trait::kBorrows) ? "an imported array uses the tensor through its producer" : "";
}

/// The default tensor with that many dimensions, imported as `sharing` says.
Recipe DrawPlainCrowd(Draw& draw, int dims, Sharing sharing) {
  Recipe recipe = Releasable(draw.PlainImport(draw.TakenKind()));
  Offer& offer = recipe.offer();
  offer.dims = static_cast<uint8_t>(dims);
  offer.ndim = dims;
  std::fill_n(offer.shape, kDims, 0);
  std::fill_n(offer.shape, dims, 2);
  SetLife(recipe, {Step{.op = Op::kImportTogether, .argument = static_cast<int32_t>(sharing)}});
  return recipe;
}

/// Half of the rows request copies, or have explicit strides, where the library can do that.
Recipe DrawManyImports(Draw& draw, Sharing sharing) {
  Recipe recipe = DrawPlainCrowd(draw, draw.Rank(1 + draw.index % 3), sharing);
  if (draw.index % 2 == 1 && sharing == Sharing::kMany && draw.profile.Claims(Claim::kCopyKeyword)) {
    recipe.call().copy.kind = ArgumentKind::kTrue;
    recipe.offer().keywords.copy = Reply::kTypeError;
  }
  if (draw.index >= 2 && draw.profile.takes_strided != 0) {
    recipe.offer().strides_kind = StridesKind::kExplicit;
    CompactStrides(recipe.offer().shape, recipe.offer().dims, recipe.offer().strides);
  }
  return recipe;
}

void JudgeManyImports(const Recipe&, const Ledger& ledger, Judgement& judgement) {
  const Race race = ledger.imports[0].race;
  if (race == Race::kOtherTensor) {
    judgement.Expect("import0.race", Is(Race::kFair),
                     "one of hundreds of live imports does not have the shape or elements of its tensor");
    return;
  }
  JudgeRace("import0.race", race,
            "hundreds of imported tensors are not each released exactly once, after their last use", judgement);
}

/// The shape, and the sizes of the strides, are the step's own. The sign says whether they may be negative.
Recipe DrawFarImports(Draw& draw, Sharing sharing) {
  Recipe recipe = DrawPlainCrowd(draw, draw.Rank(1 + draw.index), sharing);
  Offer& offer = recipe.offer();
  if (offer.dims == 0) return recipe;
  std::fill_n(offer.shape, offer.dims, 1);
  std::fill_n(offer.strides, offer.dims, draw.profile.survives_negative != 0 ? -1 : 1);
  offer.strides_kind = StridesKind::kExplicit;
  return recipe;
}

std::string_view SharesFarElements(const Profile& profile) {
  if (profile.takes_strided == 0) return "the library imports only compact tensors";
  if (profile.aliases == 0) return "the library copies every tensor, and might copy what lies between its elements";
  return KeepsItsTensors(profile);
}

void JudgeFarImports(const Recipe&, const Ledger& ledger, Judgement& judgement) {
  const Race race = ledger.imports[0].race;
  if (race != Race::kOtherTensor && race != Race::kFair) {
    return judgement.SaysNothing("the library does not import elements that lie far apart");
  }
  judgement.Expect("import0.race", Is(Race::kFair),
                   "a tensor whose elements lie far apart was imported with another shape, strides or elements");
}

/// The imports are made by the exchange table of an array of the library.
DrawFunction ByTable(Recipe (*draw)(Draw& draw, Sharing sharing), Sharing sharing) {
  return [=](Draw& drawn) {
    Recipe recipe = draw(drawn, sharing);
    Offer& offer = recipe.offer();
    if (offer.kind == StructKind::kLegacy) {
      offer.kind = StructKind::kVersioned;
      offer.major = 1;
      offer.minor = drawn.profile.plain_minor;
    }
    recipe.request() = drawn.PlainRequest();
    SetLife(recipe, {{Op::kMake},
                     {Op::kTableFind},
                     {.op = Op::kImportTogether, .argument = static_cast<int32_t>(sharing)},
                     {Op::kDropSource},
                     {Op::kCollect}});
    return recipe;
  };
}

const RegisterCases<OfProducer> kProducerCases = {
    // C-OWN-11: Each export is independent. Here three threads start together and export one array again and again.
    // C-OWN-13: Deleters of different tensors can run concurrently. Here they run at once, on threads that do not hold
    // the GIL.
    {.id = "c-abi/own/exports-on-several-threads-are-apart",
     .rules = {"C-OWN-11", "C-OWN-13", "C-OWN-19", "C-SHAPE-05"},
     .examples = Examples::kTable,
     .table = 3,
     .draw = [](Draw& draw) { return DrawExports(draw, draw.index == 2 ? Beside::kImports : Beside::kNothing); },
     .judge = JudgeExports("concurrent exports of one array are not independent")},

    // C-OWN-11: Each export is independent, even if hundreds of exports of one array are alive at once.
    // C-OWN-19: The struct of an export stays until its deleter is called, so each has its own.
    {.id = "c-abi/own/many-exports-are-apart",
     .rules = {"C-OWN-11", "C-OWN-19", "C-SHAPE-05"},
     .examples = Examples::kTable,
     .table = 4,
     .draw = [](Draw& draw) { return DrawExports(draw, Beside::kMany); },
     .judge = JudgeExports("hundreds of live exports of one array are not independent")},

    // C-OWN-11: Each export is independent, even if exports of hundreds of arrays are alive at once, half of whose
    // arrays are gone. C-SHAPE-05: Their shapes and strides stay as they are. Every second row has copies.
    {.id = "c-abi/own/exports-of-many-arrays-are-apart",
     .rules = {"C-OWN-11", "C-OWN-19", "C-SHAPE-05"},
     .examples = Examples::kTable,
     .table = 4,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawExports(draw, Beside::kManyArrays);
           MakeWhole(recipe.request());
           const bool copies = draw.index % 2 == 1 && draw.profile.takes_keywords != 0;
           recipe.call().copy.kind = copies ? ArgumentKind::kTrue : ArgumentKind::kAbsent;
           recipe.request().dims = static_cast<uint8_t>(draw.MadeRank(1 + draw.index % 3));
           std::fill_n(recipe.request().shape, kDims, 0);
           std::fill_n(recipe.request().shape, recipe.request().dims, 2);
           return recipe;
         },
     .judge = JudgeExports("hundreds of live exports of different arrays are not independent")},

    // C-SHAPE-05: shape and strides arrays stay unchanged until the deleter runs. Here one thread transposes the array
    // in place while others export it.
    {.id = "c-abi/own/exports-stay-while-a-thread-changes-the-array",
     .rules = {"C-SHAPE-05", "C-OWN-11", "C-OWN-13", "C-OWN-19"},
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

    // C-OWN-21: A consumer treats every managed tensor as new, even if hundreds of imported arrays are alive at once:
    // each array has the shape and elements of its own tensor. C-OWN-02, C-OWN-03: Each tensor is released once, after
    // its array. Every second row asks for copies, if the library can.
    {.id = "c-abi/own/many-imports-are-apart",
     .rules = {"C-OWN-21", "C-OWN-01", "C-OWN-02", "C-OWN-03"},
     .examples = Examples::kTable,
     .table = 4,
     .blocked = KeepsItsTensors,
     .draw = [](Draw& draw) { return DrawManyImports(draw, Sharing::kMany); },
     .judge = JudgeManyImports},

    // C-OWN-21, C-OWN-02, C-OWN-03: The same of bare capsules.
    {.id = "c-abi/own/many-bare-capsules-are-apart",
     .rules = {"C-OWN-21", "C-OWN-01", "C-OWN-02", "C-OWN-03"},
     .examples = Examples::kTable,
     .table = 4,
     .needs = {Claim::kCapsuleInput},
     .blocked = KeepsItsTensors,
     .draw = [](Draw& draw) { return DrawManyImports(draw, Sharing::kManyBare); },
     .judge = JudgeManyImports},

    // C-OWN-11: The exports of one imported array are independent, even if hundreds are alive at once, in whatever
    // order they and the array are dropped. C-OWN-02, C-OWN-03: The tensor is released once, after the last of them.
    {.id = "c-abi/own/many-reexports-are-apart",
     .rules = {"C-OWN-11", "C-OWN-01", "C-OWN-02", "C-OWN-03", "C-OWN-19"},
     .examples = Examples::kTable,
     .table = 3,
     .needs = {Claim::kReexport},
     .blocked = KeepsItsTensors,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawPlainCrowd(draw, draw.Rank(1 + draw.index), Sharing::kReexports);
           recipe.call() = draw.PlainCall();
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           JudgeRace("import0.race", ledger.imports[0].race,
                     "hundreds of live exports of one imported array are not independent, or do not keep its tensor "
                     "until the last is deleted",
                     judgement);
         }},

    // C-STRIDES-08: A consumer honours arbitrary strides: also strides of 2^15, 2^16, 2^31 and 2^32 and those beside
    // them, in each dimension. A consumer that cannot use such strides refuses them.
    {.id = "c-abi/strides/elements-far-apart-are-found",
     .rules = {"C-STRIDES-08"},
     .examples = Examples::kTable,
     .table = 3,
     .blocked = SharesFarElements,
     .draw = [](Draw& draw) { return DrawFarImports(draw, Sharing::kFar); },
     .judge = JudgeFarImports},

    // C-STRIDES-08: The same of bare capsules.
    {.id = "c-abi/strides/elements-far-apart-are-found-in-bare-capsules",
     .rules = {"C-STRIDES-08"},
     .examples = Examples::kTable,
     .table = 3,
     .needs = {Claim::kCapsuleInput},
     .blocked = SharesFarElements,
     .draw = [](Draw& draw) { return DrawFarImports(draw, Sharing::kFarBare); },
     .judge = JudgeFarImports},
};

const RegisterCases<OfPythonExchange> kTableCases = {
    // C-OWN-21, C-OWN-02, C-OWN-03: Hundreds of arrays from managed_tensor_to_py_object_no_sync are independent.
    {.id = "exchange-api/functions/many-imports-are-apart",
     .rules = {"C-OWN-21", "C-OWN-01", "C-OWN-02", "C-OWN-03"},
     .examples = Examples::kTable,
     .table = 4,
     .needs = {Claim::kExchangeApi},
     .blocked = KeepsItsTensors,
     .draw = ByTable(DrawManyImports, Sharing::kManyByTable),
     .judge = JudgeManyImports},

    // C-STRIDES-08: managed_tensor_to_py_object_no_sync honours strides of about 2^15, 2^16, 2^31 and 2^32 in each
    // dimension, or refuses them.
    {.id = "exchange-api/functions/to-object-finds-elements-far-apart",
     .rules = {"C-STRIDES-08", "XAPI-TO-02"},
     .examples = Examples::kTable,
     .table = 3,
     .needs = {Claim::kExchangeApi},
     .blocked = SharesFarElements,
     .draw = ByTable(DrawFarImports, Sharing::kFarByTable),
     .judge = JudgeFarImports},
};

}  // namespace
}  // namespace dlpack_cts
