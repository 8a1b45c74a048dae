// reports/html_parts.cc: badges, tables of JSON values, and the ledger as a timeline, in HTML.
#include <fmt/format.h>

#include <algorithm>

#include "reports/html_case.h"

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
void AddRows(const std::string& name, const nlohmann::json& value, Xml& rows) {
  if (IsFlat(value)) {
    rows << Xml("<tr><td>{}</td><td class=\"mono\">{}</td></tr>", name, Dump(value));
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

Xml VerdictBadge(Verdict verdict) { return Xml("<span class=\"v {0}\">{0}</span>", ToText(verdict)); }

Xml HtmlTable(const nlohmann::json& value) {
  Xml rows;
  if (!value.is_null() && !value.empty()) AddRows("", value, rows);
  if (rows.empty()) return rows;
  return Xml("<div class=\"scroll\"><table class=\"recipe\"><tbody>{}</tbody></table></div>\n", rows);
}

Xml HtmlTimeline(const nlohmann::json& ledger) {
  Xml items;
  if (!ledger.is_array() || ledger.empty()) return items;
  for (const nlohmann::json& event : ledger) {
    if (!event.is_object()) continue;
    const std::string seen = TextOf(event, "seen");
    const auto slot = event.find("slot");
    const bool has_slot = slot != event.end() && slot->is_number_integer();
    const int64_t number = has_slot ? slot->get<int64_t>() : 0;
    const int64_t lane = (number % kLanes + kLanes) % kLanes;
    const bool start = seen == "step";
    const std::string_view kind = start ? "start" : seen == "fault" ? "fault" : "minor";
    items << Xml("<li class=\"s{} {}\">", lane, kind);
    if (start) {
      items << Xml("step {}: <code>{}</code>", TextOf(event, "step"), TextOf(event, "op"));
    } else {
      const std::string text = TextOf(event, "text");
      // Most texts begin with the name of the event.
      if (text.starts_with(seen)) {
        items << text;
      } else {
        items << Xml("<code>{}</code> {}", seen, text);
      }
    }
    if (has_slot) items << Xml(" <span class=\"soft\">slot {}</span>", number);
    items << "</li>\n";
  }
  return Xml("<ol class=\"tl\">\n{}</ol>\n", items);
}

}  // namespace dlpack_cts
