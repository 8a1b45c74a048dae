// runner/environment/pip.cc: reads the reasons in the output of pip.
#include "runner/environment/pip.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "base/text.h"

namespace dlpack_cts::runner {
namespace {

constexpr std::string_view kError = "ERROR: ";
constexpr std::string_view kOtherPython = "Ignored the following versions that require a different python version: ";

/// The specifier that pip gives for one of the wanted versions: ">=3.12" of "2.5.1 Requires-Python >=3.12".
std::pair<std::string, std::string> RequiredPython(std::string_view line, const std::vector<std::string>& wanted) {
  line.remove_prefix(std::min(line.size(), line.find(kOtherPython) + kOtherPython.size()));
  for (const std::string_view entry : Split(line, "; ")) {
    constexpr std::string_view kRequires = " Requires-Python ";
    const size_t at = entry.find(kRequires);
    if (at == std::string_view::npos) continue;
    for (const std::string& requirement : wanted) {
      const size_t pin = requirement.find("==");
      if (pin == std::string::npos || entry.substr(0, at) != std::string_view(requirement).substr(pin + 2)) continue;
      const std::string name = requirement.substr(0, pin);
      return {name + " " + std::string(entry), std::string(entry.substr(at + kRequires.size()))};
    }
  }
  return {};
}

/// {3, 12} of "3.12" or "3.12.1".
std::pair<int, int> Numbers(const std::string& version) {
  const size_t dot = version.find('.');
  return {std::atoi(version.c_str()), dot == std::string::npos ? 0 : std::atoi(version.c_str() + dot + 1)};
}

}  // namespace

PipReason ReasonOf(const std::string& output, const std::vector<std::string>& requirements) {
  PipReason reason;
  std::istringstream lines(output);
  std::string last;
  std::string last_error;
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_not_of(" \r") != std::string::npos) last = line;
    const bool error = line.starts_with(kError) || line.starts_with("error: ");
    if (line.find("Retrying (") != std::string::npos) reason.no_connection = true;
    if (line.find("(from versions: none)") != std::string::npos) reason.no_distribution = true;
    if (line.find("No matching distribution") != std::string::npos) reason.no_distribution = true;
    if (line.find(kOtherPython) != std::string::npos) {
      const auto [text, specifier] = RequiredPython(line, requirements);
      if (!text.empty()) {
        reason.text = text;
        reason.requires_python = specifier;
      }
    } else if (error) {
      last_error = line.substr(kError.size());
    }
  }
  if (reason.text.empty()) reason.text = last_error.empty() ? last : last_error;
  return reason;
}

bool MayAllow(const std::string& specifier, const std::string& python) {
  const std::pair<int, int> version = Numbers(python);
  for (const std::string_view part : Split(specifier, ",")) {
    const std::string text(part.substr(std::min(part.size(), part.find_first_not_of(' '))));
    if (text.starts_with(">=") && version < Numbers(text.substr(2))) return false;
    const bool below = text.starts_with('<') && !text.starts_with("<=");
    // "<3.12.4" allows 3.12.0.
    const bool of_minor = std::count(text.begin(), text.end(), '.') < 2;
    if (below && (of_minor ? version >= Numbers(text.substr(1)) : version > Numbers(text.substr(1)))) return false;
  }
  return true;
}

}  // namespace dlpack_cts::runner
