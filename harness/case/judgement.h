// harness/case/judgement.h: what a case says about one finished example.
#ifndef DLPACK_CTS_HARNESS_CASE_JUDGEMENT_H_
#define DLPACK_CTS_HARNESS_CASE_JUDGEMENT_H_

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "harness/case/profile.h"

namespace dlpack_cts {

/// How much a violation counts. The rule's own `breach` is the upper bound: a rule that counts as WARN never FAILs.
enum class Degree : uint8_t { kRule, kWarn, kNote };

struct Breach {
  std::string rule;
  Degree degree = Degree::kRule;
  std::string message;  // stable: no address, time, seed or random value; those go to `got`
  std::string fact;     // key of harness/ledger/facts.h whose value decides; empty where no single fact does
  std::string wanted;   // the right value, or right values separated by " | "
  std::string got;
};

/// Collects what a judge says of one example. The most severe violation is kept (rule before warn before note, first
/// wins).
class Judgement {
 public:
  /// For a subject with this profile, or for one without a profile.
  explicit Judgement(const Profile* profile = nullptr) : profile_(profile) {}

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

  /// Compares a fact with its only right value; texts are made only when they differ.
  template <std::integral T, std::integral U>
  bool Equal(std::string_view rule, std::string_view fact, T wanted, U got, std::string_view message,
             Degree degree = Degree::kRule) {
    judged_ = true;
    if (std::cmp_equal(wanted, got)) return true;
    Breaks({std::string(rule), degree, std::string(message), std::string(fact), std::to_string(wanted),
            std::to_string(got)});
    return false;
  }

  /// As Equal, for a condition whose right and seen values are given as texts.
  bool Expect(bool holds, std::string_view rule, std::string_view fact, std::string_view wanted, std::string_view got,
              std::string_view message, Degree degree = Degree::kRule) {
    judged_ = true;
    if (holds) return true;
    Breaks({std::string(rule), degree, std::string(message), std::string(fact), std::string(wanted), std::string(got)});
    return false;
  }

  bool judged() const { return judged_; }
  const std::optional<Breach>& breach() const { return breach_; }
  std::string_view why_nothing() const { return why_nothing_; }

 private:
  const Profile* profile_;
  bool judged_ = false;
  std::optional<Breach> breach_;
  std::string why_nothing_;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_CASE_JUDGEMENT_H_
