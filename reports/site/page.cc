// reports/site/page.cc: head, navigation and foot of a page.
#include "reports/site/page.h"

#include <array>
#include <string_view>
#include <utility>

#include "reports/html_assets.h"
#include "reports/site/assets.h"

namespace dlpack_cts {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kPages = {{
    {"index.html", "Libraries"},
    {"features.html", "Features"},
    {"pairs.html", "Pairs"},
    {"rules.html", "Rules"},
    {"choices.html", "Unspecified behaviour"},
}};

Xml Navigation(const PageFrame& frame) {
  Xml links;
  for (const auto& [file, label] : kPages) {
    links << Xml("<a href=\"{}{}\"{}>{}</a>\n", frame.root, file,
                 file == frame.file ? Xml(" aria-current=\"page\"") : Xml(), label);
  }
  return links;
}

}  // namespace

std::string PageOf(const PageFrame& frame, const Xml& content) {
  Xml page(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'; img-src 'self'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n<style>{}{}</style>"
      "\n</head>\n<body>\n<header class=\"top\"><nav aria-label=\"Pages\"><b>dlpack-cts</b>\n{}</nav></header>\n"
      "<main>\n<h1>{}</h1>\n",
      frame.title, Xml::AlreadySafe(kPageStyle), Xml::AlreadySafe(kSiteStyle), Navigation(frame), frame.title);
  page << content
       << "<footer class=\"soft\"><p>Made by dlpack-cts from stored results. Each result can be reproduced with the "
          "command on the page of its library.</p></footer>\n</main>\n<script>"
       << Xml::AlreadySafe(kSiteScript) << "</script>\n</body>\n</html>\n";
  return page.text();
}

Xml Legend() {
  return Xml(
      "<p class=\"soft legend\"><b>✓</b> no deviation in what was judged. <b>FAIL</b>, <b>CRASH</b>, <b>LEAK</b>, "
      "<b>TIMEOUT</b>, <b>UNSAFE</b>: a rule is violated, and the library does not conform. <b>WARN</b>: a rule is "
      "violated whose violation counts less. <b>NOTE</b>: allowed, but worth knowing. <b>–</b> not judged: it says "
      "nothing about the library.</p>\n");
}

}  // namespace dlpack_cts
