// suites/c-abi/flags_export.cc: the flags that a producer sets.
#include "harness/case/case.h"
#include "harness/case/judges.h"
#include "harness/case/keywords.h"
#include "harness/case/needs.h"
#include "harness/recipe/laws.h"

namespace dlpack_cts {
namespace {

/// Makes an array, exports it, writes through the export, and checks whether the source shows the write.
void SetSharingLife(Recipe& recipe) {
  SetLife(recipe, {Op::kMake, Op::kExport, Op::kTakeCapsule, Op::kWriteExport, Op::kDelete});
}

/// The same after an export with copy=True, which must not affect later exports.
void SetLifeBehindCopy(Recipe& recipe) {
  AddCall(recipe, recipe.call()).copy.kind = ArgumentKind::kTrue;
  SetLife(recipe, {{Op::kMake},
                   {.op = Op::kExport, .slot = 1, .call = 1},
                   {Op::kExport},
                   {Op::kTakeCapsule},
                   {Op::kWriteExport},
                   {Op::kDelete},
                   {.op = Op::kLoseCapsule, .slot = 1}});
}

Recipe DrawReadOnly(Draw& draw) {
  Recipe recipe = draw.ExportOf(StructKind::kVersioned);
  recipe.request().read_only = 1;
  AddKeywords(draw, recipe);
  return recipe;
}

Judge JudgeReadOnly(std::string_view not_made, std::string_view message) {
  return [=](const Recipe&, const Ledger& ledger, Judgement& judgement) {
    const ExportLedger& exported = ledger.exports[0];
    if (!exported.versioned || ledger.sources[0].description.writable != Answer::kNo)
      return judgement.SaysNothing(not_made);
    judgement.Expect("export0.flags", HasFlag(abi::kFlagReadOnly | abi::kFlagIsCopied), message,
                     {.rule = "C-FLAGS-02"});
  };
}

const RegisterCases<OfProducer> kCases = {
    // C-FLAGS-01: flags is 0 unless a documented bit applies; unused bits are zero.
    {.id = "c-abi/flags/unused-bits-are-zero",
     .rules = {"C-FLAGS-01"},
     .blocked = MakesVersioned,
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.ExportOf(StructKind::kVersioned);
           AddKeywords(draw, recipe);
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           if (!IsVersioned(judgement)) return;
           const bool newer = exported.version.major > 1 || exported.version.minor > 3;
           const bool known = (exported.flags & ~abi::kPublishedFlags) == 0;
           if (newer && !known) return judgement.SaysNothing("the struct declares a version newer than 1.3");
           judgement.Expect("export0.flags", LacksFlag(~abi::kPublishedFlags),
                            "flags has bits set that no published DLPack version defines");
         }},

    // C-FLAGS-02: A producer whose memory must not be written sets READ_ONLY.
    {.id = "c-abi/flags/read-only-array-is-flagged",
     .rules = {"C-FLAGS-02"},
     .examples = Examples::kSweep,
     .needs = {Claim::kReadOnly},
     .blocked = MakesVersioned,
     .draw = DrawReadOnly,
     .judge = JudgeReadOnly("the array is not reported as read-only, or the export is not a versioned struct",
                            "a read-only array is exported without DLPACK_FLAG_BITMASK_READ_ONLY")},

    // C-FLAGS-02: The same for a view of such an array, and for a view of that view.
    {.id = "c-abi/flags/views-of-read-only-arrays-are-flagged",
     .rules = {"C-FLAGS-02"},
     .needs = {Claim::kReadOnly, Claim::kView},
     .blocked = MakesVersioned,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawReadOnly(draw);
           SetLife(recipe,
                   {{.op = Op::kMake, .argument = 1 + draw.Pick(2)}, {Op::kExport}, {Op::kTakeCapsule}, {Op::kDelete}});
           return recipe;
         },
     .judge = JudgeReadOnly("the view is not reported as read-only, or the export is not a versioned struct",
                            "a view of a read-only array is exported without DLPACK_FLAG_BITMASK_READ_ONLY")},

    // C-FLAGS-05: When the producer made a copy, IS_COPIED must be set.
    {.id = "c-abi/flags/copy-is-flagged",
     .rules = {"C-FLAGS-05"},
     .blocked = MakesVersioned,
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.ExportOf(StructKind::kVersioned);
           recipe.call().copy.kind = ArgumentKind::kTrue;
           recipe.request().read_only = 0;
           AddKeywords(draw, recipe);
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger&, Judgement& judgement) {
           if (!IsVersioned(judgement)) return;
           if (IsEmpty(recipe.request())) return judgement.SaysNothing("the array has no elements");
           judgement.Expect("export0.flags", HasFlag(abi::kFlagIsCopied),
                            "an export with copy=True does not set DLPACK_FLAG_BITMASK_IS_COPIED");
         }},

    // C-FLAGS-06: IS_COPIED is not set when the exported memory is shared with a live producer object.
    {.id = "c-abi/flags/shared-memory-is-not-flagged-as-copied",
     .rules = {"C-FLAGS-06"},
     .blocked = MakesVersioned,
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.ExportOf(StructKind::kVersioned);
           recipe.request().read_only = 0;
           constexpr ArgumentKind kShares[] = {ArgumentKind::kFalse, ArgumentKind::kNone};
           if (const int which = draw.Pick(4); which < 2) recipe.call().copy.kind = kShares[which];
           AddKeywords(draw, recipe);
           SetSharingLife(recipe);
           if (KnowsCopy(draw.profile).empty() && draw.Pick(3) == 0) SetLifeBehindCopy(recipe);
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           if (!exported.versioned || exported.write_export == WriteShown::kNotRun) {
             return judgement.SaysNothing("the export could not be written through, or is not a versioned struct");
           }
           judgement.Expect("export0.flags", LacksFlag(abi::kFlagIsCopied),
                            "DLPACK_FLAG_BITMASK_IS_COPIED is set although the export shares memory with the array",
                            {.when = exported.write_export == WriteShown::kShown});
         }},

    // C-FLAGS-07: With IS_COPIED the consumer is the sole owner until it calls the deleter. The producer neither reads,
    // writes nor reuses the memory.
    {.id = "c-abi/flags/copied-memory-belongs-to-the-consumer",
     .rules = {"C-FLAGS-07"},
     .blocked = MakesVersioned,
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.ExportOf(StructKind::kVersioned);
           recipe.request().read_only = 0;
           recipe.call().copy.kind = ArgumentKind::kTrue;
           SetLife(recipe, {{Op::kMake},
                            {Op::kExport, 0},
                            {Op::kExport, 1},
                            {Op::kTakeCapsule, 0},
                            {Op::kTakeCapsule, 1},
                            {Op::kWriteExport},
                            {Op::kReadExport, 1},
                            {Op::kReadSource},
                            {Op::kDelete, 0},
                            {Op::kReadExport, 1},
                            {Op::kDelete, 1}});
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& written = ledger.exports[0];
           const ExportLedger& other = ledger.exports[1];
           const bool both = (written.flags & other.flags & abi::kFlagIsCopied) != 0;
           if (!both || IsEmpty(recipe.request()))
             return judgement.SaysNothing(
                 "the array is empty, or DLPACK_FLAG_BITMASK_IS_COPIED is not set on both exports");
           judgement.Expect("export0.write_export", AnyOf(WriteShown::kNotShown, WriteShown::kNotRun),
                            "a write into an export that is flagged as a copy changes the array");
           ExportMatches(judgement, "the elements of a copy are wrong after another copy was written and deleted",
                         {.slot = 1});
           // If nothing could be written, equal addresses show it. No fact compares two exports.
           const auto first = [](const ExportLedger& one) {
             return reinterpret_cast<uintptr_t>(one.tensor.data) + one.tensor.byte_offset;
           };
           judgement.ExpectThat(first(written) != first(other), "two addresses", "one address",
                                "two exports that are flagged as copies have the same address");
         }},

    // C-FLAGS-11: A legacy struct cannot declare read-only data. Such data should be refused or copied rather than
    // exported as writable.
    {.id = "c-abi/flags/read-only-array-is-not-exported-without-flags",
     .rules = {"C-FLAGS-11"},
     .on_refusal = OnRefusal::kPass,
     .needs = {Claim::kReadOnly},
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.Export();
           recipe.call() = Call{};
           recipe.request().read_only = 1;
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           if (ledger.sources[0].description.writable != Answer::kNo || exported.versioned) {
             return judgement.SaysNothing(
                 "the array is not reported as read-only, or the export is not a legacy struct");
           }
           if (IsEmpty(recipe.request())) return judgement.SaysNothing("the array has no elements");
           if (exported.place.area == Area::kUnknown) {
             return judgement.SaysNothing("the adapter does not report the address of the array");
           }
           judgement.Expect(
               "export0.points_at_source", AnyOf(false, kNothing),
               "the memory of a read-only array is exported in a legacy struct, which has no read-only flag",
               {.degree = Degree::kWarn});
         }},
};

}  // namespace
}  // namespace dlpack_cts
