// runner/cli/explain/cause_id.cc: reads the ids of causes, and finds the nearest one.
#include "runner/cli/explain/cause_id.h"

#include <algorithm>

#include "base/text.h"
#include "results/cause.h"
#include "runner/base/glob.h"
#include "runner/cli/explain/topics.h"

namespace dlpack_cts::runner {
namespace {

/// The worker is asked once.
const std::vector<KnownTrigger>& KnownTriggers() {
  static const std::vector<KnownTrigger> known = [] {
    std::vector<KnownTrigger> triggers;
    for (const nlohmann::json& row : WorkerList("coordinates"))
      triggers.push_back({row.at("peculiarity"), row.at("words")});
    return triggers;
  }();
  return known;
}

std::vector<std::string> FamilyIds() {
  std::vector<std::string> ids;
  for (size_t i = 0; i < kEnumerators<Family>; ++i) ids.push_back(FamilyId(static_cast<Family>(i)));
  return ids;
}

/// The word that is the same but for the case of letters, or NULL.
template <typename List>
auto SameIn(const List& list, const std::string& text) {
  return std::find_if(list.begin(), list.end(), [&](const auto& one) {
    if constexpr (requires { one.id; }) {
      return IsSame(one.id, text);
    } else {
      return IsSame(one, text);
    }
  });
}

/// Only the causes of these families end with a fact, because these facts do not follow from each other.
bool EndsWithFact(Family family) {
  return family == Family::kAsks || family == Family::kOutcome || family == Family::kException ||
         family == Family::kTable || family == Family::kDeviceAnswer;
}

/// The fact or the rule, if the text can be one.
std::optional<std::string> FactOf(const Catalogue& catalogue, const std::string& text) {
  for (const auto& [id, unused] : catalogue.rules) {
    if (IsSame(id, text)) return id;
  }
  const bool ends = text.starts_with("death-") || text.starts_with("thrown-") || text.starts_with("hang-");
  const bool is_fact = text.find('.') != std::string::npos || ends || text == "stumbled";
  return is_fact ? std::optional(text) : std::nullopt;
}

std::optional<std::vector<KnownTrigger>> TriggersIn(const std::string& text) {
  const std::vector<KnownTrigger>& known = KnownTriggers();
  std::vector<KnownTrigger> triggers;
  for (const std::string_view part : Split(text, "+")) {
    const auto found = SameIn(known, std::string(part));
    if (found == known.end()) return std::nullopt;
    triggers.push_back(*found);
  }
  return triggers;
}

/// The nearest of the words, or the text itself if none is near.
std::string NearestTo(const std::string& text, const std::vector<std::string>& words) {
  const std::string near = Nearest(text, words);  // "did you mean a, b?"
  constexpr std::string_view kBefore = "did you mean ";
  return near.empty() ? text : near.substr(kBefore.size(), near.find_first_of(",?") - kBefore.size());
}

}  // namespace

std::string CauseParts::Text() const {
  std::string text = kind ? std::string(ToText(kind->side)) + "/" + FamilyId(kind->family) : "";
  for (size_t i = 0; i < triggers.size(); ++i) text += (i > 0 ? "+" : text.empty() ? "" : "/") + triggers[i].id;
  return text + (fact.empty() ? "" : "/" + fact);
}

std::optional<CauseParts> ParseCause(const Catalogue& catalogue, const std::string& text) {
  CauseParts id;
  if (IsSame(text, kEarlierExchanges)) {
    id.triggers = TriggersIn(text).value_or(std::vector<KnownTrigger>());
    return id;
  }
  std::vector<std::string> parts;
  for (const std::string_view part : Split(text, "/")) parts.emplace_back(part);
  if (parts.size() < 2 || parts.size() > 4) return std::nullopt;
  const std::vector<std::string> families = FamilyIds();
  const auto family = SameIn(families, parts[1]);
  if (family == families.end()) return std::nullopt;
  CauseParts::Kind kind = {Side::kImport, static_cast<Family>(family - families.begin())};
  if (IsSame(parts[0], std::string(ToText(Side::kExport)))) {
    kind.side = Side::kExport;
  } else if (!IsSame(parts[0], std::string(ToText(Side::kImport)))) {
    return std::nullopt;
  }
  id.kind = kind;
  size_t read = 2;
  if (parts.size() > read) {
    const auto triggers = TriggersIn(parts[read]);
    if (triggers) id.triggers = *triggers;
    if (triggers) ++read;
  }
  if (parts.size() > read) {
    const auto fact = EndsWithFact(kind.family) ? FactOf(catalogue, parts[read]) : std::nullopt;
    if (!fact) return std::nullopt;
    id.fact = *fact;
    ++read;
  }
  return parts.size() == read ? std::optional(id) : std::nullopt;
}

std::string CauseIdNear(const std::string& text) {
  std::vector<std::string> parts;
  for (const std::string_view part : Split(text, "/")) parts.emplace_back(part);
  if (parts.size() < 2 || parts.size() > 4) return "";
  const std::vector<std::string> sides = {std::string(ToText(Side::kImport)), std::string(ToText(Side::kExport))};
  const std::vector<std::string> families = FamilyIds();
  parts[0] = NearestTo(parts[0], sides);
  parts[1] = NearestTo(parts[1], families);
  if (SameIn(sides, parts[0]) == sides.end() || SameIn(families, parts[1]) == families.end()) return "";
  if (parts.size() > 2) {
    std::vector<std::string> ids;
    for (const KnownTrigger& known : KnownTriggers()) ids.push_back(known.id);
    std::vector<std::string> triggers;
    for (const std::string_view part : Split(parts[2], "+")) {
      triggers.push_back(NearestTo(std::string(part), ids));
      if (SameIn(ids, triggers.back()) == ids.end()) return "";
    }
    parts[2] = Joined(triggers, "+");
  }
  return Joined(parts, "/");
}

}  // namespace dlpack_cts::runner
