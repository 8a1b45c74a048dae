// results/read_run.cc: reads a result file: header, results, causes, observed choices and footer, one per line.
#include <iterator>
#include <set>
#include <sstream>
#include <utility>

#include "results/parse.h"
#include "results/result.h"
#include "results/tally.h"
#include "results/whole_file.h"

namespace dlpack_cts {
namespace {

constexpr size_t kLargest = 256 << 20;  // in bytes; a run of all cases has some 2 MB

nlohmann::json ParseLine(const std::string& line) {
  try {
    return ParseJson(line);
  } catch (const Failure& failure) {
    throw Failure(std::string("this ") + failure.what() + "; the file is damaged or was cut off here");
  }
}

Result ReadResult(const nlohmann::json& json, const Run& run) {
  Result result = FromJson<Result>(json);
  if (result.producer.empty() != result.consumer.empty()) {
    throw Failure(std::string("field \"") + (result.producer.empty() ? "producer" : "consumer") + "\": is missing");
  }
  if (result.provisional != run.header.provisional) {
    throw Failure("field \"provisional\": is not the same as in the header");
  }
  return result;
}

/// A case that ran again has a line for each round.
void KeepLastOfEachCase(std::vector<Result>& results) {
  std::set<std::string> cases;
  std::vector<Result> kept;
  for (auto result = results.rbegin(); result != results.rend(); ++result) {
    if (cases.insert(result->seen.case_id).second) kept.push_back(std::move(*result));
  }
  results.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
}

/// The footer of a run that did not end.
Footer FooterOf(const Run& run) {
  Footer footer;
  footer.counts = CountsOf(run.results);
  footer.unexpected = CountUnexpected(run);
  footer.interrupted = true;
  footer.complete = false;
  for (const Result& result : run.results) footer.seconds += result.seen.seconds;
  return footer;
}

void ReadLine(const std::string& line, int64_t number, bool& done, Run& run) {
  if (done) throw Failure("no line may follow the footer");
  const nlohmann::json json = ParseLine(line);
  const nlohmann::json type = json.is_object() ? json.value("type", nlohmann::json()) : nlohmann::json();
  const bool only_results = run.header.provisional;
  done = number > 1 && type == "footer" && !only_results;
  if (number == 1) {
    run.header = ReadHeader(json);
  } else if (done) {
    run.footer = FromJson<Footer>(json);
  } else if (type == "reading" && !only_results) {
    run.readings.push_back(FromJson<ObservedChoices>(json));
  } else if (type == "cause" && !only_results) {
    run.causes.push_back(FromJson<Cause>(json));
  } else {
    run.results.push_back(ReadResult(json, run));
  }
}

}  // namespace

Run ReadRun(const std::string& path) {
  std::istringstream file(ReadWholeFile(path, kLargest));
  Run run;
  bool done = false;
  int64_t number = 0;
  std::string line;
  while (std::getline(file, line)) {
    if (file.eof() && run.header.provisional) break;  // the end of the line was not written
    ++number;
    try {
      ReadLine(line, number, done, run);
    } catch (const Failure& failure) {
      throw Failure(path + ": line " + std::to_string(number) + ": " + failure.what());
    }
  }
  if (number == 0) throw Failure(path + ": is empty; a result file begins with a header line");
  if (run.header.provisional) {
    KeepLastOfEachCase(run.results);
    run.footer = FooterOf(run);
  } else if (!done) {
    throw Failure(path + ": the file is truncated: no footer line after line " + std::to_string(number) +
                  "; copy the whole file, or run again");
  }
  return run;
}

}  // namespace dlpack_cts
