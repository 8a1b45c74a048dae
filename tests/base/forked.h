// tests/base/forked.h: a child process that does some work.
#ifndef DLPACK_CTS_TESTS_BASE_FORKED_H_
#define DLPACK_CTS_TESTS_BASE_FORKED_H_

#include <unistd.h>

#include <functional>

namespace dlpack_cts {

/// The child ends with status 0 after the work.
inline pid_t Forked(const std::function<void()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    work();
    _exit(0);
  }
  return child;
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_TESTS_BASE_FORKED_H_
