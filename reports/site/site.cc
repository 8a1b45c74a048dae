// reports/site/site.cc: makes every file of a site, and writes them.
#include "reports/site/site.h"

#include <algorithm>
#include <sstream>

#include "reports/badge.h"
#include "reports/files.h"
#include "reports/site/pages.h"
#include "reports/site/site_json.h"

namespace dlpack_cts {

std::map<std::string, std::string> SiteFiles(const std::vector<SiteRun>& runs, const ReportContext& context,
                                             const std::vector<Feature>& features, const Pairs& pairs) {
  Site site{.context = context, .features = features, .libraries = {}, .pairs = pairs};
  for (const SiteRun& one : runs) {
    site.libraries.push_back(ViewOf(*one.run, one.key, context, features));
    site.libraries.back().has_report = one.has_report;
    if (one.history) site.libraries.back().history = &*one.history;
  }
  std::ranges::stable_sort(site.libraries, IsWorse);
  std::map<std::string, std::string> files = {{"index.html", IndexPage(site)},       {"rules.html", RulesPage(site)},
                                              {"features.html", FeaturesPage(site)}, {"pairs.html", PairsPage(site)},
                                              {"choices.html", ChoicesPage(site)},   {"site.json", SiteJson(site)}};
  for (const LibraryView& library : site.libraries) {
    const std::string name = std::string(kLibraryFolder) + "/" + library.key;
    files[name + ".html"] = LibraryPage(site, library);
    std::ostringstream picture;
    PrintBadgeSvg(*library.run, context, picture);
    files[name + ".svg"] = picture.str();
    std::ostringstream json;
    PrintBadgeJson(*library.run, json);
    files[name + ".json"] = json.str();
  }
  return files;
}

void WriteSite(const std::vector<SiteRun>& runs, const ReportContext& context, const std::vector<Feature>& features,
               const Pairs& pairs, const std::string& out_dir) {
  const std::map<std::string, std::string> files = SiteFiles(runs, context, features, pairs);
  WriteFiles({files.begin(), files.end()}, out_dir);
}

}  // namespace dlpack_cts
