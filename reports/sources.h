// reports/sources.h: the sources of a rule as text, as links of HTML, and as links of Markdown.
#ifndef DLPACK_CTS_REPORTS_SOURCES_H_
#define DLPACK_CTS_REPORTS_SOURCES_H_

#include <string>

#include "reports/markup.h"
#include "reports/reports.h"

namespace dlpack_cts {

/// Without addresses: "dlpack.h of DLPack 1.3, line 53; dmlc/dlpack#113".
std::string SourcesText(const RuleText& rule);

/// "dlpack.h of DLPack 1.3, line 53 (https://...)".
std::string WithLink(const Source& source);

/// The same of all sources, separated by semicolons: "dlpack.h of DLPack 1.3, line 53 (https://...); ...".
std::string SourcesWithLinks(const RuleText& rule);

Xml SourcesInHtml(const RuleText& rule);
Markdown SourcesInMarkdown(const RuleText& rule);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_SOURCES_H_
