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
          const bool right = refusal.type.view() == "AttributeError" || refusal.type_error != 0;
          Check(right, ledger, judgement, "PY-FROM-07", "import0.exception", "AttributeError | TypeError",
                "an object that has no __dlpack__ is refused with another exception than AttributeError",
                Degree::kNote);
        },
}};

// PY-FROM-08: Exceptions that __dlpack__ or __dlpack_device__ raise reach the caller with their class.
const Register kExceptionsArrive{{
    .id = "python/from/exceptions-of-the-producer-arrive",
    .rules = {"PY-FROM-08"},
    .examples = Examples::kTable,
    .table = 3,
    .on_refusal = OnRefusal::kJudge,
    .python = true,
    .blocked = TakesObjects,
    .draw =
        [](Draw& draw) {
          constexpr Gives kRaising[] = {Gives::kOSError, Gives::kBufferError, Gives::kNoDevice};
          Recipe recipe = DrawPlain(draw);
          recipe.offer().gives = kRaising[draw.index];
          return recipe;
        },
    .judge =
        [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
          const ImportLedger& import = ledger.imports[0];
          const int calls = std::min(import.producer_calls, kProducerCalls);
          const bool raised = std::any_of(import.calls, import.calls + calls,
                                          [](const ProducerCall& call) { return call.raised != 0; });
          if (!raised) return judgement.SaysNothing("the library did not call the method that raises");
          const Gives gives = recipe.offer().gives;
          const bool buffer_error = gives == Gives::kBufferError;
          if (!buffer_error && gives != Gives::kOSError && gives != Gives::kNoDevice) {
            return judgement.SaysNothing("the producer does not raise");
          }
          const std::string_view wanted = buffer_error ? "BufferError" : "OSError";
          if (!Check(!Accepted(ledger), ledger, judgement, "PY-FROM-08", "import0.outcome", "refused",
                     "an exception of the producer is swallowed")) {
            return;
          }
          const bool arrived = buffer_error ? import.import.buffer_error != 0 : import.import.type.view() == wanted;
          Check(arrived, ledger, judgement, "PY-FROM-08", "import0.exception", wanted,
                "an exception of the producer reaches the caller as another one");
        },
}};

}  // namespace
}  // namespace dlpack_cts
