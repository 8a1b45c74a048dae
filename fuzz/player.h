// fuzz/player.h: runs recipes on the subject, in this process.
#ifndef DLPACK_CTS_FUZZ_PLAYER_H_
#define DLPACK_CTS_FUZZ_PLAYER_H_

#include <optional>

#include "engine/engine.h"
#include "fuzz/finding.h"
#include "fuzz/settings.h"

namespace dlpack_cts::fuzz {

class Player {
 public:
  /// Opens the subject. Throws Failure.
  static Player& Open(const Settings& settings);

  /// Makes the recipe valid for the target, runs it and judges it.
  std::optional<Finding> Run(Recipe& recipe);
  /// Minimises the recipe while it shows the same failure and not a known one. Returns the finding of the smallest
  /// recipe.
  Finding Minimise(Recipe& recipe, const Finding& finding);
  bool IsKnown(const Finding& finding) const;

  const Ledger& ledger() const { return ledger_; }
  const Offering& offering() const { return offering_; }
  const Settings& settings() const { return settings_; }
  const Target& target() const { return *settings_.target; }
  /// The library's refusal in the last exchange.
  const Refusal& Answer() const;
  /// Handles faults of guard pages. Call it after libFuzzer has installed its handlers, which get all other faults.
  void InstallFaultHandler();

 private:
  Player(const Settings& settings, Subject& subject);
  void AskForNegativeStrides();

  Settings settings_;
  Offering offering_;
  Subject& subject_;
  Engine engine_;
  Jury jury_;
  Ledger ledger_{};
};

}  // namespace dlpack_cts::fuzz

#endif  // DLPACK_CTS_FUZZ_PLAYER_H_
