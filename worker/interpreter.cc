// worker/interpreter.cc: starts the interpreter with a program of one line, and passes the mark to it.
#include "worker/interpreter.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "base/child.h"
#include "base/failure.h"
#include "base/shortage.h"
#include "subject/python_loader.h"

namespace dlpack_cts::worker {
namespace {

// The library must see the interpreter as it is after `python -c`: no path of ours, no arguments.
constexpr char kProgram[] =
    "import sys; arguments = sys.argv[1:]; del sys.argv[1:]; sys.path.insert(0, arguments[0]); import "
    "_dlpack_cts_worker; "
    "del sys.path[0]; sys.exit(_dlpack_cts_worker.main(*arguments))";

}  // namespace

void BecomeInterpreter(const Restart& restart) {
  int ends[2];
  if (pipe(ends) != 0) throw Shortage("a pipe cannot be created", errno);
  const bool written =
      write(ends[1], restart.mark.data(), restart.mark.size()) == static_cast<ssize_t>(restart.mark.size());
  close(ends[1]);
  if (!written) throw Failure("a pipe cannot be written", "", kHarness);
  fcntl(restart.out, F_SETFD, 0);
  ForgetPythonVariables();
  const std::vector<std::string> arguments = {restart.python,
                                              restart.site ? "-I" : "-IS",
                                              "-c",
                                              kProgram,
                                              OwnFolder(),
                                              restart.option,
                                              restart.job,
                                              "--out",
                                              std::to_string(restart.out),
                                              "--mark-from",
                                              std::to_string(ends[0])};
  execvp(restart.python.c_str(), Pointers(arguments).data());
  throw Failure("the interpreter " + restart.python + " could not be started: " + std::strerror(errno),
                "give another interpreter with --python");
}

std::string ReadMark(int fd) {
  char text[256];
  const ssize_t size = read(fd, text, sizeof(text));
  close(fd);
  return {text, size > 0 ? static_cast<size_t>(size) : 0};
}

}  // namespace dlpack_cts::worker
