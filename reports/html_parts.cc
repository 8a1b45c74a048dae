// reports/html_parts.cc: badges, tables of JSON values, and the ledger as a timeline, in HTML.
#include <fmt/format.h>

#include <algorithm>

#include "reports/html_case.h"
#include "reports/text.h"

namespace dlpack_cts {
namespace {

constexpr int kLanes = 4;

std::string Dump(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>()
                           : value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

bool IsFlat(const nlohmann::json& value) {
  if (!value.is_array()) return !value.is_object() || value.empty();
  return std::none_of(value.begin(), value.end(), [](const nlohmann::json& item) { return item.is_structured(); });
}

/// Every value of a JSON tree with its path: {"offers[0].shape", "[2,3]"}.
void AddRows(const std::string& name, const nlohmann::json& value, std::string& rows) {
  if (IsFlat(value)) {
    rows += fmt::format("<tr><td>{}</td><td class=\"mono\">{}</td></tr>", EscapeXml(name), EscapeXml(Dump(value)));
    return;
  }
  size_t index = 0;
  for (const auto& [key, item] : value.items()) {
    const std::string part =
        value.is_array() ? fmt::format("[{}]", index++) : fmt::format("{}{}", name.empty() ? "" : ".", key);
    AddRows(name + part, item, rows);
  }
}

std::string TextOf(const nlohmann::json& event, const char* field) {
  const auto found = event.find(field);
  return found == event.end() ? "" : Dump(*found);
}

}  // namespace

std::string VerdictBadge(Verdict verdict) { return fmt::format("<span class=\"v {0}\">{0}</span>", ToText(verdict)); }

std::string HtmlTable(const nlohmann::json& value) {
  std::string rows;
  if (!value.is_null() && !value.empty()) AddRows("", value, rows);
  if (rows.empty()) return "";
  return "<div class=\"scroll\"><table class=\"recipe\"><tbody>" + rows + "</tbody></table></div>\n";
}

std::string HtmlTimeline(const nlohmann::json& ledger) {
  if (!ledger.is_array() || ledger.empty()) return "";
  std::string items;
  for (const nlohmann::json& event : ledger) {
    if (!event.is_object()) continue;
    const std::string seen = TextOf(event, "seen");
    const auto slot = event.find("slot");
    const bool has_slot = slot != event.end() && slot->is_number_integer();
    const int64_t number = has_slot ? slot->get<int64_t>() : 0;
    const int64_t lane = (number % kLanes + kLanes) % kLanes;
    const bool start = seen == "step";
    const std::string_view kind = start ? "start" : seen == "fault" ? "fault" : "minor";
    items += fmt::format("<li class=\"s{} {}\">", lane, kind);
    if (start) {
      items +=
          fmt::format("step {}: <code>{}</code>", EscapeXml(TextOf(event, "step")), EscapeXml(TextOf(event, "op")));
    } else {
      const std::string text = TextOf(event, "text");
      // Most texts begin with the name of the event.
      if (text.starts_with(seen)) {
        items += EscapeXml(text);
      } else {
        items += fmt::format("<code>{}</code> {}", EscapeXml(seen), EscapeXml(text));
      }
    }
    if (has_slot) items += fmt::format(" <span class=\"soft\">slot {}</span>", number);
    items += "</li>\n";
  }
  return "<ol class=\"tl\">\n" + items + "</ol>\n";
}

}  // namespace dlpack_cts
