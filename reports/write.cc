// reports/write.cc: writes the files of an output folder, and reports a file that could not be written.
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <functional>
#include <sstream>

#include "reports/html.h"
#include "reports/junit.h"
#include "reports/markdown.h"
#include "reports/ndjson.h"
#include "reports/reports.h"
#include "results/whole_file.h"

namespace dlpack_cts {
namespace {

bool WriteFile(const std::filesystem::path& path, const std::function<void(std::ostream&)>& print, std::string* error) {
  std::ostringstream text;
  print(text);
  const int reason = WriteWholeFile(path, text.view());
  if (reason == 0) return true;
  *error = path.string() + ": cannot be written: " + std::strerror(reason) +
           (reason == ENOSPC ? "; free some space or name another folder with --out"
                             : "; name a folder that you may write to with --out");
  return false;
}

}  // namespace

bool WriteReports(const Run& run, const ReportContext& context, const std::string& out_dir, std::string* error) {
  std::error_code code;
  std::filesystem::create_directories(out_dir, code);
  if (code) {
    *error = out_dir + ": the output folder cannot be made: " + code.message() + "; name another one with --out";
    return false;
  }
  const std::filesystem::path folder(out_dir);
  // If one file cannot be written, the others still are. The first error is reported.
  bool all = true;
  const auto write = [&](const char* name, const std::function<void(std::ostream&)>& print) {
    std::string trouble;
    if (WriteFile(folder / name, print, &trouble)) return;
    if (all) *error = trouble;
    all = false;
  };
  write("results.ndjson", [&](std::ostream& out) { PrintNdjson(run, out); });
  write("junit.xml", [&](std::ostream& out) { PrintJunit(run, out); });
  write("report.md", [&](std::ostream& out) { PrintMarkdown(run, context, out); });
  write("index.html", [&](std::ostream& out) { PrintHtml(run, context, out_dir, out); });
  return all;
}

}  // namespace dlpack_cts
