// reports/issue.cc: writes the draft of an issue about one cause.
#include "reports/issue.h"

#include <fmt/format.h>

#include "reports/evidence.h"
#include "reports/outline.h"
#include "reports/text.h"
#include "results/tally.h"

namespace dlpack_cts {
namespace {

/// A list of code lines, for a text that may contain fences of backticks itself.
std::string Fenced(std::string_view text, std::string_view language) {
  std::string fence = "```";
  while (text.find(fence) != std::string_view::npos) fence += '`';
  const std::string_view end = text.ends_with('\n') ? "" : "\n";
  return fmt::format("{}{}\n{}{}{}\n", fence, language, Clean(text, text.size()), end, fence);
}

/// "- NAME: TEXT", or nothing without a text.
std::string Item(std::string_view name, const std::string& text) {
  return text.empty() ? "" : fmt::format("- {}: {}\n", name, EscapeMarkdown(text));
}

std::string WhatHappens(const Run& run, const Cause& cause) {
  const Evidence evidence = EvidenceOf(run, cause);
  std::string text = "## What happens\n\n";
  text += EscapeMarkdown(Headline(run, cause)) + "\n\n";
  text += Item("exchange", evidence.example) + Item("wrong", evidence.wrong) + Item("got", evidence.got) +
          Item("leads to", evidence.leads_to);
  text += Item("verdict of dlpack-cts", std::string(ToText(cause.verdict)));
  if (IsOnInvalidInput(run, cause)) {
    text += "\nThe producer of this exchange violates the contract on purpose (invalid input).\n";
  }
  return text;
}

std::string WhatIsExpected(const Cause& cause, const IssueContext& context) {
  std::string text = "\n## What is expected\n\n";
  if (!context.requirement.empty()) text += EscapeMarkdown(context.requirement) + "\n\n";
  text += Item("expected", EvidenceOf(cause).expected) + Item("rule of dlpack-cts", cause.rule);
  text += Item("source", context.source);
  for (const std::string& link : context.links) text += fmt::format("- <{}>\n", OneLine(link));
  return text;
}

/// The replay command under debuggers. It runs the exchange once, in one process.
std::string InDebuggers(const std::string& replay) {
  const std::string command = replay + " --debugger ";
  return "\nUnder gdb, under valgrind, and with a library that is built with AddressSanitizer:\n\n" +
         Fenced(command + "'gdb --args'\n" + command + "valgrind\n" + command +
                    "\"env LD_PRELOAD=$(gcc -print-file-name=libasan.so)\"\n",
                "sh");
}

std::string HowToReproduce(const Run& run, const Cause& cause, const IssueContext& context) {
  std::string text = "\n## How to reproduce\n\n";
  if (!context.script.empty()) {
    text +=
        "This script does not need dlpack-cts. It prints REPRODUCED and exits with status 1 if the failure shows.\n\n";
    text += "<details><summary>reproduce.py</summary>\n\n" + Fenced(context.script, "python") + "\n</details>\n";
  }
  if (!cause.replay.empty()) {
    text +=
        context.script.empty() ? "With dlpack-cts, on the machine of the run:\n\n" : "\nThe same with dlpack-cts:\n\n";
    text += Fenced(cause.replay, "sh");
    if (context.script.empty()) text += InDebuggers(cause.replay);
  } else if (context.script.empty()) {
    text += "With dlpack-cts:\n\n" + Fenced(run.header.command, "sh");
  }
  return text;
}

std::string Versions(const Header& header) {
  std::string text = "\n## Versions\n\n| | |\n|---|---|\n";
  const auto row = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) text += fmt::format("| {} | {} |\n", name, EscapeMarkdown(value));
  };
  row("library", NameOf(header.library, header.library_version));
  row("Python", header.interpreter);
  row("platform", header.machine);
  row("dlpack-cts", header.program_version);
  return text;
}

}  // namespace

std::string IssueDraft(const Run& run, const Cause& cause, const IssueContext& context) {
  const std::string title = NameOf(run.header.library, run.header.library_version) + ": " + Headline(run, cause);
  return "# " + EscapeMarkdown(title) + "\n\n" + WhatHappens(run, cause) + WhatIsExpected(cause, context) +
         HowToReproduce(run, cause, context) + Versions(run.header);
}

}  // namespace dlpack_cts
