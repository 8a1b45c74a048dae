// worker/interpreter.h: replaces this process by an interpreter that loads the worker's library.
//
// An interpreter without a shared libpython cannot be loaded into the worker. So the worker is loaded into the
// interpreter. Process id, process group, guard and limits stay.
#ifndef DLPACK_CTS_WORKER_INTERPRETER_H_
#define DLPACK_CTS_WORKER_INTERPRETER_H_

#include <string>

namespace dlpack_cts::worker {

/// What the interpreter is started with.
struct Restart {
  const std::string& python;
  bool site;           // whether packages of the environment can be imported
  const char* option;  // of the job: --job or --once
  const std::string& job;
  int out;                  // descriptor of the driver
  const std::string& mark;  // passed through a pipe: the library must not find it in the command line
};

/// Calls execv(). Throws Failure if the interpreter cannot be started.
[[noreturn]] void BecomeInterpreter(const Restart& restart);

/// The mark from that pipe, which is closed.
std::string ReadMark(int fd);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_INTERPRETER_H_
