// runner/verdict/read_expectations.cc: reads lists of known deviations, for a library alone or for a pair.
#include <algorithm>
#include <filesystem>
#include <string_view>

#include "base/failure.h"
#include "base/paths.h"
#include "base/version.h"
#include "results/limit.h"
#include "runner/base/toml.h"
#include "runner/verdict/expectations.h"

namespace dlpack_cts::runner {
namespace {

constexpr char kBeginEach[] = "begin each entry with a line [[expect]]";
constexpr std::string_view kPairCases = "interop/";

/// "from" or "to": the libraries with which the entry applies.
void ReadPartners(const TomlTable& table, const toml::table& node, Expectation& entry) {
  const bool from = table.Has("from");
  if (!from && !table.Has("to")) {
    if (!entry.cases.starts_with(kPairCases)) return;
    table.Wrong("case", "names a case of pairs, but \"from\" and \"to\" are missing",
                "name the libraries whose arrays this one imports, for example from = [\"numpy\"]");
  }
  const char* const key = from ? "from" : "to";
  if (from && table.Has("to"))
    table.Wrong("to", "cannot be used with \"from\"", "write an entry for each of the two directions");
  entry.partners = table.TextsOr(key, {});
  entry.role = from ? PairRole::kConsumer : PairRole::kProducer;
  if (entry.partners.empty())
    table.Wrong(key, "is empty", "name libraries, or remove it: the entry then applies to the library alone");
  const toml::source_region& at = node.at(key).source();
  entry.partners_at = {.first_line = static_cast<int>(at.begin.line),
                       .first_column = static_cast<int>(at.begin.column),
                       .last_line = static_cast<int>(at.end.line),
                       .end_column = static_cast<int>(at.end.column)};
}

Expectation ReadEntry(const toml::table& node, const std::string& file) {
  const TomlTable table(node, file);
  table.AllowOnly({"case", "rule", "cause", "verdict", "message", "versions", "link", "why", "seldom", "from", "to"});
  Expectation entry;
  entry.cases = table.TextOr("case", "");
  entry.rule = table.TextOr("rule", "");
  entry.cause = table.TextOr("cause", "");
  const int given = (entry.cases.empty() ? 0 : 1) + (entry.rule.empty() ? 0 : 1) + (entry.cause.empty() ? 0 : 1);
  if (given != 1) {
    table.Wrong("case", "or \"rule\" or \"cause\" must be given, and only one of them",
                "give exactly one of the three");
  }
  const std::string verdict = table.Text("verdict");
  const std::optional<Verdict> known = FromText<Verdict>(verdict);
  if (!known) {
    table.Wrong("verdict", "is \"" + verdict + "\", which is not a verdict",
                "use FAIL, WARN, CRASH, TIMEOUT, LEAK or UNSAFE");
  }
  entry.verdict = *known;
  entry.message = entry.cause.empty() ? table.Text("message") : table.TextOr("message", "");
  if (!entry.cause.empty() && !entry.message.empty()) {
    table.Wrong("message", "cannot be used with \"cause\"", "remove it: the id identifies the cause");
  }
  entry.versions = table.TextOr("versions", "");
  const std::string wrong = WrongCondition(entry.versions);
  if (!wrong.empty()) {
    table.Wrong("versions", "holds \"" + wrong + "\", which is not a condition", "write conditions like \">=2.0,<3\"");
  }
  entry.link = table.TextOr("link", "");
  entry.why = table.Text("why");
  if (entry.why.empty()) table.Wrong("why", "is empty, but a listed deviation needs a reason");
  entry.seldom = table.BoolOr("seldom", false);
  if (entry.seldom && entry.cause.empty()) {
    table.Wrong("seldom", "can only be used with \"cause\"", "remove it, or list the cause instead");
  }
  ReadPartners(table, node, entry);
  entry.file = file;
  entry.line = entry.last_line = static_cast<int>(node.source().begin.line);
  for (const auto& [key, value] : node) {
    entry.last_line = std::max(entry.last_line, static_cast<int>(value.source().end.line));
  }
  return entry;
}

/// Adds the entries of a list that apply to its library in a pair.
void AddOf(PairRole owner, const std::string& file, const std::string& partner, std::vector<Expectation>& entries) {
  for (Expectation& entry : ReadList(file)) {
    const bool alone = entry.partners.empty() && !entry.cause.empty() && !entry.cause.starts_with(kLimitPrefix);
    const bool here = entry.role == owner && std::ranges::find(entry.partners, partner) != entry.partners.end();
    if (!alone && !here) continue;
    entry.owner = owner;
    entry.partner = partner;
    entries.push_back(std::move(entry));
  }
}

}  // namespace

std::vector<Expectation> ReadList(const std::string& file) {
  std::vector<Expectation> entries;
  if (!Exists(file)) return entries;
  const toml::table parsed = ParseToml(file);
  const TomlTable whole(parsed, file);
  whole.AllowOnly({"expect", "include"});
  const toml::array* list = parsed["expect"].as_array();
  if (list == nullptr && parsed.contains("expect"))
    throw Failure(file + ": \"expect\" is not a list of tables", kBeginEach);
  for (size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const toml::table* const node = list->get(i)->as_table();
    if (node == nullptr) throw Failure(file + ": an entry of \"expect\" is not a table", kBeginEach);
    entries.push_back(ReadEntry(*node, file));
  }
  // The first entry that matches applies, so those of the file itself come first.
  for (const std::string& path : whole.TextsOr("include", {})) {
    const std::string included = (std::filesystem::path(file).parent_path() / path).string();
    if (!Exists(included))
      whole.Wrong("include", "names " + path + ", which does not exist", "write a path from this file");
    // Files that include each other would be read without end.
    if (ParseToml(included).contains("include"))
      whole.Wrong("include", "names " + path + ", which includes other files itself", "include those files here");
    for (Expectation& entry : ReadList(included)) {
      entry.included = true;
      entries.push_back(std::move(entry));
    }
  }
  return entries;
}

Expectations Expectations::Read(const std::string& file) {
  Expectations expectations;
  expectations.file_ = file;
  expectations.is_list_ = Exists(file);
  expectations.entries_ = ReadList(file);
  std::erase_if(expectations.entries_, [](const Expectation& entry) { return !entry.partners.empty(); });
  return expectations;
}

Expectations Expectations::Read(const PairLists& pair) {
  Expectations expectations;
  AddOf(PairRole::kConsumer, pair.consumer_file, pair.producer, expectations.entries_);
  AddOf(PairRole::kProducer, pair.producer_file, pair.consumer, expectations.entries_);
  return expectations;
}

}  // namespace dlpack_cts::runner
