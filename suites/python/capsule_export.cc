// suites/python/capsule_export.cc: the capsules that a producer makes.
#include "harness/case/case.h"
#include "harness/case/judges.h"

namespace dlpack_cts {
namespace {

Recipe DrawLife(Draw& draw, std::initializer_list<Step> steps) {
  Recipe recipe = draw.Export();
  SetLife(recipe, steps);
  return recipe;
}

// PY-CAPSULE-01: An unversioned export is a capsule named exactly "dltensor". (A versioned capsule that nobody asked
// for breaks PY-MAXVER-01.)
const Register kLegacyName{{
    .id = "python/capsule/unversioned-export-is-named-dltensor",
    .rules = {"PY-CAPSULE-01"},
    .role = Role::kProducer,
    .python = true,
    .draw =
        [](Draw& draw) {
          Recipe recipe = DrawLife(draw, {{Op::kMake}, {Op::kExport}, {Op::kDropSource}});
          recipe.call() = Call{};
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          const ExportLedger& exported = ledger.exports[0];
          const bool named = exported.name == NameSeen::kLegacy || exported.name == NameSeen::kVersioned;
          Check(named, ledger, judgement, "PY-CAPSULE-01", "export0.name", "dltensor | dltensor_versioned",
                "the capsule has a name that no consumer knows");
        },
}};

// PY-CAPSULE-02: A versioned export is a capsule named exactly "dltensor_versioned". A legacy capsule is a legal
// answer.
const Register kVersionedName{{
    .id = "python/capsule/versioned-export-is-named-dltensor-versioned",
    .rules = {"PY-CAPSULE-02"},
    .role = Role::kProducer,
    .python = true,
    .draw =
        [](Draw& draw) {
          Recipe recipe = DrawLife(draw, {{Op::kMake}, {Op::kExport}, {Op::kDropSource}});
          recipe.call() = Call{};
          recipe.call().max_version = kNewestVersion;
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          const ExportLedger& exported = ledger.exports[0];
          const bool named = exported.name == NameSeen::kLegacy || exported.name == NameSeen::kVersioned;
          Check(named, ledger, judgement, "PY-CAPSULE-02", "export0.name", "dltensor_versioned | dltensor",
                "the capsule has a name that no consumer knows");
        },
}};

// PY-CAPSULE-03: The name says which struct the capsule holds: read as that struct, it describes the array.
const Register kNameTellsTheStruct{{
    .id = "python/capsule/name-tells-the-struct",
    .rules = {"PY-CAPSULE-03"},
    .role = Role::kProducer,
    .python = true,
    .draw =
        [](Draw& draw) {
          Recipe recipe = draw.ExportOrCopy();
          if (draw.Pick(2) == 0) recipe.call().max_version = kNewestVersion;
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          const ExportLedger& exported = ledger.exports[0];
          const Description& array = ledger.sources[0].description;
          if (exported.name != NameSeen::kLegacy && exported.name != NameSeen::kVersioned) {
            return judgement.SaysNothing("the name is unknown, which another case judges");
          }
          constexpr std::string_view kMessage = "the capsule's struct is of another kind than its name says";
          const bool agrees = exported.name == NameSeen::kVersioned || exported.versioned == 0;
          if (!Check(agrees, ledger, judgement, "PY-CAPSULE-03", "export0.name_agrees", "1", kMessage)) return;
          if (!array.has_shape) return judgement.SaysNothing("the adapter does not say what shape the array has");
          Check(exported.tensor.ndim == array.ndim, ledger, judgement, "PY-CAPSULE-03", "export0.ndim",
                std::to_string(array.ndim), kMessage);
          Check(exported.metadata_readable != 0, ledger, judgement, "PY-CAPSULE-03", "export0.metadata_readable", "1",
                kMessage);
        },
}};

bool HasItsDestructor(const Ledger& ledger, Judgement& judgement) {
  const ExportLedger& exported = ledger.exports[0];
  return exported.has_deleter == 0 ||
         judgement.Equal("PY-CAPSULE-04", "export0.has_destructor", 1, exported.has_destructor,
                         "the capsule has no destructor that could call the deleter");
}

// PY-CAPSULE-04: A capsule that dies unused calls the deleter: nothing of the array is held any more.
const Register kUnusedReleases{{
    .id = "python/capsule/unused-capsule-releases",
    .rules = {"PY-CAPSULE-04"},
    .role = Role::kProducer,
    .python = true,
    .draw =
        [](Draw& draw) {
          return DrawLife(draw, {{Op::kMake},
                                 {Op::kExport, 0},
                                 {Op::kExport, 1},
                                 {Op::kExport, 2},
                                 {Op::kLoseCapsule, 0},
                                 {Op::kLoseCapsule, 1},
                                 {Op::kDropSource},
                                 {Op::kLoseCapsule, 2},
                                 {Op::kCollect}});
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          HasItsDestructor(ledger, judgement);
          NothingHeld("PY-CAPSULE-04", ledger, judgement, "capsules that nobody consumed still hold the array");
        },
}};

// PY-CAPSULE-04: The same of the memory, where an export holds that and not the array object.
const Register kUnusedGivesMemoryBack{{
    .id = "python/capsule/unused-capsule-gives-the-memory-back",
    .rules = {"PY-CAPSULE-04"},
    .role = Role::kProducer,
    .examples = Examples::kTable,
    .table = 32,
    .python = true,
    .draw = [](Draw& draw) { return draw.ExportOften(true); },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          if (!Exported(ledger)) return judgement.SaysNothing("nothing was exported");
          if (HasItsDestructor(ledger, judgement)) {
            NothingStays("PY-CAPSULE-04", ledger, judgement, "its capsule dies without giving all back");
          }
        },
}};

// PY-CAPSULE-05: A capsule that dies after it was consumed does not call the deleter: the tensor is the consumer's.
const Register kConsumedDoesNotRelease{{
    .id = "python/capsule/consumed-capsule-does-not-release",
    .rules = {"PY-CAPSULE-05"},
    .role = Role::kProducer,
    .python = true,
    .draw =
        [](Draw& draw) {
          return DrawLife(draw, {{Op::kMake},
                                 {Op::kExport},
                                 {Op::kTakeCapsule},
                                 {Op::kDropSource},
                                 {Op::kLoseCapsule},
                                 {Op::kCollect},
                                 {Op::kInspect},
                                 {Op::kReadExport},
                                 {Op::kDelete},
                                 {Op::kCollect}});
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          Check(ledger.exports[0].changed_parts == 0, ledger, judgement, "PY-CAPSULE-05", "export0.changed", "none",
                "the end of a consumed capsule changed the tensor");
          ExportMatches("PY-CAPSULE-05", ledger, judgement, 0, "the end of a consumed capsule released the tensor");
          if (!ledger.sources[0].alive_known) return;
          Check(ledger.sources[0].alive_at_end == 0, ledger, judgement, "PY-CAPSULE-05", "source0.alive_at_end", "0",
                "the array is still referenced after its export was consumed and deleted");
        },
}};

// PY-CAPSULE-08: The name of a capsule points to memory that holds it for as long as the capsule may be looked at.
// Memory that is no mapping of a file is a NOTE: it may well be kept for ever.
const Register kNameLasts{{
    .id = "python/capsule/exported-name-lies-in-lasting-memory",
    .rules = {"PY-CAPSULE-08"},
    .role = Role::kProducer,
    .python = true,
    .draw = [](Draw& draw) { return draw.Export(); },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          const ExportLedger& exported = ledger.exports[0];
          Check(exported.name != NameSeen::kForeign, ledger, judgement, "PY-CAPSULE-08", "export0.name",
                "dltensor | dltensor_versioned", "the bytes of the capsule's name do not hold a name");
          Check(exported.name_is_static != 2, ledger, judgement, "PY-CAPSULE-08", "export0.name_storage",
                "static | unknown", "the capsule's name lies in memory that could be freed", Degree::kNote);
        },
}};

// PY-CAPSULE-12: A capsule destructor does not call a deleter that is NULL. Only a re-export of a foreign tensor can
// come to it, so the import has no deleter and is exported again.
const Register kNullDeleterPassesThrough{{
    .id = "python/capsule/null-deleter-of-a-reexport-is-not-called",
    .rules = {"PY-CAPSULE-12"},
    .role = Role::kProducer,
    .needs = {Claim::kReexport},
    .python = true,
    .draw =
        [](Draw& draw) {
          Recipe recipe = draw.Import();
          recipe.offer().deleter = DeleterKind::kNull;
          recipe.offer().destructor = DestructorKind::kNone;
          // What came without flags may be read-only in the library, and only a versioned struct can say so.
          recipe.call().max_version = draw.profile.makes_versioned ? kNewestVersion : draw.PlainCall().max_version;
          SetLife(recipe, {{Op::kImport},
                           {.op = Op::kReexport, .slot = 0, .other = Other::kSlot1},
                           {Op::kDropArray},
                           {Op::kReadExport, 1},
                           {Op::kLoseCapsule, 1},
                           {Op::kDropProducer},
                           {Op::kCollect}});
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          if (!Exported(ledger, 1)) return judgement.SaysNothing("the import could not be exported again");
          judgement.Equal("PY-CAPSULE-12", "import0.deleter.calls", 0, ledger.imports[0].deleter.calls,
                          "a deleter that is NULL was called");
        },
}};

// PY-CAPSULE-13: A destructor leaves an exception that is in flight alone, that of a consumed capsule too.
const Register kPendingExceptionSurvives{{
    .id = "python/capsule/destructor-leaves-a-pending-exception-alone",
    .rules = {"PY-CAPSULE-13"},
    .role = Role::kProducer,
    .python = true,
    .draw =
        [](Draw& draw) {
          return DrawLife(draw, {{Op::kMake},
                                 {Op::kExport},
                                 {draw.Pick(2) == 0 ? Op::kTakeCapsule : Op::kReadExport},
                                 {.op = Op::kLoseCapsule, .slot = 0, .context = Context::kPendingException},
                                 {Op::kDropSource}});
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          if (ledger.exports[0].pending_survived == 0) return judgement.SaysNothing("no capsule was lost");
          Check(ledger.exports[0].pending_survived == 1, ledger, judgement, "PY-CAPSULE-13",
                "export0.pending_exception", "survived", "the capsule's destructor dropped a pending exception");
        },
}};

// PY-CAPSULE-18: Each call of __dlpack__ returns a new capsule with a struct of its own; both are alive here.
const Register kEachCallGivesANewCapsule{{
    .id = "python/capsule/each-call-gives-a-new-capsule",
    .rules = {"PY-CAPSULE-18"},
    .role = Role::kProducer,
    .python = true,
    .draw =
        [](Draw& draw) {
          return DrawLife(draw, {{Op::kMake},
                                 {Op::kExport, 0},
                                 {Op::kExport, 1},
                                 {Op::kReadExport, 0},
                                 {Op::kReadExport, 1},
                                 {Op::kDropSource}});
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          if (!Exported(ledger, 1)) return judgement.SaysNothing("the second export was refused");
          Check(ledger.exports[1].same_capsule == 0, ledger, judgement, "PY-CAPSULE-18", "export1.same_capsule", "0",
                "two calls of __dlpack__ gave the same capsule");
          Check(ledger.exports[1].same_struct == 0, ledger, judgement, "PY-CAPSULE-18", "export1.same_struct", "0",
                "two living capsules hold the same struct");
        },
}};

}  // namespace
}  // namespace dlpack_cts
