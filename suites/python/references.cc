// suites/python/references.cc: each exchange drops the references that it takes, and no other ones.
#include <string>
#include <utility>

#include "harness/case/arguments.h"
#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"

namespace dlpack_cts {
namespace {

/// A few rows: each is repeated many times.
constexpr int kRows = 12;

/// Any tensor, imported once and then many times.
Recipe DrawImports(Draw& draw) {
  Recipe recipe = Releasable(draw.Import());
  recipe.offer().gives = Gives::kCapsule;
  recipe.offer().deleter = DeleterKind::kCounting;
  // Consumers have code of their own for NULL strides.
  const bool may_lack_strides = recipe.offer().kind == StructKind::kLegacy && draw.limits().null_strides;
  if (may_lack_strides && draw.Pick(2) == 0) recipe.offer().strides_kind = StridesKind::kNull;
  recipe.call() = {};
  SetLife(recipe, {Op::kImport, Op::kDropArray, Op::kDropProducer, Op::kDropCapsule, Op::kCountImports});
  return recipe;
}

/// Any array, exported once and then many times.
Recipe DrawExports(Draw& draw) {
  Recipe recipe = draw.Export();
  recipe.call() = draw.PlainCall();
  SetLife(recipe, {Op::kMake, Op::kExport, Op::kLoseCapsule, Op::kCountExports, Op::kDropSource});
  return recipe;
}

/// A tensor or a producer that the library refuses.
Recipe DrawRefusedImports(Draw& draw) {
  Recipe recipe = DrawImports(draw);
  Offer& offer = recipe.offer();
  constexpr Gives kFailing[] = {Gives::kBufferError, Gives::kOSError,   Gives::kTypeError,  Gives::kNone,
                                Gives::kNoDevice,    Gives::kNoMethods, Gives::kDeviceAlone};
  if (draw.index < 7) {
    offer.gives = kFailing[draw.index];
  } else if (draw.index < 10) {
    offer.dtype.code = 200;
  } else {
    PutOn(offer, {abi::kDLVulkan, 0}, Placement::kForeignHandle);
  }
  return recipe;
}

struct Part {
  std::string_view name;
  int32_t ReferenceGrowth::* count;
  FactName<int64_t> import_fact;
  FactName<int64_t> export_fact;
};

/// A leaked reference to a constant or to a type costs no memory.
void JudgeReferences(const ReferenceGrowth& left, bool imports, Judgement& judgement) {
  if (left.rounds == 0) return judgement.SaysNothing("the references could not be counted");
  static const Part kParts[] = {
      {"the producer", &ReferenceGrowth::producer, "import0.references.producer", "export0.references.producer"},
      {"the producer's type", &ReferenceGrowth::type, "import0.references.type", "export0.references.type"},
      {"the capsule", &ReferenceGrowth::capsule, "import0.references.capsule", "export0.references.capsule"},
      {"a tuple that was passed", &ReferenceGrowth::arguments, "import0.references.arguments",
       "export0.references.arguments"},
      {"None, True or False", &ReferenceGrowth::constants, "import0.references.constants",
       "export0.references.constants"},
  };
  for (const Part& part : kParts) {
    const int32_t count = left.*part.count;
    const bool costs = part.count != &ReferenceGrowth::type && part.count != &ReferenceGrowth::constants;
    const std::string message = std::string(imports ? "each import " : "each export ") +
                                (count < 0 ? "drops a reference that it does not own, to " : "leaves a reference to ") +
                                std::string(part.name);
    judgement.Expect(imports ? part.import_fact : part.export_fact, Is(0), message,
                     {.degree = count > 0 && !costs ? Degree::kWarn : Degree::kRule});
  }
}

/// A case that counts the references that imports leave, whether they are refused or not.
Case OfImports(Case made) {
  made.examples = Examples::kTable;
  made.table = kRows;
  made.on_refusal = OnRefusal::kJudge;
  made.uncontrolled = uncontrolled::kMemory;
  made.rules = {"PY-FROM-15"};
  if (made.blocked == nullptr) made.blocked = TakesPlain;
  made.judge = [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
    JudgeReferences(ledger.imports[0].references, true, judgement);
  };
  return OfPythonConsumer(std::move(made));
}

/// The same for exports.
Case OfExports(Case made) {
  made.examples = Examples::kTable;
  made.table = kRows;
  made.on_refusal = OnRefusal::kJudge;
  made.uncontrolled = uncontrolled::kMemory;
  made.rules = {"PY-DLPACK-15"};
  made.judge = [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
    JudgeReferences(ledger.exports[0].references, false, judgement);
  };
  return OfPythonProducer(std::move(made));
}

const RegisterCases<OfImports> kImports = {
    // PY-FROM-15: An import leaves no reference to the producer, its type, the consumed capsule or the arguments, and
    // drops none that it does not own.
    {.id = "python/references/import-leaves-none", .draw = DrawImports},

    // PY-FROM-15, as above, for imports that are refused or whose producer fails.
    {.id = "python/references/refused-import-leaves-none", .draw = DrawRefusedImports},

    // PY-FROM-15, as above, for imports with copy= or device=.
    {.id = "python/references/import-with-keywords-leaves-none",
     .blocked = [](const Profile& profile) -> std::string_view {
       return profile.Claims(Claim::kCopyKeyword) || profile.Claims(Claim::kDeviceKeyword)
                  ? ""
                  : "the adapter claims neither copy_keyword nor device_keyword";
     },
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawImports(draw);
           const bool copies = draw.profile.Claims(Claim::kCopyKeyword);
           const bool moves = draw.profile.Claims(Claim::kDeviceKeyword);
           recipe.offer().keywords = draw.index % 2 == 0 ? kIgnoresKeywords : kStreamOnly;
           if (recipe.offer().kind == StructKind::kVersioned) recipe.offer().keywords = kIgnoresKeywords;
           if (copies && (!moves || draw.index % 3 != 0)) {
             recipe.call().copy = draw.index % 3 == 1 ? argument::kTrue : argument::kFalse;
           } else {
             recipe.call().dl_device = argument::Pair(draw.index % 4 == 0 ? abi::kDLVulkan : abi::kDLCPU, 0);
           }
           return recipe;
         }},
};

const RegisterCases<OfExports> kExports = {
    // PY-DLPACK-15: An export whose tensor was deleted leaves no reference to the array, its type, the capsule or the
    // arguments, and drops none that it does not own.
    {.id = "python/references/export-leaves-none", .draw = DrawExports},

    // PY-DLPACK-15, as above, for exports with keywords.
    {.id = "python/references/export-with-keywords-leaves-none",
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawExports(draw);
           Call& call = recipe.call();
           constexpr Argument kVersions[] = {argument::Pair(1, 0), argument::Pair(1, 3), argument::Pair(0, 8)};
           if (draw.index % 2 == 0) call.max_version = kVersions[draw.index / 2 % 3];
           if (draw.index % 3 == 0) call.dl_device = argument::Pair(abi::kDLCPU, 0);
           if (draw.index % 4 == 1) call.copy = argument::kTrue;
           if (draw.index % 4 == 3) call.copy = argument::kFalse;
           return recipe;
         }},

    // PY-DLPACK-15, as above, for exports that are refused.
    {.id = "python/references/refused-export-leaves-none",
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawExports(draw);
           Call& call = recipe.call();
           switch (draw.index % 5) {
             case 0:
               call.max_version = {ArgumentKind::kOneTuple, {}, 1, 0};
               break;
             case 1:
               call.dl_device = argument::Pair(abi::kDLVulkan, 0);
               break;
             case 2:
               call.dl_device = {ArgumentKind::kOneTuple, {}, 1, 0};
               break;
             case 3:
               call.max_version = argument::Pair(1, 3);
               call.unknown_keyword = 1;
               break;
             default:
               call.max_version = {ArgumentKind::kList, {}, 1, 0};
               break;
           }
           return recipe;
         }},
};

}  // namespace
}  // namespace dlpack_cts
