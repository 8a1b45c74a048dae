// results/cause.cc: findings and causes as JSON objects, and their strict readers.
#include "results/cause.h"

#include "results/fields.h"

namespace dlpack_cts {

std::string CauseId(const Finding& finding) {
  std::string id = std::string(ToText(finding.side)) + "/";
  for (const char c : ToText(finding.family)) id += c == ' ' ? '-' : c;
  for (size_t i = 0; i < finding.peculiarities.size(); ++i) id += (i == 0 ? "/" : "+") + finding.peculiarities[i];
  return id;
}

nlohmann::json ToJson(const Finding& finding) {
  nlohmann::json json = {{"type", "finding"},
                         {"case", finding.case_id},
                         {"side", ToText(finding.side)},
                         {"family", ToText(finding.family)},
                         {"peculiarities", finding.peculiarities},
                         {"fact", finding.fact},
                         {"key", finding.key},
                         {"rule", finding.rule},
                         {"home", finding.home},
                         {"judged", finding.judged},
                         {"message", finding.message},
                         {"swept", finding.swept},
                         {"observed", ToText(finding.observed)},
                         {"degree", ToText(finding.degree)},
                         {"wanted", finding.wanted},
                         {"got", finding.got},
                         {"count", finding.count},
                         {"recipe", finding.recipe}};
  if (finding.words.Any()) json["words"] = ToJson(finding.words);
  if (!finding.earlier.empty()) json["earlier"] = finding.earlier;
  if (!finding.mutant.empty()) json["mutant"] = finding.mutant;
  return json;
}

nlohmann::json ToJson(const Cause& cause) {
  nlohmann::json json = {{"type", "cause"},
                         {"id", cause.id},
                         {"rule", cause.rule},
                         {"verdict", ToText(cause.verdict)},
                         {"as_expected", cause.as_expected},
                         {"expectation", cause.expectation},
                         {"case", cause.case_id},
                         {"fact", cause.fact},
                         {"key", cause.key},
                         {"message", cause.message},
                         {"wanted", cause.wanted},
                         {"got", cause.got},
                         {"count", cause.count},
                         {"cases", cause.cases},
                         {"recipe", cause.recipe},
                         {"replay", cause.replay}};
  if (cause.words.Any()) json["words"] = ToJson(cause.words);
  if (!cause.earlier.empty()) json["earlier"] = cause.earlier;
  if (!cause.accused.empty()) json["accused"] = cause.accused;
  return json;
}

bool FromJson(const nlohmann::json& json, Finding* finding, std::string* error) {
  Finding read;
  Fields fields(json);
  fields.Expect("type", "finding");
  fields.Read("case", &read.case_id);
  fields.ReadOptional("mutant", &read.mutant);
  fields.Read("side", &read.side);
  fields.Read("family", &read.family);
  fields.Read("peculiarities", &read.peculiarities);
  fields.Read("fact", &read.fact);
  fields.Read("key", &read.key);
  fields.Read("rule", &read.rule);
  fields.Read("home", &read.home);
  fields.Read("judged", &read.judged);
  fields.Read("message", &read.message);
  fields.Read("swept", &read.swept);
  fields.Read("observed", &read.observed,
              {Observed::kBreach, Observed::kUnsafe, Observed::kLeak, Observed::kCrash, Observed::kTimeout,
               Observed::kOwn, Observed::kUnjudged});
  fields.Read("degree", &read.degree);
  fields.Read("wanted", &read.wanted);
  fields.Read("got", &read.got);
  fields.ReadOptional("words", &read.words);
  fields.Read("count", &read.count);
  fields.ReadObject("recipe", &read.recipe);
  fields.ReadOptionalArray("earlier", &read.earlier);
  if (!fields.Finish(error)) return false;
  *finding = std::move(read);
  return true;
}

bool FromJson(const nlohmann::json& json, Cause* cause, std::string* error) {
  Cause read;
  Fields fields(json);
  fields.Expect("type", "cause");
  fields.Read("id", &read.id);
  fields.Read("rule", &read.rule);
  fields.Read("verdict", &read.verdict);
  fields.Read("as_expected", &read.as_expected);
  fields.Read("expectation", &read.expectation);
  fields.ReadOptional("accused", &read.accused);
  fields.Read("case", &read.case_id);
  fields.Read("fact", &read.fact);
  fields.ReadOptional("key", &read.key);
  fields.Read("message", &read.message);
  fields.Read("wanted", &read.wanted);
  fields.Read("got", &read.got);
  fields.ReadOptional("words", &read.words);
  fields.Read("count", &read.count);
  fields.Read("cases", &read.cases);
  fields.ReadObject("recipe", &read.recipe);
  fields.ReadOptionalArray("earlier", &read.earlier);
  fields.Read("replay", &read.replay);
  if (!fields.Finish(error)) return false;
  *cause = std::move(read);
  return true;
}

}  // namespace dlpack_cts
