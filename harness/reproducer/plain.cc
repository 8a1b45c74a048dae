// harness/reproducer/plain.cc: decides which findings are plain.
#include "harness/reproducer/plain.h"

#include <algorithm>
#include <regex>
#include <span>
#include <string>

#include "harness/recipe/recipe.h"
#include "harness/reproducer/needs.h"
#include "harness/reproducer/plain_facts.h"
#include "harness/reproducer/python.h"
#include "harness/reproducer/watched.h"

namespace dlpack_cts {
namespace {

bool Imports(Op op) { return op == Op::kImport || op == Op::kImportCapsule; }

/// What the short form does after the import, in this order, if the finding is a crash or the number of deleter calls.
constexpr Op kAfterImport[] = {Op::kDescribe, Op::kRead, Op::kCompute, Op::kDropProducer, Op::kDropArray, Op::kCollect};

/// Whether these are one import, and then steps of the short form in its order; the last one, if it `collects`.
bool IsOneImport(std::span<const Step> life, bool collects) {
  if (!Imports(life.front().op)) return false;
  const Op* next = std::begin(kAfterImport);
  const Op* const end = std::end(kAfterImport) - (collects ? 0 : 1);
  for (const Step& step : life.subspan(1)) {
    next = std::find(next, end, step.op);
    if (next == end) return false;
    ++next;
  }
  return true;
}

/// Whether all steps run on the main thread, with the tensor 0.
bool IsUsual(std::span<const Step> life) {
  return std::ranges::all_of(
      life, [](const Step& step) { return step.slot == 0 && step.lane == 0 && step.context == Context::kUsual; });
}

/// Whether it is unknown if the adapter has the functions export and device.
bool HidesFunctions(const ReproducerInput& input) {
  static const std::regex kHidden("import \\*|import [^\n]*\\b(export|device)\\b|(^|\n)(export|device)\\b");
  return std::regex_search(input.adapter, kHidden);
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

/// Whether the tensor has a deleter, and the destructor of an unused capsule calls it.
bool ReleasesPlainly(const ReproducerInput& input) {
  const Needs needs = NeedsOf(input);
  const bool gets_capsule = needs.tags.contains("hands-out") || needs.tags.contains("step.import-capsule");
  return gets_capsule && input.recipe.offer().deleter != DeleterKind::kNull &&
         !needs.tags.contains("offer.destructor.none");
}

/// Whether it is known if the adapter's from_dlpack has the parameter ndim.
bool SaysItsParameters(const ReproducerInput& input) {
  return input.adapter.find("def from_dlpack(") != std::string::npos ||
         (input.adapter.find("ndim") == std::string::npos && input.modules.empty());
}

bool IsPlainImport(const ReproducerInput& input) {
  const Life life = LifeOf(input);
  const bool dies = !CrashOf(input).empty();
  const std::string fact = PlainKey(WatchedFact(input));
  const bool counts = fact == kDeleterCallsFact;
  if ((life.to_its_end && !counts) || !IsOneImport(life.steps, counts) || !SaysItsParameters(input)) return false;
  if (!IsPlainOffer(input.recipe.offer(), dies)) return false;
  if (counts) return ReleasesPlainly(input);
  if (dies) return true;
  if (!EndingOf(fact).empty()) return life.steps.size() == 1;
  return fact == "import.library" && NeedsOf(input).tags.contains("plain-read");
}

bool IsPlainExport(const ReproducerInput& input) {
  const Life life = LifeOf(input);
  const std::string fact = PlainKey(WatchedFact(input));
  if (life.to_its_end || !CrashOf(input).empty() || life.steps.size() != 2 || HidesFunctions(input)) return false;
  const Step& step = life.steps.back();
  if (life.steps.front().op != Op::kMake || life.steps.front().argument != 0 || step.slot != 0) return false;
  if (input.recipe.calls[step.call].fresh_names != 0) return false;
  const bool compared =
      input.got.starts_with("matches") || input.got.starts_with("differs") || input.got.starts_with("wrong-count");
  if (fact == "export.elements" && !compared) return false;
  if (step.op == Op::kAskDevice) return fact == "source.reported_device" || fact.starts_with("source.device_call");
  return step.op == Op::kExport && (!EndingOf(fact).empty() || fact == "export.name" ||
                                    fact == "export.has_destructor" || IsField(fact, input.recipe.request()));
}

}  // namespace

bool IsPlain(const ReproducerInput& input) {
  if (input.every_fact || LifeOf(input).steps.empty() || !IsUsual(LifeOf(input).steps)) return false;
  const bool offers = python::Offers(input.recipe);
  return offers != python::Requests(input.recipe) && (offers ? IsPlainImport(input) : IsPlainExport(input));
}

}  // namespace dlpack_cts
