// worker/listing.cc: lists of cases, mutants and tables.
#include "worker/listing.h"

#include "harness/attribute/attribution.h"
#include "harness/attribute/properties.h"
#include "harness/case/case.h"
#include "harness/case/claims.h"
#include "harness/choices/choice.h"
#include "mutants/mutant.h"
#include "results/cause.h"
#include "worker/probe/limits.h"
#include "worker/run/case_runner.h"
#include "worker/run/counted_values.h"

namespace dlpack_cts::worker {
namespace {

nlohmann::json ListCases() {
  nlohmann::json list = nlohmann::json::array();
  for (const Case& listed : Catalogue()) {
    nlohmann::json needs = nlohmann::json::array();
    for (const Claim claim : listed.needs) needs.push_back(ToText(claim));
    list.push_back({{"case", listed.id},
                    {"rules", listed.rules},
                    {"role", ToText(listed.role)},
                    {"suite", SuiteOf(listed.id)},
                    {"hostile", listed.hostile},
                    {"whole", listed.examples == Examples::kWhole},
                    {"rows", listed.examples == Examples::kTable ? listed.table : 0},
                    {"times", listed.examples == Examples::kSweep ? kSweepFactor : 1},
                    {"pair", listed.pair},
                    {"python", listed.python},
                    {"needs", needs}});
  }
  return list;
}

nlohmann::json ListMutants() {
  nlohmann::json list = nlohmann::json::array();
  for (const Mutant& mutant : Mutants()) {
    list.push_back({{"mutant", mutant.name},
                    {"kind", mutant.inconstant   ? "inconstant"
                             : mutant.limited    ? "limited"
                             : mutant.conforming ? "conforming"
                                                 : "mutant"},
                    {"rules", mutant.rules},
                    {"what", mutant.what}});
  }
  return list;
}

nlohmann::json ListFreedoms() {
  nlohmann::json list = nlohmann::json::array();
  for (const Choice& choice : Choices()) {
    if (choice.facts.empty()) continue;
    list.push_back({{"freedom", choice.id},
                    {"holds", choice.constant ? "of the library" : "of one exchange"},
                    {"rule", choice.rule},
                    {"what", choice.what},
                    {"facts", choice.facts}});
  }
  return list;
}

nlohmann::json ListChoices() {
  nlohmann::json list = nlohmann::json::array();
  for (const Choice& choice : Questions()) {
    const Question& question = choice.more.question;
    nlohmann::json answers = nlohmann::json::array();
    for (const std::string_view reading : question.readings) {
      if (!reading.empty()) answers.push_back(reading);
    }
    list.push_back({{"choice", question.number},
                    {"rule", choice.rule},
                    {"question", question.text},
                    {"answers", answers},
                    {"weak", question.weak},
                    {"unseen", question.unseen}});
  }
  return list;
}

nlohmann::json ListAttributions() {
  nlohmann::json list = nlohmann::json::array();
  for (const AttributionRow& row : Attributions()) {
    list.push_back({{"side", ToText(row.side)},
                    {"family", ToText(row.family)},
                    {"needs", row.triggers},
                    {"facts", row.facts},
                    {"got", row.got},
                    {"rule", row.rule}});
  }
  return list;
}

nlohmann::json ListProperties() {
  nlohmann::json list = nlohmann::json::array();
  for (const Property& property : AllProperties()) {
    for (const Trigger& value : property.values) {
      list.push_back({{"peculiarity", value.id}, {"coordinate", property.id}, {"words", value.words}});
    }
  }
  for (const Property* const property : DefaultProperties()) {
    const Trigger& value = property->values.front();
    list.push_back({{"peculiarity", value.id}, {"coordinate", property->id}, {"words", value.words}});
  }
  // These are not properties of a recipe, but results of the exchange.
  constexpr std::pair<const char*, const char*> kSeen[] = {
      {"refused-offer", "the import is refused, for any reason"},
      {"refused-export", "the export is refused, for any reason"},
      {kEarlierExchanges, "earlier exchanges ran in the same process"},
      {kAtTimes,
       "the failure does not appear every time: something outside the exchange, such as thread timing, decides"},
      {"only-together", "neither library of the pair shows the failure with the reference as its partner"}};
  for (const auto& [id, words] : kSeen) {
    list.push_back({{"peculiarity", id}, {"coordinate", "exchange"}, {"words", words}});
  }
  return list;
}

nlohmann::json ListValues() {
  nlohmann::json list = nlohmann::json::array();
  for (const CountedValue& value : AllValues()) list.push_back({{"value", value.id}, {"words", value.words}});
  return list;
}

nlohmann::json ListLimits() {
  nlohmann::json list = nlohmann::json::array();
  for (const std::string& id : LimitIds()) list.push_back({{"limit", id}});
  return list;
}

struct ListRow {
  std::string_view name;
  nlohmann::json (*make)();
};
constexpr ListRow kLists[] = {{"cases", ListCases},     {"mutants", ListMutants},    {"freedoms", ListFreedoms},
                              {"choices", ListChoices}, {"homes", ListAttributions}, {"coordinates", ListProperties},
                              {"values", ListValues},   {"limits", ListLimits}};

}  // namespace

std::optional<nlohmann::json> ListOf(std::string_view name) {
  for (const ListRow& row : kLists) {
    if (row.name == name) return row.make();
  }
  return std::nullopt;
}

}  // namespace dlpack_cts::worker
