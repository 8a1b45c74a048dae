// suites/python/from_producers.cc: which objects from_dlpack takes, and what it makes of their exceptions.
#include <algorithm>

#include "harness/case/case.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"

namespace dlpack_cts {
namespace {

/// A tensor that nobody has a reason to refuse, of the kind that the library takes; where it took neither, of both.
Recipe DrawPlain(Draw& draw) {
  const bool any = draw.profile.takes_legacy == draw.profile.takes_versioned;
  const bool versioned = any ? draw.Pick(2) == 0 : draw.profile.takes_versioned != 0;
  Recipe recipe = draw.PlainImport(versioned ? StructKind::kVersioned : StructKind::kLegacy);
  recipe.offer().seed = draw.random.Next();
  recipe.offer().alignment_log2 = 8;
  recipe.offer().keywords = kIgnoresKeywords;
  MakeReleasable(recipe);
  return recipe;
}

// PY-FROM-01: from_dlpack takes any object that has the two methods: this one has nothing else.
const Register kAnyObject{{
    .id = "python/from/any-object-with-the-methods-is-taken",
    .rules = {"PY-FROM-01"},
    .on_refusal = OnRefusal::kJudge,
    .python = true,
    .blocked = TakesObjects,
    .draw = [](Draw& draw) { return DrawPlain(draw); },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          if (ledger.imports[0].import.outcome == Outcome::kUnsupported) {
            return judgement.SaysNothing("the adapter says that the library imports nothing of the kind");
          }
          Check(Accepted(ledger), ledger, judgement, "PY-FROM-01", "import0.outcome", "accepted",
                "an object that has __dlpack__ and __dlpack_device__ is refused");
        },
}};

// PY-FROM-07: An object without the DLPack methods is refused. Any clean exception is safe; one that says nothing of a
// missing method is recorded.
const Register kNoProducer{{
    .id = "python/from/objects-without-the-methods-are-refused",
    .rules = {"PY-FROM-07"},
    .examples = Examples::kTable,
    .table = 2,
    .on_refusal = OnRefusal::kJudge,
    .python = true,
    .blocked = TakesObjects,
    .draw =
        [](Draw& draw) {
          Recipe recipe = DrawPlain(draw);
          recipe.offer().gives = draw.index == 0 ? Gives::kNoMethods : Gives::kDeviceAlone;
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          const Refusal& refusal = ledger.imports[0].import;
          if (!Check(!Accepted(ledger), ledger, judgement, "PY-FROM-07", "import0.outcome", "refused",
                     "something is made of an object that has no __dlpack__")) {
            return;
          }
          const bool right = refusal.builtin.view() == "AttributeError" || refusal.type_error != 0;
          Check(right, ledger, judgement, "PY-FROM-07", "import0.exception", "AttributeError | TypeError",
                "an object that has no __dlpack__ is refused with another exception than AttributeError",
                Degree::kNote);
        },
}};

// PY-FROM-08: Exceptions that __dlpack__ or __dlpack_device__ raise reach the caller with their class, whether they
// come at the first call, or when an old producer is asked again; a TypeError that is about no keyword too.
const Register kExceptionsArrive{{
    .id = "python/from/exceptions-of-the-producer-arrive",
    .rules = {"PY-FROM-08"},
    .examples = Examples::kTable,
    .table = 8,
    .on_refusal = OnRefusal::kJudge,
    .python = true,
    .blocked = TakesObjects,
    .draw =
        [](Draw& draw) {
          constexpr Gives kRaising[] = {Gives::kOSError, Gives::kBufferError, Gives::kTypeError, Gives::kNoDevice};
          Recipe recipe = DrawPlain(draw);
          recipe.offer().gives = kRaising[draw.index % 4];
          recipe.offer().keywords = draw.index < 4 ? kIgnoresKeywords : kNoKeywords;
          return recipe;
        },
    .judge =
        [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
          const ImportLedger& import = ledger.imports[0];
          const Gives gives = recipe.offer().gives;
          // What an old producer raises for a keyword is not what it raises itself.
          const bool knows_all = recipe.offer().keywords == kIgnoresKeywords;
          const auto given = [](const Argument& argument) { return argument.kind != ArgumentKind::kAbsent; };
          const auto failed = [&](const ProducerCall& call) {
            if (call.raised == 0 || (call.is_device != 0) != (gives == Gives::kNoDevice)) return false;
            const bool plain =
                !given(call.max_version) && !given(call.dl_device) && !given(call.copy) && !given(call.stream);
            return knows_all || plain || call.is_device != 0;
          };
          const int calls = std::min(import.producer_calls, kProducerCalls);
          const bool raised = std::any_of(import.calls, import.calls + calls, failed);
          if (!raised) return judgement.SaysNothing("the library did not call the method that raises");
          const bool buffer_error = gives == Gives::kBufferError;
          const bool type_error = gives == Gives::kTypeError;
          if (!buffer_error && !type_error && gives != Gives::kOSError && gives != Gives::kNoDevice) {
            return judgement.SaysNothing("the producer does not raise");
          }
          const std::string_view wanted = buffer_error ? "BufferError" : type_error ? "TypeError" : "OSError";
          if (!Check(!Accepted(ledger), ledger, judgement, "PY-FROM-08", "import0.outcome", "refused",
                     "an exception of the producer is swallowed")) {
            return;
          }
          const bool arrived = buffer_error ? import.import.buffer_error != 0
                               : type_error ? import.import.type_error != 0
                                            : import.import.builtin.view() == wanted;
          Check(arrived, ledger, judgement, "PY-FROM-08", "import0.exception", wanted,
                "an exception of the producer reaches the caller as another one");
        },
}};

// PY-FROM-08: The same of a producer that fails at one keyword alone, with RuntimeError. Who then asks without it may
// have the tensor; what ends the import is the producer's own exception.
const Register kKeywordsFail{{
    .id = "python/from/exceptions-about-a-keyword-arrive",
    .rules = {"PY-FROM-08"},
    .examples = Examples::kTable,
    .table = 3,
    .on_refusal = OnRefusal::kJudge,
    .python = true,
    .blocked = TakesObjects,
    .draw =
        [](Draw& draw) {
          Recipe recipe = DrawPlain(draw);
          Keywords& keywords = recipe.offer().keywords;
          Reply* const replies[] = {&keywords.max_version, &keywords.copy, &keywords.dl_device};
          *replies[draw.index] = Reply::kRaises;
          if (draw.profile.Claims(Claim::kCopyKeyword)) recipe.call().copy.kind = ArgumentKind::kTrue;
          if (draw.profile.Claims(Claim::kDeviceKeyword)) {
            recipe.call().dl_device = {ArgumentKind::kPair, {}, abi::kDLCPU, 0};
          }
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          const ImportLedger& import = ledger.imports[0];
          const int calls = std::min(import.producer_calls, kProducerCalls);
          if (calls == 0 || import.calls[calls - 1].raised == 0) {
            return judgement.SaysNothing("the producer did not raise, or was asked again without the keyword");
          }
          if (!Check(!Accepted(ledger), ledger, judgement, "PY-FROM-08", "import0.outcome", "refused",
                     "an exception of the producer is swallowed")) {
            return;
          }
          Check(import.import.builtin.view() == "RuntimeError", ledger, judgement, "PY-FROM-08", "import0.exception",
                "RuntimeError", "an exception of the producer about a keyword reaches the caller as another one");
        },
}};

// PY-FROM-11: Whatever __dlpack_device__ returns in the place of a pair of integers, the tensor is imported, as it is,
// or refused with an exception. Who does not ask never meets it.
const Register kMalformedDevices{{
    .id = "python/from/malformed-devices-are-survived",
    .rules = {"PY-FROM-11"},
    .examples = Examples::kTable,
    .table = 5,
    .on_refusal = OnRefusal::kJudge,
    .python = true,
    .blocked = TakesObjects,
    .draw =
        [](Draw& draw) {
          Recipe recipe = DrawPlain(draw);
          recipe.offer().gives = static_cast<Gives>(static_cast<int>(Gives::kNoneForDevice) + draw.index);
          return recipe;
        },
    .judge =
        [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
          const ImportLedger& import = ledger.imports[0];
          const int calls = std::min(import.producer_calls, kProducerCalls);
          const bool asked = std::any_of(import.calls, import.calls + calls,
                                         [](const ProducerCall& call) { return call.is_device != 0; });
          if (!asked) return judgement.SaysNothing("the library does not ask for the device");
          ReleasedOnce("PY-FROM-11", recipe, ledger, judgement);
          if (Accepted(ledger)) {
            ElementsMatch("PY-FROM-11", ledger, judgement, 0,
                          "a malformed answer of __dlpack_device__ gives other elements");
          }
        },
}};

// PY-CAPSULE-15: What is no capsule holds no tensor: from_dlpack makes nothing of it.
const Register kNoCapsule{{
    .id = "python/from/what-is-no-capsule-is-refused",
    .rules = {"PY-CAPSULE-15"},
    .on_refusal = OnRefusal::kJudge,
    .python = true,
    .blocked = TakesObjects,
    .draw =
        [](Draw& draw) {
          Recipe recipe = DrawPlain(draw);
          recipe.offer().gives = Gives::kNone;
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          if (ledger.imports[0].import.outcome == Outcome::kUnsupported) {
            return judgement.SaysNothing("the adapter says that the library imports nothing of the kind");
          }
          Check(!Accepted(ledger), ledger, judgement, "PY-CAPSULE-15", "import0.outcome", "refused",
                "something is made of None in the place of a capsule");
        },
}};

}  // namespace
}  // namespace dlpack_cts
