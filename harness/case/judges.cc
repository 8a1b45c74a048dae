// harness/case/judges.cc: judgements that many cases share.
#include "harness/case/judges.h"

#include <string>

#include "base/text.h"
#include "harness/ledger/fact_table.h"
#include "harness/ledger/facts.h"

namespace dlpack_cts {
namespace {

std::string Key(const char* block, int slot, std::string_view fact) {
  return block + std::to_string(slot) + "." + std::string(fact);
}

bool Taken(const ElementReading& reading) {
  return reading.reading != Reading::kNotRead && reading.reading != Reading::kUnsupported;
}

/// Judges one reading; texts are made only when it differs.
bool Matches(std::string_view rule, const ElementReading& reading, const char* block, int slot, std::string_view fact,
             std::string_view message, Judgement& judgement) {
  if (reading.reading == Reading::kMatches) return true;
  std::string got(ToText(reading.reading));
  if (reading.reading == Reading::kDiffers) {
    got += " at element " + std::to_string(reading.first_difference);
  }
  judgement.Breaks({std::string(rule), Degree::kRule, std::string(message), Key(block, slot, fact), "matches", got});
  return false;
}

/// One of the alternatives that " | " separates.
bool IsOneOf(std::string_view alternatives, std::string_view value) {
  constexpr std::string_view kOr = " | ";
  for (;;) {
    const size_t end = alternatives.find(kOr);
    if (alternatives.substr(0, end) == value) return true;
    if (end == std::string_view::npos) return false;
    alternatives.remove_prefix(end + kOr.size());
  }
}

}  // namespace

bool NamesWhatDecided(const Breach& breach, const Ledger& ledger) {
  if (breach.fact.empty()) return true;
  const std::string value = Fact(ledger, breach.fact);
  return FactIndex(breach.fact) >= 0 && breach.got.starts_with(value) && !IsOneOf(breach.wanted, value);
}

std::string AsText(std::span<const int64_t> tuple) {
  return TupleText(tuple.data(), static_cast<int64_t>(tuple.size()));
}

std::string AsText(abi::DLDataType dtype) {
  const int64_t parts[] = {dtype.code, dtype.bits, dtype.lanes};
  return AsText(parts);
}

std::string AsText(abi::DLDevice device) {
  const int64_t parts[] = {device.device_type, device.device_id};
  return AsText(parts);
}

bool Check(bool holds, const Ledger& ledger, Judgement& judgement, std::string_view rule, std::string_view key,
           std::string_view wanted, std::string_view message, Degree degree) {
  judgement.Holds();
  if (holds) return true;
  judgement.Breaks(
      {std::string(rule), degree, std::string(message), std::string(key), std::string(wanted), Fact(ledger, key)});
  return false;
}

bool ElementsMatch(std::string_view rule, const Ledger& ledger, Judgement& judgement, int slot,
                   std::string_view message) {
  const ImportLedger& import = ledger.imports[slot];
  bool any = false;
  bool all = true;
  const auto judge = [&](const ElementReading& reading, std::string_view fact) {
    if (!Taken(reading)) return;
    any = true;
    all = Matches(rule, reading, "import", slot, fact, message, judgement) && all;
  };
  judge(import.library, "library");
  judge(import.memory, "memory");
  judge(import.computed, "computed");
  judge(import.view, "view");
  // The adapter may not convert every dtype. The probes saw that it converts this one.
  const bool plain = import.result.valid && import.result.known_dtype && judgement.IsPlain(import.result.dtype);
  if (import.library.raised && plain) {
    judgement.Breaks({std::string(rule), Degree::kNote,
                      "reading the elements of the imported array raised an exception", Key("import", slot, "library"),
                      "matches", "unsupported: it raised"});
  }
  if (any) {
    judgement.Holds();
  } else {
    judgement.SaysNothing(import.library.raised ? "reading the elements of the imported array raised an exception"
                                                : "the elements of the imported array could not be read");
  }
  return all;
}

bool ShapeMatches(std::string_view rule, const Recipe& recipe, const Ledger& ledger, Judgement& judgement, int slot) {
  const Description& result = ledger.imports[slot].result;
  if (!result.has_shape) {
    judgement.SaysNothing("the adapter does not report the shape of the imported array");
    return true;
  }
  if (ArrivedAsOneElement(recipe.offer().ndim, result)) {
    judgement.Holds();
    return true;
  }
  bool same = result.ndim == recipe.offer().ndim;
  for (int d = 0; same && d < recipe.offer().dims; ++d) same = result.shape[d] == recipe.offer().shape[d];
  judgement.Holds();
  if (same) return true;
  return Check(false, ledger, judgement, rule, Key("import", slot, "shape"),
               AsText({recipe.offer().shape, recipe.offer().dims}),
               "the shape of the imported array is not dl_tensor.shape");
}

bool DtypeMatches(std::string_view rule, abi::DLDataType wanted, const Ledger& ledger, Judgement& judgement,
                  std::string_view message, Degree degree) {
  const Description& result = ledger.imports[0].result;
  const bool other = Accepted(ledger) && result.valid && result.known_dtype && !(result.dtype == wanted);
  return Check(!other, ledger, judgement, rule, "import0.dtype", other ? "none | " + AsText(wanted) : "", message,
               degree);
}

bool NotTakenForHost(std::string_view rule, const Recipe& recipe, const Ledger& ledger, Judgement& judgement,
                     std::string_view message, Degree degree) {
  const Description& result = ledger.imports[0].result;
  const bool host = recipe.offer().device.device_type != abi::kDLCPU && Accepted(ledger) && result.valid &&
                    result.has_device && result.device.device_type == abi::kDLCPU;
  return Check(!host, ledger, judgement, rule, "import0.device", host ? "none | " + AsText(recipe.offer().device) : "",
               message, degree);
}

bool ReleasedOnce(std::string_view rule, const Recipe& recipe, const Ledger& ledger, Judgement& judgement, int slot) {
  const ImportLedger& import = ledger.imports[slot];
  const int wanted = recipe.offer().deleter == DeleterKind::kNull ? 0 : import.capsules;
  // A capsule without a destructor cannot release a refused tensor: the producer keeps it.
  const bool kept = Refused(ledger, slot) && recipe.offer().destructor == DestructorKind::kNone;
  if (kept && import.deleter.calls < wanted) {
    judgement.Holds();
    return true;
  }
  return judgement.Equal(rule, Key("import", slot, "deleter.calls"), wanted, import.deleter.calls,
                         import.deleter.calls > wanted ? "the deleter was called more often than tensors were exported"
                                                       : "a tensor was never released: its deleter was not called");
}

bool ReleasedWithTheArray(std::string_view rule, const Recipe& recipe, const Ledger& ledger, Judgement& judgement,
                          int slot) {
  if (!ReleasedOnce(rule, recipe, ledger, judgement, slot)) return false;
  const ImportLedger& import = ledger.imports[slot];
  if (!import.Aliases()) return true;
  return judgement.Equal(rule, Key("import", slot, "deleter.while_alive"), 0, import.deleter.calls_while_alive,
                         "the deleter was called while the imported array still shared the memory");
}

bool MarkedUsed(std::string_view rule, const Recipe& recipe, const Ledger& ledger, Judgement& judgement, int slot) {
  const ImportLedger& import = ledger.imports[slot];
  const bool versioned = recipe.offer().kind == StructKind::kVersioned;
  const bool used = import.name_after == (versioned ? NameSeen::kUsedVersioned : NameSeen::kUsedLegacy);
  const bool unused = import.name_after == import.name_before;
  const bool borrowed = unused && judgement.Says(Trait::kBorrows);
  const bool copied = unused && import.result.valid && import.result.has_pointer && !import.Aliases();
  judgement.Holds();
  if (used) return true;
  const std::string name = versioned ? "used_dltensor_versioned" : "used_dltensor";
  return Check(false, ledger, judgement, rule, Key("import", slot, "name_after"), name,
               borrowed ? "the imported array borrows from its capsule, which was not renamed to " + name
               : copied ? "the tensor was copied, and its capsule was not renamed to " + name
                        : "the consumed capsule was not renamed to " + name,
               borrowed ? Degree::kNote
               : copied ? Degree::kWarn
                        : Degree::kRule);
}

bool NothingHeld(std::string_view rule, const Ledger& ledger, Judgement& judgement, std::string_view message) {
  const SourceLedger& source = ledger.sources[0];
  if (!source.alive_known) {
    judgement.SaysNothing("it cannot be observed when the library frees an array object");
    return true;
  }
  const bool gone = Check(source.alive_at_end == 0, ledger, judgement, rule, "source0.alive_at_end", "0", message);
  // An export that never referenced the array object may still leak its memory, which cannot be observed here.
  if (source.outlived == Answer::kNo) {
    judgement.SaysNothing(
        "the export does not reference the array object, so the release of its memory cannot be observed");
  } else if (ledger.exports[0].struct_address != 0 && !ledger.exports[0].has_deleter) {
    judgement.SaysNothing("the deleter is NULL, so it releases nothing");
  }
  return gone;
}

bool NothingStays(std::string_view rule, const Ledger& ledger, Judgement& judgement, std::string_view message) {
  const SourceLedger& source = ledger.sources[0];
  if (source.counted == 0) return NothingHeld(rule, ledger, judgement, message);
  if (ledger.exports[0].has_deleter == 0) {
    judgement.SaysNothing("the deleter is NULL, so it releases nothing");
    return true;
  }
  const std::string each = "each of many exports leaks memory: " + std::string(message);
  return Check(source.kept_bytes == 0, ledger, judgement, rule, "source0.kept_bytes", "0", each) &&
         Check(source.kept_objects == 0, ledger, judgement, rule, "source0.kept_objects", "0", each);
}

bool ExportMatches(std::string_view rule, const Ledger& ledger, Judgement& judgement, int slot,
                   std::string_view message) {
  const ElementReading& reading = ledger.exports[slot].elements;
  if (!Taken(reading)) {
    judgement.SaysNothing("the exported elements cannot be read on this device");
    return true;
  }
  judgement.Holds();
  return Matches(rule, reading, "export", slot, "elements", message, judgement);
}

}  // namespace dlpack_cts
