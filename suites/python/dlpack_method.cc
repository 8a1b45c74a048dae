// suites/python/dlpack_method.cc: the method __dlpack__: its keywords, its exceptions, and what it leaks.
#include "harness/case/arguments.h"
#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/judges.h"
#include "harness/case/keywords.h"
#include "harness/case/needs.h"

namespace dlpack_cts {
namespace {

/// A simple array and the simplest call: a refusal is then due to the arguments of the case.
Recipe DrawPlain(Draw& draw) {
  Recipe recipe = draw.Export();
  recipe.call() = draw.PlainCall();
  recipe.request().dtype = draw.PlainRequest().dtype;
  recipe.request().read_only = 0;
  SetLife(recipe, {Op::kMake, Op::kExport, Op::kReadExport, Op::kDropSource, Op::kCollect});
  return recipe;
}

/// The keyword that has the number `index`.
Argument& Keyword(Call& call, int index) {
  Argument* const arguments[] = {&call.stream, &call.max_version, &call.dl_device, &call.copy};
  return *arguments[index];
}

/// An array that DLPack cannot describe as it is. The library may not have such arrays.
Recipe DrawOdd(Draw& draw) {
  constexpr int kOddities = static_cast<int>(Oddity::kSubclass);
  Recipe recipe = draw.Export();
  recipe.call() = draw.PlainCall();
  MakeOdd(recipe.request(), static_cast<Oddity>(1 + draw.Pick(kOddities)));
  recipe.request().dims = 1;
  recipe.request().shape[0] = draw.random.Between(2, 5);
  return recipe;
}

/// Flags that a legacy struct does not have: data that needs one of them may be copied into such a struct.
constexpr uint64_t kNeededFlags = abi::kFlagReadOnly | abi::kFlagSubbytePadded;

const RegisterCases<OfPythonProducer> kCases = {
    // PY-DLPACK-07: An export without arguments shares the memory of an array that a versioned export shares. A legacy
    // struct cannot declare that it is a copy, so only the versioned export shows that sharing is possible.
    {.id = "python/dlpack/legacy-export-shares-what-a-versioned-one-shares",
     .rules = {"PY-DLPACK-07"},
     .blocked = [](const Profile& profile) -> std::string_view {
       const std::string_view legacy = MakesLegacy(profile);
       return legacy.empty() ? MakesVersioned(profile) : legacy;
     },
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.Export();
           recipe.call() = draw.PlainCall();
           recipe.request().read_only = 0;
           RequestLegacyType(draw, recipe);
           AddCall(recipe, recipe.call()).max_version = kNewestVersion;
           SetLife(recipe, {{Op::kMake}, {Op::kExport}, {.op = Op::kExport, .slot = 1, .call = 1}, {Op::kDropSource}});
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& legacy = ledger.exports[0];
           const ExportLedger& versioned = ledger.exports[1];
           const bool shares = versioned.versioned != 0 && versioned.IsAtSource() && !IsEmpty(versioned);
           if (!Exported(ledger) || legacy.versioned != 0 || !shares || (versioned.flags & kNeededFlags) != 0) {
             return judgement.SaysNothing("the array is not shared in a versioned struct without flags");
           }
           judgement.Expect("export0.points_at_source", Is(true),
                            "__dlpack__ without max_version copies an array that it shares in a versioned struct");
         }},

    // PY-DLPACK-01: __dlpack__ has the keyword-only parameters stream, max_version, dl_device and copy, all None by
    // default.
    {.id = "python/dlpack/method-takes-its-four-keywords",
     .rules = {"PY-DLPACK-01"},
     .examples = Examples::kTable,
     .table = 4,
     .on_refusal = OnRefusal::kJudge,
     .blocked = [](const Profile& profile) -> std::string_view {
       // The keywords came with the array API 2023.12. An older producer did not promise them.
       return profile.takes_keywords || profile.Claims(Claim::kArrayApi)
                  ? ""
                  : "the library's __dlpack__ does not accept max_version, and the adapter does not claim array_api";
     },
     .draw =
         Changed(DrawPlain, [](Draw& draw, Recipe& recipe) { Keyword(recipe.call(), draw.index) = argument::kNone; }),
     .control = control::NoKeywords,
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const Refusal& refusal = ledger.exports[0].export_call;
           if (refusal.outcome == Outcome::kRefused && refusal.type_error == 0) {
             return judgement.SaysNothing("the export is refused with an exception other than TypeError");
           }
           const std::string_view name = recipe.call().stream.kind != ArgumentKind::kAbsent        ? "stream"
                                         : recipe.call().max_version.kind != ArgumentKind::kAbsent ? "max_version"
                                         : recipe.call().dl_device.kind != ArgumentKind::kAbsent   ? "dl_device"
                                                                                                   : "copy";
           judgement.Expect("export0.outcome", Is(Outcome::kAccepted),
                            "__dlpack__ does not accept the keyword " + std::string(name));
         }},

    // PY-DLPACK-01: A keyword is recognised by the text of its name, not by the identity of the string object: programs
    // build names at run time.
    {.id = "python/dlpack/names-of-keywords-are-compared-by-their-letters",
     .rules = {"PY-DLPACK-01"},
     .examples = Examples::kTable,
     .table = 4,
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawPlain(draw);
           Call& call = recipe.call();
           Keyword(call, draw.index) = draw.index == 1 ? kNewestVersion : argument::kNone;
           AddCall(recipe, call);
           call.fresh_names = 1;
           SetLife(recipe, {{.op = Op::kMake},
                            {.op = Op::kExport, .slot = 0, .call = 0},
                            {.op = Op::kExport, .slot = 1, .call = 1},
                            {.op = Op::kDropSource},
                            {.op = Op::kCollect}});
           return recipe;
         },
     .uncontrolled = uncontrolled::kSteps,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& usual = ledger.exports[1];
           if (!Exported(ledger, 1)) return judgement.SaysNothing("__dlpack__ does not accept the keyword");
           if (!judgement.Expect(
                   "export0.outcome", Is(Outcome::kAccepted),
                   "__dlpack__ does not accept a keyword whose name is an equal string but another object")) {
             return;
           }
           judgement.Expect("export0.name", Is(usual.versioned != 0 ? NameSeen::kVersioned : NameSeen::kLegacy),
                            "__dlpack__ ignores max_version when the name is an equal string but another object",
                            {.when = ledger.exports[0].versioned != usual.versioned});
         }},

    // PY-DLPACK-02: __dlpack__ returns a PyCapsule.
    {.id = "python/dlpack/method-returns-a-capsule",
     .rules = {"PY-DLPACK-02"},
     .draw = [](Draw& draw) { return draw.Export(); },
     .judge = Expects("export0.is_capsule", Is(true), "__dlpack__ returns an object that is not a PyCapsule")},

    // PY-DLPACK-03: An array that cannot be exported raises BufferError. Another exception is a NOTE.
    {.id = "python/dlpack/inexpressible-arrays-raise-buffer-error",
     .rules = {"PY-DLPACK-03"},
     .on_refusal = OnRefusal::kJudge,
     .needs = {Claim::kOddities},
     .seldom = true,
     .draw = [](Draw& draw) { return DrawOdd(draw); },
     .control = control::OrdinaryArray,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const Refusal& refusal = ledger.exports[0].export_call;
           // Other cases judge the elements.
           if (refusal.outcome != Outcome::kRefused) return judgement.SaysNothing("the export was not refused");
           judgement.Expect(
               "export0.exception", Is("BufferError"),
               "__dlpack__ raises an exception other than BufferError for an array that cannot be exported",
               {.degree = Degree::kNote, .when = refusal.buffer_error == 0});
         }},

    // PY-DLPACK-04: Errors for other reasons (wrong arguments) are raised as exceptions of any class. A wrong argument
    // that does not raise is a NOTE.
    {.id = "python/dlpack/wrong-arguments-are-errors",
     .rules = {"PY-DLPACK-04"},
     .examples = Examples::kTable,
     .table = 8,
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawPlain(draw);
           Keyword(recipe.call(), draw.index % 4) = {
               draw.index < 4 ? ArgumentKind::kObject : ArgumentKind::kString, {}, 0, 0};
           return recipe;
         },
     .uncontrolled = uncontrolled::kAcceptance,
     .judge = Expects("export0.outcome", Is(Outcome::kRefused), "__dlpack__ accepts an invalid value for a keyword",
                      {.degree = Degree::kNote})},

    // PY-DLPACK-05: An unknown keyword is an error: a producer that ignores it also ignores the keywords of later
    // versions.
    {.id = "python/dlpack/unknown-keyword-is-an-error",
     .rules = {"PY-DLPACK-05"},
     .on_refusal = OnRefusal::kPass,
     .draw = Changed(DrawPlain, [](Recipe& recipe) { recipe.call().unknown_keyword = 1; }),
     .judge = Expects("export0.outcome", Is(Outcome::kRefused), "__dlpack__ accepts an unknown keyword")},

    // PY-DLPACK-06: The array stays usable and unchanged while a capsule of it exists, and afterwards.
    {.id = "python/dlpack/exporting-leaves-the-array-alone",
     .rules = {"PY-DLPACK-06"},
     .draw = WithLife([](Draw& draw) { return draw.Export(); },
                      {Op::kMake, Op::kReadSource, Op::kAskDevice, Op::kExport, Op::kReadSource, Op::kUseSource,
                       Op::kLoseCapsule, Op::kReadSource, Op::kUseSource, Op::kDropSource}),
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           bool any = false;
           const auto same = [&](const ElementReading& reading, FactName<Reading> fact, std::string_view message) {
             if (reading.reading == Reading::kUnsupported || reading.reading == Reading::kNotRead) return;
             any = true;
             judgement.Expect(fact, Is(Reading::kMatches), message);
           };
           same(ledger.sources[0].elements, "source0.elements",
                "the elements of the array are wrong or unreadable after it was exported");
           same(ledger.sources[0].used, "source0.used",
                "a computation with the array is wrong or fails after it was exported");
           if (!any) judgement.SaysNothing("the elements of the array could not be read");
         }},

    // PY-DLPACK-08: The data types of the standard can be exported.
    {.id = "python/dlpack/standard-dtypes-are-exported",
     .rules = {"PY-DLPACK-08", "C-DATA-15"},
     .examples = Examples::kTable,
     .table = 13,
     .on_refusal = OnRefusal::kWarn,
     .draw =
         [](Draw& draw) {
           constexpr abi::DLDataType kTypes[] = {{6, 8, 1},  {0, 8, 1},  {0, 16, 1}, {0, 32, 1}, {0, 64, 1},
                                                 {1, 8, 1},  {1, 16, 1}, {1, 32, 1}, {1, 64, 1}, {2, 32, 1},
                                                 {2, 64, 1}, {5, 64, 1}, {5, 128, 1}};
           Recipe recipe = draw.Export();
           // A legacy struct has no version, so it cannot declare that a dtype such as bool exists.
           recipe.call() = draw.PlainCall();
           if (draw.profile.makes_versioned) recipe.call().max_version = kNewestVersion;
           recipe.request().dtype = kTypes[draw.index];
           recipe.request().read_only = 0;
           return recipe;
         },
     .control = [](const Profile&, Recipe& recipe) { recipe.request().dtype = {abi::kDLFloat, 32, 1}; },
     .judge = [](const Recipe&, const Ledger&,
                 Judgement& judgement) { ExportMatches(judgement, {.rule = "C-DATA-15"}); }},

    // PY-DLPACK-09: An array has both __dlpack__ and __dlpack_device__, or neither.
    {.id = "python/dlpack/array-has-both-methods",
     .rules = {"PY-DLPACK-09"},
     .draw = WithLife(DrawPlain, {Op::kMake, Op::kExport, Op::kAskDevice, Op::kDropSource}),
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (ledger.sources[0].device_call.outcome == Outcome::kUnsupported) {
             return judgement.SaysNothing(
                 "the library has functions instead of the methods __dlpack__ and __dlpack_device__");
           }
           judgement.Expect("source0.device_call", Is(Outcome::kAccepted),
                            "the array can be exported, but __dlpack_device__ fails");
         }},

    // PY-DLPACK-10: An array without memory (lazy, distributed) may raise BufferError in either method. Another
    // exception is a NOTE.
    {.id = "python/dlpack/arrays-without-memory-raise-buffer-error",
     .rules = {"PY-DLPACK-10"},
     .on_refusal = OnRefusal::kJudge,
     .needs = {Claim::kOddities},
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawOdd(draw);
           recipe.request().oddity = Oddity::kMeta;
           SetLife(recipe, {Op::kMake, Op::kAskDevice, Op::kExport, Op::kDropSource});
           return recipe;
         },
     .control = control::OrdinaryArray,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const Refusal& device = ledger.sources[0].device_call;
           const Refusal& refusal = ledger.exports[0].export_call;
           if (device.outcome == Outcome::kRefused && device.buffer_error != 0) return judgement.Holds();
           constexpr std::string_view kMessage = "__dlpack__ does not raise BufferError for an array without memory";
           if (!judgement.Expect("export0.outcome", Is(Outcome::kRefused), kMessage, {.degree = Degree::kNote})) {
             return;
           }
           judgement.Expect("export0.exception", Is("BufferError"), kMessage,
                            {.degree = Degree::kNote, .when = refusal.buffer_error == 0});
         }},

    // PY-DLPACK-12: A refused export does not leak: neither a reference to the array nor a struct.
    {.id = "python/dlpack/refused-export-leaves-nothing-behind",
     .rules = {"PY-DLPACK-12"},
     .on_refusal = OnRefusal::kJudge,
     .seldom = true,
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.Export();
           recipe.call() = draw.PlainCall();
           switch (draw.Pick(4)) {
             case 0:
               recipe.call().max_version = argument::Int(1);
               break;
             case 1:
               recipe.call().dl_device = argument::Pair(abi::kDLVulkan, 0);
               break;
             case 2:
               recipe.call().unknown_keyword = 1;
               break;
             default:
               if (!draw.profile.Claims(Claim::kOddities)) {
                 recipe.call().max_version = {ArgumentKind::kOneTuple, {}, 1, 0};
                 break;
               }
               recipe = DrawOdd(draw);
           }
           SetLife(recipe, {Op::kMake, Op::kExport, Op::kDropSource, Op::kCollect});
           return recipe;
         },
     .uncontrolled = uncontrolled::kMemory,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (ledger.exports[0].export_call.outcome != Outcome::kRefused) {
             return judgement.SaysNothing("the export was not refused");
           }
           if (!ledger.sources[0].alive_known)
             return judgement.SaysNothing("it cannot be observed when the library frees an array object");
           judgement.Expect("source0.alive_at_end", IsNot(true, false),
                            "the array is still referenced after __dlpack__ raised an exception");
         }},

    // PY-DLPACK-06: An array can be exported again, while its first export exists and afterwards.
    {.id = "python/dlpack/array-is-exported-again",
     .rules = {"PY-DLPACK-06"},
     .on_refusal = OnRefusal::kJudge,
     .draw = WithLife(&Draw::ExportOrCopy, {{Op::kMake},
                                            {Op::kExport, 0},
                                            {Op::kExport, 1},
                                            {Op::kLoseCapsule, 0},
                                            {Op::kLoseCapsule, 1},
                                            {Op::kExport, 2},
                                            {Op::kDropSource},
                                            {Op::kCollect}}),
     .uncontrolled = uncontrolled::kSteps,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!Exported(ledger)) return judgement.SaysNothing("the array is not exported");
           for (int slot = 1; slot <= 2; ++slot) {
             if (!judgement.Expect("exportS.outcome", Is(Outcome::kAccepted),
                                   "__dlpack__ raises an exception for an array that was exported before",
                                   {.slot = slot})) {
               return;
             }
           }
         }},

    // PY-DLPACK-13: __dlpack__ returns or raises for every array. If the process ends instead, the verdict is CRASH.
    {.id = "python/dlpack/no-array-kills-the-process",
     .rules = {"PY-DLPACK-13"},
     .on_refusal = OnRefusal::kPass,
     .seldom = true,
     .draw =
         WithLife(
             [](Draw& draw) {
               return draw.profile.Claims(Claim::kOddities) && draw.Pick(2) == 0 ? DrawOdd(draw) : draw.Export();
             },
             {Op::kMake, Op::kAskDevice, Op::kExport, Op::kLoseCapsule, Op::kDropSource, Op::kCollect}),
     .judge = [](const Recipe&, const Ledger&, Judgement& judgement) { judgement.Holds(); }},
};

}  // namespace
}  // namespace dlpack_cts
