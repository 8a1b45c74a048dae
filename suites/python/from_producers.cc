// suites/python/from_producers.cc: which objects from_dlpack accepts, and what it does with their exceptions.
#include <algorithm>
#include <utility>

#include "harness/case/arguments.h"
#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"

namespace dlpack_cts {
namespace {

/// A valid simple tensor of a kind that the library imports; of either kind where it imports neither or both.
Recipe DrawPlain(Draw& draw) {
  const bool any = draw.profile.takes_legacy == draw.profile.takes_versioned;
  const bool versioned = any ? draw.Pick(2) == 0 : draw.profile.takes_versioned != 0;
  Recipe recipe = Releasable(draw.PlainImport(versioned ? StructKind::kVersioned : StructKind::kLegacy));
  recipe.offer().seed = draw.random.Next();
  recipe.offer().alignment_log2 = 8;
  recipe.offer().keywords = kIgnoresKeywords;
  return recipe;
}

/// A case about an object that from_dlpack gets, whether it is accepted or not.
Case OfObjects(Case made) {
  made.on_refusal = OnRefusal::kJudge;
  made.blocked = TakesObjects;
  return OfPythonConsumer(std::move(made));
}

/// The adapter says that the library takes no such object.
bool Unsupported(const Ledger& ledger, Judgement& judgement) {
  if (ledger.imports[0].import.outcome != Outcome::kUnsupported) return false;
  judgement.SaysNothing("the adapter reports that the library does not import such objects");
  return true;
}

/// False for an array that was made although the producer raised.
bool IsRefused(Judgement& judgement) {
  return judgement.Expect("import0.outcome", IsNot(Outcome::kAccepted, Outcome::kRefused),
                          "from_dlpack returns an array although the producer raised an exception");
}

const RegisterCases<OfObjects> kCases = {
    // PY-FROM-01: from_dlpack accepts any object that has the two methods. The object of this case has nothing else.
    {.id = "python/from/any-object-with-the-methods-is-taken",
     .rules = {"PY-FROM-01"},
     .draw = DrawPlain,
     .uncontrolled = uncontrolled::kSimplest,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (Unsupported(ledger, judgement)) return;
           judgement.Expect("import0.outcome", Is(Outcome::kAccepted),
                            "from_dlpack raises an exception for an object that has __dlpack__ and __dlpack_device__");
         }},

    // PY-FROM-07: An object without the DLPack methods is refused. Any exception is right; one other than
    // AttributeError or TypeError is a NOTE.
    {.id = "python/from/objects-without-the-methods-are-refused",
     .rules = {"PY-FROM-07"},
     .examples = Examples::kTable,
     .table = 2,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawPlain(draw);
           recipe.offer().gives = draw.index == 0 ? Gives::kNoMethods : Gives::kDeviceAlone;
           return recipe;
         },
     .control = control::UsualProducer,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const Refusal& refusal = ledger.imports[0].import;
           if (!judgement.Expect("import0.outcome", IsNot(Outcome::kAccepted, Outcome::kRefused),
                                 "from_dlpack returns an array for an object without __dlpack__")) {
             return;
           }
           const bool right = refusal.builtin.view() == "AttributeError" || refusal.type_error != 0;
           judgement.Expect("import0.exception", AnyOf("AttributeError", "TypeError"),
                            "from_dlpack raises neither AttributeError nor TypeError for an object without __dlpack__",
                            {.degree = Degree::kNote, .when = !right});
         }},

    // PY-FROM-08: Exceptions of __dlpack__ or __dlpack_device__ reach the caller with their class. This holds for the
    // first call, for a retry with an old producer, and for a TypeError that is not about a keyword.
    {.id = "python/from/exceptions-of-the-producer-arrive",
     .rules = {"PY-FROM-08"},
     .examples = Examples::kTable,
     .table = 8,
     .draw =
         [](Draw& draw) {
           constexpr Gives kRaising[] = {Gives::kOSError, Gives::kBufferError, Gives::kTypeError, Gives::kNoDevice};
           Recipe recipe = DrawPlain(draw);
           recipe.offer().gives = kRaising[draw.index % 4];
           recipe.offer().keywords = draw.index < 4 ? kIgnoresKeywords : kNoKeywords;
           return recipe;
         },
     .control = control::UsualProducer,
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const ImportLedger& import = ledger.imports[0];
           const Gives gives = recipe.offer().gives;
           // The TypeError of an old producer for a keyword is not the exception of this case.
           const bool knows_all = recipe.offer().keywords == kIgnoresKeywords;
           const auto given = [](const Argument& argument) { return argument.kind != ArgumentKind::kAbsent; };
           const auto failed = [&](const ProducerCall& call) {
             if (call.raised == 0 || (call.is_device != 0) != (gives == Gives::kNoDevice)) return false;
             const bool plain =
                 !given(call.max_version) && !given(call.dl_device) && !given(call.copy) && !given(call.stream);
             return knows_all || plain || call.is_device != 0;
           };
           const bool raised = std::ranges::any_of(CallsOf(import), failed);
           if (!raised) return judgement.SaysNothing("the library did not call the method that raises");
           const bool buffer_error = gives == Gives::kBufferError;
           const bool type_error = gives == Gives::kTypeError;
           if (!buffer_error && !type_error && gives != Gives::kOSError && gives != Gives::kNoDevice) {
             return judgement.SaysNothing("the producer does not raise");
           }
           const std::string_view wanted = buffer_error ? "BufferError" : type_error ? "TypeError" : "OSError";
           if (!IsRefused(judgement)) return;
           const bool arrived = buffer_error ? import.import.buffer_error != 0
                                : type_error ? import.import.type_error != 0
                                             : import.import.builtin.view() == wanted;
           judgement.Expect("import0.exception", Is(wanted),
                            "from_dlpack raises a different exception than the producer raised", {.when = !arrived});
         }},

    // PY-FROM-08, as above, for a producer that raises RuntimeError for one keyword. A consumer may retry without it.
    // If the import fails, the caller sees the producer's exception.
    {.id = "python/from/exceptions-about-a-keyword-arrive",
     .rules = {"PY-FROM-08"},
     .examples = Examples::kTable,
     .table = 3,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawPlain(draw);
           Keywords& keywords = recipe.offer().keywords;
           Reply* const replies[] = {&keywords.max_version, &keywords.copy, &keywords.dl_device};
           *replies[draw.index] = Reply::kRaises;
           if (draw.profile.Claims(Claim::kCopyKeyword)) recipe.call().copy.kind = ArgumentKind::kTrue;
           if (draw.profile.Claims(Claim::kDeviceKeyword)) {
             recipe.call().dl_device = argument::Pair(abi::kDLCPU, 0);
           }
           return recipe;
         },
     .control = control::UsualProducer,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ImportLedger& import = ledger.imports[0];
           const int calls = std::min(import.producer_calls, kProducerCalls);
           if (calls == 0 || import.calls[calls - 1].raised == 0) {
             return judgement.SaysNothing("the last call of the producer did not raise an exception");
           }
           if (!IsRefused(judgement)) return;
           judgement.Expect("import0.exception", Is("RuntimeError"),
                            "from_dlpack raises a different exception than the producer raised for a keyword",
                            {.when = import.import.builtin.view() != "RuntimeError"});
         }},

    // PY-FROM-11: If __dlpack_device__ does not return a pair of integers, the tensor is imported correctly, or refused
    // with an exception. A consumer that does not call __dlpack_device__ is not judged.
    {.id = "python/from/malformed-devices-are-survived",
     .rules = {"PY-FROM-11"},
     .examples = Examples::kTable,
     .table = 5,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawPlain(draw);
           recipe.offer().gives = static_cast<Gives>(static_cast<int>(Gives::kNoneForDevice) + draw.index);
           return recipe;
         },
     .uncontrolled = uncontrolled::kResults,
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const ImportLedger& import = ledger.imports[0];
           const bool asked =
               std::ranges::any_of(CallsOf(import), [](const ProducerCall& call) { return call.is_device != 0; });
           if (!asked) return judgement.SaysNothing("the library does not call __dlpack_device__");
           ReleasedOnce(recipe, judgement);
           if (Accepted(ledger)) {
             ElementsMatch(
                 judgement,
                 "a tensor was imported with wrong elements after __dlpack_device__ returned an invalid value");
           }
         }},

    // PY-CAPSULE-15: from_dlpack refuses an object that is not a capsule.
    {.id = "python/from/what-is-no-capsule-is-refused",
     .rules = {"PY-CAPSULE-15"},
     .draw = Changed(DrawPlain, [](Recipe& recipe) { recipe.offer().gives = Gives::kNone; }),
     .uncontrolled = uncontrolled::kAcceptance,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (Unsupported(ledger, judgement)) return;
           judgement.Expect("import0.outcome", IsNot(Outcome::kAccepted, Outcome::kRefused),
                            "from_dlpack returns an array although __dlpack__ returned None");
         }},
};

}  // namespace
}  // namespace dlpack_cts
