// harness/reproducer/reproducer.cc: builds a reproducer: the finding, the exchange, the adapter, the prelude.
#include "harness/reproducer/reproducer.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/text.h"
#include "harness/ledger/facts.h"
#include "harness/ledger/ledger.h"
#include "harness/recipe/ops.h"
#include "harness/reproducer/literal.h"
#include "harness/reproducer/needs.h"
#include "harness/reproducer/prelude.h"
#include "harness/reproducer/python.h"
#include "harness/reproducer/watched.h"

namespace dlpack_cts {
namespace {

constexpr size_t kColumns = 110;
constexpr size_t kGot = 300;   // most characters of the observed value in the header
constexpr size_t kCopies = 6;  // most names of embedded files in the header

bool Has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

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

/// The value of a fact that was not recorded.
std::string Unseen(const std::string& fact) {
  static const auto empty = std::make_unique<Ledger>();
  return fact.empty() ? "" : Fact(*empty, fact);
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

/// The text of the adapter. Its first line may name a file of this repository, which the reader of a script does not
/// have.
std::string Adapter(std::string text) {
  constexpr std::string_view kName = "adapter.py: ";
  const size_t name = text.find(kName);
  const size_t blank = text.find_first_of(" \n", 2);
  if (text.starts_with("# ") && name < blank) text.erase(2, name + kName.size() - 2);
  return python::SourceLiteral(text);
}

/// The embedded files of a script. A reader may expect it to import the files that are next to the adapter now.
std::string Copies(const ReproducerInput& input) {
  if (input.modules.empty()) return "";
  std::vector<std::string> names;
  for (const auto& [name, text] : input.modules) {
    if (names.size() < kCopies) names.push_back(name);
  }
  const size_t more = input.modules.size() - names.size();
  std::string finding = input.case_id;
  std::replace(finding.begin(), finding.end(), '/', '.');
  return fmt::format(
      "This script runs copies of these files, as they were at the time of the run: {}{}. To test a changed library, "
      "run: dlpack-cts replay {}.json",
      fmt::join(names, ", "), more == 0 ? "" : fmt::format(", and {} more in MODULES", more), finding);
}

std::string Header(const ReproducerInput& input) {
  // A message on one of the first two lines could look like a coding declaration of Python.
  std::string text =
      "#!/usr/bin/env python3\n# A reproducer written by dlpack-cts. It prints REPRODUCED and exits 1, or NOT "
      "REPRODUCED and "
      "exits 0.\n# Status 2: the library could not be imported. It needs Linux on x86-64 and Python 3.8 or newer.\n#\n";
  text += Comment("Library", input.library + " " + input.library_version);
  text += Comment("Finding", input.verdict + ": " + input.message);
  text += Comment("Expected", input.wanted);
  text += Comment("Got", input.got.substr(0, kGot));
  text += Comment("Ended by", fmt::format("{}", fmt::join(CrashOf(input), ", or by ")));
  text += Comment("Seen in", WatchedFact(input));
  text += Comment("Rule", fmt::format("{}: {}", input.rule, input.requirement));
  text += Comment("Source", input.source);
  text += Comment("Case", input.case_id);
  text += Comment("Copies", Copies(input));
  if (!input.requirements.empty()) {
    text += python::CommentText(fmt::format("#     pip install {}", fmt::join(input.requirements, " "))) + "\n";
  }
  return text + "#     python THIS_FILE\n\n";
}

/// The condition for a wrong value of the watched fact, as the body of a Python function.
std::string Comparison(const ReproducerInput& input) {
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
      for (const std::string_view word : {"none", "not-run", "not-read", "not-seen", "unsupported"}) {
        if (!input.got.starts_with(word)) right.emplace_back(word);
      }
    }
    for (std::string& value : right) value = python::Literal(value);
    test = right.size() == 1 ? "seen != " + right.front() : fmt::format("seen not in ({})", fmt::join(right, ", "));
  }
  // A fact that is not recorded is not a violation, unless it was not recorded in the run either.
  const std::string unseen = Unseen(input.fact);
  return unseen == input.got || test.starts_with("seen == ")
             ? test
             : fmt::format("seen != {} and {}", python::Literal(unseen), test);
}

/// Whether the fact is about an export.
bool Looks(const ReproducerInput& input) { return input.every_fact || WatchedFact(input).starts_with("export"); }

/// The check in Python, and the texts that the prelude prints at the end.
std::string Finding(const ReproducerInput& input) {
  std::string text;
  const auto add = [&text](std::string_view name, const std::string& value) {
    text += fmt::format("{} = {}\n", name, python::Literal(value));
  };
  add("CASE", input.verdict + " " + input.case_id);
  add("INSTALL", input.requirements.empty() ? fmt::format("{} {}", input.library, input.library_version)
                                            : fmt::format("pip install {}", fmt::join(input.requirements, " ")));
  if (!input.environment.empty()) text += "ENVIRONMENT = {";
  for (const auto& [name, value] : input.environment) {
    text += fmt::format("{}: {}, ", python::Literal(name), python::Literal(value));
  }
  if (!input.environment.empty()) text += "}\n";
  const std::vector<std::string> death = CrashOf(input);
  if (!death.empty()) {
    std::vector<std::string> ends = death;
    for (std::string& end : ends) end = python::Literal(end);
    return text + fmt::format("EXPECTED_END = [{}]\n", fmt::join(ends, ", "));
  }
  return text +
         fmt::format("FACT, UNSEEN = {}, {}\n", python::Literal(WatchedFact(input)),
                     python::Literal(Unseen(input.fact))) +
         "def is_wrong(seen):\n    return " + Comparison(input) + "\n";
}

/// The offered tensor and the requested array.
std::string Blocks(const Recipe& recipe, const std::string& code) {
  std::string text;
  if (python::Offers(recipe)) {
    text += "OFFER = " + python::Block(recipe.offer(), code) + "\n";
    text += python::Elements(recipe, Has(code, "RIGHT["));
  }
  if (python::Requests(recipe)) {
    text += "REQUEST = " + python::Block(recipe.request(), code) + "\n";
  }
  return text.empty() ? text : "\n" + text;
}

}  // namespace

std::string WhyNoReproducer(const ReproducerInput& input) {
  for (const std::string_view part : {"without_gil", "pending_exception"}) {
    if (Has(input.fact, part)) return "Python code cannot see " + input.fact;
  }
  if (Has(input.fact, ".name_agrees")) return "a script always reads a struct as the kind that the capsule name says";
  if (input.fact.starts_with("deleter")) return "a script does not record single deleter calls";
  if (Has(input.fact, ".cuda_")) return "a script does not use the CUDA driver";
  if (input.fact.starts_with("table")) return "a script does not observe the C exchange API";
  if (input.verdict == "CRASH" && CrashOf(input).empty()) return "a script does not limit its memory";
  if (input.fact.empty() && CrashOf(input).empty()) return "the finding has no single deciding fact";
  // An unused offer or request may contain anything.
  if ((python::Offers(input.recipe) && input.recipe.offer().large != 0) ||
      (python::Requests(input.recipe) && input.recipe.request().large != 0))
    return "there are too many elements for a script";
  if (python::Offers(input.recipe) && input.recipe.offer().placement == Placement::kDevice) {
    return "a script does not use the CUDA driver";
  }
  if (input.recipe.table.attribute != TableAttribute::kNone)
    return "a script does not make a table of the C exchange API";
  if (input.recipe.rounds > 1) return "a script runs the exchange only once";
  for (const Step& step : input.recipe.life()) {
    if (HasTrait(step.op, OpTrait::kRaces))
      return "a script does not run races between threads, or hundreds of exchanges at once";
    if (step.op == Op::kMake && step.slot != 0) return "a script makes only one array";
    if (HasTrait(step.op, OpTrait::kUnscripted)) {
      return "a script calls only the managed functions of the C exchange API";
    }
    if (IsOfCuda(step.context) || step.stream != 0) return "a script does not use the CUDA driver";
    if (step.context == Context::kPendingException) return "Python code cannot leave an exception pending";
    const bool there = step.context == Context::kRawThread || step.context == Context::kFinalised ||
                       step.context == Context::kForkedChild || step.context == Context::kAtExit;
    const bool deletes = step.op == Op::kDelete && there;
    if (step.context != Context::kUsual && step.context != Context::kStrictWarnings && !deletes) {
      return "a script runs all steps except deleter calls in the main interpreter";
    }
    if (step.lane != 0 && step.op != Op::kDelete && step.op != Op::kDropArray) {
      return "a script runs all steps except deleter calls on one thread";
    }
    if (step.block != 0) return "a script has only one tensor or array";
    if (step.op == Op::kImport && input.recipe.offer().kind == StructKind::kView) return "a view has no capsule";
  }
  return "";
}

std::string Reproducer(const ReproducerInput& input) {
  const std::string finding = Finding(input);
  const std::string exchange =
      "\ndef exchange(life):\n" + python::Steps(input.recipe, LifeOf(input).steps, Looks(input));
  constexpr std::string_view kEnd = "\nif __name__ == \"__main__\":\n    sys.exit(reproduce())\n";
  Needs needs = NeedsOf(input);
  needs.code = exchange + std::string(kEnd) + "types.SimpleNamespace";
  const Selection selection = Select(kReproducerPrelude + python::Types(), needs);
  std::string modules;
  for (const auto& [name, text] : input.modules) {
    modules += fmt::format("{}{}: {}", modules.empty() ? "MODULES = {" : ",\n    ", python::Literal(name),
                           python::SourceLiteral(text));
  }
  if (!modules.empty()) modules += "}\n";
  std::string used = selection.code;
  for (const auto& [name, text] : input.modules) used += "\n" + text;
  std::string text = Header(input) + "import " + selection.imports + "\n" + finding;
  text += Blocks(input.recipe, used + "\n" + input.adapter) + exchange;
  text += "\nADAPTER = " + Adapter(input.adapter) + "\n" + modules;
  text += "\n# ---- Supporting code: the process, the memory of the tensor, the steps.\n" + selection.code;
  return text + std::string(kEnd);
}

}  // namespace dlpack_cts
