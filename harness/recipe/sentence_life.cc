// harness/recipe/sentence_life.cc: the steps of a life in words, where they are not those of the plain one.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "harness/recipe/fields.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/often.h"
#include "harness/recipe/sentence.h"

namespace dlpack_cts {
namespace {

bool IsPlainLife(const Recipe& recipe) {
  Recipe plain;
  Copy(recipe, plain);
  SetPlainLife(plain);
  return Same(recipe, plain);
}

std::string_view NameOf(Op op) { return StepFields().front().words[static_cast<size_t>(op)]; }

/// What the operation's own number means there.
std::string ArgumentOf(const Step& step) {
  static constexpr std::array<std::string_view, 3> kChanges = {"reshape", "transpose", "resize"};
  static constexpr std::array<std::string_view, 5> kPrototypes = {"", "of a foreign type", "on a foreign device",
                                                                  "with a negative extent", "of 2^60 elements or more"};
  static constexpr std::array<std::string_view, 4> kBeside = {"", "beside imports", "beside changes in place",
                                                              "hundreds by one thread"};
  static constexpr std::array<std::string_view, 3> kSharing = {"", "of one capsule", "of one bare capsule"};
  static constexpr std::array<std::string_view, static_cast<size_t>(Often::kCount)> kOften = {
      "by the deleter", "by the end of the capsule", "by the table", "as views by the table", "by the allocator"};
  static constexpr std::array<std::string_view, 3> kKept = {"", "kept as a view", "kept as a view of a view"};
  const auto index = static_cast<size_t>(step.argument);
  switch (step.op) {
    case Op::kMake:
      return index < kKept.size() ? std::string(kKept[index]) : "";
    case Op::kWriteSource:
    case Op::kWriteArray:
    case Op::kWriteExport:
      return step.argument == 0 ? "" : fmt::format("element {}", step.argument);
    case Op::kChangeMetadata:
      return index < kChanges.size() ? std::string(kChanges[index]) : "";
    case Op::kTableAllocate:
      return index < kPrototypes.size() ? std::string(kPrototypes[index]) : "";
    case Op::kExportOften:
      return index < kOften.size() ? std::string(kOften[index]) : "";
    case Op::kExportTogether:
      return index < kBeside.size() ? std::string(kBeside[index]) : "";
    case Op::kImportTogether:
      return index < kSharing.size() ? std::string(kSharing[index]) : "";
    case Op::kTableStream:
      return step.argument == 0 ? "" : step.argument == 2 ? "of its own device" : "of a device that nobody has";
    default:
      return "";
  }
}

/// The other slot, where it is not the usual one.
std::string OtherOf(const Step& step) {
  const int other = OtherSlot(step);
  if (step.op == Op::kImport && other >= 0) return fmt::format("at the address of slot {}", other);
  if (step.op == Op::kReexport || other <= 0) return "";
  return fmt::format("from slot {}", other);
}

std::string_view ContextOf(Context context) {
  static constexpr std::array<std::string_view, 13> kWords = {"",
                                                              "on a thread that Python has never seen",
                                                              "with an exception pending",
                                                              "out of a garbage collection",
                                                              "at exit",
                                                              "in a forked child",
                                                              "at the end of another interpreter",
                                                              "after the interpreter was finalised",
                                                              "with another CUDA device current",
                                                              "while a CUDA stream is captured",
                                                              "while work is pending on a CUDA stream",
                                                              "while the CUDA stream that it names is held",
                                                              "when the CUDA stream of its export has ended"};
  const auto index = static_cast<size_t>(context);
  return index < kWords.size() ? kWords[index] : "?";
}

std::string StepWords(const Step& step) {
  std::string details;
  const auto add = [&](std::string_view words) {
    if (!words.empty()) details += (details.empty() ? " (" : ", ") + std::string(words);
  };
  add(ArgumentOf(step));
  if (step.block > 0 && UsesOffer(step.op)) add(fmt::format("offer {}", step.block + 1));
  if (step.block > 0 && UsesRequest(step.op)) add(fmt::format("request {}", step.block + 1));
  if (step.call > 0) add(fmt::format("call {}", step.call + 1));
  if (step.slot > 0) add(fmt::format("slot {}", step.slot));
  add(OtherOf(step));
  if (step.actor != Actor::kUsual) add(step.actor == Actor::kProducer ? "by the producer" : "by the consumer");
  if (step.lane > 0) add(fmt::format("thread {}", step.lane));
  if (step.barrier != 0) add("when all is done");
  if (step.stream != 0) add(fmt::format("with CUDA stream {} of the harness", step.stream));
  add(ContextOf(step.context));
  return std::string(NameOf(step.op)) + details + (details.empty() ? "" : ")");
}

}  // namespace

std::string LifeWords(const Recipe& recipe) {
  Recipe told;
  Copy(recipe, told);
  const std::span<Step> life{told.steps, told.used.steps};
  // What holds of every step is said once.
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
  // Where nothing else is peculiar, what is kept of the array that is made says enough.
  const auto make = std::find_if(life.begin(), life.end(), [](const Step& step) { return step.op == Op::kMake; });
  const int32_t views = make == life.end() ? 0 : std::exchange(make->argument, 0);
  const bool plain = IsPlainLife(told);
  if (make != life.end()) make->argument = views;
  if (plain && views != 0) text += (text.empty() ? "" : ": ") + ArgumentOf(*make);
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
  if (recipe.rounds > 1) text += fmt::format("{}the whole {} times", text.empty() ? "" : "; ", recipe.rounds);
  return text;
}

}  // namespace dlpack_cts
