// suites/python/dlpack_method.cc: the method __dlpack__: its keywords, its refusals, and what it leaves behind.
#include "harness/case/case.h"
#include "harness/case/judges.h"

namespace dlpack_cts {
namespace {

/// One plain array, asked in the plainest way: whatever is refused then is refused for its arguments.
Recipe DrawPlain(Draw& draw) {
  Recipe recipe = draw.Export();
  recipe.call() = draw.PlainCall();
  recipe.request().dtype = draw.PlainRequest().dtype;
  recipe.request().read_only = 0;
  SetLife(recipe, {Op::kMake, Op::kExport, Op::kReadExport, Op::kDropSource, Op::kCollect});
  return recipe;
}

/// An array that DLPack cannot describe as it is; each may be something that the library has not.
Recipe DrawOdd(Draw& draw) {
  constexpr int kOddities = static_cast<int>(Oddity::kSubclass);
  Recipe recipe = draw.Export();
  recipe.call() = draw.PlainCall();
  recipe.request().oddity = static_cast<Oddity>(1 + draw.Pick(kOddities));
  recipe.request().strides_kind = StridesKind::kCompact;
  recipe.request().read_only = 0;
  recipe.request().dims = 1;
  recipe.request().shape[0] = draw.random.Between(2, 5);
  return recipe;
}

// PY-DLPACK-01: __dlpack__ has the keyword-only parameters stream, max_version, dl_device and copy, all None by
// default.
const Register kKeywords{{
    .id = "python/dlpack/method-takes-its-four-keywords",
    .rules = {"PY-DLPACK-01"},
    .role = Role::kProducer,
    .examples = Examples::kTable,
    .table = 4,
    .on_refusal = OnRefusal::kJudge,
    .python = true,
    .blocked = [](const Profile& profile) -> std::string_view {
      // The keywords came with the array API 2023.12; a producer from before it lacks nothing that it promised.
      return profile.takes_keywords || profile.Claims(Claim::kArrayApi)
                 ? ""
                 : "__dlpack__ of the library's arrays is from before max_version";
    },
    .draw =
        [](Draw& draw) {
          Recipe recipe = DrawPlain(draw);
          Argument* const arguments[] = {&recipe.call().stream, &recipe.call().max_version, &recipe.call().dl_device,
                                         &recipe.call().copy};
          *arguments[draw.index] = {ArgumentKind::kNone, {}, 0, 0};
          return recipe;
        },
    .judge =
        [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
          const Refusal& refusal = ledger.exports[0].export_call;
          if (refusal.outcome == Outcome::kRefused && refusal.type_error == 0) {
            return judgement.SaysNothing("the export is refused for another reason");
          }
          const std::string_view name = recipe.call().stream.kind != ArgumentKind::kAbsent        ? "stream"
                                        : recipe.call().max_version.kind != ArgumentKind::kAbsent ? "max_version"
                                        : recipe.call().dl_device.kind != ArgumentKind::kAbsent   ? "dl_device"
                                                                                                  : "copy";
          Check(refusal.outcome == Outcome::kAccepted, ledger, judgement, "PY-DLPACK-01", "export0.outcome", "accepted",
                "__dlpack__ has no keyword " + std::string(name));
        },
}};

// PY-DLPACK-01: A keyword is known by the letters of its name, which need not be the very string of a call in source
// code: programs put names together.
const Register kNamesByLetters{{
    .id = "python/dlpack/names-of-keywords-are-compared-by-their-letters",
    .rules = {"PY-DLPACK-01"},
    .role = Role::kProducer,
    .examples = Examples::kTable,
    .table = 4,
    .on_refusal = OnRefusal::kJudge,
    .python = true,
    .draw =
        [](Draw& draw) {
          Recipe recipe = DrawPlain(draw);
          Call& call = recipe.call();
          Argument* const arguments[] = {&call.stream, &call.max_version, &call.dl_device, &call.copy};
          *arguments[draw.index] = draw.index == 1 ? kNewestVersion : Argument{ArgumentKind::kNone, {}, 0, 0};
          AddCall(recipe, call);
          call.fresh_names = 1;
          SetLife(recipe, {{.op = Op::kMake},
                           {.op = Op::kExport, .slot = 0, .call = 0},
                           {.op = Op::kExport, .slot = 1, .call = 1},
                           {.op = Op::kDropSource},
                           {.op = Op::kCollect}});
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          const ExportLedger& usual = ledger.exports[1];
          if (!Exported(ledger, 1)) return judgement.SaysNothing("the keyword is not taken at all");
          if (!Check(Exported(ledger), ledger, judgement, "PY-DLPACK-01", "export0.outcome", "accepted",
                     "a keyword is not known where its name is another string of the same letters")) {
            return;
          }
          Check(ledger.exports[0].versioned == usual.versioned, ledger, judgement, "PY-DLPACK-01", "export0.name",
                usual.versioned != 0 ? "dltensor_versioned" : "dltensor",
                "max_version is overlooked where its name is another string of the same letters");
        },
}};

// PY-DLPACK-02: __dlpack__ returns a PyCapsule.
const Register kReturnsCapsule{{
    .id = "python/dlpack/method-returns-a-capsule",
    .rules = {"PY-DLPACK-02"},
    .role = Role::kProducer,
    .python = true,
    .draw = [](Draw& draw) { return draw.Export(); },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          Check(ledger.exports[0].is_capsule != 0, ledger, judgement, "PY-DLPACK-02", "export0.is_capsule", "1",
                "__dlpack__ returned something that is no capsule");
        },
}};

// PY-DLPACK-03: An array that cannot be exported raises BufferError. Other classes are recorded.
const Register kRaisesBufferError{{
    .id = "python/dlpack/inexpressible-arrays-raise-buffer-error",
    .rules = {"PY-DLPACK-03"},
    .role = Role::kProducer,
    .on_refusal = OnRefusal::kJudge,
    .needs = {Claim::kOddities},
    .seldom = true,
    .python = true,
    .draw = [](Draw& draw) { return DrawOdd(draw); },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          const Refusal& refusal = ledger.exports[0].export_call;
          // Its values are other cases' business.
          if (refusal.outcome != Outcome::kRefused) return judgement.SaysNothing("the export was not refused");
          Check(refusal.buffer_error != 0, ledger, judgement, "PY-DLPACK-03", "export0.exception", "BufferError",
                "an array that cannot be exported raises another exception than BufferError", Degree::kNote);
        },
}};

// PY-DLPACK-04: Errors for other reasons (wrong arguments) are raised as exceptions; which class is not said. An
// argument without any meaning that is taken silently is recorded.
const Register kWrongArguments{{
    .id = "python/dlpack/wrong-arguments-are-errors",
    .rules = {"PY-DLPACK-04"},
    .role = Role::kProducer,
    .examples = Examples::kTable,
    .table = 8,
    .on_refusal = OnRefusal::kJudge,
    .python = true,
    .draw =
        [](Draw& draw) {
          Recipe recipe = DrawPlain(draw);
          Argument* const arguments[] = {&recipe.call().stream, &recipe.call().max_version, &recipe.call().dl_device,
                                         &recipe.call().copy};
          *arguments[draw.index % 4] = {draw.index < 4 ? ArgumentKind::kObject : ArgumentKind::kString, {}, 0, 0};
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          Check(ledger.exports[0].export_call.outcome == Outcome::kRefused, ledger, judgement, "PY-DLPACK-04",
                "export0.outcome", "refused", "an argument that means nothing is taken silently", Degree::kNote);
        },
}};

// PY-DLPACK-05: An unknown keyword is an error: a producer that swallows it swallows the keywords of later versions
// too.
const Register kUnknownKeyword{{
    .id = "python/dlpack/unknown-keyword-is-an-error",
    .rules = {"PY-DLPACK-05"},
    .role = Role::kProducer,
    .on_refusal = OnRefusal::kPass,
    .python = true,
    .draw =
        [](Draw& draw) {
          Recipe recipe = DrawPlain(draw);
          recipe.call().unknown_keyword = 1;
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          Check(false, ledger, judgement, "PY-DLPACK-05", "export0.outcome", "refused",
                "__dlpack__ ignores a keyword that it does not know");
        },
}};

// PY-DLPACK-06: The array stays usable and unchanged: before, while and after a capsule of it lives.
const Register kArrayStays{{
    .id = "python/dlpack/exporting-leaves-the-array-alone",
    .rules = {"PY-DLPACK-06"},
    .role = Role::kProducer,
    .python = true,
    .draw =
        [](Draw& draw) {
          Recipe recipe = draw.Export();
          SetLife(recipe, {Op::kMake, Op::kReadSource, Op::kAskDevice, Op::kExport, Op::kReadSource, Op::kUseSource,
                           Op::kLoseCapsule, Op::kReadSource, Op::kUseSource, Op::kDropSource});
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          bool any = false;
          const auto same = [&](const ElementReading& reading, std::string_view fact, std::string_view message) {
            if (reading.reading == Reading::kUnsupported || reading.reading == Reading::kNotRead) return;
            any = true;
            Check(reading.reading == Reading::kMatches, ledger, judgement, "PY-DLPACK-06", fact, "matches", message);
          };
          same(ledger.sources[0].elements, "source0.elements",
               "the array has other elements, or none, after it was exported");
          same(ledger.sources[0].used, "source0.used", "the array cannot be computed with after it was exported");
          if (!any) judgement.SaysNothing("no reading of the array was possible");
        },
}};

// PY-DLPACK-08: The data types of the standard can be exported.
const Register kStandardTypes{{
    .id = "python/dlpack/standard-dtypes-are-exported",
    .rules = {"PY-DLPACK-08"},
    .role = Role::kProducer,
    .examples = Examples::kTable,
    .table = 13,
    .on_refusal = OnRefusal::kWarn,
    .python = true,
    .draw =
        [](Draw& draw) {
          constexpr abi::DLDataType kTypes[] = {{6, 8, 1},  {0, 8, 1},  {0, 16, 1}, {0, 32, 1}, {0, 64, 1},
                                                {1, 8, 1},  {1, 16, 1}, {1, 32, 1}, {1, 64, 1}, {2, 32, 1},
                                                {2, 64, 1}, {5, 64, 1}, {5, 128, 1}};
          Recipe recipe = draw.Export();
          // A legacy struct does not say that its version has the type, bool among them.
          recipe.call() = draw.PlainCall();
          if (draw.profile.makes_versioned) recipe.call().max_version = kNewestVersion;
          recipe.request().dtype = kTypes[draw.index];
          recipe.request().read_only = 0;
          return recipe;
        },
    .control = [](Recipe& recipe) { recipe.request().dtype = {abi::kDLFloat, 32, 1}; },
    .judge = [](const Recipe&, const Ledger& ledger,
                Judgement& judgement) { ExportMatches("PY-DLPACK-08", ledger, judgement); },
}};

// PY-DLPACK-09: An array has both methods, __dlpack__ and __dlpack_device__, or none.
const Register kBothMethods{{
    .id = "python/dlpack/array-has-both-methods",
    .rules = {"PY-DLPACK-09"},
    .role = Role::kProducer,
    .python = true,
    .draw =
        [](Draw& draw) {
          Recipe recipe = DrawPlain(draw);
          SetLife(recipe, {Op::kMake, Op::kExport, Op::kAskDevice, Op::kDropSource});
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          if (ledger.sources[0].device_call.outcome == Outcome::kUnsupported) {
            return judgement.SaysNothing("the arrays have neither method: functions stand in for them");
          }
          Check(ledger.sources[0].device_call.outcome == Outcome::kAccepted, ledger, judgement, "PY-DLPACK-09",
                "source0.device_call", "accepted", "the array can be exported, but __dlpack_device__ fails");
        },
}};

// PY-DLPACK-10: An array without memory of its own (lazy, distributed) may refuse in either method with BufferError;
// another class is recorded.
const Register kLazyArrays{{
    .id = "python/dlpack/arrays-without-memory-raise-buffer-error",
    .rules = {"PY-DLPACK-10"},
    .role = Role::kProducer,
    .on_refusal = OnRefusal::kJudge,
    .needs = {Claim::kOddities},
    .python = true,
    .draw =
        [](Draw& draw) {
          Recipe recipe = DrawOdd(draw);
          recipe.request().oddity = Oddity::kMeta;
          SetLife(recipe, {Op::kMake, Op::kAskDevice, Op::kExport, Op::kDropSource});
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          const Refusal& device = ledger.sources[0].device_call;
          const Refusal& refusal = ledger.exports[0].export_call;
          if (device.outcome == Outcome::kRefused && device.buffer_error != 0) return judgement.Holds();
          constexpr std::string_view kMessage =
              "an array without memory is refused with another exception than BufferError, or exported";
          if (!Check(refusal.outcome == Outcome::kRefused, ledger, judgement, "PY-DLPACK-10", "export0.outcome",
                     "refused", kMessage, Degree::kNote)) {
            return;
          }
          Check(refusal.buffer_error != 0, ledger, judgement, "PY-DLPACK-10", "export0.exception", "BufferError",
                kMessage, Degree::kNote);
        },
}};

// PY-DLPACK-12: A refused export leaves nothing behind: no reference to the array, no struct.
const Register kRefusalLeavesNothing{{
    .id = "python/dlpack/refused-export-leaves-nothing-behind",
    .rules = {"PY-DLPACK-12"},
    .role = Role::kProducer,
    .on_refusal = OnRefusal::kJudge,
    .seldom = true,
    .python = true,
    .draw =
        [](Draw& draw) {
          Recipe recipe = draw.Export();
          recipe.call() = draw.PlainCall();
          switch (draw.Pick(4)) {
            case 0:
              recipe.call().max_version = {ArgumentKind::kInt, {}, 1, 0};
              break;
            case 1:
              recipe.call().dl_device = {ArgumentKind::kPair, {}, abi::kDLVulkan, 0};
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
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          if (ledger.exports[0].export_call.outcome != Outcome::kRefused) {
            return judgement.SaysNothing("the export was not refused");
          }
          if (!ledger.sources[0].alive_known) return judgement.SaysNothing("the library's arrays cannot be watched");
          Check(ledger.sources[0].alive_at_end == 0, ledger, judgement, "PY-DLPACK-12", "source0.alive_at_end", "0",
                "a refused export still references the array");
        },
}};

// PY-DLPACK-06: To be exported once more is a part of the use of an array, while its first export lives, and behind its
// end.
const Register kExportsAgain{{
    .id = "python/dlpack/array-is-exported-again",
    .rules = {"PY-DLPACK-06"},
    .role = Role::kProducer,
    .on_refusal = OnRefusal::kJudge,
    .python = true,
    .draw =
        [](Draw& draw) {
          Recipe recipe = draw.ExportOrCopy();
          SetLife(recipe, {{Op::kMake},
                           {Op::kExport, 0},
                           {Op::kExport, 1},
                           {Op::kLoseCapsule, 0},
                           {Op::kLoseCapsule, 1},
                           {Op::kExport, 2},
                           {Op::kDropSource},
                           {Op::kCollect}});
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          if (!Exported(ledger)) return judgement.SaysNothing("the array is not exported");
          for (const char* const key : {"export1.outcome", "export2.outcome"}) {
            const Refusal& again = ledger.exports[key[6] - '0'].export_call;
            if (!Check(again.outcome == Outcome::kAccepted, ledger, judgement, "PY-DLPACK-06", key, "accepted",
                       "an array that was exported is not exported again")) {
              return;
            }
          }
        },
}};

// PY-DLPACK-13: Whatever the array is, __dlpack__ returns or raises. What ends the process instead is a CRASH.
const Register kNothingKills{{
    .id = "python/dlpack/no-array-kills-the-process",
    .rules = {"PY-DLPACK-13"},
    .role = Role::kProducer,
    .on_refusal = OnRefusal::kPass,
    .seldom = true,
    .python = true,
    .draw =
        [](Draw& draw) {
          Recipe recipe = draw.profile.Claims(Claim::kOddities) && draw.Pick(2) == 0 ? DrawOdd(draw) : draw.Export();
          SetLife(recipe, {Op::kMake, Op::kAskDevice, Op::kExport, Op::kLoseCapsule, Op::kDropSource, Op::kCollect});
          return recipe;
        },
    .judge = [](const Recipe&, const Ledger&, Judgement& judgement) { judgement.Holds(); },
}};

}  // namespace
}  // namespace dlpack_cts
