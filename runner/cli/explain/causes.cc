// runner/cli/explain/causes.cc: explains causes: from their ids, and from the results of a run.
#include <fmt/format.h>

#include <iostream>

#include "base/terms.h"
#include "reports/evidence.h"
#include "reports/outline.h"
#include "reports/text.h"
#include "results/cause.h"
#include "results/uncounted.h"
#include "runner/cli/explain/accusation.h"
#include "runner/cli/explain/cause_id.h"
#include "runner/cli/explain/print.h"
#include "runner/cli/explain/topics.h"
#include "runner/run/stored_cause.h"

namespace dlpack_cts::runner {
namespace {

/// What each family is about; docs/facts.md lists its facts.
constexpr EnumWords<Family> kMeanings = {
    "the calls that the library makes to the producer, and their arguments",
    "the exchange API table (__dlpack_c_exchange_api__) and its functions",
    "what __dlpack_device__ returns",
    "whether a call succeeds or raises an exception",
    "which exception a call raises",
    "a call that does not return",
    "memory that must not be accessed, or cannot be read",
    "the PyCapsule: its name, pointer, context and destructor, and a second import of it",
    "the kind and the version of the struct",
    "the flags of the struct, and whether the array is writable",
    "dl_tensor.device",
    "dl_tensor.dtype",
    "dl_tensor.ndim and dl_tensor.shape",
    "dl_tensor.strides",
    "where the elements are: dl_tensor.data, byte_offset, and the values that are read there",
    "memory that was changed, or a requested write that is not visible",
    "the deleter: when and how often it is called, and what is not released",
    "a choice of the library that is not the same in every exchange",
    "texts of the library, such as the message of an exception; they are never compared",
};

std::string WithRequirement(const Catalogue& catalogue, const std::string& rule) {
  const auto found = catalogue.rules.find(rule);
  return found == catalogue.rules.end() ? rule : rule + ": " + found->second.requirement;
}

/// What the parts of the id mean.
void PrintParts(const Catalogue& catalogue, const CauseParts& parts) {
  if (!parts.kind) return PrintText("", "a failure that occurs only after other exchanges in the same process");
  PrintText("", "a cause: failures that have the same reason");
  PrintText("side: ", parts.kind->side == Side::kImport ? "import, the library is the consumer"
                                                        : "export, the library is the producer");
  PrintText("family of the first violated fact: ",
            FamilyId(parts.kind->family) + ", " + std::string(kMeanings[parts.kind->family]));
  const bool is_rule = catalogue.rules.contains(parts.fact);
  if (!parts.fact.empty()) PrintText(is_rule ? "violated rule: " : "first violated fact: ", parts.fact);
  const bool none = parts.triggers.empty();
  PrintText("triggers: ", none ? "none; the default exchange shows the failure" : "the failure needs all of these");
  for (const KnownTrigger& trigger : parts.triggers) PrintText("  ", trigger.id + ": " + trigger.words);
}

}  // namespace

void PrintCause(const Catalogue& catalogue, const CauseParts& parts) {
  const std::string id = parts.Text();
  std::cout << id << "\n";
  PrintParts(catalogue, parts);
  const std::vector<Accused> accused = AccusedBy(catalogue, parts);
  if (accused.size() == 1) return PrintText("violated rule: ", WithRequirement(catalogue, accused.front().rule));
  PrintText("", accused.empty()
                    ? "The violated rule depends on the exchange."
                    : "The attribution table names one of these rules; the check of a case may name another:");
  for (const Accused& one : accused) {
    PrintText("  ", one.rule + (one.when.empty() ? "" : ", " + one.when) +
                        WithRequirement(catalogue, one.rule).substr(one.rule.size()));
  }
  PrintText("", "For the rule of your run: dlpack-cts explain " + id + " --in OUT");
}

void PrintStoredCause(const Catalogue& catalogue, const std::string& id, const std::string& results) {
  const std::vector<StoredRun> runs = StoredRuns(results);
  const std::vector<StoredCause> found = CausesCalled(runs, id);
  std::cout << found.front().cause->id << "\n";
  if (const auto parts = ParseCause(catalogue, found.front().cause->id)) PrintParts(catalogue, *parts);
  for (const StoredCause& one : found) {
    const Header& header = one.stored->run.header;
    std::cout << "In the results of " << NameOf(header.library, header.library_version) << ":\n";
    const Cause& cause = *one.cause;
    PrintText("", fmt::format("{}  {}", ToText(cause.verdict), OneLine(Headline(one.stored->run, cause))));
    if (!cause.rule.empty()) PrintText("violated rule: ", WithRequirement(catalogue, cause.rule));
    if (!cause.expectation.empty()) PrintText("", OneLine(WhyExpected(cause.expectation)));
    for (const ReportRow& row : EvidenceOf(one.stored->run, cause).Rows())
      PrintText(std::string(row.name) + ": ", OneLine(row.text));
    PrintText("seen in: ", CasesText(cause));
    if (!cause.replay.empty()) std::cout << "  replay: " << OneLine(cause.replay, kLongText) << "\n";
  }
}

}  // namespace dlpack_cts::runner
