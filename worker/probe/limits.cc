// worker/probe/limits.cc: asks each entry point for each value of each property, and for the control where it refuses.
#include "worker/probe/limits.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "harness/recipe/codec.h"
#include "harness/recipe/sentence.h"
#include "worker/probe/combined_changes.h"
#include "worker/probe/limit_changes.h"
#include "worker/probe/limit_reasons.h"
#include "worker/run/counted_values.h"

namespace dlpack_cts::worker {
namespace {

constexpr int kSpecial = 2;  // questions about whole roles, before the others

/// Of each entry point, about these changes.
int QuestionsAbout(std::span<const Change> changes) {
  return static_cast<int>(AllEntryPoints().size() * changes.size());
}

std::string TextOf(const Refusal& answer) {
  if (answer.type.empty()) return std::string(answer.message.view());
  return std::string(answer.type.view()) + (answer.message.empty() ? "" : ": " + std::string(answer.message.view()));
}

struct Otherwise {
  std::string message;
  std::string answer;
};

/// How an array that was made differs from the one that was asked for in the changed property, as far as the adapter
/// describes it.
std::optional<Otherwise> MadeOtherwise(const Change& change, const Description& made, const Request& request) {
  if (!made.valid) return std::nullopt;
  if (change.property == Changed::kDtype && made.known_dtype != 0 && !(made.dtype == request.dtype)) {
    return Otherwise{"the library makes arrays of another dtype instead of arrays " + change.words,
                     std::string(DataTypeName(made.dtype))};
  }
  const bool strided = change.property == Changed::kLayout && made.has_shape != 0 && made.has_strides != 0;
  if (!strided || made.ndim != request.dims) return std::nullopt;
  for (int d = 0; d < request.dims; ++d) {
    const bool differs = made.byte_strides[d] != request.strides[d] * ItemSize(request.dtype);
    if (made.shape[d] != request.shape[d] || request.shape[d] < 2 || !differs) continue;
    return Otherwise{"the library makes arrays of another layout instead of arrays " + change.words,
                     "byte strides " + TupleText(made.byte_strides, made.ndim)};
  }
  return std::nullopt;
}

class Finder : public LimitReasons {
 public:
  Finder(Subject& subject, Engine& engine, ReferenceRun& reference_run, CrashRecord& crash_record,
         const std::function<void(const Limit&)>& report)
      : LimitReasons(subject, engine, reference_run, crash_record), report_(report) {}

  void Ask(int question) {
    if (question == 0) return Consumer();
    if (question == 1) return Producer();
    question -= kSpecial;
    // A library that crashes in copies is asked everything else before.
    const bool combined = question >= QuestionsAbout(AllChanges());
    const std::span<const Change> changes = combined ? CombinedChanges() : AllChanges();
    if (combined) question -= QuestionsAbout(AllChanges());
    const auto count = static_cast<int>(changes.size());
    const EntryPoint& point = AllEntryPoints()[static_cast<size_t>(question / count)];
    const Change& change = changes[static_cast<size_t>(question % count)];
    // The profile of a pair has the declarations of the consumer.
    const Side declared = IsOfPair(point.entry) ? Side::kImport : point.side;
    if (IsDeclared(change, declared, profile_) || !IsOpen(point.entry)) return;
    OfChange(point, change);
  }

 private:
  void OfChange(const EntryPoint& point, const Change& change) {
    const Entry entry = point.entry;
    // The case about C-VERSION-12 reports a kind of struct that is refused altogether.
    const bool known_struct = change.number == static_cast<int>(StructKind::kLegacy) ? profile_.takes_legacy != 0
                                                                                     : profile_.takes_versioned != 0;
    const bool with_keyword = change.property == Changed::kKeyword || change.property == Changed::kKeywordAlone ||
                              change.property == Changed::kCopyOf;
    if (with_keyword && !HasKeywords(entry)) return;
    if (change.property == Changed::kCopyOf && !Copies(entry)) return;
    if (change.property == Changed::kStruct && (entry == Entry::kTableImport || !known_struct)) return;
    Recipe recipe = Simple(entry);
    Recipe control = recipe;
    if (!Apply(point.side, change, recipe, control)) return;
    const Refusal answer = Through(entry, recipe);
    const Recipe asked = crash_record_.recipe;
    const SourceLedger& source = crash_record_.ledger.sources[0];
    const bool refused = IsRefusal(answer);
    if (IsOfPair(entry) && source.make.outcome != Outcome::kAccepted) return;
    if (entry == Entry::kExport && source.make.outcome != Outcome::kAccepted) {
      const std::string text = TextOf(source.make);
      if (source.make.ends_programs != 0 || source.make.stumbled != 0 || !Accepts(entry, control)) return;
      const std::optional<Change> reason = ReasonOf(point, change, recipe);
      if (!reason) return;
      Report({point, "make", asked, control}, *reason, LimitKind::kRefused,
             "the library does not make arrays " + reason->words, text);
      return;
    }
    if (refused) {
      // The same limitation of a simpler entry point is reported there.
      if (!IsOfThisEntry(entry, change) || !Accepts(entry, control)) return;
      const std::optional<Change> reason = ReasonOf(point, change, recipe);
      if (!reason) return;
      const bool native = IsNative() && !point.native_refuses.empty();
      const bool copies = reason->property == Changed::kCopyOf;
      const std::string_view refuses = native ? point.native_refuses : copies ? point.refuses_copies : point.refuses;
      Report({point, point.id, asked, control}, *reason, LimitKind::kRefused,
             std::string(refuses) + " " + reason->words, TextOf(answer));
      return;
    }
    if (answer.outcome != Outcome::kAccepted) return;
    if (entry == Entry::kExport) {
      if (const std::optional<Otherwise> made = MadeOtherwise(change, source.description, asked.request())) {
        return Report({point, "make", asked, control}, change, LimitKind::kOtherwise, made->message, made->answer);
      }
      return Exported(point, change, control, asked);
    }
    if (entry == Entry::kObject || IsOfPair(entry)) Imported(point, change, control, asked);
  }

  /// An empty tensor has no memory to share, and a keyword may ask for a copy.
  static bool MustShare(const Change& change) {
    return change.property != Changed::kSize && change.property != Changed::kKeyword && !IsCombined(change);
  }

  /// An accepted import: whether the array has the tensor's dtype, and shares its memory as that of the control does.
  void Imported(const EntryPoint& point, const Change& change, const Recipe& control, const Recipe& asked) {
    const ImportLedger& import = crash_record_.ledger.imports[0];
    if (!import.result.valid) return;
    const bool pair = IsOfPair(point.entry);
    const std::string who = pair ? "the consumer" : IsNative() ? "import_tensor" : "from_dlpack";
    const std::string what = (pair ? "arrays of the producer " : "tensors ") + change.words;
    if (change.property == Changed::kDtype && import.result.known_dtype != 0 &&
        !(import.result.dtype == (pair ? asked.request().dtype : asked.offer().dtype))) {
      if (profile_.Says(Trait::kNarrows)) return;
      const std::string got(DataTypeName(import.result.dtype));
      return Report({point, point.id, asked, control}, change, LimitKind::kOtherwise,
                    who + " returns arrays of another dtype for " + what, got);
    }
    const bool copied = import.result.has_pointer != 0 && import.place.area == Area::kElsewhere;
    if (!copied || !MustShare(change) || profile_.Says(Trait::kCopies)) return;
    if (!Accepts(point.entry, control) || !crash_record_.ledger.imports[0].Aliases()) return;
    Report({point, point.id, asked, control}, change, LimitKind::kCopied, who + " copies " + what,
           "the elements are in other memory");
  }

  /// An accepted export without `copy`: whether it shares the array's memory as that of the control does.
  void Exported(const EntryPoint& point, const Change& change, const Recipe& control, const Recipe& asked) {
    const auto elsewhere = [](const ExportLedger& one) {
      return one.place.area != Area::kUnknown && one.place.area != Area::kNull && !one.IsAtSource();
    };
    if (!MustShare(change) || !elsewhere(crash_record_.ledger.exports[0])) return;
    if (!Accepts(Entry::kExport, control) || !crash_record_.ledger.exports[0].IsAtSource()) return;
    Report({point, point.id, asked, control}, change, LimitKind::kCopied,
           (IsNative() ? "export_tensor copies arrays " : "__dlpack__ copies arrays ") + change.words,
           "the elements are in other memory");
  }

  /// A consumer that refuses every object with the two methods.
  void Consumer() {
    if (!profile_.Claims(Claim::kPython) || !IsTried(Entry::kObject)) return;
    const bool legacy = profile_.takes_legacy != 0 && profile_.bare_legacy == 0;
    const bool versioned = profile_.takes_versioned != 0 && profile_.bare_versioned == 0;
    if (legacy || versioned || IsOpen(Entry::kObject)) return;
    const bool bare = profile_.takes_legacy != 0 || profile_.takes_versioned != 0;
    const Refusal refusal = Through(Entry::kObject, Simple(Entry::kObject));
    if (!IsRefusal(refusal)) return;
    const Recipe asked = crash_record_.recipe;
    // A library whose arrays are on another device may refuse host memory.
    if (!bare && (profile_.Claims(Claim::kCuda) || IsOnAnotherDevice())) return;
    if (TakesItsOwn()) {
      return ReportWhole(
          "import-object", "producer", "foreign",
          "from_dlpack takes an array of the library itself, and refuses an object that has only the two methods",
          TextOf(refusal), "an array of the library itself", asked);
    }
    if (bare) {
      return ReportWhole("import-object", "every", "",
                         "from_dlpack takes a bare capsule, and refuses an object that has only the two methods",
                         TextOf(refusal), "a bare capsule of the same tensor", asked);
    }
    ReportWhole("import", "every", "", "from_dlpack refuses every tensor in host memory", TextOf(refusal), "", asked);
  }

  /// A plug-in: it has functions of its own instead of the two methods.
  bool IsNative() const { return !profile_.Claims(Claim::kPython); }

  bool TakesItsOwn() {
    if (!IsOpen(Entry::kExport)) return false;
    Recipe recipe = PlainExport();
    SetLife(recipe, {Op::kMake, Op::kImportSource, Op::kDescribe, Op::kDropArray, Op::kDropSource});
    Run(recipe);
    return crash_record_.ledger.imports[0].import.outcome == Outcome::kAccepted;
  }

  bool IsOnAnotherDevice() {
    if (!IsOpen(Entry::kExport)) return false;
    Through(Entry::kExport, Simple(Entry::kExport));
    return crash_record_.ledger.exports[0].tensor.device.device_type != abi::kDLCPU;
  }

  /// A producer whose arrays exist, and whose every export is refused.
  void Producer() {
    if (!IsTried(Entry::kExport) || profile_.makes_legacy != 0 || profile_.makes_versioned != 0) return;
    const Refusal refusal = Through(Entry::kExport, PlainExport());
    const SourceLedger& source = crash_record_.ledger.sources[0];
    const Recipe asked = crash_record_.recipe;
    if (source.make.outcome == Outcome::kAccepted && IsRefusal(refusal)) {
      ReportWhole("export", "every", "",
                  IsNative() ? "export_tensor refuses every array" : "__dlpack__ raises an exception for every array",
                  TextOf(refusal), "the array itself was made", asked);
    } else if (IsRefusal(source.make) || source.make.outcome == Outcome::kUnsupported) {
      ReportWhole("make", "every", "", "the adapter's make() makes no array", TextOf(source.make), "", asked);
    }
  }

  static std::string_view ControlWords(const Change& change) {
    switch (change.property) {
      case Changed::kEmptyDims:
      case Changed::kEmptyRows:
        return "the same exchange with elements";
      case Changed::kCopyOf:
        return "the same exchange without copy=True";
      case Changed::kKeywordAlone:
        return "the same exchange with max_version";
      default:
        return "the same exchange without that";
    }
  }

  /// The triggers of the exchange as it runs through the entry point.
  std::vector<std::string> TriggersOf(Entry entry, const Recipe& recipe) {
    Through(entry, recipe);
    return PlainIdsOf(crash_record_.recipe);
  }

  /// Of two values together: what is accepted with the second one.
  std::vector<std::string> AloneTriggers(const EntryPoint& point, const Change& change) {
    Recipe recipe = Simple(point.entry);
    Recipe control = recipe;
    switch (change.property) {
      case Changed::kEmptyDims:
      case Changed::kEmptyRows:
        Apply(point.side, *Find(Changed::kSize, 0), recipe, control);
        return TriggersOf(point.entry, recipe);
      case Changed::kCopyOf:
        recipe.call().copy.kind = ArgumentKind::kTrue;
        return TriggersOf(point.entry, recipe);
      default:
        return {};
    }
  }

  /// Where a limitation was found.
  struct Place {
    const EntryPoint& point;
    std::string_view id;
    const Recipe& asked;
    const Recipe& control;
  };

  void Report(const Place& place, const Change& change, LimitKind kind, std::string message, std::string answer) {
    Limit limit{.entry = std::string(place.id),
                .property = change.id,
                .value = change.value,
                .kind = kind,
                .message = std::move(message),
                .answer = std::move(answer),
                .control = std::string(ControlWords(change))};
    limit.control_triggers = TriggersOf(place.point.entry, place.control);
    limit.alone_triggers = AloneTriggers(place.point, change);
    Complete(limit, place.asked);
  }

  void ReportWhole(std::string entry, std::string property, std::string value, std::string message, std::string answer,
                   std::string control, const Recipe& asked) {
    Limit limit{.entry = std::move(entry),
                .property = std::move(property),
                .value = std::move(value),
                .whole = true,
                .message = std::move(message),
                .answer = std::move(answer),
                .control = std::move(control)};
    Complete(limit, asked);
  }

  void Complete(Limit& limit, const Recipe& asked) const {
    limit.triggers = PlainIdsOf(asked);
    limit.example = SentenceOf(asked);
    limit.recipe = nlohmann::json::parse(ToJson(asked));
    report_(limit);
  }

  const std::function<void(const Limit&)>& report_;
};

}  // namespace

std::vector<std::string> LimitIds() {
  std::vector<std::string> entries = {"make"};
  for (const EntryPoint& point : AllEntryPoints()) entries.emplace_back(point.id);
  std::vector<std::string> ids;
  for (const std::string& entry : entries) {
    for (const std::span<const Change> changes : {AllChanges(), CombinedChanges()}) {
      for (const Change& change : changes) ids.push_back(entry + "/" + change.id + "=" + change.value);
    }
  }
  return ids;
}

int LimitCount() { return kSpecial + QuestionsAbout(AllChanges()) + QuestionsAbout(CombinedChanges()); }

void FindLimits(Subject& subject, Engine& engine, ReferenceRun& reference_run, CrashRecord& crash_record,
                const std::function<void(const Limit&)>& report) {
  Finder finder(subject, engine, reference_run, crash_record, report);
  for (; crash_record.probe < LimitCount(); ++crash_record.probe) finder.Ask(crash_record.probe);
}

}  // namespace dlpack_cts::worker
