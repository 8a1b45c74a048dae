// worker/probe/pair_lines.cc: the simplest exchange of a pair, and what each side does in it.
#include "worker/probe/pair_lines.h"

#include <algorithm>
#include <optional>
#include <string>

#include "worker/probe/exchanges.h"

namespace dlpack_cts::worker {
namespace {

constexpr char kPart[] = "pair";

/// Simple exchanges that one engine runs. Each returns the ledger, which the next exchange overwrites.
class Asked : public Exchanges {
 public:
  Asked(Subject& producer, Subject& consumer, ReferenceRun& reference_run, CrashRecord& crash_record)
      : Exchanges(consumer, engine_, reference_run, crash_record), engine_(producer, consumer) {}

  /// The consumer imports the producer's own array.
  const Ledger& Pair() {
    Recipe recipe = PlainExport();
    SetLife(recipe, {Op::kMake, Op::kImportSource, Op::kDescribe, Op::kDropArray, Op::kDropSource});
    recipe.call() = {};  // from_dlpack calls the producer itself
    return Through(recipe);
  }

  /// The consumer imports from the forge's producer.
  const Ledger& Import(bool with_table) {
    Recipe recipe = Plain();
    if (with_table) {
      recipe.table.attribute = TableAttribute::kCapsule;
      recipe.table.version = {1, 3};
    }
    FollowWays(profile_, recipe);
    return Through(recipe);
  }

  const Ledger& Export(const Argument& max_version) {
    Recipe recipe = PlainExport();
    recipe.call() = {};
    recipe.call().max_version = max_version;
    return Through(recipe);
  }

  const Ledger& ExportByTable() {
    Recipe recipe = PlainExport();
    SetLife(recipe, {Op::kMake, Op::kTableExport, Op::kInspect, Op::kDelete});
    return Through(recipe);
  }

 private:
  const Ledger& Through(Recipe recipe) {
    Run(recipe);
    return crash_record_.ledger;
  }

  Engine engine_;
};

bool IsAccepted(const Refusal& answer) { return answer.outcome == Outcome::kAccepted; }

std::string TextOf(const Refusal& answer) {
  return std::string(answer.type.view()) + (answer.message.empty() ? "" : ": " + std::string(answer.message.view()));
}

/// The words of the line "memory"; empty if the producer made no array, or if the exchange was neither accepted nor
/// refused.
std::string MemoryWords(const Ledger& ledger) {
  const ImportLedger& import = ledger.imports[0];
  if (!IsAccepted(ledger.sources[0].make)) return "";
  if (import.import.outcome == Outcome::kRefused) return "refuses: " + TextOf(import.import);
  if (!IsAccepted(import.import)) return "";
  if (import.Aliases()) return "shares the memory";
  return import.place.area == Area::kElsewhere ? "copies" : "accepts";
}

/// The max_version that the consumer passed to __dlpack__; nothing if it did not call it.
std::optional<Argument> RequestedVersion(const ImportLedger& import) {
  const auto calls =
      std::span(import.calls)
          .first(static_cast<size_t>(std::clamp(import.producer_calls, 0, static_cast<int32_t>(kProducerCalls))));
  const auto last = std::find_if(calls.rbegin(), calls.rend(),
                                 [](const ProducerCall& call) { return call.is_device == 0 && call.raised == 0; });
  return last == calls.rend() ? std::nullopt : std::optional(last->max_version);
}

/// The words of the line "structs"; empty if that is not known.
std::string StructWords(Asked& pair) {
  const ImportLedger tabled = pair.Import(true).imports[0];
  const bool uses_tables = IsAccepted(tabled.import) && tabled.table.called != 0;
  if (uses_tables && IsAccepted(pair.ExportByTable().exports[0].export_call)) return "exchange table";
  const ImportLedger plain = pair.Import(false).imports[0];
  if (!IsAccepted(plain.import)) return "";
  const std::optional<Argument> requested = RequestedVersion(plain);
  if (!requested) return "";
  const ExportLedger exported = pair.Export(*requested).exports[0];
  if (IsAccepted(exported.export_call)) return exported.versioned != 0 ? "versioned structs" : "legacy structs";
  // A consumer calls again without keywords that the producer does not have.
  const bool lacks_keyword = !IsNothing(*requested) && exported.export_call.builtin.view() == "TypeError";
  if (!lacks_keyword) return "";
  const ExportLedger again = pair.Export({}).exports[0];
  if (!IsAccepted(again.export_call)) return "";
  return again.versioned != 0 ? "versioned structs" : "legacy structs";
}

}  // namespace

void FindPairLines(Subject& producer, Subject& consumer, ReferenceRun& reference_run, CrashRecord& crash_record,
                   const std::function<void(const ProfileLine&)>& report) {
  const Profile& profile = crash_record.profile;
  if (profile.import_kills != 0 || profile.export_kills != 0) return;
  Asked pair(producer, consumer, reference_run, crash_record);
  const std::string memory = MemoryWords(pair.Pair());
  if (memory.empty()) return;
  report({kPart, "memory", memory});
  if (memory.starts_with("refuses")) return;
  const std::string structs = StructWords(pair);
  if (!structs.empty()) report({kPart, "structs", structs});
}

}  // namespace dlpack_cts::worker
