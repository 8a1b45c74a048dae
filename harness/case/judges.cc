// harness/case/judges.cc: judgements that many cases share.
#include "harness/case/judges.h"

#include <bit>
#include <string>
#include <utility>

#include "harness/case/left_unused.h"
#include "harness/recipe/laws.h"

namespace dlpack_cts {
namespace {

bool Taken(const ElementReading& reading) {
  return reading.reading != Reading::kNotRead && reading.reading != Reading::kUnsupported;
}

/// Says of a reading that differs where it differs; texts are made only then.
bool Matches(FactName<Reading> name, const ElementReading& reading, std::string_view message, Judgement& judgement,
             Terms terms) {
  if (reading.reading == Reading::kMatches) return true;
  const bool differs = reading.reading == Reading::kDiffers;
  const std::string detail = differs ? " at element " + std::to_string(reading.first_difference) : "";
  terms.detail = detail;
  return judgement.Expect(name, Is(Reading::kMatches), message, terms);
}

Terms With(Terms terms, Degree degree) {
  terms.degree = degree;
  return terms;
}

/// False where the condition does not hold, which the judgement says.
bool Needs(bool condition, Judgement& judgement, std::string_view otherwise) {
  if (!condition) judgement.SaysNothing(otherwise);
  return condition;
}

const Description& ResultOf(const Judgement& judgement) { return judgement.ledger().imports[0].result; }

}  // namespace

bool IsVersioned(Judgement& judgement) {
  return Needs(judgement.ledger().exports[0].versioned != 0, judgement, "the export is not a versioned struct");
}

bool IsOnCpu(Judgement& judgement) {
  return Needs(judgement.ledger().exports[0].tensor.device.device_type == abi::kDLCPU, judgement,
               "the tensor is not on the CPU");
}

bool IsReexported(Judgement& judgement) {
  return Needs(Exported(judgement.ledger(), 1), judgement, "the library did not re-export the imported array");
}

bool TellsAddress(Judgement& judgement) {
  const Description& result = ResultOf(judgement);
  return Needs(result.valid != 0 && result.has_pointer != 0, judgement,
               "the adapter does not report the address of the imported array");
}

bool TellsDevice(Judgement& judgement) {
  const Description& result = ResultOf(judgement);
  return Needs(result.valid != 0 && result.has_device != 0, judgement,
               "the adapter does not report the device of the imported array");
}

bool TellsDtype(Judgement& judgement) {
  const Description& result = ResultOf(judgement);
  return Needs(result.valid != 0 && result.known_dtype != 0, judgement,
               "the dtype of the imported array is unknown or not reported");
}

bool SharesElements(const Recipe& recipe, Judgement& judgement) {
  return Needs(judgement.ledger().imports[0].Aliases() && !IsEmpty(recipe.offer()), judgement,
               "the imported array is empty, or is not known to share the tensor's memory");
}

bool RefusedWithBufferError(Judgement& judgement, const Terms& terms) {
  const Refusal& refusal = judgement.ledger().exports[terms.slot].export_call;
  if (refusal.outcome != Outcome::kRefused) return false;
  Terms here = With(terms, Degree::kWarn);
  here.when = refusal.buffer_error == 0;
  judgement.Expect("exportS.exception", Is("BufferError"),
                   "the export is refused with an exception other than BufferError", here);
  return true;
}

bool ElementsMatch(Judgement& judgement, const Terms& terms) {
  return ElementsMatch(judgement, "the elements of the imported array are not those of the tensor", terms);
}

bool ElementsMatch(Judgement& judgement, std::string_view message, const Terms& terms) {
  const ImportLedger& import = judgement.ledger().imports[terms.slot];
  bool any = false;
  bool all = true;
  const auto judge = [&](const ElementReading& reading, FactName<Reading> name) {
    if (!Taken(reading)) return;
    any = true;
    all = Matches(name, reading, message, judgement, terms) && all;
  };
  judge(import.library, "importS.library");
  judge(import.memory, "importS.memory");
  judge(import.computed, "importS.computed");
  judge(import.view, "importS.view");
  // The adapter may not convert every dtype. The probes saw that it converts this one.
  const bool plain = import.result.valid && import.result.known_dtype && judgement.IsPlain(import.result.dtype);
  constexpr std::string_view kRaised = "reading the elements of the imported array raised an exception";
  if (import.library.raised && plain) {
    // A library that makes arrays is judged by what it reads of those (PY-FROM-13).
    Terms here = With(terms, judgement.Claims(Claim::kProducer) ? Degree::kNote : Degree::kWarn);
    here.detail = ": it raised";
    judgement.Expect("importS.library", Is(Reading::kMatches), kRaised, here);
  }
  if (any) {
    judgement.Holds();
  } else {
    judgement.SaysNothing(import.library.raised ? kRaised : "the elements of the imported array could not be read");
  }
  return all;
}

bool ShapeMatches(const Recipe& recipe, Judgement& judgement, const Terms& terms) {
  const Description& result = judgement.ledger().imports[terms.slot].result;
  const Offer& offer = recipe.offer();
  if (!result.has_shape) {
    judgement.SaysNothing("the adapter does not report the shape of the imported array");
    return true;
  }
  const bool same = result.ndim == offer.ndim && std::equal(offer.shape, offer.shape + offer.dims, result.shape);
  Terms here = terms;
  here.when = !same && !ArrivedAsOneElement(offer.ndim, result);
  return judgement.Expect("importS.shape", Is(Tuple{offer.shape, offer.dims}),
                          "the shape of the imported array is not dl_tensor.shape", here);
}

bool DtypeMatches(abi::DLDataType wanted, Judgement& judgement, std::string_view message, const Terms& terms) {
  return judgement.Expect("importS.dtype", AnyOf(kNothing, wanted), message, terms);
}

bool HasLanesBehind(const Recipe& recipe, const Description& result) {
  return result.has_shape != 0 && result.ndim == recipe.offer().ndim + 1 &&
         result.shape[recipe.offer().dims] == recipe.offer().dtype.lanes;
}

bool LanesMatch(const Recipe& recipe, Judgement& judgement, const Terms& terms) {
  const Description& result = judgement.ledger().imports[0].result;
  if (!TellsDtype(judgement)) return true;
  Terms here = terms;
  here.when = !HasLanesBehind(recipe, result) && result.dtype.lanes != recipe.offer().dtype.lanes;
  return judgement.Expect("import0.dtype", AnyOf(kNothing, recipe.offer().dtype),
                          "a tensor of a vector type was imported with a wrong number of lanes", here);
}

bool NotTakenForHost(const Recipe& recipe, Judgement& judgement, std::string_view message, const Terms& terms) {
  const Description& result = judgement.ledger().imports[terms.slot].result;
  Terms here = terms;
  here.when = recipe.offer().device.device_type != abi::kDLCPU && result.device.device_type == abi::kDLCPU;
  return judgement.Expect("importS.device", AnyOf(kNothing, recipe.offer().device), message, here);
}

bool ReleasedOnce(const Recipe& recipe, Judgement& judgement, const Terms& terms) {
  const ImportLedger& import = judgement.ledger().imports[terms.slot];
  const int wanted = recipe.offer().deleter == DeleterKind::kNull ? 0 : import.capsules;
  // A capsule without a destructor cannot release a refused tensor: the producer keeps it.
  const bool kept = Refused(judgement.ledger(), terms.slot) && recipe.offer().destructor == DestructorKind::kNone;
  Terms here = terms;
  here.when = !kept || import.deleter.calls > wanted;
  return judgement.Expect("importS.deleter.calls", Is(wanted),
                          import.deleter.calls > wanted ? "the deleter was called more often than tensors were exported"
                                                        : "a tensor was never released: its deleter was not called",
                          here);
}

bool ReleasedWithTheArray(const Recipe& recipe, Judgement& judgement, const Terms& terms) {
  if (!ReleasedOnce(recipe, judgement, terms)) return false;
  Terms here = terms;
  here.when = judgement.ledger().imports[terms.slot].Aliases();
  return judgement.Expect("importS.deleter.while_alive", Is(0),
                          "the deleter was called while the imported array still shared the memory", here);
}

bool LeftUnused(const Offer& offer, const ImportLedger& import) {
  if (import.name_after != import.name_before || import.capsule_destructor_changed != 0) return false;
  // Without elements there is no memory that a copy would not share.
  if (IsEmpty(offer)) return import.deleter.calls <= import.capsules;
  return import.result.valid && import.result.has_pointer && !import.Aliases();
}

bool MarkedUsed(const Recipe& recipe, Judgement& judgement, const Terms& terms) {
  const ImportLedger& import = judgement.ledger().imports[terms.slot];
  const bool versioned = recipe.offer().kind == StructKind::kVersioned;
  const bool unused = import.name_after == import.name_before;
  const bool borrowed = unused && judgement.Says(Trait::kBorrows);
  const bool copied = LeftUnused(recipe.offer(), import);
  const NameSeen used = versioned ? NameSeen::kUsedVersioned : NameSeen::kUsedLegacy;
  // A cause may have examples of both kinds of capsules, and one sentence.
  const std::string not_renamed = "was not renamed to used_dltensor (used_dltensor_versioned if versioned)";
  return judgement.Expect(
      "importS.name_after", Is(used),
      borrowed ? "the imported array borrows from its capsule, which " + not_renamed
      : copied ? std::string(IsEmpty(recipe.offer()) ? "the tensor has no elements" : "the tensor was copied") +
                     ", and its capsule " + not_renamed
               : "the consumed capsule " + not_renamed,
      With(terms, borrowed ? Degree::kNote
                  : copied ? Degree::kWarn
                           : Degree::kRule));
}

bool NothingHeld(Judgement& judgement, std::string_view message, const Terms& terms) {
  const Ledger& ledger = judgement.ledger();
  const SourceLedger& source = ledger.sources[0];
  if (!source.alive_known) {
    judgement.SaysNothing("it cannot be observed when the library frees an array object");
    return true;
  }
  const bool no_deleter = ledger.exports[0].struct_address != 0 && !ledger.exports[0].has_deleter;
  if (no_deleter && source.alive_at_end) {
    Terms here = terms;
    here.rule = "C-OWN-20";
    return judgement.Expect("export0.has_deleter", Is(true),
                            "the exported tensor has no deleter, so its memory is never released", here);
  }
  const bool gone = judgement.Expect("source0.alive_at_end", Is(false), message, terms);
  // An export that never referenced the array object may still leak its memory, which cannot be observed here.
  if (source.outlived == Answer::kNo) {
    judgement.SaysNothing(
        "the export does not reference the array object, so the release of its memory cannot be observed");
  } else if (no_deleter) {
    judgement.SaysNothing("the deleter is NULL, so it releases nothing");
  }
  return gone;
}

bool NothingStays(Judgement& judgement, std::string_view message, const Terms& terms) {
  const Ledger& ledger = judgement.ledger();
  if (ledger.sources[0].counted == 0) return NothingHeld(judgement, message, terms);
  if (ledger.exports[0].has_deleter == 0) {
    judgement.SaysNothing("the deleter is NULL, so it releases nothing");
    return true;
  }
  const std::string each = "each of many exports leaks memory: " + std::string(message);
  return judgement.Expect("source0.kept_bytes", Is(0), each, terms) &&
         judgement.Expect("source0.kept_objects", Is(0), each, terms);
}

bool ExportMatches(Judgement& judgement, const Terms& terms) {
  return ExportMatches(judgement, "the elements of the exported tensor are not those of the array", terms);
}

bool ExportMatches(Judgement& judgement, std::string_view message, const Terms& terms) {
  const ElementReading& reading = judgement.ledger().exports[terms.slot].elements;
  if (!Taken(reading)) {
    judgement.SaysNothing("the exported elements cannot be read on this device");
    return true;
  }
  judgement.Holds();
  return Matches("exportS.elements", reading, message, judgement, terms);
}

void AlignmentIs256(Judgement& judgement, std::string_view message) {
  const auto address = reinterpret_cast<uint64_t>(judgement.ledger().exports[0].tensor.data);
  const int64_t least = std::min(judgement.LeastAlignment(), int64_t{1} << std::min(std::countr_zero(address), 8));
  judgement.ExpectThat(least == 256, "256", std::to_string(least), message, {.degree = Degree::kNote});
}

Judge ExpectsElements(std::string_view message, const Terms& terms) {
  return [=](const Recipe&, const Ledger&, Judgement& judgement) { ElementsMatch(judgement, message, terms); };
}

Judge ExpectsExport(std::string_view message, const Terms& terms) {
  return [=](const Recipe&, const Ledger&, Judgement& judgement) { ExportMatches(judgement, message, terms); };
}

Judge ExpectsNotHost(std::string_view message, const Terms& terms) {
  return [=](const Recipe& recipe, const Ledger&, Judgement& judgement) {
    NotTakenForHost(recipe, judgement, message, terms);
  };
}

Judge Where(bool (*shows)(Judgement& judgement), Judge judge) {
  return [shows, judge = std::move(judge)](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
    if (shows(judgement)) judge(recipe, ledger, judgement);
  };
}

Judge BufferErrorOr(Judge judge) {
  return Where([](Judgement& judgement) { return !RefusedWithBufferError(judgement); }, std::move(judge));
}

}  // namespace dlpack_cts
