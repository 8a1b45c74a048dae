// reports/site/site_json.cc: libraries, rules, features and choices as one JSON object.
#include "reports/site/site_json.h"

#include <nlohmann/json.hpp>

#include "reports/evidence.h"
#include "reports/limitations.h"
#include "reports/site/history.h"
#include "reports/sources.h"
#include "results/text.h"
#include "results/uncounted.h"

namespace dlpack_cts {
namespace {

using Json = nlohmann::ordered_json;

Json CausesOf(const Run& run) {
  Json causes = Json::array();
  for (const Cause* const cause : CausesToFix(run)) {
    causes.push_back({{"id", cause->id},
                      {"rule", cause->rule},
                      {"verdict", ToText(cause->verdict)},
                      {"known", !cause->expectation.empty() && !IsUncounted(cause->expectation)},
                      {"sentence", Headline(run, *cause)}});
  }
  return causes;
}

/// What is in the file of the history, and where each feature begins.
Json HistoryJson(const Site& site, const LibraryView& library) {
  Json releases = Json::array();
  Json features = Json::object();
  if (library.history == nullptr) return {{"releases", releases}, {"features", features}};
  for (const LibraryRelease& release : library.history->releases) {
    releases.push_back({{"version", release.version}});
    Json& one = releases.back();
    if (!release.IsJudged()) {
      one["not_judged"] = release.reason;
      continue;
    }
    one["word"] = release.word;
    one["interpreter"] = release.interpreter;
    one["counts"] = release.counts;
    one["rules_judged"] = release.rules_judged;
    one["rules_violated"] = release.rules_violated;
    one["causes"] = Json::array();
    for (const LibraryRelease::Found& cause : release.causes) {
      one["causes"].push_back(
          {{"id", cause.id}, {"rule", cause.rule}, {"verdict", ToText(cause.verdict)}, {"known", cause.known}});
    }
  }
  for (const Feature& feature : site.features) {
    const FeatureSpan span = SpanOf(*library.history, library.run->header.library_version, feature.id);
    if (!span.since.empty()) features[feature.id] = {{"since", span.since}, {"or_earlier", span.or_earlier}};
    if (!span.lost.empty()) features[feature.id] = {{"lost", span.lost}};
  }
  return {{"releases", releases}, {"features", features}};
}

Json LibraryJson(const Site& site, const LibraryView& library) {
  const Header& header = library.run->header;
  Json rules = Json::object();
  for (const auto& [id, rule] : library.rules) {
    rules[id] = {{"verdict", ToText(rule.verdict)}, {"invalid_input", rule.hostile_only}};
  }
  Json features = Json::object();
  for (const Feature& feature : site.features) {
    const FeatureAnswer& answer = library.answers.at(feature.id);
    features[feature.id] = {{"answer", ToText(answer.support)}, {"why", answer.text}};
    if (answer.support == Support::kWrong) features[feature.id]["verdict"] = ToText(answer.verdict);
  }
  Json choices = Json::object();
  for (const ObservedChoices& choice : library.run->readings) {
    choices[choice.id] = Json::array();
    for (const auto& shown : choice.shown) choices[choice.id].push_back(shown.words);
  }
  return {{"library", header.library},
          {"version", header.library_version},
          {"page", std::string(kLibraryFolder) + "/" + library.key + ".html"},
          {"word", library.word},
          {"verdict", library.conclusion.verdict},
          {"details", library.conclusion.details},
          {"command", header.command},
          {"interpreter", header.interpreter},
          {"started", header.started},
          {"seed", header.seed},
          {"rules_judged", library.judged},
          {"rules_violated", library.violated},
          {"rules", rules},
          {"causes", CausesOf(*library.run)},
          {"features", features},
          {"choices", choices},
          {"history", HistoryJson(site, library)}};
}

Json PairJson(const PairCell& cell) {
  Json causes = Json::array();
  for (const PairCause& cause : cell.causes) {
    causes.push_back({{"id", cause.id},
                      {"rule", cause.rule},
                      {"verdict", ToText(cause.verdict)},
                      {"accused", cause.accused},
                      {"known", !cause.known.empty()},
                      {"sentence", cause.sentence}});
  }
  return {{"producer", cell.producer},
          {"consumer", cell.consumer},
          {"producer_version", cell.producer_version},
          {"consumer_version", cell.consumer_version},
          {"state", ToText(cell.state)},
          {"memory", cell.memory},
          {"structs", cell.structs},
          {"why", cell.why},
          {"causes", causes},
          {"limits", cell.limits}};
}

}  // namespace

std::string SiteJson(const Site& site) {
  Json rules = Json::array();
  for (const RuleText& rule : site.context.rules) {
    rules.push_back({{"id", rule.id},
                     {"actor", rule.actor},
                     {"requirement", rule.requirement},
                     {"strength", rule.strength},
                     {"breach", rule.breach},
                     {"source", SourcesText(rule)}});
  }
  Json features = Json::array();
  for (const Feature& feature : site.features) {
    features.push_back(
        {{"id", feature.id}, {"group", feature.group}, {"title", feature.title}, {"what", feature.what}});
  }
  Json libraries = Json::array();
  for (const LibraryView& library : site.libraries) libraries.push_back(LibraryJson(site, library));
  Json pairs = Json::array();
  for (const PairCell& cell : site.pairs.cells) pairs.push_back(PairJson(cell));
  const Json all = {
      {"schema", 1}, {"libraries", libraries}, {"rules", rules}, {"features", features}, {"pairs", pairs}};
  return all.dump(1, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace dlpack_cts
