// runner/environment/environment.h: the Python environment in which a library is tested.
#ifndef DLPACK_CTS_RUNNER_ENVIRONMENT_ENVIRONMENT_H_
#define DLPACK_CTS_RUNNER_ENVIRONMENT_ENVIRONMENT_H_

#include <string>

#include "runner/environment/library.h"

namespace dlpack_cts::runner {

struct Environment {
  std::string python;     // path of bin/python
  std::string libpython;  // path of the interpreter's shared library; empty if it has none
};

/// The interpreter at `python` (a bin/python, or the folder of an environment). Throws Failure if it is not
/// a working CPython 3.8 or later with a GIL. With DLPACK_CTS_LIBPYTHON=none its libpython is not used.
Environment UsePython(const std::string& python);

/// Folder of the library's own environment in the cache; it need not exist.
std::string EnvironmentFolder(const Library& library, const std::string& interpreter);

/// Whether PrepareEnvironment() would find it complete.
bool IsEnvironmentMade(const Library& library);

/// The environment with the pinned requirements of the library. A missing one is made, after a message with its size.
/// Without requirements it is the interpreter itself. Throws Failure if no supported interpreter is installed, or if
/// the installation fails.
Environment PrepareEnvironment(const Library& library);

/// A pair as one library with the requirements of both. Throws Failure with both pins if they conflict.
Library UnionOf(const Library& first, const Library& second);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_ENVIRONMENT_ENVIRONMENT_H_
