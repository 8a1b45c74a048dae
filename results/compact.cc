// results/compact.cc: leaves out of each line what is evidence, and what has its usual value.
#include "results/compact.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include "results/parse.h"
#include "results/text.h"
#include "results/whole_file.h"

namespace dlpack_cts {
namespace {

constexpr size_t kLargest = 16 << 20;  // in bytes; a compact file has some 100 kB
constexpr std::string_view kFirstLine = R"({"compact":1,"type":"compact"})";

// The examples are in the lines of causes. A line without a type is a result.
constexpr std::array<const char*, 21> kEvidenceOfResult = {
    "type",       "seed",     "examples", "held",   "refused", "nothing",    "lost",
    "shares",     "seconds",  "ledger",   "recipe", "needed",  "deviations", "replay",
    "reproducer", "observed", "degree",   "rule",   "fact",    "wanted",     "words"};
constexpr std::array<const char*, 4> kEvidenceOfCause = {"recipe", "earlier", "replay", "key"};

/// The fields that a line of this case has unless it says otherwise.
nlohmann::json UsualResult(const Header& header, const std::string& case_id) {
  Result usual;
  usual.library = header.library;
  usual.library_version = header.library_version;
  usual.suite = case_id.substr(0, case_id.rfind('/'));
  usual.seen.case_id = case_id;
  usual.seen.observed = Observed::kHeld;
  return ToJson(usual);
}

nlohmann::json UsualCause() {
  Cause usual;
  usual.recipe = nlohmann::json::object();
  return ToJson(usual);
}

/// The type of a cause and the id always stay, so that a reader can tell what a line is.
nlohmann::json WithoutUsual(nlohmann::json line, const nlohmann::json& usual, const std::string& id) {
  for (const auto& [name, value] : usual.items()) {
    if (name != "type" && name != id && line.value(name, nlohmann::json()) == value) line.erase(name);
  }
  return line;
}

nlohmann::json CompactHeader(const Header& whole) {
  Header header = whole;
  header.environment.clear();
  header.variables = nlohmann::json::object();
  header.run_id.clear();
  header.command = "dlpack-cts run " + header.library + " --seed " + std::to_string(header.seed);
  return ToJson(header);
}

nlohmann::json CompactResult(const Header& header, const Result& result) {
  nlohmann::json line = ToJson(result);
  for (const char* const name : kEvidenceOfResult) line.erase(name);
  if (result.verdict == Verdict::kPass) {
    for (const char* const name : {"message", "got"}) line.erase(name);
  }
  return WithoutUsual(std::move(line), UsualResult(header, result.seen.case_id), "case");
}

nlohmann::json CompactCause(const Cause& cause) {
  nlohmann::json line = ToJson(cause);
  for (const char* const name : kEvidenceOfCause) line.erase(name);
  if (cause.limitation) line.erase("words");  // its message names the value
  return WithoutUsual(std::move(line), UsualCause(), "id");
}

/// The line with the usual value of each field that it lacks.
nlohmann::json Whole(nlohmann::json usual, const nlohmann::json& line) {
  usual.update(line);
  return usual;
}

void ReadLine(const nlohmann::json& line, bool& done, Run& run) {
  if (done) throw Failure("no line may follow the footer");
  const nlohmann::json type = line.is_object() ? line.value("type", nlohmann::json()) : nlohmann::json();
  if (run.header.library.empty()) {
    run.header = ReadHeader(line);
    if (run.header.library.empty()) throw Failure("field \"library\": is empty");
  } else if (type == "footer") {
    run.footer = FromJson<Footer>(line);
    done = true;
  } else if (type == "reading") {
    run.readings.push_back(FromJson<ObservedChoices>(line));
  } else if (type == "cause") {
    run.causes.push_back(FromJson<Cause>(Whole(UsualCause(), line)));
  } else {
    const nlohmann::json id = line.is_object() ? line.value("case", nlohmann::json()) : nlohmann::json();
    if (!id.is_string()) throw Failure("field \"case\": is missing");
    run.results.push_back(FromJson<Result>(Whole(UsualResult(run.header, id), line)));
  }
}

}  // namespace

std::string CompactText(const Run& run) {
  if (run.header.provisional || !run.footer.complete)
    throw Failure("the run did not end, so it is not stored", "run the library again to the end");
  std::string text = std::string(kFirstLine) + "\n" + DumpLine(CompactHeader(run.header)) + "\n";
  for (const Result& result : run.results) text += DumpLine(CompactResult(run.header, result)) + "\n";
  for (const Cause& cause : run.causes) text += DumpLine(CompactCause(cause)) + "\n";
  for (const ObservedChoices& choices : run.readings) text += DumpLine(ToJson(choices)) + "\n";
  return text + DumpLine(ToJson(run.footer)) + "\n";
}

bool IsCompact(const std::string& path) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) return false;  // a pipe can be read once only
  std::ifstream file(path, std::ios::binary);
  std::string start(kFirstLine.size(), '\0');
  return file.read(start.data(), static_cast<std::streamsize>(start.size())) && start == kFirstLine;
}

Run ReadCompact(const std::string& path) {
  std::istringstream file(ReadWholeFile(path, kLargest));
  Run run;
  bool done = false;
  std::string line;
  std::getline(file, line);
  for (int64_t number = 2; std::getline(file, line); ++number) {
    try {
      ReadLine(ParseJson(line), done, run);
    } catch (const Failure& failure) {
      throw Failure(path + ": line " + std::to_string(number) + ": " + failure.what());
    }
  }
  if (!done) throw Failure(path + ": the file is truncated: it has no footer line; copy the whole file");
  return run;
}

}  // namespace dlpack_cts
