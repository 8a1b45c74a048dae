// runner/cli/adapter_check.cc: `adapter check`: runs the checks of an adapter, and tries the claims that it does not
// make.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/failure.h"
#include "base/text.h"
#include "reports/outline.h"
#include "reports/text.h"
#include "runner/base/interrupt.h"
#include "runner/base/print.h"
#include "runner/catalogue/catalogue.h"
#include "runner/cli/adapter.h"
#include "runner/run/assignment.h"
#include "runner/session/session.h"

namespace dlpack_cts::runner {
namespace {

constexpr int kTried = 10;  // examples of a case

/// The cases that need each claim. Roles are left out, and what only a machine with a device can show.
std::map<std::string, std::vector<std::string>> CasesByClaim() {
  std::map<std::string, std::vector<std::string>> by_claim;
  for (const nlohmann::json& row : WorkerList("cases")) {
    if (row.at("hostile") || row.at("pair") || row.at("whole")) continue;
    for (const std::string& claim : row.at("needs").get<std::vector<std::string>>()) {
      by_claim[claim].push_back(row.at("case"));
    }
  }
  for (const char* other : {"consumer", "producer", "python", "cuda"}) by_claim.erase(other);
  return by_claim;
}

/// A case that the library can run: a job without a case runs all of them.
std::string AnyCase(const Library& library) {
  for (const nlohmann::json& row : WorkerList("cases")) {
    const bool plain = !row.at("hostile") && !row.at("pair") && !row.at("whole");
    if (plain && row.at("role") == library.roles.front()) return row.at("case");
  }
  throw Failure("there is no case for the role " + library.roles.front(), "build dlpack-cts again", kHarness);
}

/// What the cases of a claim showed.
struct Tried {
  int held = 0;
  int skipped = 0;
  int failed = 0;
  std::string first;  // the first failure
};

void Add(const Observation& seen, Tried& tried) {
  const bool skipped = seen.observed == Observed::kSkip || seen.observed == Observed::kBlocked;
  if (seen.observed == Observed::kHeld) ++tried.held;
  if (skipped) ++tried.skipped;
  if (seen.observed == Observed::kHeld || skipped) return;
  if (tried.failed++ == 0) tried.first = seen.case_id + ": " + seen.message;
}

std::string InWords(const Tried& tried) {
  if (tried.failed > 0) {
    return fmt::format("no: {} of {} fail, such as {}", tried.failed, Plural(tried.held + tried.failed, "judged case"),
                       tried.first);
  }
  return tried.held > 0 ? "yes: " + Plural(tried.held, "case") + (tried.held == 1 ? " passes" : " pass")
                        : "not shown: no case could be judged";
}

class Check {
 public:
  Check(Library library, const Options& options) : library_(std::move(library)), run_(options.run) {
    environment_ = EnvironmentOf(library_, run_);
    run_.examples = kTried;
    run_.sweep = 0;
  }

  /// The checks that come before every run, and what they found out. A mistake of the adapter is a Failure.
  void PrintChecks() {
    const Outcome outcome = Run(library_, {AnyCase(library_)}, {[](const Observation&) {}});
    Print(fmt::format("{}{}\n", NameOf(library_.name, outcome.library_version),
                      outcome.interpreter.empty() ? "" : ", Python " + OneLine(outcome.interpreter)));
    Print("  checks: describe, values, make and the functions of the claims agree\n");
    for (const ProfilePart& part : PartsOf(outcome.profile)) {
      Print(fmt::format("  {}: {}\n", part.name, OneLine(part.text, kLongText)));
    }
    Print("  claims: " + (library_.claims.empty() ? "none" : Joined(library_.claims, ", ")) + "\n");
  }

  void PrintOtherClaims() {
    Print("Other claims, tried with " + std::to_string(kTried) + " examples of each case:\n");
    for (const auto& [claim, cases] : CasesByClaim()) {
      if (library_.Claims(claim) || MustEnd()) continue;
      Print(fmt::format("  {}: {}\n", claim, OneLine(Try(claim, cases), kLongText)));
    }
  }

 private:
  Outcome Run(const Library& library, const std::vector<std::string>& cases, const Watcher& watcher) const {
    Outcome outcome;
    Session session(library);
    session.Run(MakeJob(library, environment_, cases, run_), watcher, &outcome);
    return outcome;
  }

  std::string Try(const std::string& claim, const std::vector<std::string>& cases) const {
    Library claiming = library_;
    claiming.claims.push_back(claim);
    Tried tried;
    const std::optional<Failure> failure =
        FailureOf([&] { Run(claiming, cases, {[&](const Observation& seen) { Add(seen, tried); }}); });
    return failure ? std::string("no: ") + failure->what() : InWords(tried);
  }

  const Library library_;
  RunOptions run_;
  Environment environment_;
};

}  // namespace

int CheckAdapter(const std::string& folder, const Options& options) {
  Check check(ReadLibrary(folder), options);
  check.PrintChecks();
  check.PrintOtherClaims();
  return Interrupted() ? kInterrupted : kAsExpected;
}

}  // namespace dlpack_cts::runner
