// suites/c-abi/version_export.cc: the version that a producer declares.
#include "harness/case/case.h"
#include "harness/case/judges.h"
#include "harness/case/keywords.h"
#include "harness/case/needs.h"
#include "harness/ledger/facts.h"

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

// C-VERSION-01: A producer fills version with the DLPack version that the struct actually follows.
const Register kVersionIsReal{{
    .id = "c-abi/version/exported-major-is-one",
    .rules = {"C-VERSION-01"},
    .role = Role::kProducer,
    .blocked = MakesVersioned,
    .draw = [](Draw& draw) { return DrawAnyVersion(draw); },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          const ExportLedger& exported = ledger.exports[0];
          if (!exported.versioned) return judgement.SaysNothing("the export is not a versioned struct");
          Check(exported.version.major == 1, ledger, judgement, "C-VERSION-01", "export0.version",
                "(1, 0) | (1, 1) | (1, 2) | (1, 3)",
                "max_version asks for major version 1, but version.major of the export is not 1");
          Check(exported.version.minor <= 3, ledger, judgement, "C-VERSION-01", "export0.version",
                "(1, 0) | (1, 1) | (1, 2) | (1, 3)",
                "version.minor of the export is greater than 3, the newest released minor version", Degree::kNote);
        },
}};

// C-VERSION-01: Equal exports declare equal versions. A difference is usually uninitialised memory.
const Register kVersionIsStable{{
    .id = "c-abi/version/equal-exports-declare-equal-versions",
    .rules = {"C-VERSION-01"},
    .role = Role::kProducer,
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
            const bool same = other.version.major == first.version.major && other.version.minor == first.version.minor;
            Check(same, ledger, judgement, "C-VERSION-01", "export" + std::to_string(slot) + ".version",
                  same ? "" : Fact(ledger, "export0.version"), "equal exports declare different versions");
          }
        },
}};

// C-VERSION-10: A producer does not use enumerators or relaxations that its declared version lacks.
const Register kNoNewerFeatures{{
    .id = "c-abi/version/export-uses-no-newer-enumerators",
    .rules = {"C-VERSION-10"},
    .role = Role::kProducer,
    .blocked = MakesVersioned,
    .draw = [](Draw& draw) { return DrawAnyVersion(draw); },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          const ExportLedger& exported = ledger.exports[0];
          if (!exported.versioned) return judgement.SaysNothing("the export is not a versioned struct");
          if (exported.version.major != 1) return judgement.SaysNothing("version.major of the export is not 1");
          Check(exported.version.minor >= MinorOf(exported.tensor.dtype), ledger, judgement, "C-VERSION-10",
                "export0.version", "(1, 1) | (1, 2) | (1, 3)",
                "dl_tensor.dtype.code is newer than the version that the struct declares");
          const bool padded = (exported.flags & abi::kFlagSubbytePadded) != 0;
          Check(!padded || exported.version.minor >= 1, ledger, judgement, "C-VERSION-10", "export0.version",
                "(1, 1) | (1, 2) | (1, 3)",
                "DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED is newer than the version that the struct declares");
        },
}};

// C-VERSION-12: A producer should support both struct kinds during the transition.
const Register kBothKinds{{
    .id = "c-abi/version/both-struct-kinds-are-made",
    .rules = {"C-VERSION-12", "PY-MAXVER-13"},
    .role = Role::kProducer,
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
    .judge =
        [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
          const ExportLedger& exported = ledger.exports[0];
          const bool asked_versioned = recipe.call().max_version.kind == ArgumentKind::kPair;
          if (asked_versioned) {
            constexpr std::string_view kMessage =
                "the library does not export a versioned capsule although max_version allows it";
            const bool accepted = Check(Exported(ledger), ledger, judgement, "C-VERSION-12", "export0.outcome",
                                        "accepted", kMessage, Degree::kNote);
            if (!accepted) return;
            Check(exported.versioned, ledger, judgement, "C-VERSION-12", "export0.versioned", "1", kMessage,
                  Degree::kNote);
          } else {
            Check(Exported(ledger), ledger, judgement, "C-VERSION-12", "export0.outcome", "accepted",
                  "the library does not export a legacy capsule", Degree::kNote);
          }
        },
}};

}  // namespace
}  // namespace dlpack_cts
