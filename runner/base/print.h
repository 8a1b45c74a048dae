// runner/base/print.h: writes to standard output and standard error, and checks for errors.
#ifndef DLPACK_CTS_RUNNER_BASE_PRINT_H_
#define DLPACK_CTS_RUNNER_BASE_PRINT_H_

#include <iostream>
#include <sstream>
#include <string>

#include "base/failure.h"

namespace dlpack_cts::runner {

/// Writes the whole text. A reader that closed the pipe (`| head -1`) is not an error; a full disk is a Failure. It
/// waits for a reader that does not read; after an interrupt it gives up, and the rest is lost.
void Print(const std::string& text);

/// The same for standard error. Errors are ignored: there is no place to report them.
void Tell(const std::string& text);

/// Shows a status line on standard error, a terminal of that width, until the next status line or other output. An
/// empty line erases it. Nothing is shown if the terminal does not accept output at the moment.
void ShowStatus(const std::string& line, size_t width);

/// While the object exists, std::cout is collected. Flush() prints it.
class CollectedOutput {
 public:
  CollectedOutput() : usual_(std::cout.rdbuf(text_.rdbuf())) {}
  ~CollectedOutput() { std::cout.rdbuf(usual_); }
  CollectedOutput(const CollectedOutput&) = delete;
  CollectedOutput& operator=(const CollectedOutput&) = delete;

  void Flush() {
    const std::string text = text_.str();
    text_.str("");
    Print(text);
  }

 private:
  std::ostringstream text_;
  std::streambuf* usual_;
};

/// The text of the failure for a terminal, without control characters: the message and the first line of the hint on
/// one line each, the other lines of the hint quoted.
std::string TextOf(const Failure& failure);

/// Reports the failure on standard error, and returns its status.
int Report(const Failure& failure);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_BASE_PRINT_H_
