// reports/evidence.cc: the rows that show a failing example, in words where the worker wrote any.
#include "reports/evidence.h"

#include <fmt/format.h>

namespace dlpack_cts {
namespace {

std::string FactText(const std::string& fact, const std::string& meaning) {
  return meaning.empty() ? fact : fmt::format("{} ({})", meaning, fact);
}

const std::string& Either(const std::string& words, const std::string& value) { return words.empty() ? value : words; }

std::vector<EvidenceRow> Rows(const Words& words, const std::string& wrong, const std::string& wanted,
                              const std::string& got) {
  std::vector<EvidenceRow> rows;
  const auto add = [&](std::string_view name, const std::string& text) {
    if (!text.empty()) rows.push_back({name, text});
  };
  add("example", words.example);
  add("wrong", wrong);
  add("expected", Either(words.wanted, wanted));
  add("got", Either(words.got, got));
  return rows;
}

}  // namespace

std::vector<EvidenceRow> EvidenceRows(const Observation& seen) {
  return Rows(seen.words, FactText(seen.fact, seen.words.meaning), seen.wanted, seen.got);
}

std::vector<EvidenceRow> EvidenceRows(const Cause& cause) {
  std::vector<EvidenceRow> rows = Rows(cause.words, FactText(cause.fact, cause.words.meaning), cause.wanted, cause.got);
  if (!cause.accused.empty()) rows.insert(rows.begin(), {"whose", cause.accused});
  return rows;
}

std::vector<std::string> DeviationTexts(const Observation& seen) {
  std::vector<std::string> texts;
  for (const nlohmann::json& deviation : seen.deviations) {
    Words words;
    std::string ignored;
    if (deviation.contains("words")) FromJson(deviation["words"], &words, &ignored);
    texts.push_back(fmt::format(
        "{}: expected {}, got {}, in {} of {} exchanges{}", FactText(deviation.value("fact", ""), words.meaning),
        Either(words.wanted, deviation.value("wanted", "")), Either(words.got, deviation.value("got", "")),
        deviation.value("count", 0), seen.examples, words.example.empty() ? "" : ", for example " + words.example));
  }
  return texts;
}

}  // namespace dlpack_cts
