// worker/probe/limits.cc: asks each entry point for each value of each property, and for the control where it refuses.
#include "worker/probe/limits.h"

#include <algorithm>
#include <iterator>
#include <map>
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
#include "worker/run/counted_values.h"

namespace dlpack_cts::worker {
namespace {

enum class Entry : uint8_t {
  kObject,
  kCapsule,
  kExport,
  kTableImport,
  kTableExport,
  kTableView,
  kTableAllocate,
  kPair
};

struct EntryPoint {
  Entry entry;
  std::string_view id;
  std::string_view refuses;  // what it does instead of accepting the exchange; the words of a change follow
  Side side;
  std::string_view refuses_copies = "";  // the same of a copy, where the entry point has the keyword
};
constexpr EntryPoint kEntries[] = {
    {Entry::kObject, "import-object", "from_dlpack refuses tensors", Side::kImport,
     "from_dlpack refuses copy=True for tensors"},
    {Entry::kCapsule, "import-capsule", "from_dlpack refuses bare capsules of tensors", Side::kImport},
    {Entry::kExport, "export", "__dlpack__ raises an exception for arrays", Side::kExport,
     "__dlpack__ refuses copy=True for arrays"},
    {Entry::kTableImport, "table-import", "managed_tensor_to_py_object_no_sync fails for tensors", Side::kImport},
    {Entry::kTableExport, "table-export", "managed_tensor_from_py_object_no_sync fails for arrays", Side::kExport},
    {Entry::kTableView, "table-view", "dltensor_from_py_object_no_sync fails for arrays", Side::kExport},
    {Entry::kTableAllocate, "table-allocate", "managed_tensor_allocator fails for arrays", Side::kExport},
    {Entry::kPair, "pair", "the consumer refuses arrays of the producer", Side::kExport},
};
constexpr int kSpecial = 2;  // questions about whole roles, before the others

/// Of each entry point, about these changes.
int QuestionsAbout(std::span<const Change> changes) { return static_cast<int>(std::size(kEntries) * changes.size()); }

/// A refusal that the library meant. Others are reported by cases.
bool IsRefusal(const Refusal& answer) {
  return answer.outcome == Outcome::kRefused && answer.ends_programs == 0 && answer.stumbled == 0;
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

class Finder : public Exchanges {
 public:
  Finder(Subject& subject, Engine& engine, ReferenceRun& reference_run, CrashRecord& crash_record,
         const std::function<void(const Limit&)>& report)
      : Exchanges(subject, engine, reference_run, crash_record), report_(report) {}

  void Ask(int question) {
    if (question == 0) return Consumer();
    if (question == 1) return Producer();
    question -= kSpecial;
    // A library that crashes in copies is asked everything else before.
    const bool combined = question >= QuestionsAbout(AllChanges());
    const std::span<const Change> changes = combined ? CombinedChanges() : AllChanges();
    if (combined) question -= QuestionsAbout(AllChanges());
    const auto count = static_cast<int>(changes.size());
    const EntryPoint& point = kEntries[question / count];
    const Change& change = changes[static_cast<size_t>(question % count)];
    // The profile of a pair has the declarations of the consumer.
    const Side declared = IsOfPair(point.entry) ? Side::kImport : point.side;
    if (IsDeclared(change, declared, profile_) || !IsOpen(point.entry)) return;
    OfChange(point, change);
  }

 private:
  /// Whether the library accepts the simplest exchange by this entry point.
  bool IsOpen(Entry entry) {
    const auto known = open_.find(entry);
    if (known != open_.end()) return known->second;
    open_[entry] = IsTried(entry) && Accepts(entry, Simple(entry));
    return open_[entry];
  }

  /// Of a pair, only what one library makes and the other imports: each library's own run asks the rest.
  bool IsTried(Entry entry) const {
    if ((profile_.is_pair != 0) != IsOfPair(entry)) return false;
    const bool imports = profile_.Claims(Claim::kConsumer) && profile_.import_kills == 0;
    const bool exports = profile_.Claims(Claim::kProducer) && profile_.export_kills == 0;
    const bool tables = profile_.Claims(Claim::kExchangeApi) && exports;
    switch (entry) {
      case Entry::kObject:
        return imports && !profile_.Says(Trait::kCapsulesOnly);
      case Entry::kCapsule:
        return imports && profile_.Claims(Claim::kCapsuleInput);
      case Entry::kExport:
        return exports;
      case Entry::kTableImport:
        return tables && imports;
      case Entry::kPair:
        return imports && exports;
      default:
        return tables;
    }
  }

  /// The simplest exchange of that kind.
  Recipe Simple(Entry entry) const {
    Recipe recipe = Plain();
    switch (entry) {
      case Entry::kObject:
      case Entry::kCapsule:
        return recipe;
      case Entry::kTableImport:
        recipe = From().PlainImport(StructKind::kVersioned);
        recipe.request() = From().PlainRequest();
        SetLife(recipe, {Op::kMake, Op::kTableImport, Op::kDescribe, Op::kDropArray, Op::kCollect});
        return recipe;
      default:
        break;
    }
    recipe = PlainExport();
    if (entry == Entry::kPair) {
      SetLife(recipe, {Op::kMake, Op::kImportSource, Op::kDescribe, Op::kDropArray, Op::kDropSource});
      recipe.call() = {};  // from_dlpack calls the producer itself
      return recipe;
    }
    if (profile_.takes_keywords != 0) recipe.call().max_version = kNewestVersion;
    if (entry == Entry::kTableExport) SetLife(recipe, {Op::kMake, Op::kTableExport, Op::kInspect, Op::kDelete});
    if (entry == Entry::kTableView) SetLife(recipe, {Op::kMake, Op::kTableView, Op::kInspect});
    if (entry == Entry::kTableAllocate) SetLife(recipe, {Op::kMake, Op::kTableAllocate, Op::kDelete});
    return recipe;
  }

  /// Whether copy=True is accepted with the simplest tensor or array.
  bool Copies(Entry entry) {
    const auto known = copies_.find(entry);
    if (known != copies_.end()) return known->second;
    Recipe recipe = Simple(entry);
    recipe.call().copy.kind = ArgumentKind::kTrue;
    copies_[entry] = Accepts(entry, recipe);
    return copies_[entry];
  }

  /// Runs it through this entry point. A bare capsule, or an object, whatever else the library prefers.
  const Refusal& Through(Entry entry, Recipe recipe) {
    if (entry == Entry::kObject || entry == Entry::kCapsule) {
      Profile as_object = profile_;
      as_object.bare_legacy = as_object.bare_versioned = 0;
      as_object.null_ranks = 0;
      as_object.takes_last_extents = as_object.makes_last_extents = 0;
      as_object.unit_extents = UnitExtents::kTaken;
      FollowWays(as_object, recipe);
      for (Step& step : recipe.life()) {
        if (step.op == Op::kImport && entry == Entry::kCapsule) step.op = Op::kImportCapsule;
      }
    }
    Run(recipe);
    const bool imports =
        entry == Entry::kObject || entry == Entry::kCapsule || entry == Entry::kTableImport || entry == Entry::kPair;
    return imports ? crash_record_.ledger.imports[0].import : crash_record_.ledger.exports[0].export_call;
  }

  bool Accepts(Entry entry, const Recipe& recipe) { return Through(entry, recipe).outcome == Outcome::kAccepted; }

  static bool IsOfPair(Entry entry) { return entry == Entry::kPair; }

  /// Whether the producer of a pair exports such arrays, so that it is the consumer that refuses them.
  bool IsExported(const Change& change) {
    Recipe recipe = Simple(Entry::kExport);
    Recipe control = recipe;
    return ChangeRequest(change, profile_, recipe, control) && Accepts(Entry::kExport, recipe);
  }

  /// The functions of the exchange table have none. A bare capsule is all that an old from_dlpack function takes.
  static bool HasKeywords(Entry entry) { return entry == Entry::kObject || entry == Entry::kExport; }

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
    const bool fits = point.side == Side::kImport ? ChangeOffer(change, profile_, recipe, control)
                                                  : ChangeRequest(change, profile_, recipe, control);
    if (!fits) return;
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
      const std::string_view refuses = reason->property == Changed::kCopyOf ? point.refuses_copies : point.refuses;
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

  /// Whether the entry point accepts the tensor or the array with other extents.
  template <typename Alter>
  bool AcceptsShape(const EntryPoint& point, Recipe recipe, const Alter& alter) {
    if (point.side == Side::kImport) {
      alter(recipe.offer().shape, recipe.offer().dims);
    } else {
      alter(recipe.request().shape, recipe.request().dims);
    }
    return Accepts(point.entry, recipe);
  }

  bool AcceptsNullStrides(const EntryPoint& point, Recipe recipe) {
    if (point.side != Side::kImport) return false;
    Recipe control = recipe;
    return ChangeOffer(*Find(Changed::kStrides, 0), profile_, recipe, control) && Accepts(point.entry, recipe);
  }

  /// NULL if no question asks for it.
  static const Change* Find(Changed property, int number) {
    for (const std::span<const Change> changes : {AllChanges(), CombinedChanges()}) {
      const auto found = std::ranges::find_if(
          changes, [&](const Change& one) { return one.property == property && one.number == number; });
      if (found != changes.end()) return &*found;
    }
    return nullptr;
  }

  /// Whether the value alone is refused, so that its own question reports it.
  bool IsRefusedAlone(const EntryPoint& point, Changed property, int number) {
    return IsRefusedAlone(point, Find(property, number));
  }
  bool IsRefusedAlone(const EntryPoint& point, const Change* change) {
    if (change == nullptr) return false;
    Recipe recipe = Simple(point.entry);
    Recipe control = recipe;
    const bool fits = point.side == Side::kImport ? ChangeOffer(*change, profile_, recipe, control)
                                                  : ChangeRequest(*change, profile_, recipe, control);
    return fits && !Accepts(point.entry, recipe) && Accepts(point.entry, control);
  }

  static bool IsCombined(const Change& change) { return change.property >= Changed::kEmptyDims; }

  /// Libraries differ in the strides of empty rows, which have no meaning. The case about C-STRIDES-11 reports a
  /// library that accepts only its own.
  bool AcceptsZeroStrides(const EntryPoint& point, Recipe recipe) {
    Offer& offer = recipe.offer();
    offer.strides_kind = StridesKind::kExplicit;
    offer.strides[0] = 0;
    offer.strides[1] = 1;
    return Accepts(point.entry, recipe);
  }

  /// Whether one part of a combined change is refused alone.
  bool IsKnownAlone(const EntryPoint& point, const Change& change, const Recipe& recipe) {
    if (change.property == Changed::kKeywordAlone) {
      Recipe bare = Simple(point.entry);
      bare.call().max_version = {};
      return !Accepts(point.entry, bare);
    }
    if (IsRefusedAlone(point, Changed::kSize, 0)) return true;
    if (change.property != Changed::kEmptyRows) return false;
    if (point.side == Side::kImport && AcceptsZeroStrides(point, recipe)) return true;
    // A library that takes only some last extents does not take 0.
    return IsRefusedAlone(point, Changed::kEmptyDims, 2) || std::ranges::any_of(AllChanges(), [&](const Change& one) {
             return one.property == Changed::kLastExtent && IsRefusedAlone(point, &one);
           });
  }

  /// The simplest tensors of three dimensions or more have an extent of 1.
  std::optional<Change> ReasonOfCopy(const EntryPoint& point, const Change& change, const Recipe& recipe) {
    if (change.of->property != Changed::kDims || change.number < 3 || !AcceptsShape(point, recipe, MakeFull))
      return change;
    const int64_t* const shape = point.side == Side::kImport ? recipe.offer().shape : recipe.request().shape;
    const auto of_unit = std::ranges::find_if(CombinedChanges(), [](const Change& one) {
      return one.property == Changed::kCopyOf && one.of->property == Changed::kUnitExtent;
    });
    if (IsRefusedAlone(point, &*of_unit)) return std::nullopt;
    return Named(change, "copy-of-shape", TupleText(shape, change.number), "whose shape is");
  }

  static void MakeFull(int64_t* extents, int count) { std::replace(extents, extents + count, int64_t{1}, int64_t{2}); }

  /// The change that is the reason of a refusal. A tensor has extents and strides besides its rank: if another one of
  /// the rank is accepted, those are the reason. Nothing if another question reports it.
  std::optional<Change> ReasonOf(const EntryPoint& point, const Change& change, const Recipe& recipe) {
    if (change.property == Changed::kUnitExtent && AcceptsNullStrides(point, recipe)) {
      return Named(change, "explicit-strides-beside-extent", "1", "with explicit strides and an extent of");
    }
    if (change.property == Changed::kLastExtent && change.number == 1) {
      if (IsRefusedAlone(point, Changed::kUnitExtent, 1)) return std::nullopt;
      return change;
    }
    if (change.property == Changed::kCopyOf) return ReasonOfCopy(point, change, recipe);
    if (IsCombined(change)) return IsKnownAlone(point, change, recipe) ? std::nullopt : std::optional(change);
    if (change.property != Changed::kDims || change.number == 0) return change;
    const int dims = change.number;
    const int64_t* const shape = point.side == Side::kImport ? recipe.offer().shape : recipe.request().shape;
    const bool has_unit = dims > 2 && IsRefusedAlone(point, Changed::kUnitExtent, 1);
    if (AcceptsNullStrides(point, recipe)) {
      if (has_unit) return std::nullopt;
      return Named(change, "explicit-strides", change.value, "with explicit strides and ndim");
    }
    bool other = dims > 2 && dims <= kWalkedDims && AcceptsShape(point, recipe, MakeFull);
    for (const int64_t last : kLastExtents) {
      other = other || AcceptsShape(point, recipe, [&](int64_t* extents, int count) { extents[count - 1] = last; });
    }
    // No tensor of so many dimensions is without an extent of 1.
    if (!other) return has_unit && dims > kWalkedDims ? std::nullopt : std::optional(change);
    const bool last = IsRefusedAlone(point, Changed::kLastExtent, static_cast<int>(shape[dims - 1]));
    if (has_unit || last) return std::nullopt;
    return Named(change, "shape", TupleText(shape, dims), "whose shape is");
  }

  static Change Named(const Change& change, std::string id, const std::string& value, const std::string& words) {
    return {change.property, change.number, std::move(id), value, words + " " + value};
  }

  /// Whether the simpler entry point accepts it.
  bool IsOfThisEntry(Entry entry, const Change& change) {
    if (IsOfPair(entry)) return IsExported(change);
    const bool capsule = entry == Entry::kCapsule || entry == Entry::kTableImport;
    if (entry == Entry::kObject || entry == Entry::kExport) return true;
    const Entry simpler = capsule ? Entry::kObject : Entry::kExport;
    if (!IsOpen(simpler)) return true;
    Recipe recipe = Simple(simpler);
    Recipe control = recipe;
    const bool fits =
        capsule ? ChangeOffer(change, profile_, recipe, control) : ChangeRequest(change, profile_, recipe, control);
    return !fits || Accepts(simpler, recipe);
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
    const std::string who = pair ? "the consumer" : "from_dlpack";
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
    Report({point, point.id, asked, control}, change, LimitKind::kCopied, "__dlpack__ copies arrays " + change.words,
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
      ReportWhole("export", "every", "", "__dlpack__ raises an exception for every array", TextOf(refusal),
                  "the array itself was made", asked);
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
      case Changed::kEmptyRows: {
        const Change& size = *Find(Changed::kSize, 0);
        point.side == Side::kImport ? ChangeOffer(size, profile_, recipe, control)
                                    : ChangeRequest(size, profile_, recipe, control);
        return TriggersOf(point.entry, recipe);
      }
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
  std::map<Entry, bool> open_;
  std::map<Entry, bool> copies_;
};

}  // namespace

std::vector<std::string> LimitIds() {
  std::vector<std::string> entries = {"make"};
  for (const EntryPoint& point : kEntries) entries.emplace_back(point.id);
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
