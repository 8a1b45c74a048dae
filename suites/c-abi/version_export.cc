// suites/c-abi/version_export.cc: the version that a producer declares.
#include "harness/case/arguments.h"
#include "harness/case/case.h"
#include "harness/case/judges.h"
#include "harness/case/keywords.h"
#include "harness/case/needs.h"

namespace dlpack_cts {
namespace {

Recipe DrawAnyVersion(Draw& draw) {
  Recipe recipe = draw.ExportOf(StructKind::kVersioned);
  recipe.call().max_version.b = draw.random.Between(0, 3);
  AddKeywords(draw, recipe);
  return recipe;
}

/// The minor version that introduced a dtype code; codes up to kDLBool are older than 1.0.
uint32_t MinorOf(abi::DLDataType dtype) {
  return dtype.code >= abi::kDLFloat8_e3m4 && dtype.code <= abi::kDLFloat4_e2m1fn ? 1 : 0;
}

const RegisterCases<OfProducer> kCases = {
    // C-VERSION-01: A producer fills version with the DLPack version that the struct actually follows.
    {.id = "c-abi/version/exported-major-is-one",
     .rules = {"C-VERSION-01"},
     .blocked = MakesVersioned,
     .draw = [](Draw& draw) { return DrawAnyVersion(draw); },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           if (!IsVersioned(judgement)) return;
           judgement.Expect("export0.version", OfMajorOne(),
                            "max_version asks for major version 1, but version.major of the export is not 1");
           judgement.Expect("export0.version", IsPublishedVersion(),
                            "version.minor of the export is greater than 3, the newest released minor version",
                            {.degree = Degree::kNote, .when = exported.version.minor > 3});
         }},

    // C-VERSION-01: Equal exports declare equal versions. A difference is usually uninitialised memory.
    {.id = "c-abi/version/equal-exports-declare-equal-versions",
     .rules = {"C-VERSION-01"},
     .blocked = MakesVersioned,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawAnyVersion(draw);
           SetLife(recipe, {Op::kMake});
           for (int slot = 0; slot < 3; ++slot) AddStep(recipe, Op::kExport, slot);
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& first = ledger.exports[0];
           if (!first.versioned) return judgement.SaysNothing("the export is not a versioned struct");
           judgement.Holds();
           for (int slot = 1; slot < 3; ++slot) {
             const ExportLedger& other = ledger.exports[slot];
             if (other.export_call.outcome != Outcome::kAccepted || !other.versioned) continue;
             judgement.Expect("exportS.version", Is(first.version), "equal exports declare different versions",
                              {.slot = slot});
           }
         }},

    // C-VERSION-10: A producer does not use enumerators or relaxations that its declared version lacks.
    {.id = "c-abi/version/export-uses-no-newer-enumerators",
     .rules = {"C-VERSION-10"},
     .blocked = MakesVersioned,
     .draw = [](Draw& draw) { return DrawAnyVersion(draw); },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           if (!IsVersioned(judgement)) return;
           if (exported.version.major != 1) return judgement.SaysNothing("version.major of the export is not 1");
           judgement.Expect("export0.version", IsPublishedVersion(1),
                            "dl_tensor.dtype.code is newer than the version that the struct declares",
                            {.when = exported.version.minor < MinorOf(exported.tensor.dtype)});
           const bool padded = (exported.flags & abi::kFlagSubbytePadded) != 0;
           judgement.Expect(
               "export0.version", IsPublishedVersion(1),
               "DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED is newer than the version that the struct declares",
               {.when = padded && exported.version.minor < 1});
         }},

    // C-VERSION-12: A producer should support both struct kinds during the transition.
    {.id = "c-abi/version/both-struct-kinds-are-made",
     .rules = {"C-VERSION-12", "PY-MAXVER-13"},
     .examples = Examples::kTable,
     .table = 2,
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.Export();
           recipe.request() = draw.PlainRequest();
           recipe.call() = Call{};
           if (draw.index == 1) recipe.call().max_version = kNewestVersion;
           return recipe;
         },
     .control =
         [](const Profile&, Recipe& recipe) {
           Argument& asked = recipe.call().max_version;
           asked = asked.kind == ArgumentKind::kPair ? argument::kAbsent : kNewestVersion;
         },
     .judge =
         [](const Recipe& recipe, const Ledger&, Judgement& judgement) {
           const bool asked_versioned = recipe.call().max_version.kind == ArgumentKind::kPair;
           if (asked_versioned) {
             constexpr std::string_view kMessage =
                 "the library does not export a versioned capsule although max_version allows it";
             const bool accepted =
                 judgement.Expect("export0.outcome", Is(Outcome::kAccepted), kMessage, {.degree = Degree::kNote});
             if (!accepted) return;
             judgement.Expect("export0.versioned", Is(true), kMessage, {.degree = Degree::kNote});
           } else {
             judgement.Expect("export0.outcome", Is(Outcome::kAccepted), "the library does not export a legacy capsule",
                              {.degree = Degree::kNote});
           }
         }},
};

}  // namespace
}  // namespace dlpack_cts
