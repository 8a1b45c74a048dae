// reports/site/answer_cell.h: an answer about a feature as a word, with its colour.
#ifndef DLPACK_CTS_REPORTS_SITE_ANSWER_CELL_H_
#define DLPACK_CTS_REPORTS_SITE_ANSWER_CELL_H_

#include "reports/markup.h"
#include "reports/site/features.h"

namespace dlpack_cts {

/// "yes", "partly", "no" or "unknown"; the verdict instead of "wrong".
inline Xml AnswerWords(const FeatureAnswer& answer) {
  if (answer.support == Support::kWrong) return Xml("<span class=\"v {0}\">{0}</span>", ToText(answer.verdict));
  return Xml("<span class=\"{0}\">{0}</span>", ToText(answer.support));
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_SITE_ANSWER_CELL_H_
