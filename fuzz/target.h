// fuzz/target.h: one row of the table of fuzz targets, and the table.
//
// A target defines which exchanges are run: how they are generated and changed, how any bytes become a valid
// recipe, and which checks of the suites judge them. A new target is a file in fuzz/targets/ and its line in Targets().
#ifndef DLPACK_CTS_FUZZ_TARGET_H_
#define DLPACK_CTS_FUZZ_TARGET_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/ledger/ledger.h"
#include "harness/recipe/codec.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts::fuzz {

/// The inputs that are allowed.
struct Offering {
  Tier tier = Tier::kEdge;  // the highest allowed tier
  bool negative = true;     // negative strides; false if they crash the library
  bool capsules = true;     // false for a native library, which gets structs instead of capsules
};

/// A finished exchange, as the questions of a target get it.
struct Exchange {
  const Recipe& recipe;
  const Ledger& ledger;
  uint32_t laws;  // laws that the offer breaks; 0 for an export
  bool accepted;
  bool refused;
};

/// A check of the suites, and the exchanges for which its statement is true for any recipe.
struct Question {
  std::string_view case_id;
  bool (*applies)(const Exchange& exchange);
};

/// One kind of recipes that the seeds contain, so that it need not be found first.
struct Family {
  std::string_view name;
  Tier tier;
  bool (*belongs)(const Recipe& recipe);
};

struct Target {
  std::string_view name;                     // its name; the seeds are in corpus/NAME
  std::string_view what;                     // a description, for lists
  std::string_view role;                     // the role that a library must claim: "consumer" or "producer"
  std::span<const std::string_view> fields;  // beginnings of the names of the fields that vary: "offer.", "call.copy"
  /// Generates a recipe.
  Recipe (*draw)(Random& random, int index, Tier tier, const Limits& limits);
  /// Makes one change that is more useful than a new value of one field.
  void (*change)(Recipe& recipe, Random& random);
  /// Changes any recipe into one that the target can run and judge. A second call changes nothing.
  void (*fold)(Recipe& recipe, const Offering& offering);
  /// Reports to libFuzzer (traces.h) what was new in the exchange.
  void (*trace)(const Recipe& recipe, const Ledger& ledger);
  /// The most specific check first: a finding is named after the first check that fails.
  std::span<const Question> questions;
  std::span<const Family> families;
  /// The highest tier of its inputs, unless DLPACK_CTS_FUZZ_TIER is set.
  Tier tier = Tier::kEdge;
  /// Any bytes as a recipe that is normal, and a folded recipe as bytes.
  Recipe (*decode)(std::span<const uint8_t> bytes) = DecodeAny;
  std::vector<uint8_t> (*encode)(const Recipe& recipe) = Encode;
  std::string_view suffix = ".recipe";  // of the files of its seeds
  /// A dictionary for the engine's own mutators; NULL if only the mutator of recipes is useful.
  std::string (*dictionary)() = nullptr;
};

/// Every target, in the order of lists.
std::span<const Target* const> Targets();

/// The target of that name, or NULL.
const Target* FindTarget(std::string_view name);

}  // namespace dlpack_cts::fuzz

#endif  // DLPACK_CTS_FUZZ_TARGET_H_
