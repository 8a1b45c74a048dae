// runner/verdict/expectations.h: the known deviations of a library.
#ifndef DLPACK_CTS_RUNNER_VERDICT_EXPECTATIONS_H_
#define DLPACK_CTS_RUNNER_VERDICT_EXPECTATIONS_H_

#include <optional>
#include <string>
#include <vector>

#include "results/result.h"
#include "runner/verdict/accused.h"

namespace dlpack_cts::runner {

/// Characters of a file, from a line and column to another one, which is not part of them. Both begin with 1.
struct TextRange {
  int first_line = 0;
  int first_column = 0;
  int last_line = 0;
  int end_column = 0;
};

struct Expectation {
  std::string cases;  // glob of case ids; exactly one of the three is given
  std::string rule;   // glob of rule ids
  std::string cause;  // glob of ids of causes
  Verdict verdict = Verdict::kFail;
  std::string message;   // prefix of the message; not for a cause
  std::string versions;  // ">=2.0,<3": versions of the library to which it applies; empty: all
  std::string link;
  std::string why;
  bool seldom = false;                // the cause does not occur with every seed
  std::vector<std::string> partners;  // it applies only to exchanges with these libraries ...
  std::optional<PairRole> role;  // ... in which the library of the list does this: "from" kConsumer, "to" kProducer
  TextRange partners_at;
  bool included = false;  // from the list of the same library in another configuration, which may not show it
  std::string file;
  int line = 0;       // of [[expect]]
  int last_line = 0;  // of its last value
  bool met = false;

  std::optional<PairRole>
      owner;            // what the library of the list does in the pair that is judged; nothing if it is alone
  std::string partner;  // the other library of the pair
};

/// Every entry of the file, and of those that it includes. Empty if there is no file. Throws Failure.
std::vector<Expectation> ReadList(const std::string& file);

/// A pair, and the lists of its libraries.
struct PairLists {
  std::string producer;
  std::string producer_file;
  std::string consumer;
  std::string consumer_file;
};

/// Every existing case and rule.
struct KnownNames {
  std::vector<std::string> cases;
  std::vector<std::string> rules;
  bool selected = false;  // only some of them ran
  bool swept = true;      // a complete sweep ran, so every cause could occur
};

/// An entry that no longer matches the run.
struct StaleEntry {
  size_t entry;  // index of the entry
  std::string sentence;
};

class Expectations {
 public:
  /// For a library alone: the entries without "from" or "to". Without a file no deviation is expected. Throws Failure.
  static Expectations Read(const std::string& file);

  /// For a pair: of both lists the entries with the other library, and each cause that the library has alone.
  static Expectations Read(const PairLists& pair);

  /// The version that the entries of the consumer of a pair are compared with. Those of the producer are compared with
  /// `library_version`.
  void SetConsumerVersion(const std::string& version) { consumer_version_ = version; }

  /// The entry that lists the result, or the cause by its id, for that version; else NULL.
  const Expectation* Find(const Result& result) const;
  const Expectation* Find(const Cause& cause, const std::string& library_version) const;
  /// The same, but an entry may also list the cause by its rule or one of its cases, with its verdict and message.
  const Expectation* FindAny(const Cause& cause, const std::string& library_version) const;

  /// Marks the result as expected or not. A deviation is expected if it is listed with its verdict and message.
  void Apply(Result& result);
  /// The same for a cause, by its id and verdict. Other causes are expected if all their results are (Attribute()).
  void Apply(Cause& cause, const std::string& library_version);

  /// Whether a library alone has a file of known deviations. Then each limitation has to be listed there.
  bool IsList() const { return is_list_; }

  /// Each entry that matches no case or rule, and each entry that no result or cause matched although its case ran and
  /// its version condition holds. A pair may not draw what a library shows alone, so of its entries only those with
  /// the other library are stale.
  std::vector<StaleEntry> Stale(const std::vector<Result>& results, const std::string& library_version,
                                const KnownNames& known) const;

  /// For a shard: every entry of the file itself that nothing met, with its sentence if it is among those.
  std::vector<UnmetEntry> Unmet(const std::vector<StaleEntry>& stale) const;

  const std::vector<Expectation>& entries() const { return entries_; }
  const std::string& file() const { return file_; }  // of a library alone

 private:
  void Meet(const Expectation* entry);
  const std::string& VersionFor(const Expectation& entry, const std::string& library_version) const;
  std::optional<std::string> WhyStale(const Expectation& entry, const std::vector<Result>& results,
                                      const std::string& library_version, const KnownNames& known) const;

  std::string file_;
  bool is_list_ = false;
  std::string consumer_version_;
  std::vector<Expectation> entries_;
};

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_VERDICT_EXPECTATIONS_H_
