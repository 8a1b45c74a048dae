// suites/c-abi/own_import.cc: how a consumer keeps and releases a tensor that it borrows.
#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/judges.h"
#include "harness/case/keywords.h"
#include "harness/case/thresholds.h"

namespace dlpack_cts {
namespace {

/// A tensor with a deleter that counts its calls.
Recipe Counting(Recipe recipe) {
  recipe.offer().deleter = DeleterKind::kCounting;
  return recipe;
}

Recipe DrawCounting(Draw& draw) {
  Recipe recipe = Counting(draw.Import());
  draw.SometimesCopy(recipe);
  return recipe;
}

/// The same, whose deleter makes struct and data inaccessible.
Recipe DrawSealing(Draw& draw) {
  Recipe recipe = DrawCounting(draw);
  recipe.offer().seal_on_delete = 1;
  return recipe;
}

/// Writable memory, in which one side writes an element after the import.
Recipe DrawWritten(Draw& draw, Op write) {
  Limits limits = draw.limits();
  limits.empty = false;
  Recipe recipe = draw.Import(limits);
  recipe.offer().flags = 0;
  recipe.offer().placement = Placement::kEndsAtGuard;
  const auto count = static_cast<uint64_t>(ElementCount(recipe.offer().shape, recipe.offer().dims));
  const auto element = static_cast<int32_t>(draw.random.Below(count));
  SetLife(recipe,
          {{Op::kImport}, {Op::kDescribe}, {.op = write, .argument = element}, {Op::kDropArray}, {Op::kCollect}});
  return recipe;
}

const RegisterCases<OfConsumer> kCases = {
    // C-OWN-01: When the borrower no longer needs the tensor it calls the deleter. (A missing call is reported as
    // LEAK.)
    // C-OWN-02: The deleter is called exactly once per managed tensor.
    {.id = "c-abi/own/tensor-is-released-once",
     .rules = {"C-OWN-02", "C-OWN-01"},
     .examples = Examples::kSweep,
     .draw = DrawCounting,
     .judge = [](const Recipe& recipe, const Ledger&, Judgement& judgement) { ReleasedOnce(recipe, judgement); }},

    // C-OWN-02: Exactly once, also when the result is dropped on another thread.
    {.id = "c-abi/own/tensor-is-released-once-from-another-thread",
     .rules = {"C-OWN-02"},
     .draw = WithLife(DrawCounting, {{Op::kImport},
                                     {Op::kDropProducer},
                                     {Op::kDropCapsule},
                                     {.op = Op::kDropArray, .lane = 1, .barrier = 1},
                                     {.op = Op::kCollect, .barrier = 1}}),
     .judge = [](const Recipe& recipe, const Ledger&, Judgement& judgement) { ReleasedOnce(recipe, judgement); }},

    // C-OWN-03: The deleter is not called while a consumer object or queued work still uses the memory. After a copy it
    // may be called early. The deleter makes struct and data inaccessible, so a later access is reported as UNSAFE.
    {.id = "c-abi/own/tensor-is-not-released-while-in-use",
     .rules = {"C-OWN-03"},
     .examples = Examples::kSweep,
     .draw = WithLife(DrawSealing, {Op::kImport, Op::kDescribe, Op::kDropProducer, Op::kDropCapsule, Op::kCollect,
                                    Op::kRead, Op::kCompute, Op::kDropArray, Op::kCollect}),
     .judge =
         [](const Recipe& recipe, const Ledger&, Judgement& judgement) {
           if (!SharesElements(recipe, judgement)) return;
           constexpr std::string_view kMessage =
               "the deleter was called while the imported array still shared the memory";
           judgement.Expect("import0.deleter.in_import", Is(0), kMessage);
           judgement.Expect("import0.deleter.while_alive", Is(0), kMessage);
         }},

    // C-OWN-03: The same when only a view of the result is left.
    {.id = "c-abi/own/view-keeps-the-tensor",
     .rules = {"C-OWN-03"},
     .needs = {Claim::kView},
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawSealing(draw);
           recipe.call().copy = {};                                            // a copy does not need the tensor
           const Op again = draw.Pick(2) == 0 ? Op::kTakeView : Op::kCollect;  // a view of the view
           SetLife(recipe, {Op::kImport, Op::kDescribe, Op::kDropProducer, Op::kDropCapsule, Op::kTakeView, again,
                            Op::kCollect, Op::kRead, Op::kDropArray, Op::kCollect});
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger&, Judgement& judgement) {
           if (!SharesElements(recipe, judgement)) return;
           judgement.Expect("import0.deleter.while_alive", Is(0),
                            "the deleter was called while a view of the imported array still shared the memory");
         }},

    // C-OWN-04: The only argument of the deleter is the original struct pointer, not a copy of the struct.
    {.id = "c-abi/own/deleter-gets-the-original-struct",
     .rules = {"C-OWN-04"},
     .on_refusal = OnRefusal::kJudge,
     .draw = DrawCounting,
     .uncontrolled = uncontrolled::kMemory,
     .judge = Expects("import0.deleter.wrong_self", Is(0),
                      "the deleter was called with a pointer other than the original struct pointer")},

    // C-OWN-05: A NULL deleter means that nothing is called. It is a valid value, so a consumer should not refuse the
    // tensor for it.
    {.id = "c-abi/own/null-deleter-is-not-called",
     .rules = {"C-OWN-05"},
     .on_refusal = OnRefusal::kWarn,
     .draw = Changed(DrawCounting, [](Recipe& recipe) { recipe.offer().deleter = DeleterKind::kNull; }),
     .control = [](const Profile&, Recipe& recipe) { recipe.offer().deleter = DeleterKind::kCounting; },
     .judge = [](const Recipe&, const Ledger&, Judgement& judgement) { ElementsMatch(judgement); }},

    // C-OWN-05: The same when the import is refused, because of an unknown major version or dtype. Only survival is
    // judged: a call of the NULL deleter crashes the process.
    {.id = "c-abi/own/null-deleter-is-not-called-on-refusal",
     .rules = {"C-OWN-05"},
     .on_refusal = OnRefusal::kPass,
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.Import();
           recipe.offer().deleter = DeleterKind::kNull;
           if (recipe.offer().kind == StructKind::kVersioned) {
             recipe.offer().major = 2;
           } else {
             recipe.offer().dtype = {200, 32, 1};
           }
           return recipe;
         },
     .judge = [](const Recipe&, const Ledger&,
                 Judgement& judgement) { judgement.SaysNothing("the tensor was not refused"); }},

    // C-OWN-07: After the deleter call the consumer does not access the struct, shape, strides or data again. The
    // deleter makes all of them inaccessible: an access is reported as UNSAFE.
    {.id = "c-abi/own/nothing-is-touched-after-the-deleter",
     .rules = {"C-OWN-07"},
     .on_refusal = OnRefusal::kJudge,
     .draw = [](Draw& draw) { return DrawSealing(draw); },
     .uncontrolled = uncontrolled::kMemory,
     .judge = Expects("faults", Is(0), "the consumer accesses memory that it must not access")},

    // C-OWN-08: A consumer never frees data, shape, strides or the struct itself. They do not come from malloc, so a
    // free() of them aborts the process or corrupts the heap. The case sees a CRASH, or a change before the deleter
    // call.
    {.id = "c-abi/own/consumer-frees-nothing-itself",
     .rules = {"C-OWN-08"},
     .on_refusal = OnRefusal::kJudge,
     .draw = DrawCounting,
     .uncontrolled = uncontrolled::kMemory,
     .judge = Expects("import0.changed", Lacks(PartSet{kPartShape | kPartStrides}),
                      "the shape or strides array was overwritten before the deleter was called")},

    // C-OWN-09: manager_ctx is opaque and may be NULL; the consumer neither dereferences nor changes it.
    {.id = "c-abi/own/manager-ctx-is-left-alone",
     .rules = {"C-OWN-09"},
     .on_refusal = OnRefusal::kWarn,
     .draw =
         [](Draw& draw) {
           constexpr ContextKind kKinds[] = {ContextKind::kNull, ContextKind::kOne, ContextKind::kUnmapped};
           Recipe recipe = draw.Import();
           recipe.offer().context = kKinds[draw.random.Below(3)];
           return recipe;
         },
     .control = [](const Profile&, Recipe& recipe) { recipe.offer().context = ContextKind::kPointer; },
     .judge =
         [](const Recipe& recipe, const Ledger&, Judgement& judgement) {
           judgement.Expect("import0.changed", Lacks(PartSet{kPartContext}), "the consumer changed manager_ctx");
           ReleasedOnce(recipe, judgement);
         }},

    // C-OWN-15: If an import fails after it took ownership, the consumer calls the deleter. If it fails before, it
    // leaves that to the capsule. Each row and struct kind has one path of refusal.
    {.id = "c-abi/own/refused-tensor-is-released-once",
     .rules = {"C-OWN-15", "C-VERSION-03"},
     .examples = Examples::kSweep,
     .on_refusal = OnRefusal::kJudge,
     .seldom = true,
     .draw = [](Draw& draw) { return Counting(draw.Import(Tier::kEdge)); },
     .uncontrolled = uncontrolled::kMemory,
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (!Refused(ledger)) return judgement.SaysNothing("the tensor was not refused");
           const bool owned =
               recipe.offer().destructor == DestructorKind::kReleases && recipe.offer().name == CapsuleName::kOwn;
           if (!owned) {
             // The capsule does not belong to a live tensor, or releases nothing: only a second deleter call is wrong.
             judgement.Expect("import0.deleter.calls", AtMost(1),
                              "the deleter of a refused tensor was called more than once");
             return;
           }
           ReleasedOnce(recipe, judgement);
         }},

    // C-OWN-16: Exchange is borrowing: unless a copy was made, both sides use the same memory, and later writes by one
    // are visible to the other.
    {.id = "c-abi/own/writes-of-the-producer-are-seen",
     .rules = {"C-OWN-16"},
     .draw = [](Draw& draw) { return DrawWritten(draw, Op::kWriteSource); },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ImportLedger& import = ledger.imports[0];
           if (!import.Aliases() || import.write_source == WriteShown::kNotRun)
             return judgement.SaysNothing(
                 "the imported array is not known to share memory, or the producer did not write");
           if (import.write_source != WriteShown::kShown && judgement.Says(Trait::kImmutable)) {
             return judgement.SaysNothing(
                 "the library's arrays are immutable, so they may keep values that were read earlier");
           }
           judgement.Expect("import0.write_source", Is(WriteShown::kShown),
                            "the imported array has the tensor's address, but does not show a write by the producer");
         }},

    // C-OWN-16: The same in the other direction.
    {.id = "c-abi/own/writes-of-the-consumer-are-seen",
     .rules = {"C-OWN-16"},
     .needs = {Claim::kWrite},
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawWritten(draw, Op::kWriteArray);
           // Some libraries make the arrays of legacy structs read-only.
           if (draw.Pick(2) == 0) {
             recipe.offer().kind = draw.NewestTakenKind();
             recipe.offer().minor = draw.profile.plain_minor;
           }
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ImportLedger& import = ledger.imports[0];
           if (!import.Aliases() || import.write_array == WriteShown::kNotRun ||
               import.write_array == WriteShown::kRefused) {
             return judgement.SaysNothing(
                 "the imported array is not known to share memory, or the library did not write into it");
           }
           judgement.Expect(
               "import0.write_array", Is(WriteShown::kShown),
               "the imported array has the tensor's address, but a write into it does not reach the producer");
         }},

    // C-OWN-18: A re-export of an imported tensor keeps the original producer's tensor alive until the last consumer
    // has released it. C-OWN-06: The deleter of the re-export releases it then.
    {.id = "c-abi/own/reexport-keeps-the-original-tensor",
     .rules = {"C-OWN-18", "C-OWN-06"},
     .needs = {Claim::kReexport},
     .draw =
         [](Draw& draw) {
           Limits limits = OfAnySize(draw);
           limits.empty = false;
           Recipe recipe = draw.Import(limits);
           recipe.offer().deleter = DeleterKind::kCounting;
           recipe.offer().flags = 0;
           if (recipe.offer().large == 0) recipe.offer().placement = Placement::kEndsAtGuard;
           recipe.offer().seal_on_delete = 1;
           recipe.call() = draw.PlainCall();
           AskForVersioned(draw, recipe);
           SetLife(recipe, {{Op::kImport},
                            {Op::kDescribe},
                            {.op = Op::kReexport, .slot = 0, .other = Other::kSlot1},
                            {Op::kTakeCapsule, 1},
                            {Op::kDropProducer},
                            {Op::kDropCapsule},
                            {Op::kDropArray},
                            {Op::kCollect},
                            {Op::kReadExport, 1},
                            {Op::kDelete, 1},
                            {Op::kCollect}});
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger&, Judgement& judgement) {
           if (!IsReexported(judgement)) return;
           ExportMatches(judgement,
                         "the elements of the re-exported tensor are wrong after the imported array was dropped",
                         {.slot = 1});
           ReleasedOnce(recipe, judgement, {.rule = "C-OWN-06"});
         }},

    // C-OWN-21: A consumer treats every managed tensor as new: it does not recognise tensors by struct address, data
    // address or manager_ctx of an earlier import. The second tensor has the struct address of the first, which was
    // released.
    {.id = "c-abi/own/same-struct-address-is-another-tensor",
     .rules = {"C-OWN-21"},
     .draw = WithLife(DrawCounting, {{Op::kImport},
                                     {Op::kRead},
                                     {Op::kDropProducer},
                                     {Op::kDropCapsule},
                                     {Op::kDropArray},
                                     {Op::kCollect},
                                     {.op = Op::kImport, .slot = 1, .other = Other::kSlot0},
                                     {Op::kDescribe, 1},
                                     {Op::kRead, 1},
                                     {Op::kDropArray, 1}}),
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (!Accepted(ledger, 1)) return judgement.SaysNothing("the second tensor was refused");
           // What is wrong without an earlier tensor too, such as byte_offset, is reported by the cases of its rule.
           if (ledger.imports[0].library.reading == Reading::kDiffers)
             return judgement.SaysNothing("the first tensor was imported with wrong elements too");
           ElementsMatch(judgement,
                         "a new tensor at the struct address of an earlier tensor was imported with wrong elements",
                         {.slot = 1});
           ReleasedOnce(recipe, judgement, {.slot = 1});
         }},
};

}  // namespace
}  // namespace dlpack_cts
