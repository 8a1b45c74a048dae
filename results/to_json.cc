// results/to_json.cc: observations, results, header and footer as JSON objects.
#include "results/result.h"

namespace dlpack_cts {
namespace {

nlohmann::json TextOrNull(const std::string& text) { return text.empty() ? nlohmann::json() : nlohmann::json(text); }

}  // namespace

nlohmann::json ToJson(const Observation& observation) {
  return {{"type", "observation"},
          {"case", observation.case_id},
          {"observed", observation.observed},
          {"degree", observation.degree},
          {"rule", observation.rule},
          {"message", observation.message},
          {"fact", observation.fact},
          {"wanted", observation.wanted},
          {"got", observation.got},
          {"ledger", observation.ledger},
          {"recipe", observation.recipe},
          {"seed", observation.seed},
          {"examples", observation.examples},
          {"refused", observation.refused},
          {"seconds", observation.seconds},
          {"mutant", observation.mutant}};
}

nlohmann::json ToJson(const Result& result) {
  nlohmann::json json = {{"type", "result"},
                         {"library", result.library},
                         {"library_version", result.library_version},
                         {"suite", result.suite},
                         {"case", result.case_id},
                         {"rules", result.rules},
                         {"breached", result.breached},
                         {"role", result.role},
                         {"level", result.level},
                         {"hostile", result.hostile},
                         {"verdict", ToText(result.verdict)},
                         {"as_expected", result.as_expected},
                         {"expectation", result.expectation},
                         {"message", result.message},
                         {"fact", result.fact},
                         {"wanted", result.wanted},
                         {"got", result.got},
                         {"ledger", result.ledger},
                         {"recipe", result.recipe},
                         {"seed", result.seed},
                         {"examples", result.examples},
                         {"refused", result.refused},
                         {"seconds", result.seconds},
                         {"reproducer", TextOrNull(result.reproducer)},
                         {"replay", result.replay}};
  if (!result.producer.empty()) json["producer"] = result.producer;
  if (!result.consumer.empty()) json["consumer"] = result.consumer;
  return json;
}

nlohmann::json ToJson(const Header& header) {
  return {{"type", "header"},
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
}

nlohmann::json ToJson(const Footer& footer) {
  return {{"type", "footer"},
          {"counts", footer.counts},
          {"unexpected", footer.unexpected},
          {"interrupted", footer.interrupted},
          {"seconds", footer.seconds}};
}

}  // namespace dlpack_cts
