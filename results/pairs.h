// results/pairs.h: what happens when one library hands an array to another one, for a set of pairs.
#ifndef DLPACK_CTS_RESULTS_PAIRS_H_
#define DLPACK_CTS_RESULTS_PAIRS_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_words.h"
#include "results/fields.h"
#include "results/verdict.h"

namespace dlpack_cts {

/// What a cell of the matrix says, the best first.
enum class PairState : uint8_t {
  kShares,       // the consumer's array has the producer's memory
  kCopies,       // the consumer's array has other memory
  kAccepts,      // the consumer's array does not say where its memory is
  kRefuses,      // every exchange ends with an exception
  kWrong,        // a rule is violated
  kCrashes,      // an exchange ends the process
  kNotTogether,  // the two cannot be installed in one environment
  kNotTested,    // the pair could not run
};
consteval EnumWords<PairState> WordsOf(PairState) {
  return {"shares", "copies", "accepts", "refuses", "wrong", "crashes", "not installable together", "not tested"};
}

/// A cause of a pair, without its evidence.
struct PairCause {
  static std::span<const LineField<PairCause>> Fields();

  std::string id;
  std::string rule;
  Verdict verdict = Verdict::kFail;
  std::string accused;   // whose defect it is
  std::string sentence;  // what is wrong
  std::string example;
  std::string known;  // why it is expected; empty if it is not
};

/// One pair.
struct PairCell {
  static constexpr std::string_view kType = "pair";
  static std::span<const LineField<PairCell>> Fields();

  std::string producer;
  std::string consumer;
  std::string producer_version;
  std::string consumer_version;
  PairState state = PairState::kNotTested;
  std::string memory;   // of the simplest exchange: "shares the memory", "copies"
  std::string structs;  // "versioned structs", "legacy structs", "exchange table"
  std::string why;      // of a refusal the exception, else why the pair did not run
  std::vector<PairCause> causes;
  std::vector<std::string> limits;  // what the consumer refuses or copies, although it accepts the simplest array
  int64_t judged = 0;               // cases
  int64_t unexpected = 0;
};

/// The first line of the set.
struct PairsHeader {
  static constexpr std::string_view kType = "pairs";
  static std::span<const LineField<PairsHeader>> Fields();

  int64_t schema = 1;
  std::string program_version;
  std::string machine;
  std::string started;  // ISO 8601, UTC
  std::string command;
  int64_t count = 0;  // of the pairs that follow
};

/// The results of a set of pairs.
struct Pairs {
  PairsHeader header;
  std::vector<PairCell> cells;
};

/// The name of its file.
inline constexpr char kPairsFile[] = "pairs.ndjson";

/// A line for the header and one for each pair.
std::string PairsText(Pairs pairs);

/// Whether the file begins as such a set.
bool IsPairsFile(const std::string& path);

/// Reads such a file. A Failure names file and line.
Pairs ReadPairs(const std::string& path);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_PAIRS_H_
