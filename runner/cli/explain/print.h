// runner/cli/explain/print.h: prints names and texts, folded to the width of the terminal.
#ifndef DLPACK_CTS_RUNNER_CLI_EXPLAIN_PRINT_H_
#define DLPACK_CTS_RUNNER_CLI_EXPLAIN_PRINT_H_

#include <string>
#include <vector>

namespace dlpack_cts::runner {

/// An indented line: the name, then the text.
void PrintText(const std::string& name, const std::string& text);

/// The title, and each name on a line of its own; "none" if there is no name.
void PrintAll(const std::string& title, const std::vector<std::string>& names);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_CLI_EXPLAIN_PRINT_H_
