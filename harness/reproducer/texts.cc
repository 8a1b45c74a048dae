// harness/reproducer/texts.cc: writes what every script says about its finding.
#include "harness/reproducer/texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "harness/ledger/facts.h"
#include "harness/ledger/ledger.h"
#include "harness/reproducer/literal.h"
#include "harness/reproducer/watched.h"

namespace dlpack_cts {
namespace {

constexpr size_t kColumns = 118;
constexpr size_t kGot = 300;       // most characters of the observed value in the header
constexpr size_t kShortGot = 100;  // the same in a short header
constexpr size_t kCopies = 6;      // most names of embedded files in the header

/// A paragraph of comment lines, whatever the text contains.
std::string Comment(std::string_view title, std::string_view of) {
  if (of.empty()) return "";
  const std::string text = python::CommentText(of);
  const std::string indent(12, ' ');
  std::string lines;
  std::string line = fmt::format("# {:<10}", title);
  size_t at = 0;
  while (at < text.size()) {
    const size_t end = std::min(text.find(' ', at), text.size());
    if (line.size() + end - at > kColumns) {
      lines += line + "\n";
      line = "#" + indent.substr(1);
    }
    if (line.back() != ' ') line += ' ';
    line.append(text, at, end - at);
    at = end + 1;
  }
  return lines + line + "\n";
}

/// Whether the wanted value is a description. Then the script can only compare with the observed value.
bool IsProse(std::string_view wanted) {
  for (const std::string_view start : {"a published", "at least", "at most", "no ", "any ", "the ", "not "}) {
    if (wanted.starts_with(start)) return true;
  }
  return false;
}

bool IsNumber(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c == '-' || (c >= '0' && c <= '9'); });
}

// A message on one of the first two lines could look like a coding declaration of Python.
const std::string kTop =
    "#!/usr/bin/env python3\n"
    "# A reproducer written by dlpack-cts. It prints REPRODUCED and exits 1, or NOT REPRODUCED and exits 0.\n"
    "# Status 2: the library could not be imported. It needs Linux on x86-64 and Python 3.8 or newer.\n";

/// What the library should have done, and what it did.
std::string Answers(const ReproducerInput& input, size_t got) {
  return Comment("Finding", input.verdict + ": " + input.message) + Comment("Expected", input.wanted) +
         Comment("Got", input.got.substr(0, got));
}

}  // namespace

std::string Copies(const ReproducerInput& input) {
  if (input.modules.empty()) return "";
  std::vector<std::string> names;
  for (const auto& [name, text] : input.modules) {
    if (names.size() < kCopies) names.push_back(name);
  }
  const size_t more = input.modules.size() - names.size();
  std::string finding = input.case_id;
  std::replace(finding.begin(), finding.end(), '/', '.');
  const std::string text = fmt::format(
      "This script runs copies of these files, as they were at the time of the run: {}{}. To test a changed library, "
      "run: dlpack-cts replay {}.json",
      fmt::join(names, ", "), more == 0 ? "" : fmt::format(", and {} more in MODULES", more), finding);
  return Comment("Copies", text);
}

std::string Header(const ReproducerInput& input) {
  std::string text =
      kTop + ("#\n" + Comment("Library", input.library + " " + input.library_version)) + Answers(input, kGot);
  text += Comment("Ended by", fmt::format("{}", fmt::join(CrashOf(input), ", or by ")));
  text += Comment("Seen in", WatchedFact(input));
  text += Comment("Rule", fmt::format("{}: {}", input.rule, input.requirement));
  text += Comment("Source", input.source);
  text += Comment("Case", input.case_id);
  text += Copies(input);
  if (!input.requirements.empty()) {
    text += python::CommentText(fmt::format("#     pip install {}", fmt::join(input.requirements, " "))) + "\n";
  }
  return text + "#     python THIS_FILE\n\n";
}

std::string ShortHeader(const ReproducerInput& input) {
  std::string library = input.library + " " + input.library_version;
  if (!input.requirements.empty()) library += ", installed by: " + Installation(input);
  std::string text = kTop + Comment("Library", library) + Answers(input, kShortGot);
  text += Comment("Rule", fmt::format("{}: {} ({})", input.rule, input.requirement, Split(input.source, "; ").front()));
  return text + Comment("Case", input.case_id) + "\n";
}

std::string Comparison(const ReproducerInput& input, std::span<const std::string_view> unknown, bool may_be_unseen) {
  const std::string fact = WatchedFact(input);
  std::string test;
  if (fact != input.fact) {
    test = "seen == \"0\"";
  } else if (input.wanted == "refused") {
    test = "seen == \"accepted\"";
  } else if (fact.ends_with("alignment") && IsNumber(input.wanted)) {
    test = fmt::format("int(seen) % {} != 0", input.wanted);
  } else if (IsProse(input.wanted)) {
    test = "seen == " + python::Literal(input.got);
  } else {
    std::vector<std::string> right;
    for (const std::string_view value : Split(input.wanted, " | ")) right.emplace_back(value);
    if (!IsNumber(right.front()) && !right.front().starts_with('(')) {
      // This run could not observe it.
      for (const std::string_view word : unknown) {
        if (!input.got.starts_with(word)) right.emplace_back(word);
      }
    }
    for (std::string& value : right) value = python::Literal(value);
    test = right.size() == 1 ? "seen != " + right.front() : fmt::format("seen not in ({})", fmt::join(right, ", "));
  }
  // A fact that is not recorded is not a violation, unless it was not recorded in the run either.
  const std::string unseen = Unseen(input.fact);
  return !may_be_unseen || unseen == input.got || test.starts_with("seen == ")
             ? test
             : fmt::format("seen != {} and {}", python::Literal(unseen), test);
}

std::string Unseen(const std::string& fact) {
  static const auto empty = std::make_unique<Ledger>();
  return fact.empty() ? "" : Fact(*empty, fact);
}

std::string EndsLiteral(const ReproducerInput& input) {
  std::vector<std::string> ends = CrashOf(input);
  for (std::string& end : ends) end = python::Literal(end);
  return fmt::format("[{}]", fmt::join(ends, ", "));
}

std::string Installation(const ReproducerInput& input) {
  return input.requirements.empty() ? fmt::format("{} {}", input.library, input.library_version)
                                    : fmt::format("pip install {}", fmt::join(input.requirements, " "));
}

std::string EnvironmentLiteral(const ReproducerInput& input) {
  std::vector<std::string> entries;
  for (const auto& [name, value] : input.environment) {
    entries.push_back(fmt::format("{}: {}", python::Literal(name), python::Literal(value)));
  }
  return fmt::format("{{{}}}", fmt::join(entries, ", "));
}

std::string AdapterLiterals(const ReproducerInput& input) {
  // Its first line may name a file of this repository, which the reader of a script does not have.
  constexpr std::string_view kName = "adapter.py: ";
  std::string adapter = input.adapter;
  const size_t name = adapter.find(kName);
  const size_t blank = adapter.find_first_of(" \n", 2);
  if (adapter.starts_with("# ") && name < blank) adapter.erase(2, name + kName.size() - 2);
  std::string text = "ADAPTER = " + python::SourceLiteral(adapter) + "\n";
  std::vector<std::string> modules;
  for (const auto& [path, source] : input.modules) {
    modules.push_back(fmt::format("{}: {}", python::Literal(path), python::SourceLiteral(source)));
  }
  return modules.empty() ? text : text + fmt::format("MODULES = {{{}}}\n", fmt::join(modules, ",\n    "));
}

}  // namespace dlpack_cts
