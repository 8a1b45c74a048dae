// reports/census.cc: the observed choices of several runs, question by question.
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "reports/markup.h"
#include "reports/outline.h"
#include "reports/reports.h"
#include "reports/text.h"

namespace dlpack_cts {
namespace {

std::string LibraryOf(const Run& run) { return NameOf(run.header.library, run.header.library_version); }

/// A question, and the answer of each library.
struct Asked {
  std::string rule;
  std::vector<std::pair<std::string, std::string>> answers;  // library, observed choice
};

}  // namespace

void PrintCensus(const std::vector<Run>& runs, std::ostream& out) {
  std::vector<std::pair<std::string, Asked>> asked;
  size_t width = 0;
  for (const Run& run : runs) {
    width = std::max(width, LibraryOf(run).size());
    for (const ObservedChoices& readings : run.readings) {
      const std::string title = OneLine(readings.id + "  " + readings.question);
      auto found = std::find_if(asked.begin(), asked.end(), [&](const auto& one) { return one.first == title; });
      if (found == asked.end()) found = asked.insert(asked.end(), {title, {OneLine(readings.rule), {}}});
      found->second.answers.emplace_back(LibraryOf(run), OneLine(TextOf(readings)));
    }
  }
  std::stable_sort(asked.begin(), asked.end(), [](const auto& a, const auto& b) {
    return a.first.substr(0, a.first.find(' ')) < b.first.substr(0, b.first.find(' '));
  });
  Terminal page;
  for (const auto& [title, question] : asked) {
    page << Terminal("{}  [{}]\n", title, question.rule);
    for (const auto& [library, reading] : question.answers)
      page << Terminal("    {:<{}}  {}\n", library, width, reading);
  }
  if (asked.empty()) page << "no run shows any behaviour that the specification leaves open\n";
  out << page.text();
}

}  // namespace dlpack_cts
