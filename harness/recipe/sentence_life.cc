// harness/recipe/sentence_life.cc: describes the steps of a life, if they differ from the default life.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "harness/recipe/generator.h"
#include "harness/recipe/names.h"
#include "harness/recipe/ops.h"
#include "harness/recipe/sentence.h"

namespace dlpack_cts {
namespace {

bool IsPlainLife(const Recipe& recipe) {
  Recipe plain;
  Copy(recipe, plain);
  SetPlainLife(plain);
  return Same(recipe, plain);
}

/// The meaning of the operation's argument.
std::string ArgumentWords(const Step& step) {
  if (const Named* const argument = ArgumentOf(step)) return std::string(argument->sentence);
  return HasTrait(step.op, OpTrait::kWrites) && step.argument != 0 ? fmt::format("element {}", step.argument) : "";
}

/// The other slot, unless it is the usual one.
std::string OtherWords(const Step& step) {
  const int other = OtherSlot(step);
  if (HasTrait(step.op, OpTrait::kOtherIsAddress) && other >= 0) {
    return fmt::format("at the struct address of slot {}", other);
  }
  return other > 0 && !HasTrait(step.op, OpTrait::kFillsOther) ? fmt::format("from slot {}", other) : "";
}

std::string StepWords(const Step& step) {
  std::string details;
  const auto add = [&](std::string_view words) {
    if (!words.empty()) details += (details.empty() ? " (" : ", ") + std::string(words);
  };
  add(ArgumentWords(step));
  if (step.block > 0 && UsesOffer(step.op)) add(fmt::format("offer {}", step.block + 1));
  if (step.block > 0 && UsesRequest(step.op)) add(fmt::format("request {}", step.block + 1));
  if (step.call > 0) add(fmt::format("call {}", step.call + 1));
  if (step.slot > 0) add(fmt::format("slot {}", step.slot));
  add(OtherWords(step));
  add(kActors[step.actor].sentence);
  if (step.lane > 0) add(fmt::format("thread {}", step.lane));
  if (step.barrier != 0) add("after all earlier steps");
  if (step.stream != 0) add(fmt::format("with CUDA stream {} of the harness", step.stream));
  add(kContexts[step.context].sentence);
  return std::string(RowOf(step.op).word) + details + (details.empty() ? "" : ")");
}

}  // namespace

std::string LifeWords(const Recipe& recipe) {
  Recipe shown;
  Copy(recipe, shown);
  const std::span<Step> life{shown.steps, shown.used.steps};
  // Text that is the same for every step is written once.
  std::string text;
  const uint8_t lane = life.empty() ? uint8_t{0} : life.front().lane;
  if (lane != 0 && std::all_of(life.begin(), life.end(), [&](const Step& step) { return step.lane == lane; })) {
    text = fmt::format("all on thread {}", lane);
    for (Step& step : life) step.lane = step.barrier = 0;
  } else if (!life.empty() &&
             std::all_of(life.begin(), life.end(), [](const Step& step) { return step.barrier != 0; })) {
    text = "one after another";
    for (Step& step : life) step.barrier = 0;
  }
  // If only the kept view is not the default, the steps are left out.
  const auto make = std::find_if(life.begin(), life.end(), [](const Step& step) { return step.op == Op::kMake; });
  const int32_t views = make == life.end() ? 0 : std::exchange(make->argument, 0);
  const bool plain = IsPlainLife(shown);
  if (make != life.end()) make->argument = views;
  if (plain && views != 0) text += (text.empty() ? "" : ": ") + ArgumentWords(*make);
  if (!plain) {
    std::string_view comma = text.empty() ? "" : ": ";
    for (size_t i = 0; i < life.size(); comma = ", ") {
      const std::string words = StepWords(life[i]);
      size_t times = 1;
      while (i + times < life.size() && StepWords(life[i + times]) == words) ++times;
      text += comma;
      text += times == 1 ? words : fmt::format("{} times {}", times, words);
      i += times;
    }
  }
  if (recipe.rounds > 1) text += fmt::format("{}everything {} times", text.empty() ? "" : "; ", recipe.rounds);
  return text;
}

}  // namespace dlpack_cts
