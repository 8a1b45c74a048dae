// runner/cli/help.cc: the texts of --help and --version.
#include "runner/cli/help.h"

#include <memory>

#include "base/failure.h"

namespace dlpack_cts::runner {
namespace {

/// CLI11's own help prints a default after the type as if it belonged to it, and does not wrap lines.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() {
    column_width(kColumn);
    label("SUBCOMMAND", "COMMAND");
  }

  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string type = option->get_type_name();
    return type.empty() || option->get_positional() ? "" : " " + type;
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    std::string text = option->get_description();
    if (!option->get_default_str().empty()) text += "; default: " + option->get_default_str();
    std::string folded;
    size_t column = 0;
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find(' ', begin), text.size());
      if (column > 0 && column + 1 + end - begin > kWidth - kColumn) {
        folded += '\n';
        column = 0;
      }
      folded += (column > 0 ? " " : "") + text.substr(begin, end - begin);
      column += (column > 0 ? 1 : 0) + end - begin;
      begin = end + 1;
    }
    return folded;
  }

 private:
  static constexpr size_t kColumn = 30;
  static constexpr size_t kWidth = 100;
};

}  // namespace

std::string VersionText() {
  return std::string("dlpack-cts ") + DLPACK_CTS_VERSION + "\ntests DLPack " + kLegacyVersions +
         " (legacy struct) and " + kVersionedVersions + " (versioned struct)";
}

void ShapeHelp(CLI::App& app) {
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_help_flag("-h,--help", "print this help");
}

std::string Footer(const std::string& example, const std::string& more) {
  const auto row = [](Exit status, const std::string& meaning) {
    const std::string number = std::to_string(status);
    return "  " + number + std::string(5 - number.size(), ' ') + meaning + "\n";
  };
  return "Example:\n  " + example + "\n" + more + "\nExit status:\n" + row(kAsExpected, "everything is as expected") +
         row(kUnexpected, "a result is unexpected") +
         row(kUsage, "wrong usage, or something is missing; the message says what to do") +
         row(kHarness, "dlpack-cts itself failed") + row(kInterrupted, "interrupted; the results so far are kept");
}

}  // namespace dlpack_cts::runner
