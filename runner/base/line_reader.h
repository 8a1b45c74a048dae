// runner/base/line_reader.h: finds the lines of a worker in the data that comes through its pipe.
//
// The library under test can write to the worker's descriptor. So every line of the worker begins with a newline and a
// mark that only driver and worker know, and ends with a newline. Then garbage, a partial line, or a line that the
// library invents does not destroy a line of the worker.
#ifndef DLPACK_CTS_RUNNER_BASE_LINE_READER_H_
#define DLPACK_CTS_RUNNER_BASE_LINE_READER_H_

#include <deque>
#include <string>
#include <string_view>

namespace dlpack_cts::runner {

class LineReader {
 public:
  /// A longer line is garbage, even if it begins with the mark.
  static constexpr size_t kLongest = size_t{64} << 20;

  explicit LineReader(std::string mark) : mark_(std::move(mark)) {}

  void Feed(std::string_view bytes);
  /// The next line, without its mark. Of other data it keeps at most as many bytes as the mark has.
  bool Next(std::string* line);

 private:
  void Append(std::string_view piece);

  std::string mark_;
  std::string line_;      // the incomplete line
  bool garbage_ = false;  // the incomplete line is not from the worker
  std::deque<std::string> lines_;
};

/// A random mark, which the library cannot guess.
std::string DrawMark();

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_BASE_LINE_READER_H_
