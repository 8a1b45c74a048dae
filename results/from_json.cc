// results/from_json.cc: strict readers of observations, results, header and footer.
#include "results/fields.h"
#include "results/result.h"

namespace dlpack_cts {
namespace {

void CheckReadings(Fields& fields, const nlohmann::json& readings) {
  for (const nlohmann::json& one : readings) {
    for (const char* name : {"row", "reading", "count"}) {
      if (one.value(name, nlohmann::json()).is_number_unsigned()) continue;
      return fields.Wrong("readings", std::string("expected a number as \"") + name + "\" of each entry");
    }
  }
}

/// Later code can then rely on the types of these fields.
void CheckDeviations(Fields& fields, const nlohmann::json& deviations) {
  for (const nlohmann::json& deviation : deviations) {
    for (const char* name : {"fact", "message", "rule", "wanted", "got"}) {
      if (!deviation.value(name, nlohmann::json()).is_string()) {
        return fields.Wrong("deviations", std::string("expected a string as \"") + name + "\" of each entry");
      }
    }
    if (!deviation.value("count", nlohmann::json()).is_number_unsigned()) {
      return fields.Wrong("deviations", "expected a number as \"count\" of each entry");
    }
    if (!deviation.value("recipe", nlohmann::json()).is_object()) {
      return fields.Wrong("deviations", "expected an object as \"recipe\" of each entry");
    }
    Words words;
    std::string wrong;
    if (deviation.contains("words") && !FromJson(deviation["words"], &words, &wrong)) {
      return fields.Wrong("deviations", "\"words\" of an entry: " + wrong);
    }
  }
}

/// The fields that observations and results have in common.
void Read(Fields& fields, Observation& read) {
  fields.Read("case", &read.case_id);
  fields.Read("observed", &read.observed,
              {Observed::kHeld, Observed::kBreach, Observed::kLeak, Observed::kUnsafe, Observed::kCrash,
               Observed::kTimeout, Observed::kMemory, Observed::kSkip, Observed::kBlocked, Observed::kUnjudged});
  fields.ReadOrEmpty("degree", &read.degree);
  fields.Read("rule", &read.rule);
  fields.Read("message", &read.message);
  fields.Read("fact", &read.fact);
  fields.Read("wanted", &read.wanted);
  fields.Read("got", &read.got);
  fields.ReadOptional("words", &read.words);
  fields.ReadOptional("ended", &read.ended);
  fields.ReadArray("ledger", &read.ledger);
  fields.ReadOptionalArray("deviations", &read.deviations);
  CheckDeviations(fields, read.deviations);
  fields.ReadOptionalArray("readings", &read.readings);
  CheckReadings(fields, read.readings);
  fields.ReadObjectOrNull("recipe", &read.recipe);
  fields.ReadOptionalNumbers("needed", &read.needed);
  fields.Read("seed", &read.seed);
  fields.Read("examples", &read.examples);
  fields.Read("held", &read.held);
  fields.Read("refused", &read.refused);
  fields.Read("nothing", &read.nothing);
  fields.Read("seconds", &read.seconds);
  fields.ReadOptional("mutant", &read.mutant);
}

/// Checks the version before all other fields: a file of another version has other fields, and the user needs to know
/// what to do, not which field is missing.
std::string WrongSchema(const nlohmann::json& header) {
  if (!header.is_object() || header.value("type", nlohmann::json()) != "header") return "";
  const nlohmann::json schema = header.value("schema", nlohmann::json());
  const std::string ours = std::to_string(kResultsSchema);
  if (schema.is_null()) {
    return "was written by an older dlpack-cts: the header has no \"schema\", this program reads version " + ours +
           "; run the library again";
  }
  if (schema == kResultsSchema) return "";
  return "has version " + schema.dump() + " of the result lines, this program reads version " + ours +
         "; run the library again, or read the file with the dlpack-cts that wrote it";
}

}  // namespace

bool FromJson(const nlohmann::json& json, Observation* observation, std::string* error) {
  Observation read;
  Fields fields(json);
  fields.Expect("type", "observation");
  Read(fields, read);
  if (!fields.Finish(error)) return false;
  *observation = std::move(read);
  return true;
}

bool FromJson(const nlohmann::json& json, Result* result, std::string* error) {
  Result read;
  Fields fields(json);
  fields.Expect("type", "result");
  fields.Read("library", &read.library);
  fields.Read("library_version", &read.library_version);
  fields.ReadOptional("producer", &read.producer);
  fields.ReadOptional("consumer", &read.consumer);
  fields.Read("suite", &read.suite);
  fields.Read("rules", &read.rules);
  fields.Read("breached", &read.breached);
  fields.Read("role", &read.role);
  fields.Read("level", &read.level);
  fields.Read("hostile", &read.hostile);
  fields.Read("verdict", &read.verdict);
  fields.Read("as_expected", &read.as_expected);
  fields.Read("expectation", &read.expectation);
  fields.ReadOptional("cause", &read.cause);
  Read(fields, read.seen);
  fields.ReadTextOrNull("reproducer", &read.reproducer);
  fields.Read("replay", &read.replay);
  if (!fields.Finish(error)) return false;
  *result = std::move(read);
  return true;
}

bool FromJson(const nlohmann::json& json, Header* header, std::string* error) {
  const std::string wrong = WrongSchema(json);
  if (!wrong.empty()) {
    if (error != nullptr) *error = wrong;
    return false;
  }
  Header read;
  Fields fields(json);
  fields.Expect("type", "header");
  int64_t schema = 0;
  fields.Read("schema", &schema);
  fields.Read("program_version", &read.program_version);
  fields.Read("library", &read.library);
  fields.Read("library_version", &read.library_version);
  fields.Read("interpreter", &read.interpreter);
  fields.Read("machine", &read.machine);
  fields.Read("environment", &read.environment);
  fields.ReadObject("variables", &read.variables);
  fields.Read("seed", &read.seed);
  fields.Read("examples", &read.examples);
  fields.ReadOptional("examples_from", &read.examples_from);
  fields.Read("started", &read.started);
  fields.Read("command", &read.command);
  fields.ReadOptional("profile", &read.profile);
  if (!fields.Finish(error)) return false;
  *header = std::move(read);
  return true;
}

bool FromJson(const nlohmann::json& json, Footer* footer, std::string* error) {
  Footer read;
  Fields fields(json);
  fields.Expect("type", "footer");
  fields.ReadObject("counts", &read.counts);
  for (const auto& [word, number] : read.counts.items()) {
    if (!FromText<Verdict>(word)) fields.Wrong("counts", "\"" + word + "\" is not a verdict");
    if (!number.is_number_integer()) fields.Wrong("counts", "expected a whole number for \"" + word + "\"");
  }
  fields.Read("unexpected", &read.unexpected);
  fields.ReadOptional("stale", &read.stale);
  fields.Read("interrupted", &read.interrupted);
  fields.Read("seconds", &read.seconds);
  if (!fields.Finish(error)) return false;
  *footer = std::move(read);
  return true;
}

}  // namespace dlpack_cts
