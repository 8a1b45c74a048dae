// reports/site/pages.h: the pages of a site.
#ifndef DLPACK_CTS_REPORTS_SITE_PAGES_H_
#define DLPACK_CTS_REPORTS_SITE_PAGES_H_

#include <string>
#include <string_view>
#include <vector>

#include "reports/reports.h"
#include "reports/site/features.h"
#include "reports/site/library_view.h"
#include "results/pairs.h"

namespace dlpack_cts {

/// What every page is made of.
struct Site {
  const ReportContext& context;
  const std::vector<Feature>& features;
  std::vector<LibraryView> libraries;  // worst first
  const Pairs& pairs;
};

/// The folder of the pages of libraries.
inline constexpr std::string_view kLibraryFolder = "libraries";

/// Libraries and chapters of rules: a verdict sentence for each library, and a cell for each chapter.
std::string IndexPage(const Site& site);

/// Verdict, command, features, findings, violated rules, limitations and observed choices of one library.
std::string LibraryPage(const Site& site, const LibraryView& library);

/// Every rule with its source, and the verdict of each library.
std::string RulesPage(const Site& site);

/// Which library supports what.
std::string FeaturesPage(const Site& site);

/// What happens when one library exports and another one imports.
std::string PairsPage(const Site& site);

/// What each library does where the specification leaves a choice.
std::string ChoicesPage(const Site& site);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_SITE_PAGES_H_
