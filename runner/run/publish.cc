// runner/run/publish.cc: writes the output of a run: terminal, NDJSON, reports, findings.
#include "runner/run/publish.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "base/failure.h"
#include "base/paths.h"
#include "reports/brief.h"
#include "reports/files.h"
#include "reports/markdown.h"
#include "reports/ndjson.h"
#include "reports/reports.h"
#include "reports/text.h"
#include "results/tally.h"
#include "results/whole_file.h"
#include "runner/base/print.h"
#include "runner/base/terminal.h"
#include "runner/catalogue/sources.h"
#include "runner/run/finding.h"
#include "runner/run/pair_changes.h"
#include "runner/run/provisional.h"
#include "runner/run/update.h"

namespace dlpack_cts::runner {
namespace {

void TellStale(const Run& run) {
  for (const std::string& sentence : run.footer.stale) {
    Tell("dlpack-cts: stale expectation: " + OneLine(sentence) +
         "\n  hint: correct or remove the entry, or let --update remove it; if other versions still deviate, give it a "
         "condition such as versions = \"<2.5\"\n");
  }
}

/// In a job of GitHub Actions: annotations, and the report on the summary page of the job.
void TellGitHub(const Run& run, const ReportContext& context, bool annotations) {
  constexpr size_t kMostOfASummary = size_t{1} << 20;
  const char* const actions = std::getenv("GITHUB_ACTIONS");
  const bool on_github = actions != nullptr && std::string_view(actions) == "true";
  std::ostringstream lines;
  if (annotations || on_github) PrintAnnotations(run, lines);
  Tell(lines.str());
  const char* const summary = std::getenv("GITHUB_STEP_SUMMARY");
  if (!on_github || summary == nullptr || *summary == '\0') return;
  std::ostringstream page;
  PrintMarkdown(run, context, page);
  std::ofstream file(summary, std::ios::app);
  file << page.str().substr(0, kMostOfASummary) << "\n";
  if (!file.flush()) Tell("dlpack-cts: the file of GITHUB_STEP_SUMMARY cannot be written\n");
}

}  // namespace

void PrepareOut(std::string& out) {
  if (out.empty()) return;
  std::error_code error;
  // The library may change or remove the working folder.
  out = std::filesystem::path(Absolute(out)).lexically_normal();
  std::filesystem::create_directories(out, error);
  const std::string name = out + "/.dlpack-cts-probe";
  if (!error) error.assign(WriteWholeFile(name, "\n"), std::generic_category());
  if (!error) std::filesystem::remove(name, error);
  if (error) {
    throw Failure("the folder " + out + " cannot be written: " + error.message(),
                  "choose another folder with --out, or free some space");
  }
}

ReportContext ContextOf(const Catalogue& catalogue) {
  ReportContext context;
  for (const auto& [id, rule] : catalogue.rules) {
    std::vector<Source> sources;
    for (SourcePart& part : SourceParts(catalogue.source_keys, rule.source))
      sources.push_back({std::move(part.text), std::move(part.link)});
    context.rules.push_back({.id = id,
                             .requirement = rule.requirement,
                             .sources = std::move(sources),
                             .strength = rule.StrengthText(),
                             .breach = std::string(ToText(rule.breach)),
                             .actor = rule.actor,
                             .stake = std::string(ToText(rule.stake)),
                             .untestable = rule.status == "untestable"});
  }
  return context;
}

int Publish(const Catalogue& catalogue, const Assignment& assignment, Assembled& assembled) {
  Run& run = assembled.run;
  const ReportContext context = ContextOf(catalogue);
  const Options& options = assignment.options;
  int status = run.footer.unexpected > 0 ? kUnexpected : run.footer.complete ? kAsExpected : kUsage;
  std::string html;
  // If something cannot be written, everything else still is.
  std::optional<Failure> unwritten;
  if (!options.out.empty()) {
    unwritten = FailureOf([&] { WriteFindings(catalogue, run, assignment, options.out); });
    const std::optional<Failure> failure = FailureOf([&] { WriteReports(run, context, options.out); });
    if (!unwritten) unwritten = failure;
    if (!unwritten) html = options.out + "/index.html";
    std::error_code missing;
    if (!unwritten) std::filesystem::remove(std::filesystem::path(options.out) / kPreviousResults, missing);
  }
  std::ostringstream text;
  if (options.format == "json") PrintNdjson(run, text);
  TextStyle style = StyleOfOutput(options.color);
  style.readings = options.census;
  style.verbose = options.verbose;
  if (options.format == "tree") PrintTree(run, context, text, style, html);
  if (options.format == "quiet") PrintBrief(run, text);
  const std::optional<Failure> unprinted = FailureOf([&] { Print(text.str()); });
  TellGitHub(run, context, options.annotations);
  const bool whole = run.footer.complete && !assembled.trouble;
  std::optional<Failure> unlisted;
  if (options.update && whole && assignment.IsPair()) {
    assembled.changes = ChangesOf(assignment.lists, assignment.expectations, assembled.stale, run);
  } else if (options.update && whole) {
    unlisted = FailureOf([&] { UpdateFile(ChangesOf(assignment.expectations, assembled.stale, run)); });
  } else if (options.update) {
    const std::string what = assignment.IsPair() ? assignment.library.name : assignment.expectations.file();
    Tell("dlpack-cts: " + OneLine(what) + ": not updated, because the run did not complete\n");
  } else {
    TellStale(run);
  }
  for (const std::optional<Failure>& failure : {unwritten, unprinted, unlisted, assembled.trouble}) {
    if (failure) status = std::max(status, Report(*failure));
  }
  if (run.footer.interrupted) return kInterrupted;
  const bool judged = std::any_of(run.results.begin(), run.results.end(),
                                  [](const Result& result) { return IsJudged(result.verdict); });
  return status == kAsExpected && !judged ? kNothingJudged : status;
}

int WritePairs(const Pairs& pairs, const std::string& folder) {
  if (folder.empty()) return kAsExpected;
  const std::optional<Failure> unwritten = FailureOf([&] { WriteFiles({{kPairsFile, PairsText(pairs)}}, folder); });
  return unwritten ? Report(*unwritten) : static_cast<int>(kAsExpected);
}

}  // namespace dlpack_cts::runner
