// reports/html_parts.cc: badges, tables of JSON values, and the ledger as a timeline.
#include <fmt/format.h>

#include "reports/example.h"
#include "reports/html_case.h"
#include "reports/text.h"

namespace dlpack_cts {
namespace {

constexpr int kLanes = 4;

std::string TextOf(const nlohmann::json& event, const char* field) {
  const auto found = event.find(field);
  if (found == event.end()) return "";
  return found->is_string() ? found->get<std::string>()
                            : found->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

std::string VerdictBadge(Verdict verdict) { return fmt::format("<span class=\"v {0}\">{0}</span>", ToText(verdict)); }

std::string HtmlTable(const nlohmann::json& value) {
  std::string rows;
  for (const auto& [name, text] : FlatRows(value)) {
    rows += fmt::format("<tr><td>{}</td><td class=\"mono\">{}</td></tr>", EscapeXml(name), EscapeXml(text));
  }
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
      // Most texts begin with the word for what was seen.
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
