// reports/sarif.cc: writes a run as SARIF 2.1.0.
#include "reports/sarif.h"

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reports/evidence.h"
#include "reports/limitations.h"
#include "reports/outline.h"
#include "reports/rule_page.h"
#include "reports/sources.h"
#include "reports/text.h"
#include "results/tally.h"

namespace dlpack_cts {
namespace {

using Json = nlohmann::ordered_json;

std::string_view LevelOf(Verdict verdict) {
  if (verdict == Verdict::kNote) return "note";
  return verdict == Verdict::kWarn ? "warning" : "error";
}

/// The sentence, then the evidence and the command, one line each.
std::string TextOf(std::string text, const Evidence& evidence, const std::string& replay) {
  for (const ReportRow& row : evidence.Rows()) text += "\n" + std::string(row.name) + ": " + row.text;
  if (!replay.empty()) text += "\nreplay: " + replay;
  return text;
}

class SarifPrinter {
 public:
  SarifPrinter(const Run& run, const ReportContext& context) : run_(run), context_(context) {}

  Json Print() {
    for (const Cause* const cause : CausesToFix(run_)) AddCause(*cause);
    for (const Result& result : run_.results) {
      if (IsDeviation(result.verdict) && !explained_.contains(result.seen.case_id)) AddResult(result);
    }
    Json driver = {{"name", "dlpack-cts"}, {"version", Clean(run_.header.program_version)}, {"rules", Rules()}};
    Json invocation = {{"executionSuccessful", run_.footer.complete && !run_.header.provisional},
                       {"commandLine", Clean(run_.header.command)}};
    Json one = {{"tool", {{"driver", std::move(driver)}}},
                {"invocations", Json::array({std::move(invocation)})},
                {"results", std::move(results_)}};
    return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
            {"version", "2.1.0"},
            {"runs", Json::array({std::move(one)})}};
  }

 private:
  void AddCause(const Cause& cause) {
    explained_.insert(cause.cases.begin(), cause.cases.end());
    const std::string text = TextOf(Headline(run_, cause), EvidenceOf(run_, cause), cause.replay);
    Add(cause.rule, cause.verdict, text, cause.case_id, "cause/" + cause.id,
        cause.as_expected && IsDeviation(cause.verdict) ? cause.expectation : "");
  }

  void AddResult(const Result& result) {
    const std::vector<std::string>& rules = RulesNamed(result);
    const std::string text = TextOf(Sentence(result), EvidenceOf(result.seen, result.verdict), result.replay);
    Add(rules.empty() ? "" : rules.front(), result.verdict, text, result.seen.case_id, "case/" + result.seen.case_id,
        result.as_expected ? result.expectation : "");
  }

  void Add(const std::string& rule, Verdict verdict, const std::string& text, const std::string& case_id,
           const std::string& fingerprint, const std::string& known) {
    Json location = {
        {"physicalLocation", {{"artifactLocation", {{"uri", FileOf(case_id)}}}, {"region", {{"startLine", 1}}}}},
        {"logicalLocations", Json::array({{{"fullyQualifiedName", Clean(case_id)}}})}};
    Json result = {{"ruleId", Clean(rule)},
                   {"level", LevelOf(verdict)},
                   {"message", {{"text", Clean(text)}}},
                   {"locations", Json::array({std::move(location)})},
                   {"partialFingerprints", {{"dlpackCts/v1", Clean(fingerprint)}}},
                   {"properties", {{"verdict", ToText(verdict)}, {"library", LibraryText()}}}};
    if (!known.empty()) {
      result["suppressions"] = Json::array({{{"kind", "external"}, {"justification", Clean(known)}}});
    }
    used_.insert(rule);
    results_.push_back(std::move(result));
  }

  std::string LibraryText() const { return NameOf(run_.header.library, run_.header.library_version); }

  /// A code scanner shows a result at a line of a file. The library's own files are not known.
  std::string FileOf(const std::string& case_id) const {
    for (const Result& result : run_.results) {
      const std::string& file = result.reproducer;
      const bool ours = file.starts_with("findings/") && file.find("..") == std::string::npos && file == OneLine(file);
      if (result.seen.case_id == case_id && ours) return file;
    }
    return "results.ndjson";
  }

  /// Only the rules that results name.
  Json Rules() const {
    Json rules = Json::array();
    for (const RuleText& rule : context_.rules) {
      if (!used_.contains(rule.id)) continue;
      rules.push_back(
          {{"id", rule.id},
           {"shortDescription", {{"text", rule.requirement}}},
           {"help",
            {{"text", rule.requirement + "\nSource: " + SourcesWithLinks(rule) + "\nStrength: " + rule.strength}}}});
      if (const std::string page = RulePage(rule.id); !page.empty()) rules.back()["helpUri"] = page;
    }
    return rules;
  }

  const Run& run_;
  const ReportContext& context_;
  std::set<std::string> explained_;  // cases that show a cause
  std::set<std::string> used_;       // rules
  Json results_ = Json::array();
};

}  // namespace

void PrintSarif(const Run& run, const ReportContext& context, std::ostream& out) {
  out << SarifPrinter(run, context).Print().dump(1, ' ', true, Json::error_handler_t::replace) << "\n";
}

}  // namespace dlpack_cts
