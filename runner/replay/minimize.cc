// runner/replay/minimize.cc: minimises one finding; the worker that runs it does the search.
#include "runner/replay/minimize.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "base/failure.h"
#include "reports/text.h"
#include "results/parse.h"
#include "results/tally.h"
#include "results/whole_file.h"
#include "runner/base/print.h"
#include "runner/replay/replayer.h"
#include "runner/run/finding_files.h"

namespace dlpack_cts::runner {
namespace {

constexpr size_t kLongestValue = 80;

std::string ValueText(const nlohmann::json& value) { return OneLine(value.dump(), kLongestValue); }

std::string StepsText(const nlohmann::json& recipe) {
  std::string steps;
  for (const nlohmann::json& step : recipe.value("life", nlohmann::json::array())) {
    steps += (steps.empty() ? "" : ", ") + OneLine(step.value("op", "?"));
  }
  return steps;
}

bool IsListOfObjects(const nlohmann::json& value) {
  return value.is_array() && !value.empty() &&
         std::ranges::all_of(value, [](const auto& one) { return one.is_object(); });
}

void AddChange(const std::string& name, const nlohmann::json* before, const nlohmann::json* after,
               std::vector<std::string>& lines) {
  if (before != nullptr && after != nullptr && *before == *after) return;
  if (after == nullptr) {
    lines.push_back("removed " + name + " = " + ValueText(*before));
  } else if (before == nullptr) {
    lines.push_back("added " + name + " = " + ValueText(*after));
  } else if (before->is_object() && after->is_object()) {
    nlohmann::json names = *before;
    names.update(*after);
    for (const auto& [key, unused] : names.items()) {
      AddChange(name.empty() ? key : name + "." + key, before->contains(key) ? &before->at(key) : nullptr,
                after->contains(key) ? &after->at(key) : nullptr, lines);
    }
  } else if (IsListOfObjects(*before) && IsListOfObjects(*after)) {
    for (size_t i = 0; i < std::max(before->size(), after->size()); ++i) {
      AddChange(fmt::format("{}[{}]", name, i), i < before->size() ? &(*before)[i] : nullptr,
                i < after->size() ? &(*after)[i] : nullptr, lines);
    }
  } else {
    lines.push_back("changed " + name + " from " + ValueText(*before) + " to " + ValueText(*after));
  }
}

/// FOLDER/NAME.min.json for FOLDER/NAME.json.
std::string SmallerPath(const std::string& path) {
  return std::filesystem::path(path).replace_extension(".min.json").string();
}

}  // namespace

std::vector<std::string> ChangesOf(const nlohmann::json& before, const nlohmann::json& after) {
  nlohmann::json old_fields = before;
  nlohmann::json new_fields = after;
  std::vector<std::string> lines;
  // A step that is gone moves all later ones, so the steps are compared as a whole.
  if (const std::string old_steps = StepsText(before), new_steps = StepsText(after); old_steps != new_steps) {
    lines.push_back("changed the steps from " + old_steps + " to " + new_steps);
    old_fields.erase("life");
    new_fields.erase("life");
  }
  AddChange("", &old_fields, &new_fields, lines);
  return lines;
}

int MinimizeFinding(const Catalogue& catalogue, const Options& options, const std::string& path) {
  const ReplayFile file = ReadReplayFile(path);
  Replayer library(catalogue, file, options);
  const ReplayedExchange replayed = library.Run(file);
  if (!Shows(replayed)) {
    const std::string mutant = file.mutant.empty() ? "" : " with the mutant " + file.mutant;
    Print(fmt::format("{}: {}{} shows no deviation, so there is nothing to minimise\n", path, library.Name(), mutant));
    return kUnexpected;
  }
  Print(fmt::format("{}: {}\n", path, TextOf(replayed)));
  ReplayFile smaller = file;
  if (replayed.cause) {
    smaller.recipe = replayed.cause->recipe;
    smaller.earlier = replayed.cause->earlier;
    smaller.case_id = replayed.case_id;
  }
  std::vector<std::string> changes = ChangesOf(file.recipe, smaller.recipe);
  if (smaller.earlier != file.earlier) {
    changes.push_back(fmt::format("changed the number of earlier exchanges from {} to {}", file.earlier.size(),
                                  smaller.earlier.size()));
  }
  if (changes.empty()) {
    Print("it is minimal already\n");
    return kAsExpected;
  }
  const ReplayedExchange again = library.Run(smaller);
  if (!Shows(again)) {
    Print("a smaller exchange was found, but it does not show the deviation alone, so the file stays as it is\n");
    return kAsExpected;
  }
  const Result& shown = again.result;
  smaller.library_version = again.version;
  smaller.rule = RulesNamed(shown).front();
  smaller.verdict = shown.verdict;
  smaller.message = shown.seen.message;
  smaller.fact = shown.seen.fact;
  if (!shown.cause.empty()) smaller.cause = shown.cause;
  nlohmann::json json = ParseJson(ReadWholeFile(path, kLargestFinding));
  json.erase("earlier");
  json.update(ToJson(smaller));
  json.update({{"wanted", shown.seen.wanted}, {"got", shown.seen.got}});
  const std::string target = SmallerPath(path);
  if (const int reason = WriteFinding(target, json); reason != 0) {
    throw Failure(target + " cannot be written: " + std::strerror(reason), "copy the file to another folder first");
  }
  for (const std::string& change : changes) Print("  " + change + "\n");
  Print("written: " + target + "\n");
  return kAsExpected;
}

}  // namespace dlpack_cts::runner
