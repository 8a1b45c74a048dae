// reports/site/site.h: a static site about several libraries: pages, data and badges.
#ifndef DLPACK_CTS_REPORTS_SITE_SITE_H_
#define DLPACK_CTS_REPORTS_SITE_SITE_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/reports.h"
#include "reports/site/features.h"
#include "reports/site/history.h"
#include "results/pairs.h"
#include "results/result.h"

namespace dlpack_cts {

/// A library of a site.
struct SiteRun {
  const Run* run = nullptr;
  std::string key;          // the name of its page; unique, and a valid file name
  bool has_report = false;  // the folder of that name in the site holds its reports
  std::optional<History> history = std::nullopt;
};

/// The files of a site by their paths: index.html, rules.html, features.html, pairs.html, choices.html, site.json, and
/// a page and badges for each library. All links are relative.
std::map<std::string, std::string> SiteFiles(const std::vector<SiteRun>& runs, const ReportContext& context,
                                             const std::vector<Feature>& features, const Pairs& pairs);

/// Writes them below `out_dir`. Throws the Failure of the first file that could not be written, after the others.
void WriteSite(const std::vector<SiteRun>& runs, const ReportContext& context, const std::vector<Feature>& features,
               const Pairs& pairs, const std::string& out_dir);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_SITE_SITE_H_
