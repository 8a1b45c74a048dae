// fuzz/finding.cc: judges one exchange with the checks of the suites.
#include "fuzz/finding.h"

#include <algorithm>

#include "harness/ledger/facts.h"
#include "harness/oracle/oracle.h"
#include "harness/recipe/laws.h"

namespace dlpack_cts::fuzz {
namespace {

constexpr std::string_view kUnsafeCase = "c-abi/data/no-access-outside-the-elements";
constexpr std::string_view kLeakCase = "c-abi/own/tensor-is-released-once";
constexpr std::string_view kRefusedCase = "c-abi/own/refused-tensor-is-released-once";

Exchange Finished(const Recipe& recipe, const Ledger& ledger) {
  const bool imports = recipe.kind == RecipeKind::kImport;
  const Outcome outcome = imports ? ledger.imports[0].import.outcome : ledger.exports[0].export_call.outcome;
  return {recipe, ledger, imports ? BrokenLaws(recipe.offer()) : 0, outcome == Outcome::kAccepted,
          outcome == Outcome::kRefused};
}

std::string_view UnsafeRule(const Recipe& recipe, const Fault& fault) {
  if (fault.after_deleter) return "C-OWN-07";
  if (fault.region == Region::kShape || fault.region == Region::kStrides) return "C-SHAPE-07";
  if (fault.region == Region::kStruct && recipe.offer().major > 1) return "C-VERSION-04";
  return fault.region == Region::kContext ? "C-OWN-09" : "C-DATA-11";
}

Finding Unsafe(const Recipe& recipe, const Ledger& ledger) {
  const Fault& fault = ledger.faults[0];
  return {"UNSAFE",
          std::string(kUnsafeCase),
          std::string(UnsafeRule(recipe, fault)),
          std::string(fault.write ? "wrote to " : "read ") + std::string(ToText(fault.region)) +
              " memory that it must not access" + (fault.after_deleter ? ", after the deleter was called" : ""),
          "0",
          Fact(ledger, "fault0"),
          ""};
}

Finding Leak(bool refused) {
  return {"LEAK",
          std::string(kLeakCase),
          refused ? "C-OWN-15" : "C-OWN-01",
          refused ? "refused the tensor, and its deleter was never called"
                  : "all objects were dropped and collected, but the deleter was never called",
          "1",
          "0",
          ""};
}

/// Of invalid input only memory safety is judged, and a deleter that is called again.
std::optional<Finding> ReleasedAgain(const Ledger& ledger, bool refused) {
  const ImportLedger& import = ledger.imports[0];
  if (import.deleter.calls <= std::max<int64_t>(1, import.capsules)) return std::nullopt;
  return Finding{"FAIL",
                 std::string(refused ? kRefusedCase : kLeakCase),
                 refused ? "C-OWN-15" : "C-OWN-02",
                 "the deleter was called more often than tensors were exported",
                 std::to_string(import.capsules),
                 std::to_string(import.deleter.calls),
                 "import0.deleter.calls"};
}

}  // namespace

Jury::Jury(const Target& target, bool capsules) : target_(target), capsules_(capsules) {
  for (const Question& question : target.questions) cases_.push_back(FindCase(question.case_id));
}

std::string_view Jury::MissingCase() const {
  for (size_t i = 0; i < cases_.size(); ++i) {
    if (cases_[i] == nullptr) return target_.questions[i].case_id;
  }
  return "";
}

std::optional<Finding> Jury::Judge(const Recipe& recipe, const Ledger& ledger) const {
  const Exchange exchange = Finished(recipe, ledger);
  const Safety safety = SafetyOf(recipe, ledger);
  if (safety.unsafe) return Unsafe(recipe, ledger);
  if (AllowedFor(recipe) == Allowed::kAnything) return ReleasedAgain(ledger, exchange.refused);
  if (safety.leak) return Leak(exchange.refused);
  for (size_t i = 0; i < cases_.size(); ++i) {
    if ((cases_[i]->python && !capsules_) || !target_.questions[i].applies(exchange)) continue;
    Judgement judgement(ledger, cases_[i]->rules.front());
    cases_[i]->judge(recipe, ledger, judgement);
    const std::optional<Breach>& breach = judgement.breach();
    if (!breach || breach->degree != Degree::kRule) continue;
    return Finding{"FAIL",         std::string(target_.questions[i].case_id),
                   breach->rule,   breach->message,
                   breach->wanted, breach->got,
                   breach->fact};
  }
  return std::nullopt;
}

}  // namespace dlpack_cts::fuzz
