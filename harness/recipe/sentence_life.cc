// harness/recipe/sentence_life.cc: the steps of a life in words, if they differ from the default life.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "harness/recipe/enum_words.h"
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

/// The words of a step's argument that is an enumerator. A larger number begins again at the first one, as in the
/// engine.
template <typename Table>
std::string WordOf(const Table& words, int32_t argument) {
  const auto all = words.all();
  return std::string(all[static_cast<size_t>(argument) % all.size()]);
}

/// What the operation's own argument means.
std::string ArgumentOf(const Step& step) {
  static constexpr std::array<std::string_view, 3> kChanges = {"reshape", "transpose", "resize"};
  static constexpr SentenceWords<Prototype> kPrototypes = {"", "with an undefined dtype code",
                                                           "with an undefined device type", "with an extent of -1",
                                                           "of 2^60 elements or more"};
  static constexpr SentenceWords<Beside> kBeside = {"", "while a thread imports the array",
                                                    "while a thread changes the array in place",
                                                    "hundreds at once by one thread"};
  static constexpr SentenceWords<Sharing> kSharing = {"", "from one producer that returns one capsule",
                                                      "from one bare capsule"};
  static constexpr EnumWords<Often> kOften = {
      "each deleted", "each capsule destroyed unused", "each by managed_tensor_from_py_object_no_sync",
      "each by dltensor_from_py_object_no_sync", "each by managed_tensor_allocator"};
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
      return WordOf(kPrototypes, step.argument);
    case Op::kExportOften:
      return WordOf(kOften, step.argument);
    case Op::kExportTogether:
      return WordOf(kBeside, step.argument);
    case Op::kImportTogether:
      return WordOf(kSharing, step.argument);
    case Op::kTableStream:
      return step.argument == 0 ? "" : step.argument == 2 ? "of the array's device" : "of an undefined device";
    default:
      return "";
  }
}

/// The other slot, if it is not the usual one.
std::string OtherOf(const Step& step) {
  const int other = OtherSlot(step);
  if (step.op == Op::kImport && other >= 0) return fmt::format("at the struct address of slot {}", other);
  if (step.op == Op::kReexport || other <= 0) return "";
  return fmt::format("from slot {}", other);
}

constexpr SentenceWords<Actor> kActors = {"", "by the producer", "by the consumer"};
constexpr SentenceWords<Context> kContexts = {"",
                                              "on a thread unknown to Python",
                                              "with an exception pending",
                                              "during garbage collection",
                                              "in an exit handler",
                                              "in a forked child",
                                              "while a subinterpreter ends",
                                              "after the interpreter was finalised",
                                              "with another CUDA device current",
                                              "during the capture of a CUDA stream",
                                              "while work is pending on a CUDA stream",
                                              "while its CUDA stream is blocked",
                                              "after the CUDA stream of its export was destroyed"};

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
  add(kActors[step.actor]);
  if (step.lane > 0) add(fmt::format("thread {}", step.lane));
  if (step.barrier != 0) add("after all earlier steps");
  if (step.stream != 0) add(fmt::format("with CUDA stream {} of the harness", step.stream));
  add(kContexts[step.context]);
  return std::string(NameOf(step.op)) + details + (details.empty() ? "" : ")");
}

}  // namespace

std::string LifeWords(const Recipe& recipe) {
  Recipe shown;
  Copy(recipe, shown);
  const std::span<Step> life{shown.steps, shown.used.steps};
  // What is the same for every step is written once.
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
  if (recipe.rounds > 1) text += fmt::format("{}everything {} times", text.empty() ? "" : "; ", recipe.rounds);
  return text;
}

}  // namespace dlpack_cts
