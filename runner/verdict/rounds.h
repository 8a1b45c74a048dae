// runner/verdict/rounds.h: the results of one library over all rounds: run, find the causes, run again.
#ifndef DLPACK_CTS_RUNNER_VERDICT_ROUNDS_H_
#define DLPACK_CTS_RUNNER_VERDICT_ROUNDS_H_

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/failure.h"
#include "results/job.h"
#include "results/result.h"
#include "runner/catalogue/catalogue.h"
#include "runner/environment/library.h"

namespace dlpack_cts::runner {

/// Results with their final verdicts, and the causes that they report or are blocked by.
struct Attributed {
  std::vector<Result> results;  // in the order of the catalogue
  std::vector<Cause> causes;    // worst first
};

/// The cases that are BLOCKED by a cause and may get a verdict when they run again. `before` has what they avoided in
/// earlier rounds; they keep avoiding it. If a cause still occurs, every value of the properties that it needs is
/// avoided. A cause without triggers cannot be avoided. A cause that no other case reports must not be avoided. Cases
/// with invalid input and sweeps do not run again.
Avoid ToRunAgain(const Catalogue& catalogue, const Attributed& attributed, const std::vector<Finding>& findings,
                 const Avoid& before);

/// The result of an observation alone, before causes are known. Throws Failure for an invalid observation.
Result MakeResult(const Catalogue& catalogue, const Library& library, const Observation& observation);

/// How often a case may run again, because one cause can mask another.
inline constexpr int kRoundsAgain = 2;

/// The results and findings of one library, one pair or one mutant. Run the cases and pass on what they report; then
/// run those again that Next() returns, until it returns none:
///
///     do { run the cases; See() and Find() what they report; } while (avoid = Next(), !avoid.empty());
class Rounds {
 public:
  Rounds(const Catalogue& catalogue, const Library& library) : catalogue_(catalogue), library_(library) {}

  /// For a mutant, a case of a pair runs twice, once in each role: the first deviation is kept. In a later round a
  /// verdict replaces the earlier result; a case without any example left keeps the earlier one.
  void See(const Observation& observation);

  /// In a later round, a finding counts if its case got a verdict. Its earlier findings are superseded then.
  void Find(Finding finding);

  /// Ends the round. Returns the cases that have to run again, with what they avoid; none after the last round.
  Avoid Next();

  /// The results with their verdicts, and the causes. `complete` may set more fields of both before it is decided which
  /// result reports which cause.
  Attributed Conclude(const std::function<void(Attributed& attributed)>& complete = {});

  /// The same, as of the last call of Next().
  const Attributed& attributed() const { return attributed_; }

  bool Knows(const std::string& case_id) const { return results_.contains(catalogue_.PlaceOf(case_id)); }
  bool empty() const { return results_.empty(); }
  /// The last report of the case, before causes were known.
  const Result& Observed(const std::string& case_id) const { return results_.at(catalogue_.PlaceOf(case_id)); }

  /// The first report of each case.
  std::vector<Result> FirstResults() const;
  /// The results that a later round replaced.
  const std::vector<Result>& superseded() const { return superseded_; }

  /// The first bug of the harness. Only one case, or one finding, is lost.
  const std::optional<Failure>& trouble() const { return trouble_; }

 private:
  Result ResultOf(const Observation& observation);
  void EndRound();

  const Catalogue& catalogue_;
  const Library& library_;
  int round_ = 0;
  std::map<size_t, Result> results_;  // as observed, by index of the case in the catalogue
  std::vector<Result> superseded_;
  std::vector<Finding> findings_;   // of finished rounds
  std::vector<Finding> found_;      // of this round
  std::set<std::string> answered_;  // the cases with a new verdict in this round
  Avoid avoid_;                     // of this round
  Attributed attributed_;
  std::optional<Failure> trouble_;
};

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_VERDICT_ROUNDS_H_
