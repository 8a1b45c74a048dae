// suites/python/capsule_import.cc: what a consumer does with the capsule that it imports.
#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/judges.h"
#include "harness/recipe/together.h"

namespace dlpack_cts {
namespace {

/// A tensor that the destructor of its capsule releases too, as the protocol requires.
Recipe DrawReleasing(Draw& draw) { return Releasable(draw.Import()); }

/// The same versioned tensor four times. In a legacy struct, manager_ctx would be the device: an address gives a device
/// type that does not exist, and 1 gives the CPU.
Recipe DrawOtherContexts(Draw& draw) {
  Recipe recipe = Releasable(draw.PlainImport(StructKind::kVersioned));
  recipe.offer().seed = draw.random.Next();
  recipe.offer().context = ContextKind::kPointer;
  AddOffer(recipe, recipe.offer()).context = ContextKind::kOne;
  SetLife(recipe, {{.op = Op::kImport, .slot = 0},
                   {.op = Op::kDescribe, .slot = 0},
                   {.op = Op::kRead, .slot = 0},
                   {.op = Op::kImport, .slot = 1, .block = 1},
                   {.op = Op::kImport, .slot = 2},
                   {.op = Op::kImport, .slot = 3, .block = 1}});
  return recipe;
}

/// Whether two imports of one tensor ended in the same way. An address in the message, for example, differs.
bool EndAlike(const Ledger& ledger, int slot, int other) {
  const Refusal& one = ledger.imports[slot].import;
  const Refusal& two = ledger.imports[other].import;
  return one.outcome == two.outcome && one.type.view() == two.type.view() && one.message.view() == two.message.view();
}

const RegisterCases<OfPythonConsumer> kCases = {
    // PY-CAPSULE-06: A consumer that takes ownership of an unversioned tensor renames its capsule to used_dltensor.
    {.id = "python/capsule/legacy-capsule-is-marked-used",
     .rules = {"PY-CAPSULE-06"},
     .draw = [](Draw& draw) { return Releasable(draw.ImportOf(StructKind::kLegacy)); },
     .judge = [](const Recipe& recipe, const Ledger&, Judgement& judgement) { MarkedUsed(recipe, judgement); }},

    // PY-CAPSULE-07: A consumer that takes ownership of a versioned tensor renames its capsule to
    // used_dltensor_versioned.
    {.id = "python/capsule/versioned-capsule-is-marked-used",
     .rules = {"PY-CAPSULE-07"},
     .draw = [](Draw& draw) { return Releasable(draw.ImportOf(StructKind::kVersioned)); },
     .judge = [](const Recipe& recipe, const Ledger&, Judgement& judgement) { MarkedUsed(recipe, judgement); }},

    // PY-CAPSULE-08: The name of a capsule is valid for as long as the capsule exists. A name outside the mappings of
    // files is a NOTE: the library may keep that memory for ever.
    {.id = "python/capsule/used-name-lies-in-lasting-memory",
     .rules = {"PY-CAPSULE-08"},
     .draw = DrawReleasing,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ImportLedger& import = ledger.imports[0];
           if (import.name_after == import.name_before) return judgement.SaysNothing("the capsule was not renamed");
           judgement.Expect("import0.name_after", AnyOf(NameSeen::kUsedLegacy, NameSeen::kUsedVersioned),
                            "the consumed capsule was renamed to neither used_dltensor nor used_dltensor_versioned");
           judgement.Expect("import0.used_name_storage", AnyOf(NameStorage::kStatic, NameStorage::kUnknown),
                            "the new name of the consumed capsule is not stored in static memory",
                            {.degree = Degree::kNote});
         }},

    // PY-CAPSULE-09: The consumer calls the deleter once, when its array and all views of it are gone. A consumer that
    // copied may call it at once.
    {.id = "python/capsule/tensor-is-released-when-the-array-dies",
     .rules = {"PY-CAPSULE-09"},
     .draw = WithLife(DrawReleasing, {Op::kImport, Op::kDescribe, Op::kDropProducer, Op::kDropCapsule, Op::kCollect,
                                      Op::kRead, Op::kDropArray, Op::kCollect}),
     .judge = [](const Recipe& recipe, const Ledger&,
                 Judgement& judgement) { ReleasedWithTheArray(recipe, judgement); }},

    // PY-CAPSULE-10: A used capsule is not imported again. The producer of this case returns its first capsule twice.
    // If the first import did not rename it, a second import is legal.
    {.id = "python/capsule/used-capsule-is-refused",
     .rules = {"PY-CAPSULE-10"},
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawReleasing(draw);
           recipe.offer().gives = Gives::kStored;
           SetLife(recipe, {Op::kImport, Op::kDescribe, Op::kImportAgain, Op::kRead, Op::kDropProducer, Op::kDropArray,
                            Op::kCollect});
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const ImportLedger& import = ledger.imports[0];
           const bool used =
               import.name_after == NameSeen::kUsedLegacy || import.name_after == NameSeen::kUsedVersioned;
           if (!used) return judgement.SaysNothing("the first import did not rename the capsule to its used name");
           judgement.Expect("import0.again", Is(Outcome::kRefused), "a used capsule was imported again");
           ReleasedOnce(recipe, judgement);
         }},

    // PY-CAPSULE-10: Over all attempts the deleter runs at most once. In this case three threads import one capsule at
    // once, many times, and switch as often as they can.
    {.id = "python/capsule/one-of-several-threads-takes-the-capsule",
     .rules = {"PY-CAPSULE-10"},
     .examples = Examples::kTable,
     .table = 2,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawReleasing(draw);
           recipe.offer().gives = Gives::kStored;
           SetLife(recipe, {Step{.op = Op::kImportTogether, .argument = static_cast<int32_t>(Sharing::kOneCapsule)}});
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const Race race = ledger.imports[0].race;
           if (race == Race::kNotRun) {
             return judgement.SaysNothing("no thread imported the capsule, or the result is wrong on one thread too");
           }
           judgement.Expect(
               "import0.race", Is(Race::kFair),
               "several threads imported one capsule at once, and its tensor was released twice, too early or never");
         }},

    // PY-CAPSULE-10, as above, for a capsule that another consumer has used.
    {.id = "python/capsule/capsule-that-came-used-is-refused",
     .rules = {"PY-CAPSULE-10"},
     .on_refusal = OnRefusal::kJudge,
     .draw = Changed(DrawReleasing, [](Recipe& recipe) { recipe.offer().name = CapsuleName::kUsed; }),
     .uncontrolled = uncontrolled::kAcceptance,
     .judge =
         [](const Recipe&, const Ledger&, Judgement& judgement) {
           judgement.Expect("import0.outcome", Is(Outcome::kRefused), "a used capsule was imported");
           judgement.Expect("import0.deleter.calls", Is(0), "the deleter was called for an already used capsule");
         }},

    // PY-CAPSULE-11: However the import fails, the tensor is released exactly once when capsule and exception are gone:
    // by the consumer, or by the capsule if it was not renamed.
    {.id = "python/capsule/refused-capsule-is-released-once",
     .rules = {"PY-CAPSULE-11"},
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           constexpr int kDevices = 8;
           Recipe recipe = DrawReleasing(draw);
           const int path = draw.Pick(kDevices + 3);  // some libraries fail for only one device type
           if (path < kDevices) {
             PutOn(recipe.offer(), {ForeignDevice(draw.profile, path), 0}, Placement::kUnmapped);
           } else if (path == kDevices) {
             recipe.offer().dtype = {200, 32, 1};
           } else if (path == kDevices + 1) {
             recipe.offer().dtype.lanes = 3;
           } else {
             recipe.offer().minor = 3;
             recipe.offer().major = recipe.offer().kind == StructKind::kVersioned ? 2 : 0;
           }
           return recipe;
         },
     .uncontrolled = uncontrolled::kMemory,
     .judge = [](const Recipe& recipe, const Ledger&, Judgement& judgement) { ReleasedOnce(recipe, judgement); }},

    // PY-CAPSULE-15: A capsule with another name is refused. It is not renamed, and its deleter is not called.
    {.id = "python/capsule/capsules-of-other-protocols-are-left-alone",
     .rules = {"PY-CAPSULE-15"},
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           constexpr CapsuleName kNames[] = {CapsuleName::kForeign, CapsuleName::kTrailingSpace, CapsuleName::kNone};
           Recipe recipe = DrawReleasing(draw);
           recipe.offer().name = kNames[draw.Pick(3)];
           return recipe;
         },
     .uncontrolled = uncontrolled::kAcceptance,
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const ImportLedger& import = ledger.imports[0];
           if (import.capsules == 0) return judgement.SaysNothing("the library did not request a capsule");
           judgement.Expect("import0.outcome", Is(Outcome::kRefused),
                            "a capsule that does not have a DLPack name was imported");
           judgement.Expect("import0.deleter.calls", Is(0),
                            "the deleter was called for a capsule that does not have a DLPack name");
           if (recipe.offer().name == CapsuleName::kNone) return;  // a clean exception is enough
           judgement.Expect("import0.name_after", Is(import.name_before),
                            "a capsule that does not have a DLPack name was renamed");
         }},

    // PY-CAPSULE-16: After the import the consumer does not need the producer's capsule.
    {.id = "python/capsule/array-survives-its-capsule",
     .rules = {"PY-CAPSULE-16"},
     .blocked = [](const Profile& profile) -> std::string_view {
       return profile.Says(Trait::kBorrows)
                  ? "library.toml declares that an imported array needs its producer or capsule"
                  : "";
     },
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawReleasing(draw);
           recipe.offer().seal_on_delete = 1;
           SetLife(recipe, {Op::kImport, Op::kDropProducer, Op::kDropCapsule, Op::kCollect, Op::kDescribe, Op::kRead,
                            Op::kCompute, Op::kDropArray, Op::kCollect});
           return recipe;
         },
     .judge = ExpectsElements("the elements of the imported array are wrong after its capsule was destroyed")},

    // PY-CAPSULE-17: It is unspecified what a consumer may change on a capsule besides its name. Many consumers clear
    // the destructor. Another pointer or context is a NOTE.
    {.id = "python/capsule/pointer-and-context-stay",
     .rules = {"PY-CAPSULE-17"},
     .draw = DrawReleasing,
     .judge =
         [](const Recipe&, const Ledger&, Judgement& judgement) {
           judgement.Expect("import0.capsule_pointer_changed", Is(false), "the import changed the capsule's pointer",
                            {.degree = Degree::kNote});
           judgement.Expect("import0.capsule_context_changed", Is(false), "the import changed the capsule's context",
                            {.degree = Degree::kNote});
         }},

    // PY-CAPSULE-19: A consumer reads a capsule according to its name, not according to its own request: an unrequested
    // versioned capsule is imported as versioned, or refused.
    {.id = "python/capsule/unasked-versioned-capsule-is-read-as-one",
     .rules = {"PY-CAPSULE-19"},
     .on_refusal = OnRefusal::kPass,
     .draw =
         [](Draw& draw) {
           Recipe recipe = Releasable(draw.ImportOf(StructKind::kVersioned));
           recipe.offer().keywords = draw.Pick(2) == 0 ? kStreamOnly : kNoKeywords;
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger&, Judgement& judgement) {
           ReleasedOnce(recipe, judgement);
           ElementsMatch(judgement, "a versioned capsule that was not requested was imported with wrong elements");
         }},

    // PY-CAPSULE-19: A consumer that refuses versioned structs does not read them as DLManagedTensor. No consumer
    // interprets manager_ctx, so the refusal does not depend on it.
    {.id = "python/capsule/refused-versioned-struct-is-not-read-as-legacy",
     .rules = {"PY-CAPSULE-19"},
     .on_refusal = OnRefusal::kJudge,
     .draw = DrawOtherContexts,
     .uncontrolled = uncontrolled::kSteps,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (Accepted(ledger)) {
             ElementsMatch(judgement);
             return;
           }
           if (!EndAlike(ledger, 0, 2) || !EndAlike(ledger, 1, 3)) {
             return judgement.SaysNothing("two imports of one versioned tensor end in different ways");
           }
           if (!judgement.Expect("importS.outcome", Is(Outcome::kRefused),
                                 "a versioned struct is refused, unless manager_ctx is 1", {.slot = 1})) {
             return;
           }
           const Refusal& at_address = ledger.imports[0].import;
           const Refusal& at_one = ledger.imports[1].import;
           judgement.Expect("importS.outcome", Is(Outcome::kAccepted),
                            "the exception for a versioned struct depends on manager_ctx, where a legacy struct has "
                            "its device",
                            {.slot = 1, .when = at_address.message.view() != at_one.message.view()});
         }},
};

}  // namespace
}  // namespace dlpack_cts
