// fuzz/campaign.h: what a campaign is about, as the environment says.
#ifndef DLPACK_CTS_FUZZ_CAMPAIGN_H_
#define DLPACK_CTS_FUZZ_CAMPAIGN_H_

#include <string>
#include <vector>

#include "fuzz/finding.h"
#include "fuzz/target.h"

namespace dlpack_cts {

/// A deviation that is known already, as the library's expectations list it. A campaign counts it and goes on.
struct Known {
  std::string cases;    // glob; empty where `rule` is given
  std::string rule;     // glob
  std::string message;  // prefix
};

/// The variables are DLPACK_CTS_FUZZ_TARGET, _LIBRARY, _KIND, _ADAPTER, _PYTHON, _LIBPYTHON, _MUTANT, _TIER, _KNOWN,
/// _FINDING, _OUT, _JOBS, _SECONDS, _TIMEOUT, _MEMORY: docs/fuzzing.md tells what each means.
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
  std::string out;  // folder of the findings; empty: this process is an ordinary libFuzzer program
  int jobs = 1;
  int seconds = 30;
  int timeout = 20;   // seconds that one exchange may take
  int memory = 4096;  // MiB that one job may have resident
};

/// Reads the environment. False with one sentence in `error`.
bool ReadCampaign(Campaign* campaign, std::string* error);

/// Several lines: verdict, rule, message, case, recipe as JSON.
std::string ToText(const Finding& finding, const Recipe& recipe);

/// The finding as `dlpack-cts replay` reads it.
std::string ToReplayJson(const Finding& finding, const Recipe& recipe, const Campaign& campaign);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_FUZZ_CAMPAIGN_H_
