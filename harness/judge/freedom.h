// harness/judge/freedom.h: what a library may do otherwise than the reference, as data.
//
// Two conforming libraries differ in most facts of an exchange: what they ask, when they release, whether they copy. A
// freedom names facts and says when a difference in them is legal. Some are constants of a library: they are granted
// where probes saw beforehand that it uses them. The others hold for one exchange.
#ifndef DLPACK_CTS_HARNESS_JUDGE_FREEDOM_H_
#define DLPACK_CTS_HARNESS_JUDGE_FREEDOM_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "harness/case/profile.h"
#include "harness/ledger/fact_table.h"
#include "harness/ledger/ledger.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// One exchange as it went on two libraries.
struct Exchange {
  const Recipe& recipe;
  const Ledger& subject;
  const Ledger& reference;
  const Profile& profile;  // of the subject
};

struct Freedom {
  std::string_view id;      // "clears-destructors"
  bool constant;            // of the library, and not of one exchange
  std::string_view source;  // the rule that leaves it open
  std::string_view what;    // one sentence without a subject
  std::string_view facts;   // patterns of FactRow, separated by spaces; one that ends in * stands for what begins so
  bool (*use)(const Exchange& exchange, int slot);  // whether the library used it in that slot
};

inline constexpr size_t kMostFreedoms = 128;

/// Every freedom. Those that are a constant of a library stand first: their index is a bit of WaysSeen.
std::span<const Freedom> Freedoms();

/// Indices of the freedoms that speak of a row of FactRows().
std::span<const uint8_t> FreedomsOf(int row);

/// Adds what a plain exchange shows of the constants, and of the ways of way.h, to `ways`.
void Learn(const Exchange& exchange, WaysSeen& ways);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_JUDGE_FREEDOM_H_
