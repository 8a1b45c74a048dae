// runner/run/finding_files.cc: names, recognises, removes and writes the files that reproduce failures.
#include "runner/run/finding_files.h"

#include <algorithm>
#include <cstring>
#include <system_error>
#include <vector>

#include "base/failure.h"
#include "base/paths.h"
#include "results/parse.h"
#include "results/whole_file.h"
#include "runner/base/places.h"

namespace dlpack_cts::runner {
namespace fs = std::filesystem;
namespace {

constexpr auto kReplace = nlohmann::json::error_handler_t::replace;

std::string TextOf(const fs::path& path) {
  std::error_code failed;
  if (fs::symlink_status(path, failed).type() != fs::file_type::regular) return "";
  return IfValid([&] { return ReadWholeFile(path, kLargestFinding); }).value_or("");
}

void RemoveEarlier(const fs::path& folder) {
  std::error_code ignored;
  std::vector<fs::path> earlier;
  for (const std::string& file : EntriesOf(folder)) {
    if (file.ends_with(".json") && IsFinding(file)) earlier.emplace_back(file);
  }
  for (fs::path path : earlier) {
    fs::remove(path, ignored);
    if (IsScript(path.replace_extension(".py"))) fs::remove(path, ignored);
  }
}

}  // namespace

std::string NameOfCase(std::string case_id) {
  std::replace(case_id.begin(), case_id.end(), '/', '.');
  return case_id;
}

std::string NameOfCause(const std::string& id) { return PlainName(NameOfCase(id)); }

bool IsFinding(const fs::path& path) {
  const auto finding = IfValid([&] { return ParseJson(TextOf(path)); }).value_or(nlohmann::json());
  if (!finding.is_object()) return false;
  const auto number = finding.find("finding");
  const auto id = finding.find("case");
  if (number == finding.end() || !number->is_number_integer() || id == finding.end() || !id->is_string()) return false;
  const auto cause = finding.find("cause");
  if (cause == finding.end() || !cause->is_string()) return NameOfCase(id->get<std::string>()) == path.stem();
  return path.stem().string().starts_with(NameOfCause(cause->get<std::string>()));
}

bool IsScript(const fs::path& path) {
  const std::string text = TextOf(path);
  return text.starts_with("#!/usr/bin/env python3\n# ") &&
         text.find("prints REPRODUCED and exits 1") != std::string::npos;
}

void WriteFindingFile(const fs::path& path, const std::string& text) {
  const int reason = WriteWholeFile(path, text);
  if (reason == 0) return;
  throw Failure("the file " + path.string() + " cannot be written: " + std::strerror(reason),
                "free some space, or choose another folder with --out");
}

void WriteFindingJson(const fs::path& path, const nlohmann::json& json) {
  WriteFindingFile(path, json.dump(1, ' ', true, kReplace) + "\n");
}

void PrepareFindings(const fs::path& folder) {
  std::error_code failed;
  // A link may lead to a foreign folder.
  if (fs::is_symlink(fs::symlink_status(folder, failed))) {
    throw Failure("the folder " + folder.string() + " is a symbolic link",
                  "remove it, or choose another folder with --out");
  }
  fs::create_directories(folder, failed);
  if (failed) {
    throw Failure("the folder " + folder.string() + " cannot be created (" + failed.message() + ")",
                  "choose another folder with --out");
  }
  RemoveEarlier(folder);
}

}  // namespace dlpack_cts::runner
