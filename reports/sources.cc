// reports/sources.cc: writes the sources of a rule, separated by semicolons.
#include "reports/sources.h"

namespace dlpack_cts {
namespace {

constexpr std::string_view kBetween = "; ";

}  // namespace

std::string SourcesText(const RuleText& rule) {
  std::string text;
  for (const Source& source : rule.sources) text += std::string(text.empty() ? "" : kBetween) + source.text;
  return text;
}

std::string WithLink(const Source& source) {
  return source.link.empty() ? source.text : source.text + " (" + source.link + ")";
}

std::string SourcesWithLinks(const RuleText& rule) {
  std::string text;
  for (const Source& source : rule.sources) text += std::string(text.empty() ? "" : kBetween) + WithLink(source);
  return text;
}

Xml SourcesInHtml(const RuleText& rule) {
  Xml text;
  for (const Source& source : rule.sources) {
    if (!text.empty()) text << kBetween;
    text << (source.link.empty() ? Xml("{}", source.text) : Xml("<a href=\"{}\">{}</a>", source.link, source.text));
  }
  return text;
}

Markdown SourcesInMarkdown(const RuleText& rule) {
  Markdown text;
  for (const Source& source : rule.sources) {
    if (!text.empty()) text << kBetween;
    text << (source.link.empty() ? Markdown("{}", source.text)
                                 : Markdown("[{}]({})", source.text, Markdown::AlreadySafe(source.link)));
  }
  return text;
}

}  // namespace dlpack_cts
