// harness/case/judgement.h: what a case says about one finished example.
#ifndef DLPACK_CTS_HARNESS_CASE_JUDGEMENT_H_
#define DLPACK_CTS_HARNESS_CASE_JUDGEMENT_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/terms.h"
#include "harness/case/matchers.h"
#include "harness/case/profile.h"

namespace dlpack_cts {

struct Breach {
  std::string rule;
  Degree degree = Degree::kRule;
  std::string message;  // stable: no address, time, seed or random value; those go to `got`
  std::string fact;     // key of harness/ledger/facts.h whose value decides; empty where no single fact does
  std::string wanted;   // the right value, or right values separated by " | "
  std::string got;
};

/// What is special about an expectation.
struct Terms {
  std::string_view rule = {};     // empty: the case's first one
  int slot = 0;                   // for S in the name of the fact
  int index = 0;                  // for C, D, F or T in it
  Degree degree = Degree::kRule;  // of the violation
  bool when = true;               // otherwise the expectation holds
  std::string_view detail = {};   // behind the seen value
};

/// Collects what a judge says of one example. The most severe violation is kept (rule before warn before note, first
/// wins).
class Judgement {
 public:
  /// Of this exchange. A violation counts for `rule`, the first one of the case, unless another one is named.
  Judgement(const Ledger& ledger, std::string_view rule, const Profile* profile = nullptr)
      : ledger_(ledger), rule_(rule), profile_(profile) {}

  /// library.toml declares this trait of the subject.
  bool Says(Trait trait) const { return profile_ != nullptr && profile_->Says(trait); }

  /// library.toml claims this capability, and the installed library has it.
  bool Claims(Claim claim) const { return profile_ != nullptr && profile_->Claims(claim); }

  /// It is the dtype of the simplest tensor that the probes imported and read.
  bool IsPlain(abi::DLDataType dtype) const;

  /// The probes saw the subject import this dtype, which has a name.
  bool TakesType(abi::DLDataType dtype) const;

  /// The least alignment of the subject's arrays that the probes saw, in bytes; 0 without a profile.
  int64_t LeastAlignment() const { return profile_ == nullptr ? 0 : int64_t{1} << profile_->makes_alignment_log2; }

  /// Says that a fact was checked and obeys the rule.
  void Holds() { judged_ = true; }

  /// Says that the example was not conclusive (the array could not be made, the elements could not be read).
  void SaysNothing(std::string_view why);

  /// Says that a rule is violated.
  void Breaks(Breach breach);

  /// Says that the fact is as the matcher wants it, or that the rule is violated. Texts are made for a violation only.
  template <typename T>
  bool Expect(std::type_identity_t<FactName<T>> name, const Matcher<T>& right, std::string_view message,
              const Terms& terms = {}) {
    judged_ = true;
    if (!terms.when) return true;
    const FactPlace place = name.In(terms.slot, terms.index);
    const FactValue seen = place.fact->reader.read(place.record->find(ledger_, place.slot, place.index));
    if (right.Matches(seen)) return true;
    Violates(place, right.Wanted(*place.fact), seen, message, terms);
    return false;
  }

  /// The same for a condition that no single fact decides.
  bool ExpectThat(bool holds, std::string_view wanted, std::string_view got, std::string_view message,
                  const Terms& terms = {});

  const Ledger& ledger() const { return ledger_; }
  bool judged() const { return judged_; }
  const std::optional<Breach>& breach() const { return breach_; }
  std::string_view why_nothing() const { return why_nothing_; }

 private:
  void Violates(const FactPlace& place, std::string wanted, const FactValue& seen, std::string_view message,
                const Terms& terms);

  const Ledger& ledger_;
  std::string_view rule_;
  const Profile* profile_;
  bool judged_ = false;
  std::optional<Breach> breach_;
  std::string why_nothing_;
};

/// Judges one finished exchange of the recipe.
using Judge = std::function<void(const Recipe& recipe, const Ledger& ledger, Judgement& judgement)>;

/// A judge that has this one expectation.
template <typename T>
Judge Expects(std::type_identity_t<FactName<T>> name, const Matcher<T>& right, std::string_view message,
              const Terms& terms = {}) {
  return [=](const Recipe&, const Ledger&, Judgement& judgement) { judgement.Expect(name, right, message, terms); };
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_CASE_JUDGEMENT_H_
