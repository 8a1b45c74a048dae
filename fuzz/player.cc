// fuzz/player.cc: opens the subject in this process and runs recipes on it.
#include "fuzz/player.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "base/child.h"
#include "base/failure.h"
#include "fuzz/subjects.h"
#include "harness/case/case.h"
#include "harness/minimise/minimise.h"
#include "mutants/mutant.h"

namespace dlpack_cts::fuzz {
namespace {

constexpr Budget kBudget = {3000, 25};

/// Discards the output of a library that crashes here: only the crash itself matters.
void Silence() {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
}

bool Matches(const std::string& glob, std::string_view text) {
  return fnmatch(glob.c_str(), std::string(text).c_str(), 0) == 0;
}

/// A finding has the case id of the check that reported it. In the suites another case may report the same rule.
bool NamesRule(const std::string& cases, const std::string& rule) {
  for (const Case& declared : Catalogue()) {
    if (Matches(cases, declared.id) && declared.rules.front() == rule) return true;
  }
  return false;
}

}  // namespace

Player::Player(const Settings& settings, Subject& subject)
    : settings_(settings),
      offering_(settings.offering),
      subject_(subject),
      engine_(subject),
      jury_(*settings.target, settings.offering.capsules) {}

Player& Player::Open(const Settings& settings) {
  if (const std::string_view missing = Jury(*settings.target).MissingCase(); !missing.empty()) {
    throw Failure("the catalogue has no case " + std::string(missing), "correct the case id in fuzz/targets/");
  }
  Subject& subject = OpenSubject(settings);
  // Never destroyed: some libraries abort in exit handlers, so the process ends without them.
  static Player* player = new Player(settings, subject);
  if (Reference* reference = subject.AsReference(); reference != nullptr && !settings.mutant.empty()) {
    Activate(FindMutant(settings.mutant), *reference);
  }
  // Freezes the objects of the import, so that no garbage collection has to visit them again.
  subject.runtime().BeforeFork();
  subject.runtime().AfterForkInParent();
  player->AskForNegativeStrides();
  player->engine_.KeepThreads(true);  // after that fork, which no thread may precede
  return *player;
}

void Player::InstallFaultHandler() { Forge::InstallFaultHandler(); }

void Player::AskForNegativeStrides() {
  // If negative strides crash the library, nothing else would be found. So they are tried in a separate process.
  if (target().role != "consumer") return;
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  recipe.offer().kind = StructKind::kVersioned;
  recipe.offer().dims = 1;
  recipe.offer().ndim = 1;
  recipe.offer().shape[0] = 4;
  recipe.offer().strides_kind = StridesKind::kExplicit;
  recipe.offer().strides[0] = -1;
  SetPlainLife(recipe);
  std::fflush(nullptr);
  subject_.runtime().BeforeFork();
  const int child = fork();
  if (child == 0) {
    subject_.runtime().AfterForkInChild();
    Silence();
    InstallFaultHandler();
    for (const StructKind kind : {StructKind::kVersioned, StructKind::kLegacy}) {
      recipe.offer().kind = kind;
      Run(recipe);
    }
    _exit(0);
  }
  subject_.runtime().AfterForkInParent();
  offering_.negative = child < 0 || WaitFor(child) == ChildEnd{};
}

std::optional<Finding> Player::Run(Recipe& recipe) {
  target().fold(recipe, offering_);
  engine_.Run(recipe, ledger_);
  return jury_.Judge(recipe, ledger_);
}

Finding Player::Minimise(Recipe& recipe, const Finding& finding) {
  Finding last = finding;
  const auto same_finding = [&](const Recipe& candidate) {
    Recipe folded = candidate;
    std::optional<Finding> again = Run(folded);
    if (!again || !again->SameAs(finding) || IsKnown(*again) || !Same(folded, candidate)) return false;
    last = *std::move(again);
    return true;
  };
  Copy(dlpack_cts::Minimise(recipe, same_finding, kBudget).recipe, recipe);
  return last;
}

const Refusal& Player::Answer() const {
  return target().role == "consumer" ? ledger_.imports[0].import : ledger_.exports[0].export_call;
}

bool Player::IsKnown(const Finding& finding) const {
  for (const Known& known : settings_.known) {
    if (!known.message.empty() && !finding.message.starts_with(known.message)) continue;
    if (!known.rule.empty() && Matches(known.rule, finding.rule)) return true;
    if (known.cases.empty()) continue;
    if (Matches(known.cases, finding.case_id) || NamesRule(known.cases, finding.rule)) return true;
  }
  return false;
}

}  // namespace dlpack_cts::fuzz
