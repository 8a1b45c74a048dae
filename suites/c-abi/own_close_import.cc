// suites/c-abi/own_close_import.cc: imported arrays that are closed: when their tensors are released.
#include "harness/case/keywords.h"
#include "suites/c-abi/closed.h"

namespace dlpack_cts {
namespace {

Step CloseArray(Closing how) { return {.op = Op::kCloseArray, .argument = static_cast<int32_t>(how)}; }

/// A tensor with elements, whose deleter makes struct and data inaccessible.
Recipe DrawSealing(Draw& draw) {
  Limits limits = draw.limits();
  limits.empty = false;
  Recipe recipe = draw.Import(limits);
  recipe.offer().deleter = DeleterKind::kCounting;
  recipe.offer().seal_on_delete = 1;
  recipe.call().copy = {};
  return recipe;
}

/// The same, with arguments that can be used for the import and for a re-export.
Recipe DrawReexported(Draw& draw) {
  Recipe recipe = DrawSealing(draw);
  recipe.offer().flags = 0;
  recipe.offer().placement = Placement::kEndsAtGuard;
  recipe.call() = draw.PlainCall();
  AskForVersioned(draw, recipe);
  return recipe;
}

/// What the library still reads from the array that is left has the right elements.
void StillRight(const ImportLedger& import, Judgement& judgement, std::string_view message) {
  if (!Returned(import.library) && !Returned(import.computed)) {
    if (import.library.raised != 0) return judgement.Holds();
    return judgement.SaysNothing("the library does not convert the array");
  }
  if (Returned(import.library)) judgement.Expect("import0.library", Is(Reading::kMatches), message);
  if (Returned(import.computed)) judgement.Expect("import0.computed", Is(Reading::kMatches), message);
}

Case OfClosedImport(Case made) { return OfConsumer(OfClosed(std::move(made))); }

const RegisterCases<OfClosedImport> kCases = {
    // C-OWN-02: The deleter is called exactly once, by the close or when the closed array is dropped. A second close
    // has nothing to release.
    // C-OWN-01: A closed array does not keep the tensor for ever. (A missing call is reported as LEAK.)
    {.id = "c-abi/own/closed-import-is-released-once",
     .rules = {"C-OWN-02", "C-OWN-01"},
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.Import();
           recipe.offer().deleter = DeleterKind::kCounting;
           draw.SometimesCopy(recipe);
           const Step again = draw.Pick(2) == 0 ? CloseArray(Closing::kAlone) : Step{.op = Op::kCollect};
           SetLife(recipe, {{Op::kImport},
                            {Op::kDescribe},
                            {Op::kDropProducer},
                            CloseArray(Closing::kAlone),
                            again,
                            {Op::kDropCapsule},
                            {Op::kDropArray},
                            {Op::kCollect}});
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const Outcome closed = ledger.imports[0].closed;
           if (closed != Outcome::kRefused && !Closes(closed, judgement)) return;
           ReleasedOnce(recipe, judgement);
         }},

    // C-OWN-07: Once the close has called the deleter, a use of the closed array touches neither struct nor data. The
    // deleter makes them inaccessible: an access is reported as UNSAFE.
    {.id = "c-abi/own/closed-import-is-not-touched",
     .rules = {"C-OWN-07"},
     .draw = WithLife(DrawSealing, {{Op::kImport},
                                    {Op::kDescribe},
                                    {Op::kDropProducer},
                                    {Op::kDropCapsule},
                                    CloseArray(Closing::kAlone),
                                    {Op::kRead},
                                    {Op::kCompute},
                                    {Op::kDropArray},
                                    {Op::kCollect}}),
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!Closes(ledger.imports[0].closed, judgement)) return;
           judgement.Expect("faults", Is(0), "a closed array is read from memory that was released");
         }},

    // C-OWN-03: The deleter is not called while an array uses the memory: a view of a closed array, or an array of
    // which a view was closed. The library may end their use instead.
    {.id = "c-abi/own/views-around-a-closed-import-are-safe",
     .rules = {"C-OWN-03"},
     .needs = {Claim::kView},
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawSealing(draw);
           SetLife(recipe, {{Op::kImport},
                            {Op::kDescribe},
                            {Op::kDropProducer},
                            {Op::kDropCapsule},
                            CloseArray(DrawView(draw)),
                            {Op::kCollect},
                            {Op::kRead},
                            {Op::kCompute},
                            {Op::kDropArray},
                            {Op::kCollect}});
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const ImportLedger& import = ledger.imports[0];
           if (!Closes(import.closed, judgement) || !ReleasedOnce(recipe, judgement)) return;
           StillRight(import, judgement, "the elements are wrong after another array of the same memory was closed");
         }},

    // C-OWN-03: The close of one imported array does not release another tensor.
    {.id = "c-abi/own/close-of-one-import-leaves-another",
     .rules = {"C-OWN-03", "C-OWN-02"},
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawSealing(draw);
           AddOffer(recipe, recipe.offer()).seed = draw.random.Next();
           SetLife(recipe, {{Op::kImport},
                            {.op = Op::kImport, .slot = 1, .block = 1},
                            {Op::kDescribe, 1},
                            CloseArray(Closing::kAlone),
                            {Op::kDropArray},
                            {Op::kCollect},
                            {Op::kRead, 1},
                            {Op::kDropArray, 1},
                            {Op::kCollect}});
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (!Closes(ledger.imports[0].closed, judgement)) return;
           if (!Accepted(ledger, 1)) return judgement.SaysNothing("the second tensor was refused");
           judgement.Expect("import1.deleter.while_alive", Is(0), "the close of an imported array released another one",
                            {.when = ledger.imports[1].Aliases()});
           ReleasedOnce(recipe, judgement, {.rule = "C-OWN-02", .slot = 1});
         }},

    // C-OWN-18: A re-export keeps the original producer's tensor alive, also when the imported array is closed.
    {.id = "c-abi/own/reexport-survives-a-close",
     .rules = {"C-OWN-18"},
     .needs = {Claim::kReexport},
     .draw = WithLife(DrawReexported, {{Op::kImport},
                                       {Op::kDescribe},
                                       {.op = Op::kReexport, .other = Other::kSlot1},
                                       {Op::kTakeCapsule, 1},
                                       {Op::kDropProducer},
                                       {Op::kDropCapsule},
                                       CloseArray(Closing::kAlone),
                                       {Op::kCollect},
                                       {Op::kReadExport, 1},
                                       {Op::kDropArray},
                                       {Op::kCollect},
                                       {Op::kReadExport, 1},
                                       {Op::kDelete, 1},
                                       {Op::kCollect}}),
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const Outcome closed = ledger.imports[0].closed;
           if (!IsReexported(judgement) || (closed != Outcome::kRefused && !Closes(closed, judgement))) return;
           ExportMatches(judgement, "the elements of the re-exported tensor are wrong after the array was closed",
                         {.slot = 1});
           ReleasedOnce(recipe, judgement);
         }},

    // C-OWN-18: A closed array is not exported with memory that the producer has got back. A refusal is right.
    {.id = "c-abi/own/closed-import-is-not-reexported-from-released-memory",
     .rules = {"C-OWN-18"},
     .needs = {Claim::kReexport},
     .draw = WithLife(DrawReexported, {{Op::kImport},
                                       {Op::kDescribe},
                                       {Op::kDropProducer},
                                       {Op::kDropCapsule},
                                       CloseArray(Closing::kAlone),
                                       {.op = Op::kReexport, .other = Other::kSlot1},
                                       {Op::kTakeCapsule, 1},
                                       {Op::kReadExport, 1},
                                       {Op::kDelete, 1},
                                       {Op::kDropArray},
                                       {Op::kCollect}}),
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!Closes(ledger.imports[0].closed, judgement)) return;
           ExportStillRight(ledger.exports[1], judgement, "a closed array was exported with other elements", 1);
         }},
};

}  // namespace
}  // namespace dlpack_cts
