// reports/limitations.cc: groups observed limitations that differ only in a value.
#include "reports/limitations.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "results/tally.h"

namespace dlpack_cts {
namespace {

constexpr size_t kShown = 8;  // most values of one line

/// The part of the id before the value. The sentence of a limitation with a value ends with it.
std::string PropertyOf(const Cause& cause) { return cause.id.substr(0, cause.id.find('=')); }

std::string ValueOf(const Cause& cause) {
  const size_t equals = cause.id.find('=');
  return equals == std::string::npos ? "" : cause.id.substr(equals + 1);
}

std::string HowOf(const Cause& cause) { return cause.got.substr(0, cause.got.find(':')); }

LimitationGroup GroupOf(const std::vector<const Cause*>& causes) {
  const Cause& first = *causes.front();
  LimitationGroup group{.as_expected = first.as_expected,
                        .expectation = first.expectation,
                        .text = first.message,
                        .control = first.wanted,
                        .got = first.got,
                        .id = first.id,
                        .count = static_cast<int64_t>(causes.size())};
  for (size_t i = 1; i < std::min(kShown, causes.size()); ++i) group.text += ", " + ValueOf(*causes[i]);
  if (causes.size() > kShown) group.text += fmt::format(", and {} more", causes.size() - kShown);
  if (causes.size() > 1) group.id = PropertyOf(first) + "=*";
  return group;
}

}  // namespace

std::vector<const Cause*> CausesToFix(const Run& run) {
  std::vector<const Cause*> causes;
  for (const Cause& cause : run.causes) {
    if (!IsObservedLimitation(cause)) causes.push_back(&cause);
  }
  std::ranges::stable_partition(causes, [&](const Cause* cause) { return !IsOnInvalidInput(run, *cause); });
  return causes;
}

std::vector<LimitationGroup> LimitationsOf(const Run& run) {
  std::vector<std::vector<const Cause*>> alike;
  const auto key = [](const Cause& cause) {
    return std::make_tuple(PropertyOf(cause), HowOf(cause), cause.as_expected, cause.expectation);
  };
  for (const Cause& cause : run.causes) {
    if (!IsObservedLimitation(cause)) continue;
    const auto group = std::find_if(alike.begin(), alike.end(),
                                    [&](const auto& causes) { return key(*causes.front()) == key(cause); });
    if (group == alike.end()) {
      alike.push_back({&cause});
    } else {
      group->push_back(&cause);
    }
  }
  std::vector<LimitationGroup> groups;
  groups.reserve(alike.size());
  for (const std::vector<const Cause*>& causes : alike) groups.push_back(GroupOf(causes));
  std::stable_partition(groups.begin(), groups.end(), [](const LimitationGroup& group) { return !group.as_expected; });
  return groups;
}

}  // namespace dlpack_cts
