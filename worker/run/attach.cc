// worker/run/attach.cc: writes the events of an exchange as text.
#include "worker/run/attach.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/ledger/fact_table.h"
#include "harness/ledger/facts.h"
#include "harness/ledger/in_words.h"
#include "harness/recipe/codec.h"
#include "harness/recipe/ops.h"
#include "harness/recipe/sentence.h"

namespace dlpack_cts::worker {
namespace {

std::string DeleterText(const Ledger& ledger, const Event& event) {
  if (event.a < 0 || event.a >= kDeleterCalls) return fmt::format("another deleter call of slot {}", event.slot);
  const DeleterCall& call = ledger.deleter_calls[event.a];
  if (call.wrong != 0) return "deleter call with a pointer that is not an offered struct";
  const auto of_slot = [&](const DeleterCall& other) { return other.wrong == 0 && other.slot == call.slot; };
  return fmt::format("deleter call {} of slot {}{}{}{}",
                     std::count_if(ledger.deleter_calls, ledger.deleter_calls + event.a + 1, of_slot), call.slot,
                     call.from_destructor != 0 ? ", by the capsule's destructor" : "",
                     call.thread == ThreadKind::kMaker ? "" : ", on another thread",
                     call.gil == Answer::kNo ? ", without the GIL" : "");
}

std::string EventText(const Event& event, const Recipe& recipe, const Ledger& ledger) {
  switch (event.seen) {
    case Seen::kStep:
      return fmt::format("step {} on slot {}", ToText(static_cast<Op>(event.a)), event.slot);
    case Seen::kDeleterCalled:
      return DeleterText(ledger, event);
    case Seen::kRead:
      return fmt::format("elements: {}", ToText(static_cast<Reading>(event.a)));
    case Seen::kFault:
      return "fault: " + Fact(ledger, fmt::format("fault{}", event.a));
    case Seen::kNameChanged:
      return fmt::format("capsule renamed from {} to {}", ToText(static_cast<NameSeen>(event.a)),
                         ToText(static_cast<NameSeen>(event.b)));
    case Seen::kRefused: {
      const bool import = recipe.kind == RecipeKind::kImport;
      const Refusal& refusal = import ? ledger.imports[event.slot].import : ledger.exports[event.slot].export_call;
      return fmt::format("refused: {}: {}", refusal.type.view(), refusal.message.view());
    }
    default:
      return std::string(ToText(event.seen));
  }
}

}  // namespace

Words WordsOf(std::string_view fact, const Recipe& recipe, const Ledger& ledger, const std::string& wanted,
              const std::string& got) {
  const FactInWords in_words = WordsOfFact(fact, recipe, ledger, wanted, got);
  return {SentenceOf(recipe), in_words.meaning, in_words.wanted, in_words.got};
}

void Attach(const Recipe& recipe, const Ledger& ledger, Observation& observation) {
  observation.words = WordsOf(observation.fact, recipe, ledger, observation.wanted, observation.got);
  observation.recipe = nlohmann::json::parse(ToJson(recipe));
  observation.ledger = nlohmann::json::array();
  const int kept = std::min(ledger.event_count, kEvents);
  for (int i = 0; i < kept; ++i) {
    const Event& event = ledger.events[i];
    const bool in_life = event.step >= 0 && event.step < recipe.used.steps;
    observation.ledger.push_back({{"step", event.step},
                                  {"op", in_life ? ToText(recipe.steps[event.step].op) : std::string_view("end")},
                                  {"seen", ToText(event.seen)},
                                  {"slot", event.slot},
                                  {"text", EventText(event, recipe, ledger)}});
  }
}

}  // namespace dlpack_cts::worker
