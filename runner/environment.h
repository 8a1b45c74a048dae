// runner/environment.h: the Python environment in which a library is judged.
#ifndef DLPACK_CTS_RUNNER_ENVIRONMENT_H_
#define DLPACK_CTS_RUNNER_ENVIRONMENT_H_

#include <string>
#include <vector>

#include "runner/library.h"

namespace dlpack_cts::runner {

struct Environment {
  std::string python;     // its bin/python
  std::string libpython;  // the shared library of its interpreter
};

/// The interpreter at `python` (a bin/python, or the folder of an environment). Throws Failure when it is none, or has
/// no shared libpython.
Environment UsePython(const std::string& python);

/// Folder of the library's own environment in the cache; it need not exist.
std::string EnvironmentFolder(const Library& library, const std::string& interpreter);

/// The environment of the library's pinned requirements: made when it is missing, which is announced with its size.
/// Without requirements: the interpreter itself. Throws Failure when none of the supported interpreters is there, or
/// when installing fails.
Environment PrepareEnvironment(const Library& library);

/// The union of both libraries' requirements, for a pair. A conflict throws Failure and names both pins.
Library UnionOf(const Library& first, const Library& second);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_ENVIRONMENT_H_
