// reports/site/features.cc: derives the answer for a feature from verdicts, limitations and profile of a run.
#include "reports/site/features.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/text.h"
#include "reports/outline.h"
#include "results/limit.h"
#include "results/tally.h"

namespace dlpack_cts {
namespace {

const Result* ResultOf(const Run& run, const std::string& case_id) {
  const auto found = std::ranges::find_if(run.results, [&](const Result& one) { return one.seen.case_id == case_id; });
  return found == run.results.end() ? nullptr : &*found;
}

std::optional<FeatureAnswer> FromDeviations(const Feature& feature, const Run& run) {
  const Result* worst = nullptr;
  for (const std::string& id : feature.cases) {
    const Result* const result = ResultOf(run, id);
    if (result == nullptr || !IsDeviation(result->verdict)) continue;
    if (worst == nullptr || Rank(result->verdict) < Rank(worst->verdict)) worst = result;
  }
  if (worst == nullptr) return std::nullopt;
  return FeatureAnswer{Support::kWrong, worst->verdict, Sentence(*worst), RulesNamed(*worst).front()};
}

bool Passes(const Run& run, const std::string& case_id) {
  const Result* const result = ResultOf(run, case_id);
  return result != nullptr && result->verdict == Verdict::kPass;
}

std::optional<FeatureAnswer> FromLimits(const Feature& feature, const Run& run) {
  std::vector<const Cause*> found;
  for (const Cause& cause : run.causes) {
    if (!cause.limitation) continue;
    const auto is = [&](const std::string& limit) { return cause.id == std::string(kLimitPrefix) + limit; };
    if (std::ranges::any_of(feature.limits, is)) found.push_back(&cause);
  }
  if (found.empty()) return std::nullopt;
  const bool copies = found.front()->got.starts_with("copied");
  // A value without a limitation may not have been tried. A case that passes shows that it was.
  const bool some = found.size() < feature.limits.size() &&
                    std::ranges::any_of(feature.cases, [&](const std::string& id) { return Passes(run, id); });
  return FeatureAnswer{copies || some ? Support::kPartly : Support::kNo, Verdict::kNote, found.front()->message, ""};
}

/// Whether the words match the pattern; a pattern that ends with * names their beginning.
bool Says(std::string_view words, std::string_view pattern) {
  if (!pattern.ends_with('*')) return words == pattern;
  return words.starts_with(pattern.substr(0, pattern.size() - 1));
}

/// "float8_*" names all types with that beginning.
bool Names(std::string_view list, const std::string& dtype) {
  return std::ranges::any_of(Split(list, ", "), [&](std::string_view name) { return Says(dtype, name); });
}

/// Reads "all 31 types", "all types except bfloat16, float8_*", "int8, int32" and "...; sub-byte: int4". Words of
/// another form, such as "20 of 31 types", show nothing.
std::optional<bool> HasDtype(std::string_view words, const std::string& dtype) {
  constexpr std::string_view kExcept = "all types except ";
  constexpr std::string_view kSmall = "; sub-byte: ";
  const size_t small = words.find(kSmall);
  if (small != std::string_view::npos && Names(words.substr(small + kSmall.size()), dtype)) return true;
  const std::string_view whole = words.substr(0, small);
  if (whole.starts_with(kExcept)) return !Names(whole.substr(kExcept.size()), dtype);
  if (whole.starts_with("all ")) return true;
  if (whole.ends_with(" types")) return std::nullopt;
  return Names(whole, dtype);
}

std::optional<FeatureAnswer> FromProfile(const Feature& feature, const Run& run) {
  const size_t slash = feature.profile.find('/');
  if (slash == std::string::npos) return std::nullopt;
  const std::string part = feature.profile.substr(0, slash);
  const std::string id = feature.profile.substr(slash + 1);
  for (const ProfileLine& line : run.header.profile) {
    if (line.part != part || line.id != id) continue;
    const auto says = [&](const std::string& pattern) { return Says(line.words, pattern); };
    std::optional<bool> has;
    if (!feature.dtype.empty()) has = HasDtype(line.words, feature.dtype);
    if (std::ranges::any_of(feature.yes, says)) has = true;
    if (std::ranges::any_of(feature.no, says)) has = false;
    if (!has) return std::nullopt;
    const std::string verb = part == "takes" ? "imports " : part == "makes" ? "exports " : "";
    return FeatureAnswer{*has ? Support::kYes : Support::kNo, Verdict::kSkip, verb + line.words, ""};
  }
  return std::nullopt;
}

FeatureAnswer FromCases(const Feature& feature, const Run& run) {
  FeatureAnswer unknown;
  for (const std::string& id : feature.cases) {
    const Result* const result = ResultOf(run, id);
    if (result == nullptr) continue;
    if (result->verdict == Verdict::kPass) return {Support::kYes, Verdict::kPass, "PASS: " + id, ""};
    if (result->verdict == Verdict::kNote) return {Support::kPartly, Verdict::kNote, Sentence(*result), ""};
    if (unknown.text.empty()) unknown.text = Sentence(*result);
  }
  if (unknown.text.empty()) unknown.text = "no result shows it";
  return unknown;
}

}  // namespace

FeatureAnswer AnswerOf(const Feature& feature, const Run& run) {
  if (const std::optional<FeatureAnswer> answer = FromDeviations(feature, run)) return *answer;
  if (const std::optional<FeatureAnswer> answer = FromLimits(feature, run)) return *answer;
  if (const std::optional<FeatureAnswer> answer = FromProfile(feature, run)) return *answer;
  return FromCases(feature, run);
}

}  // namespace dlpack_cts
