// runner/base/terminal.cc: finds out the terminal's width, and whether to use colours.
#include "runner/base/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace dlpack_cts::runner {
namespace {

constexpr size_t kUsualWidth = 80;
constexpr int kWidest = 10000;

std::string_view Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

size_t WidthOf(int fd) {
  if (isatty(fd) == 0) return 0;
  const int named = std::atoi(std::string(Variable("COLUMNS")).c_str());
  if (named > 0 && named <= kWidest) return static_cast<size_t>(named);
  winsize size{};
  return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsualWidth;
}

TextStyle StyleOfOutput(const std::string& color) {
  const bool suits = isatty(STDOUT_FILENO) != 0 && Variable("NO_COLOR").empty() && Variable("TERM") != "dumb";
  return {.color = color == "always" || (color == "auto" && suits), .width = WidthOf(STDOUT_FILENO)};
}

}  // namespace dlpack_cts::runner
