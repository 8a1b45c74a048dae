// fuzz/campaign.h: the settings of a campaign, from environment variables.
#ifndef DLPACK_CTS_FUZZ_CAMPAIGN_H_
#define DLPACK_CTS_FUZZ_CAMPAIGN_H_

#include <string>
#include <vector>

#include "fuzz/finding.h"
#include "fuzz/target.h"

namespace dlpack_cts::fuzz {

/// A known deviation, from the library's expectations. A campaign counts it and continues.
struct Known {
  std::string cases;    // glob; empty where `rule` is given
  std::string rule;     // glob
  std::string message;  // prefix
};

/// The variables are DLPACK_CTS_FUZZ_TARGET, _LIBRARY, _KIND, _ADAPTER, _PYTHON, _LIBPYTHON, _MUTANT, _TIER, _KNOWN,
/// _FINDING, _OUT, _JOBS, _SECONDS, _TIMEOUT, _MEMORY: docs/fuzzing.md explains each.
struct Campaign {
  const Target* target = nullptr;
  std::string library = "reference";
  std::string kind = "reference";
  std::string adapter;
  std::string python;
  std::string libpython;
  std::string mutant;
  std::vector<Known> known;
  Offering offering;
  std::string out;  // folder for the findings; empty: this process is an ordinary libFuzzer program
  int jobs = 1;
  int seconds = 30;
  int timeout = 20;   // seconds that one exchange may take
  int memory = 4096;  // MiB that one job may have resident
};

/// Reads the environment. Throws Failure.
Campaign ReadCampaign();

/// Several lines: verdict, rule, message, case, recipe as JSON.
std::string ToText(const Finding& finding, const Recipe& recipe);

/// The finding as `dlpack-cts replay` reads it.
std::string ToReplayJson(const Finding& finding, const Recipe& recipe, const Campaign& campaign);

}  // namespace dlpack_cts::fuzz

#endif  // DLPACK_CTS_FUZZ_CAMPAIGN_H_
