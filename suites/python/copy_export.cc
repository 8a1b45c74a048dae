// suites/python/copy_export.cc: what a producer does with copy=True, copy=False and copy=None.
#include <algorithm>

#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"
#include "harness/case/thresholds.h"
#include "harness/recipe/laws.h"

namespace dlpack_cts {
namespace {

/// The export with copy raises TypeError: __dlpack__ does not accept the keyword.
bool LacksCopy(const Ledger& ledger, Judgement& judgement) {
  if (ledger.exports[0].export_call.type_error == 0) return false;
  judgement.SaysNothing("__dlpack__ raises TypeError for copy");
  return true;
}

/// A write through the export, or the address of the array, shows whether they share memory.
bool ShowsSharing(const ExportLedger& exported, Judgement& judgement) {
  if (exported.write_export != WriteShown::kNotRun || exported.place.area != Area::kUnknown) return true;
  judgement.SaysNothing(
      "no write through the export was possible, and the adapter does not report the address of the array");
  return false;
}

/// Any array, exported with that value of copy and then written through the export.
Recipe DrawWritten(Draw& draw, ArgumentKind copy) {
  Recipe recipe = draw.Export();
  recipe.call().copy = {copy, {}, 0, 0};
  SetLife(recipe, {Op::kMake, Op::kExport, Op::kTakeCapsule, Op::kWriteExport, Op::kReadSource, Op::kDelete});
  return recipe;
}

/// A view that is not row-major, in one of as many ways.
constexpr int kViews = 6;

void DrawView(Draw& draw, Request& request) {
  constexpr int64_t kStrides[kViews][2] = {{1, 2}, {7, 2}, {4, 1}, {-3, -1}, {-3, 1}, {0, 1}};
  request = draw.PlainRequest();
  SetPlainShape(2, request.shape);
  request.dims = 2;
  request.making = Making::kView;
  request.strides_kind = StridesKind::kExplicit;
  std::ranges::copy(kStrides[draw.index], request.strides);
}

/// Any array, exported with that value of copy, and into slot 1 without copy.
Recipe DrawBesidePlain(Draw& draw, ArgumentKind copy, bool read_only = true) {
  Recipe recipe = draw.Export();
  recipe.call().copy = {};
  AddCall(recipe, recipe.call());
  recipe.call().copy.kind = copy;
  if (!read_only) recipe.request().read_only = 0;
  SetLife(recipe, {{.op = Op::kMake},
                   {.op = Op::kExport, .slot = 0, .call = 0},
                   {.op = Op::kExport, .slot = 1, .call = 1},
                   {.op = Op::kDropSource}});
  return recipe;
}

const RegisterCases<OfPythonProducer> kCases = {
    // PY-COPY-01: With copy=True the exported memory is not shared with the array, or an exception is raised. A library
    // of immutable arrays may share, as no write is possible: that is a NOTE.
    {.id = "python/copy/asked-copy-is-apart-from-its-array",
     .rules = {"PY-COPY-01"},
     .blocked = KnowsCopy,
     .draw = [](Draw& draw) { return DrawWritten(draw, ArgumentKind::kTrue); },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           if (IsEmpty(recipe.request())) return judgement.SaysNothing("the array has no elements");
           if (!ShowsSharing(exported, judgement)) return;
           judgement.Expect("export0.write_export", AnyOf(WriteShown::kNotShown, WriteShown::kNotRun),
                            "a write through the export of __dlpack__(copy=True) changes the array");
           judgement.Expect("export0.points_at_source", AnyOf(false, kNothing),
                            "__dlpack__(copy=True) exports the memory of the array",
                            {.degree = judgement.Says(Trait::kImmutable) ? Degree::kNote : Degree::kRule});
         }},

    // PY-COPY-01: __dlpack__(copy=True) copies a simple array. A library that claims the array API has promised this.
    // For other libraries a refusal is a NOTE.
    {.id = "python/copy/asked-copy-is-made",
     .rules = {"PY-COPY-01"},
     .on_refusal = OnRefusal::kJudge,
     .blocked = KnowsCopy,
     .draw = [](Draw& draw) { return DrawBesidePlain(draw, ArgumentKind::kTrue, false); },
     .uncontrolled = uncontrolled::kSteps,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!Exported(ledger, 1)) return judgement.SaysNothing("the array is not exported without copy");
           if (LacksCopy(ledger, judgement)) return;
           judgement.Expect("export0.outcome", Is(Outcome::kAccepted),
                            "__dlpack__(copy=True) raises an exception for an array that is exported without copy",
                            {.degree = judgement.Claims(Claim::kArrayApi) ? Degree::kWarn : Degree::kNote});
         }},

    // PY-COPY-02: copy=False never copies, and raises BufferError where a copy would be needed. An earlier text
    // required ValueError.
    {.id = "python/copy/copy-false-shares-or-raises",
     .rules = {"PY-COPY-02"},
     .on_refusal = OnRefusal::kJudge,
     .blocked = KnowsCopy,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawWritten(draw, ArgumentKind::kFalse);
           recipe.request().read_only = 0;
           return recipe;
         },
     .control = control::NoCopy,
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           const Refusal& refusal = exported.export_call;
           if (refusal.outcome == Outcome::kRefused) {
             if (LacksCopy(ledger, judgement)) return;
             const bool right = refusal.buffer_error != 0 || refusal.builtin.view() == "ValueError";
             judgement.Expect("export0.is_buffer_error", Is(true),
                              "__dlpack__(copy=False) raises neither BufferError nor ValueError",
                              {.degree = Degree::kWarn, .when = !right});
             return;
           }
           if (!Exported(ledger) || IsEmpty(recipe.request()))
             return judgement.SaysNothing("no elements were exported");
           if (!ShowsSharing(exported, judgement)) return;
           judgement.Expect("export0.write_export", AnyOf(WriteShown::kShown, WriteShown::kNotRun),
                            "a write through the export of __dlpack__(copy=False) does not change the array");
           judgement.Expect("export0.points_at_source", AnyOf(true, kNothing),
                            "__dlpack__(copy=False) does not export the memory of the array");
         }},

    // PY-COPY-02: If a call without copy shares the memory, copy=False can share it too. The producer decides whether a
    // copy is needed, so a refusal is only a NOTE.
    {.id = "python/copy/copy-false-is-granted-where-nothing-is-copied",
     .rules = {"PY-COPY-02"},
     .on_refusal = OnRefusal::kJudge,
     .blocked = KnowsCopy,
     .draw = [](Draw& draw) { return DrawBesidePlain(draw, ArgumentKind::kFalse, false); },
     .uncontrolled = uncontrolled::kSteps,
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& plain = ledger.exports[1];
           if (IsEmpty(recipe.request())) return judgement.SaysNothing("the array has no elements");
           if (!plain.IsAtSource() || (plain.flags & abi::kFlagIsCopied) != 0) {
             return judgement.SaysNothing(
                 "the library copies the array, or the adapter does not report the address of the array");
           }
           if (LacksCopy(ledger, judgement)) return;
           judgement.Expect("export0.outcome", Is(Outcome::kAccepted),
                            "__dlpack__(copy=False) raises an exception for an array that is shared without copy",
                            {.degree = Degree::kNote});
         }},

    // PY-COPY-03: copy=None, the default, shares memory where that is possible, which is where the same call without
    // copy shares it.
    {.id = "python/copy/none-shares-what-is-shared-without-it",
     .rules = {"PY-COPY-03"},
     .blocked = KnowsCopy,
     .draw = [](Draw& draw) { return DrawBesidePlain(draw, ArgumentKind::kNone); },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (IsEmpty(recipe.request())) return judgement.SaysNothing("the array has no elements");
           if (!ledger.exports[1].IsAtSource()) {
             return judgement.SaysNothing(
                 "the library copies the array, or the adapter does not report the address of the array");
           }
           judgement.Expect("export0.points_at_source", Is(true),
                            "__dlpack__(copy=None) does not share an array that is shared without copy");
         }},

    // PY-COPY-03: copy=None, the default, copies where memory cannot be shared. So a view that __dlpack__(copy=True)
    // exports is exported without copy too. The cause of a refusal may be a limit of the library: at most WARN.
    {.id = "python/copy/none-copies-what-is-not-shared",
     .rules = {"PY-COPY-03"},
     .examples = Examples::kTable,
     .table = kViews,
     .on_refusal = OnRefusal::kJudge,
     .blocked = KnowsCopy,
     .draw =
         [](Draw& draw) {
           Recipe recipe = MakeRecipe(RecipeKind::kExport);
           DrawView(draw, recipe.request());
           recipe.call() = draw.PlainCall();
           AddCall(recipe, draw.PlainCall()).copy.kind = ArgumentKind::kTrue;
           SetLife(recipe, {{.op = Op::kMake},
                            {.op = Op::kExport, .slot = 0, .call = 0},
                            {.op = Op::kExport, .slot = 1, .call = 1},
                            {.op = Op::kDropSource}});
           return recipe;
         },
     .uncontrolled = uncontrolled::kSteps,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!Exported(ledger, 1)) return judgement.SaysNothing("__dlpack__(copy=True) does not export the view");
           judgement.Expect("export0.outcome", Is(Outcome::kAccepted),
                            "__dlpack__ refuses a view that it exports with copy=True", {.degree = Degree::kWarn});
         }},

    // PY-COPY-04: A copy has DLPACK_FLAG_BITMASK_IS_COPIED set, whatever its reason. An export is a copy if a write
    // through it does not change the array.
    {.id = "python/copy/what-is-not-shared-is-flagged",
     .rules = {"PY-COPY-04"},
     .blocked = MakesVersioned,
     .draw =
         [](Draw& draw) {
           constexpr ArgumentKind kAsked[] = {ArgumentKind::kAbsent, ArgumentKind::kNone, ArgumentKind::kTrue};
           Recipe recipe = DrawWritten(draw, kAsked[draw.Pick(3)]);
           recipe.call().max_version = kNewestVersion;
           recipe.request().read_only = 0;
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           if (!IsVersioned(judgement)) return;
           if (exported.write_export == WriteShown::kNotRun)
             return judgement.SaysNothing("no write through the export was possible");
           judgement.Expect(
               "export0.flags", HasFlag(abi::kFlagIsCopied),
               "DLPACK_FLAG_BITMASK_IS_COPIED is not set on an export that does not share the memory of the array",
               {.when = exported.write_export != WriteShown::kShown});
         }},

    // C-DATA-13, C-DATA-15: A copy has all elements of its array, also beyond 64 KiB and 1 MiB, row-major and
    // column-major.
    {.id = "python/copy/large-copies-are-complete",
     .rules = {"C-DATA-15", "C-DATA-13"},
     .examples = Examples::kTable,
     .table = 4,
     .blocked = KnowsCopy,
     .draw =
         [](Draw& draw) {
           Recipe recipe = MakeRecipe(RecipeKind::kExport);
           Request& request = recipe.request();
           request = draw.PlainRequest();
           const bool column_major = draw.index >= 2 && draw.made().strided;
           MakeLarge(draw.MadeRank(2), draw.index % 2 == 1, column_major, request);
           if (column_major) request.making = Making::kView;
           request.seed = draw.random.Next();
           recipe.call() = draw.PlainCall();
           recipe.call().copy.kind = ArgumentKind::kTrue;
           SetLife(recipe, {Op::kMake, Op::kExport, Op::kTakeCapsule, Op::kDropSource, Op::kReadExport, Op::kDelete});
           return recipe;
         },
     .judge = ExpectsExport("the elements of a large copy are not those of the array")},

    // C-SHAPE-10: A copy has all dimensions of its array: 9, 16, 17, 32, 33 and 64 of them, as far as the library has
    // such arrays.
    {.id = "python/copy/copies-of-many-dimensions-keep-them",
     .rules = {"C-SHAPE-10"},
     .examples = Examples::kTable,
     .table = 6,
     .blocked =
         [](const Profile& profile) {
           if (profile.makes_deepest > kWalkedDims) return KnowsCopy(profile);
           return std::string_view("the library makes no arrays of more than 8 dimensions");
         },
     .draw =
         [](Draw& draw) {
           constexpr int kRanks[] = {9, 16, 17, 32, 33, 64};
           Recipe recipe = MakeRecipe(RecipeKind::kExport);
           Request& request = recipe.request();
           request = draw.PlainRequest();
           request.dims = static_cast<uint8_t>(std::min<int>(kRanks[draw.index], draw.profile.makes_deepest));
           std::fill_n(request.shape, request.dims, 1);
           for (const int d : {0, request.dims / 2, request.dims - 2, request.dims - 1}) request.shape[d] = 2 + d % 2;
           recipe.call() = draw.PlainCall();
           recipe.call().copy.kind = ArgumentKind::kTrue;
           SetPlainLife(recipe);
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const Description& array = ledger.sources[0].description;
           if (!Exported(ledger) || array.has_shape == 0)
             return judgement.SaysNothing(
                 "nothing was exported, or the adapter does not report the shape of the array");
           judgement.Expect("export0.shape", ShapeOf(array), "dl_tensor.shape of a copy is not the shape of the array");
           ExportMatches(judgement, "the elements of a copy of many dimensions are not those of the array");
         }},

    // PY-COPY-09: The managed tensor owns the memory of a copy: it stays valid when the array or another copy is gone.
    {.id = "python/copy/copy-outlives-its-array",
     .rules = {"PY-COPY-09"},
     .blocked = KnowsCopy,
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.Export();
           recipe.call().copy.kind = ArgumentKind::kTrue;
           SetLife(recipe, {{Op::kMake},
                            {Op::kExport, 0},
                            {Op::kExport, 1},
                            {Op::kTakeCapsule, 0},
                            {Op::kTakeCapsule, 1},
                            {Op::kDropSource},
                            {Op::kCollect},
                            {Op::kReadExport, 0},
                            {Op::kDelete, 1},
                            {Op::kReadExport, 0},
                            {Op::kInspect, 0},
                            {Op::kDelete, 0}});
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger&, Judgement& judgement) {
           ExportMatches(judgement,
                         "the elements of a copy are wrong after the array was dropped or another copy was deleted");
           judgement.Expect("export0.changed", Is(PartSet{}),
                            "the struct of a copy changed after the array was dropped or another copy was deleted");
         }},

    // PY-COPY-09: The deleter frees the memory of a copy: many copies, made and deleted in turn, do not use more
    // memory.
    {.id = "python/copy/deleter-frees-the-copy",
     .rules = {"PY-COPY-09"},
     .examples = Examples::kTable,
     .table = 16,
     .blocked = KnowsCopy,
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.ExportOften(false);
           recipe.call() = draw.PlainCall();
           if (draw.index % 2 == 1 && draw.profile.makes_versioned) recipe.call().max_version = kNewestVersion;
           recipe.call().copy.kind = ArgumentKind::kTrue;
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!Exported(ledger)) return judgement.SaysNothing("nothing was exported");
           NothingStays(judgement, "its deleter does not free the copy");
         }},
};

}  // namespace
}  // namespace dlpack_cts
