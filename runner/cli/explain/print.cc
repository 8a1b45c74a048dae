// runner/cli/explain/print.cc: prints names and texts, folded to the width of the terminal.
#include "runner/cli/explain/print.h"

#include <unistd.h>

#include <iostream>

#include "reports/text.h"
#include "runner/base/terminal.h"

namespace dlpack_cts::runner {

void PrintText(const std::string& name, const std::string& text) {
  std::cout << "  " << Folded(name + text, 2, 4, WidthOf(STDOUT_FILENO)) << "\n";
}

void PrintAll(const std::string& title, const std::vector<std::string>& names) {
  std::cout << title << (names.empty() ? "none\n" : "\n");
  for (const std::string& name : names) std::cout << "    " << name << "\n";
}

}  // namespace dlpack_cts::runner
