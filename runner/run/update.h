// runner/run/update.h: updates a list of known deviations with the results of a run.
#ifndef DLPACK_CTS_RUNNER_RUN_UPDATE_H_
#define DLPACK_CTS_RUNNER_RUN_UPDATE_H_

#include <optional>
#include <string>
#include <vector>

#include "results/result.h"
#include "runner/verdict/accused.h"
#include "runner/verdict/expectations.h"

namespace dlpack_cts::runner {

/// An entry that a list gets. Two runs of pairs may add the same one with other partners.
struct NewEntry {
  std::string comment;  // helps a reader to find the reason
  std::string key;      // "cause = ..." or "case = ..."
  Verdict verdict = Verdict::kFail;
  std::string message;  // a line, or ""
  std::string why;
  std::optional<PairRole> role = {};  // of a pair: what the library of the list does in it
  std::vector<std::string> partners = {};
};

/// An entry that no longer holds, or that no longer holds for some of its partners.
struct Removal {
  Expectation entry;
  std::string sentence;
  std::vector<std::string> partners = {};  // empty: the whole entry
};

/// What runs change in one list.
struct ListChanges {
  std::string file;
  std::string library;
  size_t listed = 0;  // entries before
  std::vector<NewEntry> added = {};
  std::vector<Removal> removed = {};
};

/// A cause, or a result without such a cause, that is not listed.
struct Unexpected {
  NewEntry entry;
  const Cause* cause;  // NULL for a result
};
std::vector<Unexpected> UnexpectedIn(const Run& run);

/// The stale entries, and what is unexpected.
ListChanges ChangesOf(const Expectations& list, const std::vector<StaleEntry>& stale, const Run& run);

/// The text of the changed list. Other entries and comments stay byte for byte. A comment directly above a removed
/// entry is removed too. Throws Failure for a list that is not written as [[expect]] tables.
struct Updated {
  std::string text;
  std::vector<std::string> removed;  // each entry with its reason, and why it was removed
  size_t added = 0;
  size_t kept = 0;
};
Updated Update(const std::string& text, const ListChanges& changes);

/// Call before anything runs: throws Failure if the file cannot be written.
void CheckUpdate(const std::string& file);

/// Rewrites the file of the list. Reports the numbers in one line, and each removed entry with its reason. Throws
/// Failure.
void UpdateFile(const ListChanges& changes);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_RUN_UPDATE_H_
