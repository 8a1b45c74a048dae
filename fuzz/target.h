// fuzz/target.h: one row of the table of fuzz targets, and the table.
//
// A target says which exchanges a campaign runs: how they are drawn and changed, into what any bytes are folded, and
// which judges of the suites have a word in them. A new one is a file in fuzz/targets/ and its line in Targets().
#ifndef DLPACK_CTS_FUZZ_TARGET_H_
#define DLPACK_CTS_FUZZ_TARGET_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "harness/ledger/ledger.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// What a campaign may ask of a library.
struct Offering {
  Tier tier = Tier::kEdge;  // the worst one
  bool negative = true;     // negative strides; false where they kill the library before anything else is found
};

/// A finished exchange, as the questions of a target see it.
struct Exchange {
  const Recipe& recipe;
  const Ledger& ledger;
  uint32_t laws;  // that the offer breaks; 0 for an export
  bool accepted;
  bool refused;
};

/// A judge of the suites, and the exchanges for which its sentence holds whatever the recipe is.
struct Question {
  std::string_view case_id;
  bool (*applies)(const Exchange& exchange);
};

/// Recipes of one kind that a campaign should not have to find first.
struct Family {
  std::string_view name;
  Tier tier;
  bool (*belongs)(const Recipe& recipe);
};

struct Target {
  std::string_view name;                     // `dlpack-cts fuzz NAME`; its seeds lie in corpus/NAME
  std::string_view what;                     // for lists
  std::string_view role;                     // that a library has to claim: "consumer" or "producer"
  std::span<const std::string_view> fields;  // beginnings of the names of the fields that vary: "offer.", "call.copy"
  /// A recipe of the generator.
  Recipe (*draw)(Random& random, int index, Tier tier, const Limits& limits);
  /// Makes one change that says more than another value of one field.
  void (*change)(Recipe& recipe, Random& random);
  /// Makes of any recipe one that the target may run and judge; folding again changes nothing.
  void (*fold)(Recipe& recipe, const Offering& offering);
  /// Tells libFuzzer (traces.h) what was new in the exchange.
  void (*trace)(const Recipe& recipe, const Ledger& ledger);
  /// The most specific sentence first: its name is what a finding is called.
  std::span<const Question> questions;
  std::span<const Family> families;
};

/// Every target, in the order of lists.
std::span<const Target* const> Targets();

/// The target of that name, or NULL.
const Target* FindTarget(std::string_view name);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_FUZZ_TARGET_H_
