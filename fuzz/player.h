// fuzz/player.h: plays the recipes of a campaign on its subject, in this process.
#ifndef DLPACK_CTS_FUZZ_PLAYER_H_
#define DLPACK_CTS_FUZZ_PLAYER_H_

#include <optional>

#include "adapters/interface/engine.h"
#include "fuzz/campaign.h"
#include "fuzz/finding.h"

namespace dlpack_cts {

class Player {
 public:
  /// Opens the subject; prints what is wrong and leaves with 2 where it cannot.
  static Player& Open(const Campaign& campaign);

  /// Folds the recipe, runs it and judges it.
  std::optional<Finding> Run(Recipe& recipe);
  /// Makes the recipe as small as the shrinker can while it shows the same thing, never what is known; the finding of
  /// the smallest.
  Finding Shrink(Recipe& recipe, const Finding& finding);
  bool IsKnown(const Finding& finding) const;

  const Ledger& ledger() const { return ledger_; }
  const Offering& offering() const { return offering_; }
  const Campaign& campaign() const { return campaign_; }
  const Target& target() const { return *campaign_.target; }
  /// How the library answered the exchange that ran last.
  const Refusal& Answer() const;
  /// Takes over the faults of guarded pages. After libFuzzer's own handlers, so that all others reach those.
  void InstallFaultHandler();

 private:
  Player(const Campaign& campaign, Subject& subject);
  void AskForNegativeStrides();

  Campaign campaign_;
  Offering offering_;
  Subject& subject_;
  Engine engine_;
  Jury jury_;
  Ledger ledger_{};
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_FUZZ_PLAYER_H_
