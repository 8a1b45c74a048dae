// suites/python/integer_classes.cc: arguments of __dlpack__ whose integers are enumerators, of subclasses, or no ints.
#include <iterator>
#include <utility>

#include "harness/case/arguments.h"
#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"

namespace dlpack_cts {
namespace {

constexpr int kOther = 0;
constexpr int kUsual = 1;

constexpr ArgumentKind kPairs[] = {ArgumentKind::kEnumPair, ArgumentKind::kSubclassPair, ArgumentKind::kIndexPair};
constexpr ArgumentKind kInts[] = {ArgumentKind::kEnumInt, ArgumentKind::kSubclassInt, ArgumentKind::kIndexInt};

/// The simplest array, exported with the argument into slot 0, and with the same value of the usual class into slot 1.
Recipe DrawBeside(Draw& draw, Argument Call::* name, Argument argument) {
  Recipe recipe = draw.Export();
  recipe.request() = draw.PlainRequest();
  recipe.call() = draw.PlainCall();
  recipe.call().*name = argument;
  argument.kind = UsualKind(argument.kind);
  AddCall(recipe, recipe.call()).*name = argument;
  SetLife(recipe, {{Op::kMake},
                   {.op = Op::kExport, .slot = kUsual, .call = 1},
                   {.op = Op::kExport, .slot = kOther, .call = 0},
                   {Op::kReadExport, kOther},
                   {Op::kDropSource},
                   {Op::kLoseCapsule, kOther},
                   {Op::kLoseCapsule, kUsual},
                   {Op::kCollect}});
  return recipe;
}

/// An enumerator and an object of a subclass are ints, and an object of a subclass of tuple is a tuple. An object that
/// has __index__ is neither, so that its refusal is a NOTE.
Degree DegreeOf(ArgumentKind kind) {
  const bool index = kind == ArgumentKind::kIndexPair || kind == ArgumentKind::kIndexInt;
  return index ? Degree::kNote : Degree::kWarn;
}

/// Whether the export with the other class was accepted as that with the usual one was. `refused` and `accepted` say
/// what is wrong otherwise, and `rule` is that of an export that the usual class does not get.
bool IsAnsweredAsUsual(const Ledger& ledger, Judgement& judgement, Degree degree, std::string_view refused,
                       std::string_view accepted, std::string_view rule) {
  judgement.Expect("source0.alive_at_end", AnyOf(false, kNothing),
                   "the array is still referenced after __dlpack__ was called with integers of other classes",
                   {.degree = Degree::kWarn});
  const Outcome usual = ledger.exports[kUsual].export_call.outcome;
  if (usual == Outcome::kRefused) {
    judgement.Expect("export0.outcome", IsNot(Outcome::kAccepted, Outcome::kRefused), accepted, {.rule = rule});
    return false;
  }
  if (usual != Outcome::kAccepted) {
    judgement.SaysNothing("the export with usual integers was neither accepted nor refused");
    return false;
  }
  return judgement.Expect("export0.outcome", Is(Outcome::kAccepted), refused, {.degree = degree});
}

Case OfIntegers(Case made) {
  made.examples = Examples::kTable;
  made.on_refusal = OnRefusal::kJudge;
  made.uncontrolled = uncontrolled::kSteps;
  return OfPythonProducer(std::move(made));
}

const RegisterCases<OfIntegers> kCases = {
    // PY-MAXVER-02: An enumerator is an int, and a named tuple is a tuple: max_version means the same with them.
    // PY-MAXVER-04: It does so with objects that have __index__, if they are accepted at all.
    {.id = "python/max-version/integers-may-be-of-other-classes",
     .rules = {"PY-MAXVER-02", "PY-MAXVER-04"},
     .table = 9,
     .blocked = KnowsMaxVersion,
     .draw =
         [](Draw& draw) {
           constexpr int64_t kVersions[][2] = {{1, 0}, {1, 3}, {0, 8}};
           const auto& version = kVersions[draw.index / 3];
           return DrawBeside(draw, &Call::max_version, {kPairs[draw.index % 3], {}, version[0], version[1]});
         },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const Degree degree = DegreeOf(recipe.call().max_version.kind);
           if (!IsAnsweredAsUsual(
                   ledger, judgement, degree, "__dlpack__ refuses a max_version whose integers are of other classes",
                   "__dlpack__ accepts a max_version only if its integers are of other classes", "PY-MAXVER-04")) {
             return;
           }
           const bool versioned = ledger.exports[kUsual].versioned != 0;
           judgement.Expect(
               "export0.versioned", Is(versioned),
               versioned ? "__dlpack__ returns a legacy capsule only if the integers of max_version are of "
                           "other classes"
                         : "__dlpack__ returns a versioned capsule for a max_version of major version 0 if "
                           "its integers are of other classes",
               {.rule = versioned ? "PY-MAXVER-02" : "PY-MAXVER-04", .degree = versioned ? degree : Degree::kRule});
         }},

    // PY-DLDEVICE-04: The device of the array is accepted, also if its integers are of other classes.
    // PY-DLDEVICE-03: A device that is not supported is refused then, too.
    {.id = "python/dl-device/integers-may-be-of-other-classes",
     .rules = {"PY-DLDEVICE-04", "PY-DLDEVICE-03"},
     .table = 6,
     .blocked = KnowsDlDevice,
     .draw =
         [](Draw& draw) {
           const abi::DLDevice own = draw.profile.made_device;
           const bool here = draw.index < 3;
           const int64_t type = here ? (draw.profile.MakesElsewhere() ? own.device_type : abi::kDLCPU) : abi::kDLVulkan;
           const int64_t id = here && draw.profile.MakesElsewhere() ? own.device_id : 0;
           return DrawBeside(draw, &Call::dl_device, {kPairs[draw.index % 3], {}, type, id});
         },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (!IsAnsweredAsUsual(ledger, judgement, DegreeOf(recipe.call().dl_device.kind),
                                  "__dlpack__ refuses a dl_device whose integers are of other classes",
                                  "__dlpack__ accepts an unsupported dl_device if its integers are of other classes",
                                  "PY-DLDEVICE-03")) {
             return;
           }
           const abi::DLDevice usual = ledger.exports[kUsual].tensor.device;
           judgement.Expect(
               "export0.device", Is(usual),
               "__dlpack__ exports on another device if the integers of dl_device are of other classes",
               {.when = ledger.exports[kUsual].struct_address != 0 && ledger.exports[kOther].struct_address != 0});
         }},

    // PY-STREAM-01: A stream is answered as the int that it equals: one that the array does not support is refused.
    // PY-STREAM-02: Enumerators and NumPy's integers count as ints. An array on the CPU needs none of them.
    {.id = "python/stream/integers-may-be-of-other-classes",
     .rules = {"PY-STREAM-01", "PY-STREAM-02"},
     .table = 6,
     .blocked = MakesHostArrays,
     .draw =
         [](Draw& draw) {
           const int64_t stream = draw.index < 3 ? -1 : 7;
           return DrawBeside(draw, &Call::stream, {kInts[draw.index % 3], {}, stream, 0});
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           IsAnsweredAsUsual(ledger, judgement, Degree::kNote,
                             "__dlpack__ accepts a stream only if it is of the class int itself",
                             "__dlpack__ accepts a stream that it refuses as an int", "PY-STREAM-01");
         }},
};

}  // namespace
}  // namespace dlpack_cts
