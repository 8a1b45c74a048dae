// reports/site/features.h: a feature of DLPack, and whether the results of a library show it.
#ifndef DLPACK_CTS_REPORTS_SITE_FEATURES_H_
#define DLPACK_CTS_REPORTS_SITE_FEATURES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/enum_words.h"
#include "results/result.h"

namespace dlpack_cts {

/// A row of rules/features/features.toml, whose head explains the fields.
struct Feature {
  std::string id = {};
  std::string group = {};
  std::string title = {};
  std::string what = {};
  std::vector<std::string> cases = {};
  std::vector<std::string> limits = {};
  std::string profile = {};
  std::vector<std::string> yes = {};
  std::vector<std::string> no = {};
  std::string dtype = {};
};

enum class Support : uint8_t { kYes, kPartly, kNo, kWrong, kUnknown };
consteval EnumWords<Support> WordsOf(Support) { return {"yes", "partly", "no", "wrong", "unknown"}; }

struct FeatureAnswer {
  Support support = Support::kUnknown;
  Verdict verdict = Verdict::kSkip;  // of kWrong
  std::string text;                  // what shows it, or why it is unknown
  std::string rule;                  // of kWrong
};

/// What the results show, in this order: a deviation of a named case is kWrong; a limitation is kNo, or kPartly if it
/// is a copy, or if a named case passes with another named value; then the profile decides; then a named case that is
/// PASS or NOTE shows kYes. Without any of these it is kUnknown. A refusal that no control confirmed shows nothing.
FeatureAnswer AnswerOf(const Feature& feature, const Run& run);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_SITE_FEATURES_H_
