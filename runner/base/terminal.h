// runner/base/terminal.h: the width and the colours of the output.
#ifndef DLPACK_CTS_RUNNER_BASE_TERMINAL_H_
#define DLPACK_CTS_RUNNER_BASE_TERMINAL_H_

#include <string>

#include "reports/reports.h"

namespace dlpack_cts::runner {

/// The number of columns if `fd` is a terminal: $COLUMNS, else what the terminal reports, else 80. 0 if it is not a
/// terminal.
size_t WidthOf(int fd);

/// How text looks on standard output. `color` is --color: "always", "never", or "auto": on a terminal, unless $NO_COLOR
/// is set to anything or $TERM is "dumb".
TextStyle StyleOfOutput(const std::string& color);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_BASE_TERMINAL_H_
