// fuzz/target.h: the subject of a campaign in this process, and one run of one recipe on it.
#ifndef DLPACK_CTS_FUZZ_TARGET_H_
#define DLPACK_CTS_FUZZ_TARGET_H_

#include <optional>
#include <string>
#include <vector>

#include "adapters/interface/engine.h"
#include "fuzz/finding.h"
#include "fuzz/fold.h"

namespace dlpack_cts {

/// A deviation that is known already, as the library's expectations list it. A campaign counts it and goes on.
struct Known {
  std::string cases;    // glob; empty where `rule` is given
  std::string rule;     // glob
  std::string message;  // prefix
};

/// What the environment asks for: DLPACK_CTS_FUZZ_LIBRARY, _KIND, _ADAPTER, _PYTHON, _LIBPYTHON, _MUTANT, _TIER,
/// _KNOWN.
struct Campaign {
  std::string library = "reference";
  std::string kind = "reference";
  std::string adapter;
  std::string python;
  std::string libpython;
  std::string mutant;
  std::vector<Known> known;
  Offering offering;
};

/// Reads the environment. False with one sentence in `error`.
bool ReadCampaign(Campaign* campaign, std::string* error);

class Target {
 public:
  /// Opens the subject; prints what is wrong and leaves with 2 where it cannot.
  static Target& Open(const Campaign& campaign);

  /// Folds the recipe, runs it and judges it.
  std::optional<Finding> Run(Recipe& recipe);
  /// The smallest recipe that the shrinker finds with the same finding.
  Recipe Shrink(const Recipe& recipe, const Finding& finding);
  bool IsKnown(const Finding& finding) const;

  const Ledger& ledger() const { return ledger_; }
  const Offering& offering() const { return offering_; }
  const Campaign& campaign() const { return campaign_; }
  /// Takes over the faults of guarded pages. After libFuzzer's own handlers, so that all others reach those.
  void InstallFaultHandler();

 private:
  Target(const Campaign& campaign, Subject& subject);
  void AskForNegativeStrides();

  Campaign campaign_;
  Offering offering_;
  Subject& subject_;
  Engine engine_;
  Ledger ledger_{};
};

/// Several lines: verdict, rule, message, case, recipe as JSON.
std::string ToText(const Finding& finding, const Recipe& recipe);

/// The finding as `dlpack-cts replay` reads it.
std::string ToReplayJson(const Finding& finding, const Recipe& recipe, const Campaign& campaign);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_FUZZ_TARGET_H_
