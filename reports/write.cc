// reports/write.cc: the reports of one run as files.
#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include "base/failure.h"
#include "reports/badge.h"
#include "reports/files.h"
#include "reports/html.h"
#include "reports/junit.h"
#include "reports/markdown.h"
#include "reports/ndjson.h"
#include "reports/reports.h"
#include "reports/sarif.h"

namespace dlpack_cts {

void WriteReports(const Run& run, const ReportContext& context, const std::string& out_dir) {
  struct File {
    const char* name;
    std::function<void(std::ostream&)> print;
  };
  const File files[] = {
      {"results.ndjson", [&](std::ostream& out) { PrintNdjson(run, out); }},
      {"junit.xml", [&](std::ostream& out) { PrintJunit(run, context, out); }},
      {"report.md", [&](std::ostream& out) { PrintMarkdown(run, context, out); }},
      {"index.html", [&](std::ostream& out) { PrintHtml(run, context, out_dir, out); }},
      {"badge.json", [&](std::ostream& out) { PrintBadgeJson(run, out); }},
      {"badge.svg", [&](std::ostream& out) { PrintBadgeSvg(run, context, out); }},
      {"results.sarif", [&](std::ostream& out) { PrintSarif(run, context, out); }},
  };
  // The results first: a full disk is reported for them. One text at a time is in memory.
  std::optional<Failure> first;
  for (const File& file : files) {
    std::ostringstream text;
    file.print(text);
    OutputFiles one;
    one.emplace_back(file.name, std::move(text).str());
    const std::optional<Failure> failure = FailureOf([&] { WriteFiles(one, out_dir); });
    if (!first) first = failure;
  }
  if (first) throw Failure(*first);
}

}  // namespace dlpack_cts
