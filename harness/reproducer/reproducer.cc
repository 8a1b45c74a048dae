// harness/reproducer/reproducer.cc: puts a reproducer together: what was found, the exchange, the adapter, the prelude.
#include "harness/reproducer/reproducer.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "harness/ledger/facts.h"
#include "harness/ledger/ledger.h"
#include "harness/reproducer/literal.h"
#include "harness/reproducer/prelude.h"
#include "harness/reproducer/python.h"
#include "harness/reproducer/sources.h"

namespace dlpack_cts {
namespace {

constexpr size_t kColumns = 110;
constexpr std::string_view kFault = "SIGSEGV | SIGBUS";

bool Has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// Comment lines of a paragraph, whatever the text holds.
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

/// How the exchange ends, as waitpid sees it; empty where it comes to its end.
std::string EndOf(const ReproducerInput& input) {
  if (input.verdict == "TIMEOUT") return "timeout";
  if (input.verdict == "UNSAFE") return std::string(kFault);
  return input.verdict == "CRASH" ? input.ended : "";
}

/// As EndOf. A run notes a touch of forbidden memory and lets it pass; in the script it ends the exchange.
std::string DeathOf(const ReproducerInput& input) {
  const std::string end = EndOf(input);
  return input.touched && !end.empty() && end != kFault ? fmt::format("{} | {}", end, kFault) : end;
}

/// Steps of the C exchange API that a script has no code for.
bool IsBeyondScript(Op op) {
  return op == Op::kTableFind || op == Op::kTableView || op == Op::kTableAllocate || op == Op::kTableStream;
}

/// The value of a fact that nothing was noted about.
std::string Unseen(const std::string& fact) {
  static const auto empty = std::make_unique<Ledger>();
  return fact.empty() ? "" : Fact(*empty, fact);
}

/// Some right values are described and not named; then only what was seen can be compared.
bool IsProse(std::string_view wanted) {
  for (const std::string_view start : {"a code", "at least", "at most", "no ", "any ", "the ", "not "}) {
    if (wanted.starts_with(start)) return true;
  }
  return false;
}

/// The adapter's text; its first line may name the file in our tree, which the reader of a script does not have.
std::string Adapter(std::string text) {
  constexpr std::string_view kName = "adapter.py: ";
  const size_t name = text.find(kName);
  const size_t blank = text.find_first_of(" \n", 2);
  if (text.starts_with("# ") && name < blank) text.erase(2, name + kName.size() - 2);
  return python::SourceLiteral(text);
}

std::string Header(const ReproducerInput& input) {
  // A message on one of the first two lines could name a coding, which Python would believe.
  std::string text = "#!/usr/bin/env python3\n# A reproducer that dlpack-cts wrote.\n#\n";
  text += Comment("Library", input.library + " " + input.library_version);
  text += Comment("Finding", input.verdict + ": " + input.message);
  text += Comment("Wanted", input.wanted);
  text += Comment("Got", input.got);
  if (!input.fact.empty()) text += Comment("Seen in", input.fact);
  text += Comment("Rule", fmt::format("{}: {}", input.rule, input.requirement));
  text += Comment("Source", SourceText(input.source));
  text += Comment("Case", input.case_id);
  text += "#\n# To run it: Linux on x86-64, Python 3.8 or newer, the library, nothing else.\n#\n";
  if (!input.requirements.empty()) {
    text += python::CommentText(fmt::format("#     pip install {}", fmt::join(input.requirements, " "))) + "\n";
  }
  text +=
      "#     python THIS_FILE\n#\n# It prints REPRODUCED and exits 1, or NOT REPRODUCED and exits 0. Exit 2: the "
      "library could not be imported.\n# Short parts first: the finding, the tensor, the exchange, and how this "
      "library "
      "is called. All that follows is the\n# machinery, the same in every such file: it makes the tensor through "
      "ctypes, "
      "between inaccessible pages, takes the steps\n# of the exchange, and notes facts.\n\n";
  return text;
}

}  // namespace

std::string WhyNoReproducer(const ReproducerInput& input) {
  for (const std::string_view part : {".without_gil", "pending_exception"}) {
    if (Has(input.fact, part)) return "Python code cannot see " + input.fact;
  }
  if (input.fact.starts_with("deleter")) return "a script does not list the calls of deleters";
  if (input.fact.starts_with("table")) return "a script does not watch the C exchange API";
  if (input.verdict == "CRASH" && DeathOf(input).empty()) return "a script does not watch its memory";
  if (input.fact.empty() && DeathOf(input).empty()) return "no single fact decides";
  if (input.recipe.offer().large != 0 || input.recipe.request().large != 0)
    return "the elements are too many for a script";
  if (input.recipe.rounds > 1) return "a script takes a life once";
  for (const Step& step : input.recipe.life()) {
    if (step.op == Op::kMake && step.slot != 0) return "a script makes one array";
    if (IsBeyondScript(step.op)) return "a script calls only the managed functions of the C exchange API";
    if (step.context == Context::kPendingException) return "Python code cannot leave an exception pending";
    if (step.context != Context::kUsual && (step.op != Op::kDelete || step.context != Context::kRawThread)) {
      return "a script takes all steps but deletions in the main interpreter";
    }
    if (step.lane != 0 && step.op != Op::kDelete && step.op != Op::kDropArray) {
      return "a script takes all steps but deletions on one thread";
    }
    if (step.block != 0) return "a script has one tensor or one array";
    if (step.op == Op::kImport && input.recipe.offer().kind == StructKind::kView) return "a view has no capsule";
  }
  return "";
}

std::string Reproducer(const ReproducerInput& input) {
  std::string text = Header(input);
  text += "# ---- The finding.\n\nFINDING = dict(\n";
  const auto add = [&text](std::string_view name, const std::string& value) {
    text += fmt::format("    {}={},\n", name, python::Literal(value));
  };
  add("case", input.case_id);
  add("verdict", input.verdict);
  add("fact", input.fact);
  add("wanted", input.wanted);
  add("got", input.got);
  add("death", DeathOf(input));
  add("unseen", Unseen(input.fact));
  text += fmt::format("    wanted_is_prose={},\n)\n", IsProse(input.wanted) ? "True" : "False");
  text += "REQUIREMENTS = [";
  for (const std::string& requirement : input.requirements) text += python::Literal(requirement) + ", ";
  text += "]\nENVIRONMENT = {";
  for (const auto& [name, value] : input.environment) {
    text += fmt::format("{}: {}, ", python::Literal(name), python::Literal(value));
  }
  text += "}\n\n# ---- The tensor that is offered, the array that is asked for, the arguments of the call.\n\n";
  const Recipe& recipe = input.recipe;
  text += "OFFER = " + (python::Offers(recipe) ? python::Block(recipe.offer()) : "{}") + "\n";
  text += "REQUEST = " + (python::Requests(recipe) ? python::Block(recipe.request()) : "{}") + "\n";
  for (int call = 0; call < recipe.used.calls; ++call) {
    text += python::CallName(call) + " = " + python::Block(recipe.calls[call]) + "\n";
  }
  text += "ELEMENTS = " + python::Elements(recipe) + "\n";
  text += "\n# ---- The exchange, step by step; the number is the tensor's.\n\n\ndef exchange(life):\n";
  text += python::Steps(recipe);
  text += "\n\n# ---- The adapter: how this library is called.\n\nADAPTER = " + Adapter(input.adapter) + "\n\n";
  text += "# " + std::string(100, '=') + "\n# The machinery. Nothing below belongs to this finding.\n# " +
          std::string(100, '=') + "\n\n";
  text += kReproducerPrelude;
  text += "\n\nif __name__ == \"__main__\":\n    sys.exit(reproduce())\n";
  return text;
}

}  // namespace dlpack_cts
