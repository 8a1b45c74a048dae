// suites/c-abi/version_import.cc: how a consumer uses the version field.
#include <algorithm>

#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"
#include "harness/recipe/generator.h"

namespace dlpack_cts {
namespace {

Recipe DrawCounted(Draw& draw) {
  Recipe recipe = draw.ImportOf(StructKind::kVersioned);
  recipe.offer().deleter = DeleterKind::kCounting;
  return recipe;
}

/// A default layout, so that a consumer has no reason to refuse other than the version.
void MakePlain(Recipe& recipe) {
  recipe.offer().strides_kind = StridesKind::kCompact;
  recipe.offer().byte_offset = 0;
  recipe.offer().flags = 0;
  recipe.offer().context = ContextKind::kPointer;
  if (recipe.offer().placement == Placement::kReadOnlyPage) recipe.offer().placement = Placement::kEndsAtGuard;
}

constexpr uint32_t kForeignMajors[] = {2, 3, 256, 257, 0x7fffffff, 0xffffffff, 0x10001, 0x10000};

Recipe DrawForeignMajor(Draw& draw) {
  Recipe recipe = DrawCounted(draw);
  recipe.offer().major = kForeignMajors[draw.Pick(8)];
  return recipe;
}

const RegisterCases<OfConsumer> kCases = {
    // C-VERSION-02: A consumer inspects version.major before it interprets any other part of the struct.
    // C-VERSION-04: On a major-version mismatch the consumer does not read or write anything after the stable prefix.
    // Everything from byte 32 on lies on an inaccessible page: an access is reported as UNSAFE.
    {.id = "c-abi/version/body-of-foreign-major-is-not-read",
     .rules = {"C-VERSION-04", "C-VERSION-02", "C-VERSION-06"},
     .on_refusal = OnRefusal::kPass,
     .blocked = TakesVersioned,
     .draw = Changed(DrawForeignMajor, [](Recipe& recipe) { recipe.offer().place = StructPlace::kBodyUnmapped; }),
     .judge = Expects("import0.outcome", Is(Outcome::kRefused),
                      "a tensor with an unsupported version.major was imported", {.rule = "C-VERSION-06"})},

    // C-VERSION-03: On a major-version mismatch the consumer must call the deleter, itself or through the capsule's
    // destructor.
    {.id = "c-abi/version/foreign-major-is-released-once",
     .rules = {"C-VERSION-03"},
     .on_refusal = OnRefusal::kJudge,
     .draw = Changed(DrawForeignMajor, [](Recipe& recipe) { recipe.offer().destructor = DestructorKind::kReleases; }),
     .uncontrolled = uncontrolled::kMemory,
     .judge = [](const Recipe& recipe, const Ledger&, Judgement& judgement) { ReleasedOnce(recipe, judgement); }},

    // C-VERSION-06: After a version mismatch the consumer reports an error to its caller instead of returning an array.
    // C-VERSION-05: A later major version is a mismatch.
    {.id = "c-abi/version/foreign-major-is-refused",
     .rules = {"C-VERSION-06", "C-VERSION-05"},
     .on_refusal = OnRefusal::kPass,
     .blocked = TakesVersioned,
     .draw = [](Draw& draw) { return DrawForeignMajor(draw); },
     .judge =
         Expects("import0.outcome", Is(Outcome::kRefused), "a tensor with an unsupported version.major was imported")},

    // C-VERSION-05: A mismatch is any major != supported major, lower as well as higher. Major 0 was never published,
    // and several mature consumers only test "> 1", so this is at most WARN.
    {.id = "c-abi/version/major-zero-is-refused",
     .rules = {"C-VERSION-05"},
     .on_refusal = OnRefusal::kPass,
     .blocked = TakesVersioned,
     .draw = Changed(DrawCounted, [](Recipe& recipe) { recipe.offer().major = 0; }),
     .judge = Expects("import0.outcome", Is(Outcome::kRefused), "a versioned tensor with version.major 0 was imported",
                      {.degree = Degree::kWarn})},

    // C-VERSION-07: A tensor with the same major and a newer minor can be used if the consumer understands all its
    // field values. PY-FROM-04: Its values are right.
    {.id = "c-abi/version/newer-minor-is-taken",
     .rules = {"C-VERSION-07", "PY-FROM-04"},
     .on_refusal = OnRefusal::kWarn,
     .blocked = TakesVersioned,
     .draw =
         [](Draw& draw) {
           constexpr uint32_t kMinors[] = {4, 5, 99, 256, 257, 0x10000, 0x7fffffff, 0xffffffff};
           Recipe recipe = DrawCounted(draw);
           MakePlain(recipe);
           recipe.offer().minor = kMinors[draw.Pick(8)];
           return recipe;
         },
     .control = [](const Profile&, Recipe& recipe) { recipe.offer().minor = 0; },
     .judge = [](const Recipe&, const Ledger&,
                 Judgement& judgement) { ElementsMatch(judgement, {.rule = "PY-FROM-04"}); }},

    // C-VERSION-08: A tensor with the same major and an older minor is accepted under the rules of that older minor.
    // PY-FROM-04: Its values are right.
    {.id = "c-abi/version/older-minor-is-taken",
     .rules = {"C-VERSION-08", "PY-FROM-04"},
     .on_refusal = OnRefusal::kWarn,
     .blocked = TakesVersioned,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawCounted(draw);
           MakePlain(recipe);
           recipe.offer().minor = static_cast<uint32_t>(draw.Pick(3));
           return recipe;
         },
     .control = [](const Profile&, Recipe& recipe) { recipe.offer().minor = 3; },
     .judge = [](const Recipe&, const Ledger&,
                 Judgement& judgement) { ElementsMatch(judgement, {.rule = "PY-FROM-04"}); }},

    // C-VERSION-09: A consumer that does not know a device or dtype enumerator neither guesses its meaning nor accesses
    // the data. It refuses, with exactly one deleter call, or (a mere container) passes the value on unchanged.
    {.id = "c-abi/version/unknown-enumerators-are-not-guessed",
     .rules = {"C-VERSION-09"},
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           Recipe recipe = Releasable(draw.Import());
           MakePlain(recipe);
           recipe.offer().minor = 99;
           if (draw.Pick(2) == 0) {
             recipe.offer().dtype = {static_cast<uint8_t>(draw.Pick(4) == 0 ? 200 : 255),
                                     static_cast<uint8_t>(8u << draw.random.Below(4)), 1};
           } else {
             PutOn(recipe.offer(), {draw.Pick(4) == 1 ? 99 : 0x7fffffff, 0}, Placement::kUnmapped);
           }
           return recipe;
         },
     .uncontrolled = uncontrolled::kResults,
     .judge =
         [](const Recipe& recipe, const Ledger&, Judgement& judgement) {
           ReleasedOnce(recipe, judgement);
           DtypeMatches(recipe.offer().dtype, judgement,
                        "a tensor with an unknown dl_tensor.dtype.code was imported with a known dtype");
           NotTakenForHost(recipe, judgement,
                           "a tensor with an unknown device_type was imported as an array on the CPU");
         }},

    // C-VERSION-12: New exchanges use DLManagedTensorVersioned. The legacy struct is deprecated, but consumers should
    // support both during the transition. (A-40: missing legacy support is a NOTE.)
    {.id = "c-abi/version/both-struct-kinds-are-taken",
     .rules = {"C-VERSION-12"},
     .examples = Examples::kTable,
     .table = 2,
     .on_refusal = OnRefusal::kJudge,
     .blocked = TakesPlain,
     .draw =
         [](Draw& draw) { return draw.PlainImport(draw.index == 0 ? StructKind::kLegacy : StructKind::kVersioned); },
     .control =
         [](const Profile& profile, Recipe& recipe) {
           const bool versioned = recipe.offer().kind == StructKind::kVersioned;
           recipe.offer() = Draw{Random(0), 0, profile}
                                .PlainImport(versioned ? StructKind::kLegacy : StructKind::kVersioned)
                                .offer();
         },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const bool versioned = recipe.offer().kind == StructKind::kVersioned;
           // A consumer that asks for a versioned struct should also import it, so this is a WARN.
           const ProducerCall* asked = nullptr;
           for (int i = 0; i < std::min(ledger.imports[0].producer_calls, kProducerCalls); ++i) {
             const ProducerCall& call = ledger.imports[0].calls[i];
             if (call.max_version.kind == ArgumentKind::kPair && call.max_version.a == 1) asked = &call;
           }
           judgement.Expect("import0.outcome", Is(Outcome::kAccepted),
                            versioned ? "versioned capsules are refused" : "legacy capsules are refused",
                            {.degree = versioned && asked != nullptr ? Degree::kWarn : Degree::kNote});
         }},
};

}  // namespace
}  // namespace dlpack_cts
