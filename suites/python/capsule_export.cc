// suites/python/capsule_export.cc: the capsules that a producer makes.
#include "harness/case/case.h"
#include "harness/case/judges.h"
#include "harness/case/keywords.h"

namespace dlpack_cts {
namespace {

Recipe DrawExport(Draw& draw) { return draw.Export(); }

bool HasItsDestructor(const Ledger& ledger, Judgement& judgement) {
  const ExportLedger& exported = ledger.exports[0];
  return exported.has_deleter == 0 ||
         judgement.Expect("export0.has_destructor", Is(true),
                          "the exported capsule has no destructor, which should call the deleter",
                          {.rule = "PY-CAPSULE-04"});
}

/// A call with that max_version, and no other keyword.
Recipe DrawAsked(Draw& draw, Argument max_version) {
  Recipe recipe = WithLife(draw.Export(), {Op::kMake, Op::kExport, Op::kDropSource});
  recipe.call() = Call{};
  recipe.call().max_version = max_version;
  return recipe;
}

const RegisterCases<OfPythonProducer> kCases = {
    // PY-CAPSULE-01: An unversioned export is a capsule named exactly "dltensor". (A versioned capsule that was not
    // requested violates PY-MAXVER-01.)
    {.id = "python/capsule/unversioned-export-is-named-dltensor",
     .rules = {"PY-CAPSULE-01"},
     .draw = Changed([](Draw& draw) { return DrawAsked(draw, {}); },
                     [](Draw& draw, Recipe& recipe) { RequestLegacyType(draw, recipe); }),
     .judge = Expects("export0.name", AnyOf(NameSeen::kLegacy, NameSeen::kVersioned),
                      "the exported capsule is named neither dltensor nor dltensor_versioned")},

    // PY-CAPSULE-02: A versioned export is a capsule named exactly "dltensor_versioned". A legacy capsule is a legal
    // answer.
    {.id = "python/capsule/versioned-export-is-named-dltensor-versioned",
     .rules = {"PY-CAPSULE-02"},
     .draw = [](Draw& draw) { return DrawAsked(draw, kNewestVersion); },
     .judge = Expects("export0.name", AnyOf(NameSeen::kVersioned, NameSeen::kLegacy),
                      "the exported capsule is named neither dltensor nor dltensor_versioned")},

    // PY-CAPSULE-03: The name says which struct the capsule holds: read as that struct, it describes the array.
    {.id = "python/capsule/name-tells-the-struct",
     .rules = {"PY-CAPSULE-03"},
     .draw = Changed(&Draw::ExportOrCopy,
                     [](Draw& draw, Recipe& recipe) {
                       if (draw.Pick(2) == 0) recipe.call().max_version = kNewestVersion;
                     }),
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           const Description& array = ledger.sources[0].description;
           if (exported.name != NameSeen::kLegacy && exported.name != NameSeen::kVersioned) {
             return judgement.SaysNothing("the name of the capsule is unknown, which another case reports");
           }
           constexpr std::string_view kMessage = "the capsule does not hold the struct that its name announces";
           if (!judgement.Expect("export0.name_agrees", Is(true), kMessage)) return;
           if (!array.has_shape) return judgement.SaysNothing("the adapter does not report the shape of the array");
           judgement.Expect("export0.ndim", Is(array.ndim), kMessage);
           judgement.Expect("export0.metadata_readable", Is(true), kMessage);
         }},

    // PY-CAPSULE-04: A capsule that is destroyed unused calls the deleter: the array is not referenced any more.
    {.id = "python/capsule/unused-capsule-releases",
     .rules = {"PY-CAPSULE-04"},
     .draw = WithLife(DrawExport, {{Op::kMake},
                                   {Op::kExport, 0},
                                   {Op::kExport, 1},
                                   {Op::kExport, 2},
                                   {Op::kLoseCapsule, 0},
                                   {Op::kLoseCapsule, 1},
                                   {Op::kDropSource},
                                   {Op::kLoseCapsule, 2},
                                   {Op::kCollect}}),
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           HasItsDestructor(ledger, judgement);
           NothingHeld(judgement, "the array is still referenced after its unused capsules were destroyed");
         }},

    // PY-CAPSULE-04, as above, for the memory, where an export holds the memory and not the array object.
    {.id = "python/capsule/unused-capsule-gives-the-memory-back",
     .rules = {"PY-CAPSULE-04"},
     .examples = Examples::kTable,
     .table = 32,
     .draw = [](Draw& draw) { return draw.ExportOften(true); },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!Exported(ledger)) return judgement.SaysNothing("nothing was exported");
           if (HasItsDestructor(ledger, judgement)) {
             NothingStays(judgement, "its unused capsule does not release everything when it is destroyed");
           }
         }},

    // PY-CAPSULE-04, as above, for the capsule of a re-export: the deleter of the imported tensor is called. So it is
    // while an exception is pending.
    {.id = "python/capsule/unused-capsule-of-a-reexport-releases",
     .rules = {"PY-CAPSULE-04"},
     .needs = {Claim::kReexport},
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.Import();
           recipe.offer().deleter = DeleterKind::kCounting;
           // The library may import a tensor without flags as read-only, and only a versioned struct can export that.
           recipe.call().max_version = draw.profile.makes_versioned ? kNewestVersion : draw.PlainCall().max_version;
           const Context context = draw.Pick(4) == 0 ? Context::kPendingException : Context::kUsual;
           SetLife(recipe, {{Op::kImport},
                            {.op = Op::kReexport, .slot = 0, .other = Other::kSlot1},
                            {.op = Op::kLoseCapsule, .slot = 1, .context = context},
                            {Op::kDropArray},
                            {Op::kDropProducer},
                            {Op::kCollect}});
           return recipe;
         },
     .judge = Where(IsReexported, [](const Recipe& recipe, const Ledger&,
                                     Judgement& judgement) { ReleasedOnce(recipe, judgement); })},

    // PY-CAPSULE-05: A used capsule does not call the deleter when it is destroyed: the consumer owns the tensor.
    {.id = "python/capsule/consumed-capsule-does-not-release",
     .rules = {"PY-CAPSULE-05"},
     .draw = WithLife(DrawExport, {Op::kMake, Op::kExport, Op::kTakeCapsule, Op::kDropSource, Op::kLoseCapsule,
                                   Op::kCollect, Op::kInspect, Op::kReadExport, Op::kDelete, Op::kCollect}),
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           judgement.Expect(
               "export0.changed", Is(PartSet{}),
               "the exported struct changed after its capsule was consumed and before its deleter was called");
           ExportMatches(judgement,
                         "the elements of the exported tensor are wrong after its used capsule was destroyed");
           if (!ledger.sources[0].alive_known) return;
           judgement.Expect("source0.alive_at_end", IsNot(true, false),
                            "the array is still referenced after its export was consumed and deleted");
         }},

    // PY-CAPSULE-08: The name of a capsule is valid for as long as the capsule exists. A name outside the mappings of
    // files is a NOTE: the library may keep that memory for ever.
    {.id = "python/capsule/exported-name-lies-in-lasting-memory",
     .rules = {"PY-CAPSULE-08"},
     .draw = [](Draw& draw) { return draw.Export(); },
     .judge =
         [](const Recipe&, const Ledger&, Judgement& judgement) {
           judgement.Expect("export0.name", IsNot(NameSeen::kForeign, NameSeen::kLegacy, NameSeen::kVersioned),
                            "the exported capsule is named neither dltensor nor dltensor_versioned");
           judgement.Expect("export0.name_storage", AnyOf(NameStorage::kStatic, NameStorage::kUnknown),
                            "the name of the exported capsule is not stored in static memory",
                            {.degree = Degree::kNote});
         }},

    // PY-CAPSULE-12: A capsule destructor does not call a deleter that is NULL. Only the re-export of an imported
    // tensor can have one, so the case re-exports a tensor that has no deleter.
    {.id = "python/capsule/null-deleter-of-a-reexport-is-not-called",
     .rules = {"PY-CAPSULE-12"},
     .needs = {Claim::kReexport},
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.Import();
           recipe.offer().deleter = DeleterKind::kNull;
           recipe.offer().destructor = DestructorKind::kNone;
           // The library may import a tensor without flags as read-only, and only a versioned struct can export that.
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
     .judge = Where(IsReexported, Expects("import0.deleter.calls", Is(0), "the library calls a deleter that is NULL"))},

    // PY-CAPSULE-13: A destructor preserves a pending exception. So does the destructor of a used capsule.
    {.id = "python/capsule/destructor-leaves-a-pending-exception-alone",
     .rules = {"PY-CAPSULE-13"},
     .draw =
         [](Draw& draw) {
           const Op use = draw.Pick(2) == 0 ? Op::kTakeCapsule : Op::kReadExport;
           return WithLife(draw.Export(), {{Op::kMake},
                                           {Op::kExport},
                                           {use},
                                           {.op = Op::kLoseCapsule, .slot = 0, .context = Context::kPendingException},
                                           {Op::kDropSource}});
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (ledger.exports[0].pending_exception == Survival::kNotRun)
             return judgement.SaysNothing("no capsule was destroyed");
           judgement.Expect("export0.pending_exception", Is(Survival::kSurvived),
                            "the destructor of the capsule does not preserve a pending Python exception");
         }},

    // PY-CAPSULE-18: Each call of __dlpack__ returns a new capsule with a new struct. Both capsules are alive in this
    // case.
    {.id = "python/capsule/each-call-gives-a-new-capsule",
     .rules = {"PY-CAPSULE-18"},
     .draw = WithLife(DrawExport, {{Op::kMake},
                                   {Op::kExport, 0},
                                   {Op::kExport, 1},
                                   {Op::kReadExport, 0},
                                   {Op::kReadExport, 1},
                                   {Op::kDropSource}}),
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!Exported(ledger, 1)) return judgement.SaysNothing("the second export was refused");
           judgement.Expect("export1.same_capsule", Is(false), "two calls of __dlpack__ returned the same capsule");
           judgement.Expect("export1.same_struct", Is(false),
                            "two capsules that are alive at the same time hold the same struct");
         }},
};

}  // namespace
}  // namespace dlpack_cts
