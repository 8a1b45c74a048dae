// runner/base/quoted.h: quotes a text for a shell.
#ifndef DLPACK_CTS_RUNNER_BASE_QUOTED_H_
#define DLPACK_CTS_RUNNER_BASE_QUOTED_H_

#include <string>

namespace dlpack_cts::runner {

/// The text as one word of a command. It stays as it is if it needs no quotes.
std::string Quoted(const std::string& text);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_BASE_QUOTED_H_
