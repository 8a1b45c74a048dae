// results/read_run.cc: reads a result file: header, results, causes, observed choices and footer, one per line.
#include <sstream>

#include "results/parse.h"
#include "results/result.h"
#include "results/whole_file.h"

namespace dlpack_cts {
namespace {

constexpr size_t kLargest = 256 << 20;  // in bytes; a run of all cases has some 2 MB

bool ReadLine(const std::string& line, int64_t number, bool& done, Run* run, std::string* error) {
  if (done) {
    *error = "no line may follow the footer";
    return false;
  }
  nlohmann::json json;
  if (!ParseJson(line, &json, error)) {
    *error = "this " + *error + "; the file is damaged or was cut off here";
    return false;
  }
  if (number == 1) return FromJson(json, &run->header, error);
  const nlohmann::json type = json.is_object() ? json.value("type", nlohmann::json()) : nlohmann::json();
  if (type == "footer") {
    done = true;
    return FromJson(json, &run->footer, error);
  }
  if (type == "reading") return FromJson(json, &run->readings.emplace_back(), error);
  if (type == "cause") return FromJson(json, &run->causes.emplace_back(), error);
  return FromJson(json, &run->results.emplace_back(), error);
}

}  // namespace

bool ReadRun(const std::string& path, Run* run, std::string* error) {
  std::string text;
  if (!ReadWholeFile(path, kLargest, &text, error)) return false;
  std::istringstream file(std::move(text));
  Run read;
  bool done = false;
  int64_t number = 0;
  std::string line;
  while (std::getline(file, line)) {
    ++number;
    std::string what;
    if (!ReadLine(line, number, done, &read, &what)) {
      *error = path + ": line " + std::to_string(number) + ": " + what;
      return false;
    }
  }
  if (number == 0) {
    *error = path + ": is empty; a result file begins with a header line";
    return false;
  }
  if (!done) {
    *error = path + ": the file is truncated: no footer line after line " + std::to_string(number) +
             "; copy the whole file, or run again";
    return false;
  }
  *run = std::move(read);
  return true;
}

}  // namespace dlpack_cts
