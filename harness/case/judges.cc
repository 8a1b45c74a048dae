// harness/case/judges.cc: judgements that many cases share.
#include "harness/case/judges.h"

#include <string>

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

}  // namespace

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
  if (any) {
    judgement.Holds();
  } else {
    judgement.SaysNothing("no reading of the elements was possible");
  }
  return all;
}

bool ShapeMatches(std::string_view rule, const Recipe& recipe, const Ledger& ledger, Judgement& judgement, int slot) {
  const Description& result = ledger.imports[slot].result;
  if (!result.has_shape) {
    judgement.SaysNothing("the adapter does not say what shape the result has");
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
  std::string wanted = "(";
  for (int d = 0; d < recipe.offer().dims; ++d) {
    wanted += (d > 0 ? ", " : "") + std::to_string(recipe.offer().shape[d]);
  }
  wanted += recipe.offer().dims == 1 ? ",)" : ")";
  const std::string key = Key("import", slot, "shape");
  judgement.Breaks({std::string(rule), Degree::kRule, "the imported array has another shape than the tensor", key,
                    wanted, Fact(ledger, key)});
  return false;
}

bool ReleasedOnce(std::string_view rule, const Recipe& recipe, const Ledger& ledger, Judgement& judgement, int slot) {
  const ImportLedger& import = ledger.imports[slot];
  const int wanted = recipe.offer().deleter == DeleterKind::kNull ? 0 : import.capsules;
  // A capsule without destructor cannot release what the consumer refused: its producer keeps it.
  const bool kept = Refused(ledger, slot) && recipe.offer().destructor == DestructorKind::kNone;
  if (kept && import.deleter.calls < wanted) {
    judgement.Holds();
    return true;
  }
  return judgement.Equal(rule, Key("import", slot, "deleter.calls"), wanted, import.deleter.calls,
                         import.deleter.calls > wanted ? "the deleter ran more often than tensors were handed out"
                                                       : "a tensor was handed out and never released");
}

bool ReleasedWithTheArray(std::string_view rule, const Recipe& recipe, const Ledger& ledger, Judgement& judgement,
                          int slot) {
  if (!ReleasedOnce(rule, recipe, ledger, judgement, slot)) return false;
  const ImportLedger& import = ledger.imports[slot];
  if (!import.Aliases()) return true;
  return judgement.Equal(rule, Key("import", slot, "deleter.while_alive"), 0, import.deleter.calls_while_alive,
                         "the deleter ran although the array still shared the memory");
}

bool MarkedUsed(std::string_view rule, const Recipe& recipe, const Ledger& ledger, Judgement& judgement, int slot) {
  const ImportLedger& import = ledger.imports[slot];
  const bool versioned = recipe.offer().kind == StructKind::kVersioned;
  const bool used = import.name_after == (versioned ? NameSeen::kUsedVersioned : NameSeen::kUsedLegacy);
  const bool unused = import.name_after == import.name_before;
  const bool borrowed = unused && judgement.Says(Trait::kBorrows);
  const bool copied = unused && import.result.valid && import.result.has_pointer && !import.Aliases();
  return Check(used, ledger, judgement, rule, Key("import", slot, "name_after"),
               versioned ? "used_dltensor_versioned" : "used_dltensor",
               borrowed ? "the tensor is borrowed through its capsule, which stays unused"
               : copied ? "the tensor was copied, and its capsule was left unused"
                        : "the consumed capsule has not its used name",
               borrowed ? Degree::kNote
               : copied ? Degree::kWarn
                        : Degree::kRule);
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
