// runner/print.h: standard output and standard error, checked.
#ifndef DLPACK_CTS_RUNNER_PRINT_H_
#define DLPACK_CTS_RUNNER_PRINT_H_

#include <iostream>
#include <optional>
#include <sstream>
#include <string>

#include "runner/failure.h"

namespace dlpack_cts::runner {

/// Writes all of it. A reader that went away (`| head -1`) has seen enough, and is no failure; a full disk is one. A
/// reader that does not read is waited for, but not beyond an interrupt: then it loses the rest.
std::optional<Failure> Print(const std::string& text);

/// The same for standard error, of which nothing can be told.
void Tell(const std::string& text);

/// Shows a clean line on standard error, a terminal of that width, until the next one comes or something else is
/// written; an empty one wipes it. Where the terminal takes nothing, nothing is shown.
void ShowStatus(const std::string& line, size_t width);

/// While it lives, std::cout collects; Flush prints it.
class CollectedOutput {
 public:
  CollectedOutput() : usual_(std::cout.rdbuf(text_.rdbuf())) {}
  ~CollectedOutput() { std::cout.rdbuf(usual_); }
  CollectedOutput(const CollectedOutput&) = delete;
  CollectedOutput& operator=(const CollectedOutput&) = delete;

  std::optional<Failure> Flush() {
    const std::string text = text_.str();
    text_.str("");
    return Print(text);
  }

 private:
  std::ostringstream text_;
  std::streambuf* usual_;
};

/// What a terminal shows of it, whatever a library or an installer said: the message and the first line of the hint on
/// one line each, the other lines of the hint quoted.
std::string TextOf(const Failure& failure);

/// Tells the user on standard error, and returns the status.
int Report(const Failure& failure);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_PRINT_H_
