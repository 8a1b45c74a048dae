// fuzz/finding.cc: which judge of the suites is asked about which recipe.
#include "fuzz/finding.h"

#include <vector>

#include "harness/case/case.h"
#include "harness/case/judges.h"
#include "harness/ledger/facts.h"
#include "harness/oracle/oracle.h"
#include "harness/recipe/laws.h"

namespace dlpack_cts {
namespace {

/// Laws beside which an accepted tensor still has the offer's shape, type and elements.
constexpr uint32_t kHarmless =
    kLawFlags | kLawAlignment | kLawRelease | kLawManners | kLawFar | kLawHuge | kLawWithheld;

struct Exchange {
  const Recipe& recipe;
  const Offer& offer;
  uint32_t laws;
  bool accepted;
  bool refused;
  bool described;  // the array was asked where its elements lie

  bool Plain() const { return accepted && (laws & ~kHarmless) == 0; }
  bool Lawful() const { return (laws & kHostileLaws) == 0 || (laws & kLawMajor) != 0; }
  /// Somebody has to release the tensor, whoever it is.
  bool Owned() const { return offer.destructor == DestructorKind::kReleases && offer.name == CapsuleName::kOwn; }
  /// Took a capsule over; a copy, which may leave it alone, is told by where its elements lie.
  bool Took() const { return Plain() && Owned() && described; }
};

struct Question {
  std::string_view case_id;
  bool (*applies)(const Exchange& exchange);
};

/// The most specific sentence first: its name is what the finding is called.
constexpr Question kQuestions[] = {
    {"c-abi/version/foreign-major-is-refused",
     [](const Exchange& e) { return e.accepted && (e.laws & kLawMajor) != 0 && e.offer.major > 1; }},
    {"c-abi/device/extension-device-is-not-host-memory",
     [](const Exchange& e) { return e.accepted && (e.laws & kLawDevice) != 0; }},
    {"c-abi/dtype/impossible-types-are-not-reinterpreted",
     [](const Exchange& e) {
       const bool one_lane = e.offer.dtype.lanes == 1;
       return e.Lawful() && e.Owned() && one_lane && (e.laws & kLawDtype) != 0 && (e.laws & kLawMajor) == 0;
     }},
    {"c-abi/dtype/lanes-are-not-dropped",
     [](const Exchange& e) {
       return e.accepted && e.offer.dtype.lanes > 1 && e.offer.dims == 1 && (e.laws & ~(kHarmless | kLawDtype)) == 0;
     }},
    {"c-abi/data/byte-offset-is-added",
     [](const Exchange& e) {
       return e.Plain() && e.offer.byte_offset != 0 && e.offer.placement != Placement::kFarOffset;
     }},
    {"c-abi/data/byte-offset-has-64-bits",
     [](const Exchange& e) { return e.Plain() && e.offer.placement == Placement::kFarOffset; }},
    {"c-abi/strides/null-means-row-major",
     [](const Exchange& e) { return e.Plain() && e.offer.strides_kind == StridesKind::kNull; }},
    {"c-abi/strides/any-layout-is-honoured", [](const Exchange& e) { return e.Plain(); }},
    {"c-abi/dtype/imported-type-is-the-tensors", [](const Exchange& e) { return e.Plain(); }},
    {"c-abi/flags/read-only-is-kept",
     [](const Exchange& e) { return e.Plain() && (e.offer.flags & abi::kFlagReadOnly) != 0; }},
    {"c-abi/own/tensor-is-not-released-while-in-use", [](const Exchange& e) { return e.Plain(); }},
    {"c-abi/data/import-writes-nothing", [](const Exchange& e) { return e.Lawful(); }},
    {"c-abi/shape/consumer-writes-no-metadata", [](const Exchange& e) { return e.Lawful(); }},
    {"c-abi/own/deleter-gets-the-original-struct", [](const Exchange& e) { return e.Lawful(); }},
    {"c-abi/own/refused-tensor-is-released-once", [](const Exchange& e) { return e.Lawful() && e.refused; }},
    {"c-abi/own/tensor-is-released-once", [](const Exchange& e) { return e.Lawful() && e.accepted && e.Owned(); }},
    {"python/capsule/legacy-capsule-is-marked-used",
     [](const Exchange& e) { return e.Took() && e.offer.kind == StructKind::kLegacy; }},
    {"python/capsule/versioned-capsule-is-marked-used",
     [](const Exchange& e) { return e.Took() && e.offer.kind == StructKind::kVersioned; }},
};

constexpr std::string_view kUnsafeCase = "c-abi/data/no-access-outside-the-elements";
constexpr std::string_view kLeakCase = "c-abi/own/tensor-is-released-once";

const std::vector<const Case*>& Judges() {
  static const std::vector<const Case*> judges = [] {
    std::vector<const Case*> found;
    for (const Question& question : kQuestions) found.push_back(FindCase(question.case_id));
    return found;
  }();
  return judges;
}

std::string_view UnsafeRule(const Recipe& recipe, const Fault& fault) {
  if (fault.after_deleter) return "C-OWN-07";
  if (fault.region == Region::kShape || fault.region == Region::kStrides) return "C-SHAPE-07";
  if (fault.region == Region::kStruct && recipe.offer.major > 1) return "C-VERSION-04";
  return fault.region == Region::kContext ? "C-OWN-09" : "C-DATA-11";
}

Finding Unsafe(const Recipe& recipe, const Ledger& ledger) {
  const Fault& fault = ledger.faults[0];
  return {"UNSAFE",
          std::string(kUnsafeCase),
          std::string(UnsafeRule(recipe, fault)),
          std::string(fault.write ? "wrote to " : "read ") + std::string(ToText(fault.region)) +
              " memory that it may not touch" + (fault.after_deleter ? ", after the deleter had run" : ""),
          "0",
          Fact(ledger, "fault0")};
}

Finding Leak(const Exchange& exchange) {
  return {"LEAK",
          std::string(kLeakCase),
          exchange.refused ? "C-OWN-15" : "C-OWN-01",
          exchange.refused ? "refused the tensor, and nobody called its deleter"
                           : "everything was dropped and collected, and nobody called the deleter",
          "1",
          "0"};
}

}  // namespace

std::string_view MissingCase() {
  for (size_t i = 0; i < std::size(kQuestions); ++i) {
    if (Judges()[i] == nullptr) return kQuestions[i].case_id;
  }
  return "";
}

std::optional<Finding> JudgeImport(const Recipe& recipe, const Ledger& ledger) {
  const Exchange exchange{recipe,           recipe.offer,    BrokenLaws(recipe.offer),
                          Accepted(ledger), Refused(ledger), ledger.imports[0].result.valid != 0};
  const Safety safety = SafetyOf(recipe, ledger);
  if (safety.unsafe) return Unsafe(recipe, ledger);
  if (AllowedFor(recipe) == Allowed::kAnything) return std::nullopt;
  if (safety.leak) return Leak(exchange);
  for (size_t i = 0; i < std::size(kQuestions); ++i) {
    if (!kQuestions[i].applies(exchange)) continue;
    Judgement judgement;
    Judges()[i]->judge(recipe, ledger, judgement);
    const std::optional<Breach>& breach = judgement.breach();
    if (!breach || breach->degree != Degree::kRule) continue;
    return Finding{"FAIL",     std::string(kQuestions[i].case_id), breach->rule, breach->message, breach->wanted,
                   breach->got};
  }
  return std::nullopt;
}

}  // namespace dlpack_cts
