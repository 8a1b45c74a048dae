// reports/write.cc: writes the files of an output folder, and reports a file that could not be written.
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <functional>
#include <sstream>

#include "base/failure.h"
#include "reports/badge.h"
#include "reports/html.h"
#include "reports/junit.h"
#include "reports/markdown.h"
#include "reports/ndjson.h"
#include "reports/reports.h"
#include "reports/sarif.h"
#include "results/whole_file.h"

namespace dlpack_cts {
namespace {

void WriteFile(const std::filesystem::path& path, const std::string& text) {
  const int reason = WriteWholeFile(path, text);
  if (reason == 0) return;
  throw Failure(path.string() + ": cannot be written: " + std::strerror(reason),
                reason == ENOSPC ? "free some space or name another folder with --out"
                                 : "name a folder that you may write to with --out");
}

}  // namespace

void WriteReports(const Run& run, const ReportContext& context, const std::string& out_dir) {
  struct File {
    const char* name;
    std::function<void(std::ostream&)> print;
  };
  const File files[] = {
      {"results.ndjson", [&](std::ostream& out) { PrintNdjson(run, out); }},
      {"junit.xml", [&](std::ostream& out) { PrintJunit(run, out); }},
      {"report.md", [&](std::ostream& out) { PrintMarkdown(run, context, out); }},
      {"index.html", [&](std::ostream& out) { PrintHtml(run, context, out_dir, out); }},
      {"badge.json", [&](std::ostream& out) { PrintBadgeJson(run, out); }},
      {"badge.svg", [&](std::ostream& out) { PrintBadgeSvg(run, out); }},
      {"results.sarif", [&](std::ostream& out) { PrintSarif(run, context, out); }},
  };
  std::error_code code;
  std::filesystem::create_directories(out_dir, code);
  if (code) {
    throw Failure(out_dir + ": the output folder cannot be made: " + code.message(), "name another one with --out");
  }
  // If one file cannot be written, the others are still written.
  std::optional<Failure> first;
  for (const File& file : files) {
    std::ostringstream text;
    file.print(text);
    const auto write = [&] { WriteFile(std::filesystem::path(out_dir) / file.name, text.str()); };
    if (const std::optional<Failure> failure = FailureOf(write); !first) first = failure;
  }
  if (first) throw Failure(*first);
}

}  // namespace dlpack_cts
