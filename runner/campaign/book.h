// runner/campaign/book.h: the causes that a campaign has seen: new ones, listed ones, and how often.
#ifndef DLPACK_CTS_RUNNER_CAMPAIGN_BOOK_H_
#define DLPACK_CTS_RUNNER_CAMPAIGN_BOOK_H_

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "results/fields.h"
#include "results/result.h"
#include "runner/campaign/leg.h"
#include "runner/catalogue/catalogue.h"
#include "runner/run/assignment.h"

namespace dlpack_cts::runner {

/// One cause, as the file of a campaign holds it.
struct BookedCause {
  static std::span<const LineField<BookedCause>> Fields();

  std::string id;
  Verdict verdict = Verdict::kFail;
  std::string rule;
  std::string sentence;
  std::string folder;  // with its files, relative to --out; empty if the cause is listed
  int64_t count = 0;   // exchanges that showed it
  double seconds = 0;  // of the campaign, when it was first seen
  bool listed = false;
  bool is_new = false;  // found since this process started; not written
};

/// A cause that the campaign has not seen before, and that is not listed.
struct NewCause {
  Cause cause;
  std::string sentence;
  std::string case_id;  // the case that reproduces its example
};

class CauseBook {
 public:
  CauseBook(const Catalogue& catalogue, const Assignment& assignment)
      : catalogue_(catalogue), assignment_(assignment), expectations_(assignment.expectations) {}

  /// Books what a leg saw. Returns the causes that are neither listed nor booked before. A NOTE does not count.
  std::vector<NewCause> Add(const LegReport& report, double seconds);

  /// Adds the book of another campaign. Returns the causes that this one has not seen, with their folders there. The
  /// caller sets their folders here. Throws a Failure that names what is wrong.
  std::vector<BookedCause> Merge(const nlohmann::json& other);

  /// Sets the folder of a booked cause.
  void SetFolder(const std::string& id, const std::string& folder);

  /// What the next leg leaves out. A leg that steers leaves out every known cause, so that nothing masks an unknown
  /// one; any other leg only what ends its process. A cause without triggers cannot be left out.
  Avoid LeftOut(const std::vector<CaseInfo>& cases, bool steers) const;

  /// In the order in which they were seen.
  const std::vector<BookedCause>& causes() const { return causes_; }
  int64_t CountNew() const;
  int64_t CountListed() const;

  /// The first bug of the harness.
  const std::optional<Failure>& trouble() const { return trouble_; }

  /// The book as the file of the campaign holds it.
  nlohmann::json ToJson() const;
  /// Continues that book. Throws a Failure that names what is wrong.
  void Read(const nlohmann::json& json);

 private:
  BookedCause* Find(const std::string& id);
  void Keep(const std::vector<Finding>& findings);

  const Catalogue& catalogue_;
  const Assignment& assignment_;
  Expectations expectations_;
  std::vector<BookedCause> causes_;
  std::map<std::string, Finding> findings_;  // one for each different kind, with the number of all of that kind
  std::vector<Cause> known_;                 // the causes of these findings
  std::set<std::string> widely_;             // ids of causes that end processes, and still occur when they are left out
  std::optional<Failure> trouble_;
};

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_CAMPAIGN_BOOK_H_
