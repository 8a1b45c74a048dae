// harness/judge/freedom.h: what a library may do otherwise than the reference, as data.
//
// Two conforming libraries differ in most facts of an exchange: what they ask, when they release, whether they copy. A
// freedom names facts and says when a difference in them is legal. Half of them are constants of a library: probes find
// out beforehand whether it uses them, and from then on it may do nothing else. The others hold for one exchange.
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

/// Whether a library used a freedom in one slot of an exchange. What only a plain exchange can show is kCannotTell in
/// all others.
enum class Use : uint8_t { kCannotTell, kNo, kYes };

struct Freedom {
  std::string_view id;      // "releases-refused-capsules"
  bool constant;            // of the library, and not of one exchange
  std::string_view source;  // the rule that leaves it open
  std::string_view what;    // one sentence without a subject
  std::string_view facts;   // patterns of FactRow, separated by spaces; one that ends in * stands for what begins so
  Use (*use)(const Exchange& exchange, int slot);
};

/// Every freedom. An index into it is a bit of Ways.
std::span<const Freedom> Freedoms();

/// Bits of the freedoms that speak of a row of FactRows().
uint64_t FreedomsOf(int row);

/// Notes which constants the subject used, and did not use, in a plain exchange.
void Learn(const Exchange& exchange, Ways& ways);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_JUDGE_FREEDOM_H_
