// suites/python/earlier.cc: compares an exchange with the same exchange before another one.
#include "suites/python/earlier.h"

namespace dlpack_cts {
namespace {

constexpr Terms kAfterwards{.slot = kAfter};
constexpr Terms kSuspicious{.slot = kAfter, .degree = Degree::kWarn};

Terms If(bool when, Terms terms) {
  terms.when = when;
  return terms;
}

/// The library asks the producer the same questions.
void AsksTheSame(const ImportLedger& before, const ImportLedger& after, Judgement& judgement) {
  const size_t calls = std::min(CallsOf(before).size(), CallsOf(after).size());
  for (size_t i = 0; i < calls; ++i) {
    const ProducerCall& call = before.calls[i];
    if (call.is_device != 0 || after.calls[i].is_device != 0) continue;
    Terms terms = kSuspicious;
    terms.index = static_cast<int>(i);
    constexpr std::string_view kMessage =
        "from_dlpack passes other arguments to __dlpack__ after another import than it passes before";
    judgement.Expect("importS.callC.copy", Is(call.copy), kMessage, terms);
    judgement.Expect("importS.callC.dl_device", Is(call.dl_device), kMessage, terms);
    judgement.Expect("importS.callC.max_version", Is(call.max_version), kMessage, terms);
  }
}

}  // namespace

void ImportIsAsBefore(const Ledger& ledger, Judgement& judgement) {
  const ImportLedger& before = ledger.imports[kBefore];
  const ImportLedger& after = ledger.imports[kAfter];
  if (!Accepted(ledger, kBefore)) return judgement.SaysNothing("the first import was not accepted");
  if (!judgement.Expect("importS.outcome", Is(Outcome::kAccepted),
                        "a tensor is refused after another import, and accepted before it", kAfterwards)) {
    return;
  }
  AsksTheSame(before, after, judgement);
  judgement.Expect("importS.dtype", Is(before.result.dtype),
                   "a tensor is imported with another dtype after another import",
                   If(before.result.known_dtype != 0 && after.result.known_dtype != 0, kAfterwards));
  judgement.Expect("importS.shape", ShapeOf(before.result),
                   "a tensor is imported with another shape after another import",
                   If(before.result.has_shape != 0 && after.result.has_shape != 0, kAfterwards));
  const bool tells = before.result.writable != Answer::kUnknown && after.result.writable != Answer::kUnknown;
  judgement.Expect("importS.writable", Is(before.result.writable == Answer::kYes),
                   "a tensor is imported as writable, or as read-only, only after another import",
                   If(tells, kSuspicious));
  const bool placed = before.place.area != Area::kUnknown && after.place.area != Area::kUnknown;
  judgement.Expect("importS.aliases", Is(before.Aliases()),
                   "a tensor is copied or shared after another import, and not before it", If(placed, kSuspicious));
  const auto right = [](const ImportLedger& import) { return import.library.reading == Reading::kMatches; };
  if (right(before) || before.memory.reading == Reading::kMatches) {
    ElementsMatch(judgement, "a tensor is imported with wrong elements after another import", kAfterwards);
  }
}

void ExportIsAsBefore(const Ledger& ledger, Judgement& judgement) {
  const ExportLedger& before = ledger.exports[kBefore];
  const ExportLedger& after = ledger.exports[kAfter];
  if (!Exported(ledger, kBefore)) return judgement.SaysNothing("the first export was not accepted");
  if (!judgement.Expect("exportS.outcome", Is(Outcome::kAccepted),
                        "an export is refused after another one, and accepted before it", kAfterwards)) {
    return;
  }
  if (before.struct_address == 0 || after.struct_address == 0) return;
  judgement.Expect("exportS.versioned", Is(before.versioned != 0),
                   "__dlpack__ returns the other kind of capsule after another export", kSuspicious);
  const bool same_kind = before.versioned == after.versioned;
  judgement.Expect("exportS.flags", Is(before.flags), "the flags of an export differ after another export",
                   If(same_kind && before.versioned != 0, kSuspicious));
  judgement.Expect("exportS.dtype", Is(before.tensor.dtype), "the dtype of an export differs after another export",
                   kAfterwards);
  const bool shaped = before.tensor.ndim >= 0 && before.tensor.ndim <= kDims && before.null_shape == 0;
  judgement.Expect("exportS.shape", Is(Tuple{before.shape, before.tensor.ndim}),
                   "the shape of an export differs after another export",
                   If(shaped && before.tensor.ndim > 0, kAfterwards));
  judgement.Expect("exportS.points_at_source", Is(before.IsAtSource()),
                   "an export is a copy, or shares the array's memory, only after another export",
                   If(before.place.area != Area::kUnknown && after.place.area != Area::kUnknown, kSuspicious));
  if (before.first_elements.reading == Reading::kMatches) {
    ExportMatches(judgement, "the elements of an export are wrong after another export", kAfterwards);
  }
}

}  // namespace dlpack_cts
