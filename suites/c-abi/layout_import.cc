// suites/c-abi/layout_import.cc: how a consumer reads the fields of the structs.
#include <algorithm>

#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/normalize.h"

namespace dlpack_cts {
namespace {

/// A valid tensor whose fields all have different values, so that the result shows when one field is read as another.
Recipe DrawDistinct(Draw& draw, StructKind kind) {
  Limits limits = draw.limits();
  limits.strided = limits.empty = limits.scalar = limits.read_only = false;
  limits.offset = draw.profile.takes_offset;
  Recipe recipe = draw.Import(limits);
  Offer& offer = recipe.offer();
  offer.kind = kind;
  if (kind == StructKind::kVersioned) {
    offer.major = 1;
    offer.minor = 0;
  }
  // The rank is kept, because the subject may support no other. Extents are limited by the memory.
  int64_t room = static_cast<int64_t>(kDataCapacity) / 2 / std::max<int64_t>(1, ItemSize(offer.dtype));
  for (int d = 0; d < offer.dims; ++d) {
    const int64_t extent = 2 + d + draw.random.Between(0, 1) * 3;
    offer.shape[d] = extent <= room ? extent : room > 1 ? 2 : 1;
    room /= offer.shape[d];
  }
  offer.strides_kind = StridesKind::kCompact;
  offer.byte_offset = limits.offset ? uint64_t{64} << std::max(0, limits.alignment_log2 - 6) : 0;
  offer.flags = 0;
  return recipe;
}

void JudgeAllFields(const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
  ShapeMatches(recipe, judgement);
  if (ledger.imports[0].Aliases()) {
    DtypeMatches(recipe.offer().dtype, judgement,
                 "the imported array shares the tensor's memory but has another dtype");
  }
  ElementsMatch(judgement);
}

void JudgeFieldsAndRelease(const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
  JudgeAllFields(recipe, ledger, judgement);
  ReleasedOnce(recipe, judgement);
}

/// The adapter reports whether the imported array, which shares the memory, is writable.
bool ShowsWritable(const ImportLedger& import, Judgement& judgement) {
  if (import.result.valid != 0 && import.result.writable != Answer::kUnknown && import.Aliases()) return true;
  judgement.SaysNothing(
      "the imported array is not known to share memory, or the adapter does not report whether it is writable");
  return false;
}

std::string_view ShowsFlags(const Profile& profile) {
  if (const std::string_view why = TakesVersioned(profile); !why.empty()) return why;
  return profile.shows_writable != 0 ? "" : "the library imports every tensor as read-only";
}

const RegisterCases<OfConsumer> kCases = {
    // C-LAYOUT-01: DLTensor is {data, device, ndim, dtype, shape, strides, byte_offset} in this order, 48 bytes on
    // LP64.
    {.id = "c-abi/layout/tensor-fields-are-read-in-their-places",
     .rules = {"C-LAYOUT-01"},
     .draw = [](Draw& draw) { return DrawDistinct(draw, draw.TakenKind()); },
     .judge = JudgeAllFields},

    // C-LAYOUT-02: Legacy DLManagedTensor is {dl_tensor, manager_ctx, deleter} = 64 bytes on LP64, so a capsule named
    // dltensor must point at a DLTensor at offset 0.
    {.id = "c-abi/layout/legacy-struct-is-read-in-its-layout",
     .rules = {"C-LAYOUT-02"},
     .draw = [](Draw& draw) { return DrawDistinct(draw, StructKind::kLegacy); },
     .judge = JudgeFieldsAndRelease},

    // C-LAYOUT-03: DLManagedTensorVersioned is {version, manager_ctx, deleter, flags, dl_tensor} = 80 bytes on LP64,
    // with dl_tensor last at offset 32.
    {.id = "c-abi/layout/versioned-struct-is-read-in-its-layout",
     .rules = {"C-LAYOUT-03"},
     .draw = [](Draw& draw) { return DrawDistinct(draw, StructKind::kVersioned); },
     .judge = JudgeFieldsAndRelease},

    // C-LAYOUT-07: The flag masks are bit 0 READ_ONLY, bit 1 IS_COPIED and bit 2 PADDED of a 64-bit word.
    {.id = "c-abi/layout/read-only-is-bit-zero-alone",
     .rules = {"C-LAYOUT-07"},
     .on_refusal = OnRefusal::kPass,
     .needs = {Claim::kReadOnly},
     .blocked = ShowsFlags,
     .draw =
         [](Draw& draw) {
           constexpr uint64_t kFlags[] = {abi::kFlagReadOnly, abi::kFlagIsCopied, 0};
           Recipe recipe = draw.PlainImport(StructKind::kVersioned);  // writable without flags
           recipe.offer().seed = draw.random.Next();
           recipe.offer().flags = kFlags[draw.Pick(3)];
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (!ShowsWritable(ledger.imports[0], judgement)) return;
           const bool read_only = (recipe.offer().flags & abi::kFlagReadOnly) != 0;
           judgement.Expect("import0.writable", Is(false),
                            "bit 0 of flags (DLPACK_FLAG_BITMASK_READ_ONLY) does not make the imported array read-only",
                            {.when = read_only});
           // A cautious consumer may import a tensor with unknown flags as read-only, but bit 1 is a published flag.
           judgement.Expect(
               "import0.writable", Is(true),
               "the imported array is read-only although bit 0 of flags (DLPACK_FLAG_BITMASK_READ_ONLY) is not set",
               {.degree = Degree::kWarn, .when = !read_only});
         }},

    // C-LAYOUT-07: Bit 32 is not bit 0. It may be ignored, refused, or make the result read-only, like every unknown
    // bit. If another unknown bit does not make the result read-only, bit 32 was read as bit 0 of a 32-bit word.
    {.id = "c-abi/layout/flags-have-64-bits",
     .rules = {"C-LAYOUT-07"},
     .examples = Examples::kTable,
     .table = 3,
     .on_refusal = OnRefusal::kPass,
     .needs = {Claim::kReadOnly},
     .blocked = ShowsFlags,
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.PlainImport(StructKind::kVersioned);
           recipe.offer().seed = draw.random.Next();
           AddOffer(recipe, recipe.offer()).flags = abi::kFlagReadOnly << 33;
           recipe.offer().flags = abi::kFlagReadOnly << (draw.index == 0 ? 32 : 7 + draw.index);
           SetLife(recipe, {{.op = Op::kImport, .slot = 0},
                            {.op = Op::kImport, .slot = 1, .block = 1},
                            {.op = Op::kDescribe, .slot = 0},
                            {.op = Op::kDescribe, .slot = 1},
                            {.op = Op::kDropArray, .slot = 0},
                            {.op = Op::kDropArray, .slot = 1},
                            {.op = Op::kCollect}});
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!ShowsWritable(ledger.imports[0], judgement) || !ShowsWritable(ledger.imports[1], judgement)) return;
           if (ledger.imports[1].result.writable != Answer::kYes) {
             return judgement.SaysNothing("an undefined bit of flags makes the imported array read-only");
           }
           judgement.Expect("import0.writable", Is(true),
                            "an undefined bit of flags is read as bit 0 (DLPACK_FLAG_BITMASK_READ_ONLY)",
                            {.degree = Degree::kWarn});
         }},

    // C-LAYOUT-10: DLPackVersion is {uint32 major, uint32 minor} in this order at offset 0. (1, 2) is imported and (2,
    // 1) is refused; swapped or 16-bit fields invert that.
    {.id = "c-abi/layout/major-comes-before-minor",
     .rules = {"C-LAYOUT-10"},
     .examples = Examples::kTable,
     .table = 4,
     .on_refusal = OnRefusal::kJudge,
     .blocked = TakesVersioned,
     .draw =
         [](Draw& draw) {
           constexpr uint32_t kMinors[] = {2, 3, 0, 1};
           Recipe recipe = draw.PlainImport(StructKind::kVersioned);
           recipe.offer().minor = kMinors[draw.index];
           return recipe;
         },
     .control = control::PlainMinor,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           // The probes imported the same tensor with version 1.0, so a refusal means that the minor was read as a
           // major.
           judgement.Expect("import0.outcome", Is(Outcome::kAccepted),
                            "a versioned tensor of a published version 1.x is refused", {.degree = Degree::kWarn});
           if (Accepted(ledger)) ElementsMatch(judgement);
         }},
};

}  // namespace
}  // namespace dlpack_cts
