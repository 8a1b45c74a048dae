// harness/reproducer/plain.cc: decides which findings are plain.
#include "harness/reproducer/plain.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "harness/recipe/recipe.h"
#include "harness/reproducer/needs.h"
#include "harness/reproducer/plain_facts.h"
#include "harness/reproducer/python.h"
#include "harness/reproducer/texts.h"
#include "harness/reproducer/watched.h"

namespace dlpack_cts {
namespace {

bool Imports(Op op) { return op == Op::kImport || op == Op::kImportCapsule || op == Op::kTableImport; }
bool Exports(Op op) { return op == Op::kExport || op == Op::kTableExport; }

/// What the short form does after the import, in this order, if the finding is a crash or the number of deleter calls.
constexpr Op kAfterImport[] = {Op::kDescribe, Op::kRead, Op::kCompute, Op::kDropProducer, Op::kDropArray, Op::kCollect};
/// What it does between an export and the last reading of that, in this order.
constexpr Op kAfterExport[] = {Op::kChangeMetadata, Op::kDropSource, Op::kCollect};

/// Whether these steps are among the others, in their order.
bool AreInOrder(std::span<const Step> life, std::span<const Op> others) {
  auto next = others.begin();
  for (const Step& step : life) {
    next = std::find(next, others.end(), step.op);
    if (next == others.end()) return false;
    ++next;
  }
  return true;
}

/// Whether these are one import, and then steps of the short form in its order; the last one, if it `collects`.
bool IsOneImport(std::span<const Step> life, bool collects) {
  const std::span<const Op> others(kAfterImport);
  return !life.empty() && Imports(life.front().op) &&
         AreInOrder(life.subspan(1), others.first(others.size() - (collects ? 0 : 1)));
}

/// Without the first step, if that makes a usual array.
std::span<const Step> AfterMake(std::span<const Step> life) {
  const bool makes = !life.empty() && life.front().op == Op::kMake && life.front().argument == 0;
  return life.subspan(makes ? 1 : 0);
}

/// Whether all steps run on the main thread, with the tensor 0.
bool IsUsual(std::span<const Step> life) {
  return std::ranges::all_of(
      life, [](const Step& step) { return step.slot == 0 && step.lane == 0 && step.context == Context::kUsual; });
}

/// Whether the producer of the short form answers so.
bool GivesPlainly(Gives gives) {
  constexpr Gives kPlain[] = {Gives::kCapsule, Gives::kBufferError, Gives::kNone,
                              Gives::kOSError, Gives::kNoDevice,    Gives::kTypeError};
  return std::find(std::begin(kPlain), std::end(kPlain), gives) != std::end(kPlain) || MisnamesDevice(gives);
}

bool IsPlainOffer(const Offer& offer, bool dies) {
  if (!GivesPlainly(offer.gives) || !(offer.keywords == kIgnoresKeywords)) return false;
  if (offer.place == StructPlace::kReadOnly || Acts(offer.deleter)) return false;
  if (dies && offer.seal_on_delete != 0) return false;
  const bool near = offer.byte_offset == 0;
  return offer.placement != Placement::kFarOffset && (offer.placement != Placement::kReadOnlyPage || near);
}

/// Whether from_dlpack gets a capsule, from the producer or itself.
bool GetsCapsule(const ReproducerInput& input) {
  const Needs needs = NeedsOf(input);
  return needs.tags.contains("hands-out") || needs.tags.contains("step.import-capsule");
}

/// Whether the library described the array, with a dtype that has a name.
bool IsPlainDescription(const ReproducerInput& input, const std::string& fact) {
  const bool described = input.got != Unseen(input.fact);
  if (fact != "import.dtype") return described;
  const auto named = static_cast<std::ptrdiff_t>(TypesIn(input.wanted).size());
  return described && !TypesIn(input.got).empty() && named == std::ranges::count(input.wanted, '(');
}

/// Whether the elements are usual ones, which the script can read through the described address.
bool IsPlainMemory(const ReproducerInput& input) {
  const Needs needs = NeedsOf(input);
  const bool host = input.recipe.offer().device.device_type == abi::kDLCPU;
  const bool other_size = needs.tags.contains("narrowing") || needs.tags.contains("sub-byte");
  const bool compared = input.got.starts_with("matches") || input.got.starts_with("differs");
  return compared && host && !other_size && needs.tags.contains("backed");
}

/// Whether the tensor has a deleter, and the destructor of an unused capsule calls it.
bool ReleasesPlainly(const ReproducerInput& input) {
  return GetsCapsule(input) && input.recipe.offer().deleter != DeleterKind::kNull &&
         !NeedsOf(input).tags.contains("offer.destructor.none");
}

bool IsPlainImport(const ReproducerInput& input) {
  const Life life = LifeOf(input);
  const bool dies = !CrashOf(input).empty();
  const std::string fact = PlainKey(WatchedFact(input));
  const bool by_table = python::Requests(input.recipe);
  const std::span<const Step> steps = by_table ? AfterMake(life.steps) : life.steps;
  const bool counts = fact == kDeleterCallsFact;
  const bool at_end = counts || fact == "import.name_after";
  if ((life.to_its_end && !at_end) || !IsOneImport(steps, at_end)) return false;
  if (by_table != (steps.front().op == Op::kTableImport) || !IsPlainOffer(input.recipe.offer(), dies)) return false;
  if (counts) return !by_table && ReleasesPlainly(input);
  if (dies) return true;
  if (!EndingOf(fact).empty()) return steps.size() == 1;
  if (by_table) return false;
  if (fact == "import.name_after") return GetsCapsule(input);
  if (IsDescribed(fact)) return IsPlainDescription(input, fact);
  if (fact == "import.memory") return IsPlainMemory(input);
  return fact == "import.library" && NeedsOf(input).tags.contains("plain-read");
}

/// Whether the run compared the elements of the export.
bool IsCompared(const ReproducerInput& input) {
  return input.got.starts_with("matches") || input.got.starts_with("differs") || input.got.starts_with("wrong-count");
}

/// Whether a later reading of the export shows the fact, after steps that the short form can do.
bool IsSeenLater(const ReproducerInput& input, std::span<const Step> later, const std::string& fact) {
  const bool changes = std::ranges::any_of(later, [](const Step& step) { return step.op == Op::kChangeMetadata; });
  if (changes && input.adapter.find("def change_metadata(") == std::string::npos) return false;
  return (fact == "export.changed" || fact == "export.elements") && AreInOrder(later, kAfterExport);
}

bool IsPlainExport(const ReproducerInput& input) {
  const Life life = LifeOf(input);
  const std::string fact = PlainKey(WatchedFact(input));
  std::vector<Step> steps(life.steps.begin(), life.steps.end());
  // These only read what was exported.
  std::erase_if(steps, [](const Step& step) { return step.op == Op::kReadExport || step.op == Op::kInspect; });
  std::span<const Step> calls = AfterMake(steps);
  if (life.to_its_end || !CrashOf(input).empty() || calls.size() + 1 != steps.size() || calls.empty()) return false;
  const bool asks = calls.front().op == Op::kAskDevice;
  if (asks && calls.size() == 1) return fact == "source.reported_device" || fact.starts_with("source.device_call");
  if (asks) calls = calls.subspan(1);
  const Step& step = calls.front();
  if (!Exports(step.op) || step.argument != 0 || input.recipe.calls[step.call].fresh_names != 0) return false;
  if (fact == "export.elements" && !IsCompared(input)) return false;
  if (fact == "export.points_at_source" && input.got == Unseen(input.fact)) return false;  // no described address
  if (calls.size() > 1 || fact == "export.changed") return IsSeenLater(input, calls.subspan(1), fact);
  if (!EndingOf(fact).empty() || IsField(fact, input.recipe.request())) return true;
  return step.op == Op::kExport && (fact == "export.name" || fact == "export.has_destructor");
}

}  // namespace

bool IsPlain(const ReproducerInput& input) {
  if (input.every_fact || LifeOf(input).steps.empty() || !IsUsual(LifeOf(input).steps)) return false;
  return python::Offers(input.recipe) ? IsPlainImport(input) : IsPlainExport(input);
}

}  // namespace dlpack_cts
