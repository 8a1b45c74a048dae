// suites/c-abi/own_import.cc: how a consumer keeps and releases what it was lent.
#include "harness/case/case.h"
#include "harness/case/judges.h"
#include "harness/oracle/oracle.h"

namespace dlpack_cts {
namespace {

void Counting(Recipe& recipe) { recipe.offer().deleter = DeleterKind::kCounting; }

// C-OWN-01: When the borrower no longer needs the tensor it calls the deleter. (No call at all is LEAK by itself.)
// C-OWN-02: The deleter is called exactly once per managed tensor.
const Register kReleasedOnce{{
    .id = "c-abi/own/tensor-is-released-once",
    .rules = {"C-OWN-02", "C-OWN-01"},
    .examples = Examples::kSweep,
    .draw =
        [](Draw& draw) {
          Recipe recipe = draw.Import();
          Counting(recipe);
          return recipe;
        },
    .judge = [](const Recipe& recipe, const Ledger& ledger,
                Judgement& judgement) { ReleasedOnce("C-OWN-02", recipe, ledger, judgement); },
}};

// C-OWN-02: exactly once, also when the result is dropped on another thread, or only a view of it is left.
const Register kReleasedOnceElsewhere{{
    .id = "c-abi/own/tensor-is-released-once-from-another-thread",
    .rules = {"C-OWN-02"},
    .draw =
        [](Draw& draw) {
          Recipe recipe = draw.Import();
          Counting(recipe);
          SetLife(recipe, {{Op::kImport},
                           {Op::kDropProducer},
                           {Op::kDropCapsule},
                           {.op = Op::kDropArray, .lane = 1, .barrier = 1},
                           {.op = Op::kCollect, .barrier = 1}});
          return recipe;
        },
    .judge = [](const Recipe& recipe, const Ledger& ledger,
                Judgement& judgement) { ReleasedOnce("C-OWN-02", recipe, ledger, judgement); },
}};

// C-OWN-03: The deleter is not called while any consumer object or queued work still uses the memory. A copy may be
// followed by an early call; struct and data become inaccessible in the deleter, so a use behind it is UNSAFE.
const Register kNotReleasedEarly{{
    .id = "c-abi/own/tensor-is-not-released-while-in-use",
    .rules = {"C-OWN-03"},
    .examples = Examples::kSweep,
    .draw =
        [](Draw& draw) {
          Recipe recipe = draw.Import();
          Counting(recipe);
          recipe.offer().seal_on_delete = 1;
          SetLife(recipe, {Op::kImport, Op::kDescribe, Op::kDropProducer, Op::kDropCapsule, Op::kCollect, Op::kRead,
                           Op::kCompute, Op::kDropArray, Op::kCollect});
          return recipe;
        },
    .judge =
        [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
          const ImportLedger& import = ledger.imports[0];
          const bool elements = ElementCount(recipe.offer().shape, recipe.offer().dims) > 0;
          if (!import.Aliases() || !elements) return judgement.SaysNothing("the result does not alias the tensor");
          constexpr std::string_view kMessage = "the deleter ran while the array over the same memory was alive";
          judgement.Equal("C-OWN-03", "import0.deleter.in_import", 0, import.deleter.calls_in_import, kMessage);
          judgement.Equal("C-OWN-03", "import0.deleter.while_alive", 0, import.deleter.calls_while_alive, kMessage);
        },
}};

// C-OWN-03: the same when only a view of the result is left.
const Register kViewKeepsAlive{{
    .id = "c-abi/own/view-keeps-the-tensor",
    .rules = {"C-OWN-03"},
    .needs = {Claim::kView},
    .draw =
        [](Draw& draw) {
          Recipe recipe = draw.Import();
          Counting(recipe);
          recipe.offer().seal_on_delete = 1;
          const Op again = draw.Pick(2) == 0 ? Op::kTakeView : Op::kCollect;  // a view of the view
          SetLife(recipe, {Op::kImport, Op::kDescribe, Op::kDropProducer, Op::kDropCapsule, Op::kTakeView, again,
                           Op::kCollect, Op::kRead, Op::kDropArray, Op::kCollect});
          return recipe;
        },
    .judge =
        [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
          const ImportLedger& import = ledger.imports[0];
          const bool elements = ElementCount(recipe.offer().shape, recipe.offer().dims) > 0;
          if (!import.Aliases() || !elements) return judgement.SaysNothing("the result does not alias the tensor");
          Check(import.deleter.calls_while_alive == 0, ledger, judgement, "C-OWN-03", "import0.deleter.while_alive",
                "0", "the deleter ran while a view of the array was alive");
        },
}};

// C-OWN-04: The deleter gets the original struct pointer as its only argument, not a copy of the struct.
const Register kOriginalPointer{{
    .id = "c-abi/own/deleter-gets-the-original-struct",
    .rules = {"C-OWN-04"},
    .on_refusal = OnRefusal::kJudge,
    .draw =
        [](Draw& draw) {
          Recipe recipe = draw.Import();
          Counting(recipe);
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          judgement.Equal("C-OWN-04", "import0.deleter.wrong_self", 0, ledger.imports[0].deleter.wrong_self,
                          "the deleter was called with another pointer than the struct's");
        },
}};

// C-OWN-05: A NULL deleter means: do not call anything; it is a legal value, for which nobody should refuse a tensor.
const Register kNullDeleter{{
    .id = "c-abi/own/null-deleter-is-not-called",
    .rules = {"C-OWN-05"},
    .on_refusal = OnRefusal::kWarn,
    .draw =
        [](Draw& draw) {
          Recipe recipe = draw.Import();
          recipe.offer().deleter = DeleterKind::kNull;
          return recipe;
        },
    .control = [](Recipe& recipe) { recipe.offer().deleter = DeleterKind::kCounting; },
    .judge = [](const Recipe&, const Ledger& ledger,
                Judgement& judgement) { ElementsMatch("C-OWN-05", ledger, judgement); },
}};

// C-OWN-05: the same where the import is refused: a major version that no consumer knows.
const Register kNullDeleterRefused{{
    .id = "c-abi/own/null-deleter-is-not-called-on-refusal",
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
                Judgement& judgement) { judgement.SaysNothing("the tensor was not refused"); },
}};

// C-OWN-07: After calling the deleter the consumer does not touch the struct, shape, strides or data again. All of it
// becomes inaccessible inside the deleter: a touch is UNSAFE by itself.
const Register kNothingAfterDeleter{{
    .id = "c-abi/own/nothing-is-touched-after-the-deleter",
    .rules = {"C-OWN-07"},
    .on_refusal = OnRefusal::kJudge,
    .draw =
        [](Draw& draw) {
          Recipe recipe = draw.Import();
          Counting(recipe);
          recipe.offer().seal_on_delete = 1;
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          judgement.Equal("C-OWN-07", "faults", 0, ledger.fault_count, "memory was touched after the deleter had run");
        },
}};

// C-OWN-08: A consumer never frees data, shape, strides or the struct by itself. None of it came from malloc, so a
// free() of it aborts the process or corrupts its heap: the case sees a CRASH, or a change behind the deleter's back.
const Register kFreesNothing{{
    .id = "c-abi/own/consumer-frees-nothing-itself",
    .rules = {"C-OWN-08"},
    .on_refusal = OnRefusal::kJudge,
    .draw =
        [](Draw& draw) {
          Recipe recipe = draw.Import();
          Counting(recipe);
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          Check((ledger.imports[0].changed_parts & (kPartShape | kPartStrides)) == 0, ledger, judgement, "C-OWN-08",
                "import0.changed", "none", "shape or strides were overwritten before the deleter ran");
        },
}};

// C-OWN-09: manager_ctx is opaque and may be NULL; the consumer neither dereferences nor changes it.
const Register kContextIsOpaque{{
    .id = "c-abi/own/manager-ctx-is-left-alone",
    .rules = {"C-OWN-09"},
    .on_refusal = OnRefusal::kWarn,
    .draw =
        [](Draw& draw) {
          constexpr ContextKind kKinds[] = {ContextKind::kNull, ContextKind::kOne, ContextKind::kUnmapped};
          Recipe recipe = draw.Import();
          recipe.offer().context = kKinds[draw.random.Below(3)];
          return recipe;
        },
    .control = [](Recipe& recipe) { recipe.offer().context = ContextKind::kPointer; },
    .judge =
        [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
          Check((ledger.imports[0].changed_parts & kPartContext) == 0, ledger, judgement, "C-OWN-09", "import0.changed",
                "none", "the consumer changed manager_ctx");
          ReleasedOnce("C-OWN-09", recipe, ledger, judgement);
        },
}};

// C-OWN-15: If an import fails after ownership was taken, the consumer calls the deleter; if it fails before, it must
// leave that to the capsule. One refusal path for each row and kind.
const Register kRefusalReleasesOnce{{
    .id = "c-abi/own/refused-tensor-is-released-once",
    .rules = {"C-OWN-15", "C-VERSION-03"},
    .examples = Examples::kSweep,
    .on_refusal = OnRefusal::kJudge,
    .seldom = true,
    .draw =
        [](Draw& draw) {
          Recipe recipe = draw.Import(Tier::kEdge);
          Counting(recipe);
          return recipe;
        },
    .judge =
        [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
          if (!Refused(ledger)) return judgement.SaysNothing("the tensor was not refused");
          const bool owned =
              recipe.offer().destructor == DestructorKind::kReleases && recipe.offer().name == CapsuleName::kOwn;
          if (!owned) {
            // The capsule is not one of a live tensor, or releases nothing: more than one call is all that is wrong.
            Check(ledger.imports[0].deleter.calls <= 1, ledger, judgement, "C-OWN-15", "import0.deleter.calls", "0 | 1",
                  "the deleter of a refused tensor ran more than once");
            return;
          }
          ReleasedOnce("C-OWN-15", recipe, ledger, judgement);
        },
}};

// C-OWN-16: Exchange is borrowing: unless a copy was made, both sides look at the same memory and later writes by one
// are visible to the other.
const Register kWritesAreSeen{{
    .id = "c-abi/own/writes-of-the-producer-are-seen",
    .rules = {"C-OWN-16"},
    .draw =
        [](Draw& draw) {
          Limits limits = draw.limits();
          limits.empty = false;
          Recipe recipe = draw.Import(limits);
          recipe.offer().flags = 0;
          recipe.offer().placement = Placement::kEndsAtGuard;
          const auto count = static_cast<uint64_t>(ElementCount(recipe.offer().shape, recipe.offer().dims));
          const auto element = static_cast<int32_t>(draw.random.Below(count));
          SetLife(recipe, {{Op::kImport},
                           {Op::kDescribe},
                           {.op = Op::kWriteSource, .argument = element},
                           {Op::kDropArray},
                           {Op::kCollect}});
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          const ImportLedger& import = ledger.imports[0];
          if (!import.Aliases() || import.write_seen == 0) return judgement.SaysNothing("the result is a copy");
          if (import.write_seen != 1 && judgement.Says(Trait::kImmutable)) {
            return judgement.SaysNothing("an immutable array may keep what was read of it");
          }
          Check(import.write_seen == 1, ledger, judgement, "C-OWN-16", "import0.write_source", "shown",
                "the array has the tensor's address, yet a write of the producer is not seen");
        },
}};

// C-OWN-16: and in the other direction.
const Register kWritesReachTheProducer{{
    .id = "c-abi/own/writes-of-the-consumer-are-seen",
    .rules = {"C-OWN-16"},
    .needs = {Claim::kWrite},
    .draw =
        [](Draw& draw) {
          Limits limits = draw.limits();
          limits.empty = false;
          Recipe recipe = draw.Import(limits);
          recipe.offer().flags = 0;
          recipe.offer().placement = Placement::kEndsAtGuard;
          const auto count = static_cast<uint64_t>(ElementCount(recipe.offer().shape, recipe.offer().dims));
          const auto element = static_cast<int32_t>(draw.random.Below(count));
          SetLife(recipe, {{Op::kImport},
                           {Op::kDescribe},
                           {.op = Op::kWriteArray, .argument = element},
                           {Op::kDropArray},
                           {Op::kCollect}});
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          const ImportLedger& import = ledger.imports[0];
          if (!import.Aliases() || import.array_write == 0 || import.array_write == 3) {
            return judgement.SaysNothing("the library did not write into shared memory");
          }
          Check(import.array_write == 1, ledger, judgement, "C-OWN-16", "import0.write_array", "shown",
                "the array has the tensor's address, yet its write does not reach the producer");
        },
}};

// C-OWN-18: Re-exporting an imported tensor keeps the original producer's tensor alive until the last consumer is done.
const Register kReexportKeepsAlive{{
    .id = "c-abi/own/reexport-keeps-the-original-tensor",
    .rules = {"C-OWN-18"},
    .needs = {Claim::kReexport},
    .draw =
        [](Draw& draw) {
          Limits limits = draw.limits();
          limits.empty = false;
          Recipe recipe = draw.Import(limits);
          Counting(recipe);
          recipe.offer().flags = 0;
          recipe.offer().placement = Placement::kEndsAtGuard;
          recipe.offer().seal_on_delete = 1;
          recipe.call() = draw.PlainCall();
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
        [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
          if (ledger.exports[1].export_call.outcome != Outcome::kAccepted) {
            return judgement.SaysNothing("the import was not exported again");
          }
          ExportMatches("C-OWN-18", ledger, judgement, 1, "the re-exported memory died with the imported array");
          ReleasedOnce("C-OWN-18", recipe, ledger, judgement);
        },
}};

// C-OWN-21: A consumer treats every managed tensor as new: it does not recognise tensors by struct address, data
// address or manager_ctx of an earlier import. The second tensor has the struct address of the first, which was
// released.
const Register kEveryTensorIsNew{{
    .id = "c-abi/own/same-struct-address-is-another-tensor",
    .rules = {"C-OWN-21"},
    .draw =
        [](Draw& draw) {
          Recipe recipe = draw.Import();
          Counting(recipe);
          SetLife(recipe, {{Op::kImport},
                           {Op::kRead},
                           {Op::kDropProducer},
                           {Op::kDropCapsule},
                           {Op::kDropArray},
                           {Op::kCollect},
                           {.op = Op::kImport, .slot = 1, .other = Other::kSlot0},
                           {Op::kDescribe, 1},
                           {Op::kRead, 1},
                           {Op::kDropArray, 1}});
          return recipe;
        },
    .judge =
        [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
          if (!Accepted(ledger, 1)) return judgement.SaysNothing("the second tensor was refused");
          ElementsMatch("C-OWN-21", ledger, judgement, 1, "a tensor at a known struct address has the old elements");
          ReleasedOnce("C-OWN-21", recipe, ledger, judgement, 1);
        },
}};

}  // namespace
}  // namespace dlpack_cts
