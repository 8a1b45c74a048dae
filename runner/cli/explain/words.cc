// runner/cli/explain/words.cc: explains choices, verdicts, and the words of the glossary.
#include <iostream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "base/failure.h"
#include "base/text.h"
#include "results/whole_file.h"
#include "runner/base/places.h"
#include "runner/cli/explain/print.h"
#include "runner/cli/explain/topics.h"

namespace dlpack_cts::runner {
namespace {

using nlohmann::json;

constexpr size_t kLargestPage = size_t{1} << 20;  // in bytes
constexpr char kReinstall[] = "restore the folder docs/ of the source tree, or install dlpack-cts again";

/// "[all steps](results.md#steps) and `x`" becomes "all steps (docs/results.md#steps) and x".
std::string WithoutMarkdown(const std::string& text) {
  static const std::regex link(R"(\[([^\]]*)\]\(([^)]*)\))");
  std::string plain = std::regex_replace(text, link, "$1 (docs/$2)");
  std::erase(plain, '`');
  return plain;
}

/// The rows of the tables of a page whose first row begins with `head`: first cell to the other cells.
std::map<std::string, std::vector<std::string>> TableOf(const std::string& page, const std::string& head) {
  const std::string file = DataFolder() + "/docs/" + page;
  std::istringstream text(WithContext("", kReinstall, [&] { return ReadWholeFile(file, kLargestPage); }, kHarness));
  std::map<std::string, std::vector<std::string>> rows;
  bool in_table = false;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("| " + head + " |")) {
      in_table = true;
      continue;
    }
    in_table = in_table && line.starts_with('|');
    if (!in_table || line.starts_with("|-") || !line.ends_with(" |")) continue;
    std::vector<std::string> cells;
    for (const std::string_view cell : Split(std::string_view(line).substr(2, line.size() - 4), " | ")) {
      cells.push_back(WithoutMarkdown(std::string(cell)));
    }
    const std::string name = cells.front();
    cells.erase(cells.begin());
    rows.emplace(name, std::move(cells));
  }
  if (rows.empty()) throw Failure(file + " has no table \"" + head + "\"", kReinstall, kHarness);
  return rows;
}

std::vector<std::string> NamesOf(const std::map<std::string, std::vector<std::string>>& rows) {
  std::vector<std::string> names;
  for (const auto& [name, unused] : rows) names.push_back(name);
  return names;
}

void PrintQuestion(const Catalogue& catalogue, const json& row) {
  PrintText("", row.at("question"));
  PrintAll("  possible answers:", row.at("answers").get<std::vector<std::string>>());
  const std::string unseen = row.at("unseen");
  if (!unseen.empty()) PrintText("not observed: ", unseen);
  const std::string id = row.at("rule");
  const auto rule = catalogue.rules.find(id);
  PrintText("rule: ", id + (rule == catalogue.rules.end() ? "" : ": " + rule->second.requirement));
}

/// The kinds of lines in a result file, with the meaning of each of their fields by its name.
std::map<std::string, std::map<std::string, std::string>> FieldsByLine() {
  std::map<std::string, std::map<std::string, std::string>> lines;
  for (const char* line : {"the header", "a result", "a cause", "a choice", "the footer"}) {
    for (const auto& [names, cells] : TableOf("results.md", "field of " + std::string(line))) {
      for (const std::string_view name : Split(names, ", ")) lines[line][std::string(name)] = cells.front();
    }
  }
  return lines;
}

/// A topic whose words are the rows of a table, which has one other column.
Topic TableTopic(std::string_view kind, const std::string& page, const std::string& head, const std::string& heading) {
  const auto rows = TableOf(page, head);
  return {.kind = kind, .ids = NamesOf(rows), .print = [rows, heading](const std::string& id) {
            std::cout << id << "  (" << heading << ")\n";
            PrintText("", rows.at(id).front());
          }};
}

}  // namespace

Topic ChoiceTopic(const Catalogue& catalogue) {
  // A choice that consumers and producers make differently has a row for each.
  std::map<std::string, std::vector<json>> choices;
  for (const json& row : WorkerList("choices")) choices[row.at("choice")].push_back(row);
  std::vector<std::string> ids;
  for (const auto& [id, unused] : choices) ids.push_back(id);
  return {.kind = "choice", .ids = std::move(ids), .print = [&catalogue, choices](const std::string& id) {
            std::cout << id << "  (a choice that the specification leaves open)\n";
            for (const json& row : choices.at(id)) PrintQuestion(catalogue, row);
            PrintText("", "dlpack-cts run LIBRARY --census prints what a library does here.");
          }};
}

Topic VerdictTopic(const Catalogue& /*catalogue*/) {
  const auto rows = TableOf("results.md", "verdict");
  return {.kind = "verdict", .ids = NamesOf(rows), .print = [rows](const std::string& id) {
            std::cout << id << "  (a verdict)\n";
            const std::vector<std::string>& cells = rows.at(id);
            PrintText("", cells.front());
            PrintText("fails a run: ", cells.back() == "yes" ? "yes, unless the deviation is known" : cells.back());
            PrintText("", "docs/results.md explains all verdicts.");
          }};
}

Topic WordTopic(const Catalogue& /*catalogue*/) {
  return TableTopic("word", "glossary.md", "word", "a word of docs/glossary.md");
}

Topic TermTopic(const Catalogue& /*catalogue*/) {
  return TableTopic("term", "results.md", "term", "a term of reports");
}

Topic FieldTopic(const Catalogue& /*catalogue*/) {
  const auto lines = FieldsByLine();
  std::set<std::string> names;
  for (const auto& [line, fields] : lines) {
    for (const auto& [name, meaning] : fields) names.insert(name);
  }
  return {.kind = "field", .ids = {names.begin(), names.end()}, .print = [lines](const std::string& id) {
            std::cout << id << "  (a field of results.ndjson)\n";
            for (const auto& [line, fields] : lines) {
              if (const auto field = fields.find(id); field != fields.end())
                PrintText("of " + line + ": ", field->second);
            }
            PrintText("", "docs/results.md explains all fields.");
          }};
}

std::map<std::string, std::string> OtherWords() {
  std::map<std::string, std::string> words;
  for (const auto& [word, cells] : TableOf("results.md", "other word")) words.emplace(word, cells.front());
  return words;
}

Topic StrengthTopic(const Catalogue& /*catalogue*/) {
  return TableTopic("strength", "results.md", "strength", "the strength of a rule");
}

Topic MarkTopic(const Catalogue& /*catalogue*/) {
  return TableTopic("mark", "results.md", "mark", "a mark behind a verdict");
}

Topic StepTopic(const Catalogue& /*catalogue*/) {
  return TableTopic("step", "results.md", "step", "a step of an exchange");
}

Topic TriggerTopic(const Catalogue& /*catalogue*/) {
  std::map<std::string, std::string> meanings;
  for (const json& row : WorkerList("coordinates")) meanings.emplace(row.at("peculiarity"), row.at("words"));
  std::vector<std::string> ids;
  for (const auto& [id, unused] : meanings) ids.push_back(id);
  return {.kind = "trigger", .ids = std::move(ids), .print = [meanings](const std::string& id) {
            std::cout << id << "  (a trigger, in ids of causes)\n";
            PrintText("", meanings.at(id));
          }};
}

}  // namespace dlpack_cts::runner
