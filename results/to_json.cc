// results/to_json.cc: observations, results, header and footer as JSON objects.
#include "results/result.h"

namespace dlpack_cts {
namespace {

nlohmann::json TextOrNull(const std::string& text) { return text.empty() ? nlohmann::json() : nlohmann::json(text); }

/// The fields that observations and results have in common.
nlohmann::json ToJson(const char* type, const Observation& observation) {
  nlohmann::json json = {{"type", type},
                         {"case", observation.case_id},
                         {"observed", ToText(observation.observed)},
                         {"degree", observation.degree ? ToText(*observation.degree) : ""},
                         {"rule", observation.rule},
                         {"message", observation.message},
                         {"fact", observation.fact},
                         {"wanted", observation.wanted},
                         {"got", observation.got},
                         {"ledger", observation.ledger},
                         {"recipe", observation.recipe},
                         {"seed", observation.seed},
                         {"examples", observation.examples},
                         {"held", observation.held},
                         {"refused", observation.refused},
                         {"nothing", observation.nothing},
                         {"seconds", observation.seconds}};
  if (observation.words.Any()) json["words"] = ToJson(observation.words);
  if (!observation.deviations.empty()) json["deviations"] = observation.deviations;
  if (!observation.readings.empty()) json["readings"] = observation.readings;
  if (!observation.needed.empty()) json["needed"] = observation.needed;
  if (!observation.ended.empty()) json["ended"] = observation.ended;
  if (!observation.mutant.empty()) json["mutant"] = observation.mutant;
  return json;
}

}  // namespace

nlohmann::json ToJson(const Observation& observation) { return ToJson("observation", observation); }

nlohmann::json ToJson(const Result& result) {
  nlohmann::json json = ToJson("result", result.seen);
  json.update({{"library", result.library},
               {"library_version", result.library_version},
               {"suite", result.suite},
               {"rules", result.rules},
               {"breached", result.breached},
               {"role", ToText(result.role)},
               {"level", ToText(result.level)},
               {"hostile", result.hostile},
               {"verdict", ToText(result.verdict)},
               {"as_expected", result.as_expected},
               {"expectation", result.expectation},
               {"reproducer", TextOrNull(result.reproducer)},
               {"replay", result.replay}});
  if (!result.cause.empty()) json["cause"] = result.cause;
  if (!result.producer.empty()) json["producer"] = result.producer;
  if (!result.consumer.empty()) json["consumer"] = result.consumer;
  return json;
}

nlohmann::json ToJson(const Header& header) {
  nlohmann::json json = {{"type", "header"},
                         {"schema", kResultsSchema},
                         {"program_version", header.program_version},
                         {"library", header.library},
                         {"library_version", header.library_version},
                         {"interpreter", header.interpreter},
                         {"machine", header.machine},
                         {"environment", header.environment},
                         {"variables", header.variables},
                         {"seed", header.seed},
                         {"examples", header.examples},
                         {"started", header.started},
                         {"command", header.command}};
  if (!header.examples_from.empty()) json["examples_from"] = header.examples_from;
  if (!header.profile.empty()) json["profile"] = ToJson(header.profile);
  return json;
}

nlohmann::json ToJson(const Footer& footer) {
  nlohmann::json json = {{"type", "footer"},
                         {"counts", footer.counts},
                         {"unexpected", footer.unexpected},
                         {"interrupted", footer.interrupted},
                         {"seconds", footer.seconds}};
  if (!footer.stale.empty()) json["stale"] = footer.stale;
  return json;
}

}  // namespace dlpack_cts
