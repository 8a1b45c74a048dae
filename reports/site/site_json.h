// reports/site/site_json.h: all that a site shows, as data.
#ifndef DLPACK_CTS_REPORTS_SITE_SITE_JSON_H_
#define DLPACK_CTS_REPORTS_SITE_SITE_JSON_H_

#include <string>

#include "reports/site/pages.h"

namespace dlpack_cts {

/// One JSON object, which reports/site/site.schema.json describes.
std::string SiteJson(const Site& site);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_SITE_SITE_JSON_H_
