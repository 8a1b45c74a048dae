// runner/environment/together.cc: groups libraries greedily, and asks pip whether a group fits together.
#include "runner/environment/together.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>

#include "base/failure.h"
#include "base/hash.h"
#include "base/paths.h"
#include "base/text.h"
#include "reports/text.h"
#include "runner/base/command.h"
#include "runner/base/interrupt.h"
#include "runner/base/places.h"
#include "runner/base/print.h"
#include "runner/environment/environment.h"
#include "runner/environment/interpreters.h"
#include "runner/environment/pip.h"

namespace dlpack_cts::runner {
namespace {

constexpr char kSharedName[] = "pairs";

/// Adds the library. Returns why its pins, or its versions of Python, exclude that; then `all` is unchanged.
std::string Join(const Library& library, Library& all) {
  Library both;
  if (const std::optional<Failure> conflict = FailureOf([&] { both = UnionOf(all, library); })) return conflict->what();
  if (both.pythons.empty() && !all.pythons.empty() && !library.pythons.empty()) {
    return all.name + " is tested with Python " + Joined(all.pythons, ", ") + ", and " + library.name +
           " with Python " + Joined(library.pythons, ", ");
  }
  all = std::move(both);
  return "";
}

/// The libraries as one. If one of them requires all that the others require, its own environment serves.
Library Shared(const std::vector<Library>& libraries, const std::vector<size_t>& members) {
  Library all = libraries[members.front()];
  for (const size_t member : members) {
    Join(libraries[member], all);
    if (libraries[member].IsPython()) all.kind = libraries[member].kind;
  }
  std::ranges::sort(all.requirements);
  all.name = kSharedName;
  for (const size_t member : members) {
    std::vector<std::string> own = libraries[member].requirements;
    std::ranges::sort(own);
    if (own != all.requirements) continue;
    all.name = libraries[member].name;
    all.requirements = libraries[member].requirements;
    break;
  }
  return all;
}

class Planner {
 public:
  Planner(const std::vector<Library>& libraries, const Together& together)
      : libraries_(libraries), together_(together) {}

  PairEnvironments Plan() {
    for (size_t first = 0; first < libraries_.size(); ++first) {
      for (size_t second = first; second < libraries_.size(); ++second) {
        if (IsPlaced(first, second)) continue;
        const std::vector<size_t> pair = first == second ? std::vector{first} : std::vector{first, second};
        const std::string reason = first == second ? "" : WhyNot(pair);
        if (reason.empty()) {
          Place(Grown(pair));
        } else {
          Put(first, second, {.environment = 0, .reason = reason});
        }
      }
    }
    return std::move(plan_);
  }

 private:
  /// Whether the pins and versions of Python allow it.
  std::string Conflict(const std::vector<size_t>& members) const {
    Library all = libraries_[members.front()];
    for (const size_t member : members) {
      if (std::string conflict = Join(libraries_[member], all); !conflict.empty()) return conflict;
    }
    return "";
  }

  std::string WhyNot(const std::vector<size_t>& members) const {
    const std::string conflict = Conflict(members);
    return conflict.empty() ? together_(Shared(libraries_, members)) : conflict;
  }

  /// The group with every other library that fits and that has a pair to place with one of its members.
  std::vector<size_t> Grown(const std::vector<size_t>& group) const {
    std::vector<size_t> wanted;
    std::vector<size_t> every = group;
    for (size_t i = 0; i < libraries_.size(); ++i) {
      const auto is_new = [&](size_t member) { return !IsPlaced(i, member); };
      if (std::ranges::find(group, i) != group.end() || std::ranges::none_of(every, is_new)) continue;
      std::vector<size_t> with = every;
      with.push_back(i);
      if (!Conflict(with).empty()) continue;
      wanted.push_back(i);
      every = with;
    }
    if (wanted.empty() || WhyNot(every).empty()) return every;
    std::vector<size_t> grown = group;
    for (const size_t i : wanted) {
      grown.push_back(i);
      if (!WhyNot(grown).empty()) grown.pop_back();
    }
    return grown;
  }

  void Place(const std::vector<size_t>& members) {
    for (const size_t first : members) {
      for (const size_t second : members) {
        if (!IsPlaced(first, second)) Put(first, second, {.environment = plan_.environments.size(), .reason = ""});
      }
    }
    plan_.environments.push_back(Shared(libraries_, members));
  }

  bool IsPlaced(size_t first, size_t second) const {
    return plan_.places.contains({libraries_[first].name, libraries_[second].name});
  }

  void Put(size_t first, size_t second, const PairPlace& place) {
    plan_.places[{libraries_[first].name, libraries_[second].name}] = place;
    plan_.places[{libraries_[second].name, libraries_[first].name}] = place;
  }

  const std::vector<Library>& libraries_;
  const Together& together_;
  PairEnvironments plan_;
};

/// pip's reason with that version of Python; empty if all requirements fit together.
std::optional<PipReason> AskPip(const Library& all, const std::string& python) {
  Library pip;
  pip.name = "pip";
  pip.kind = "python";
  pip.requirements = {"pip>=23"};
  pip.pythons = {python};
  pip.size_mb = 20;
  std::vector<std::string> command = {
      PrepareEnvironment(pip).python, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--quiet",
      "--disable-pip-version-check"};
  command.insert(command.end(), all.requirements.begin(), all.requirements.end());
  const Finished finished = RunCommand(command, {.errors = true, .interruptible = true, .seconds = SecondsLeft()});
  if (finished.late) throw Failure("the time limit of the run passed while pip was asked", "raise --time-limit");
  if (finished.status == 0) return std::nullopt;
  PipReason reason = ReasonOf(finished.output, all.requirements);
  if (reason.no_connection)
    throw Failure("pip cannot reach its index: " + OneLine(reason.text), "check the network, or give --python PATH");
  return reason;
}

/// With the first version of Python for which pip finds the requirements.
std::string AskPip(const Library& all) {
  std::string reason;
  for (const std::string& version : all.pythons) {
    if (UsableInterpreter(version).empty()) continue;
    const std::optional<PipReason> refused = AskPip(all, version);
    if (!refused) return "";
    if (reason.empty()) reason = "pip: " + OneLine(refused->text);
    if (!refused->no_distribution) break;
  }
  return reason.empty() ? "no interpreter that all of them support was found: Python " + Joined(all.pythons, ", ")
                        : reason;
}

}  // namespace

const PairPlace& PairEnvironments::Of(const Library& first, const Library& second) const {
  return places.at({first.name, second.name});
}

PairEnvironments PlanEnvironments(const std::vector<Library>& libraries, const Together& together) {
  return Planner(libraries, together).Plan();
}

std::string WhyNotTogether(const Library& all) {
  if (all.requirements.empty() || all.name != kSharedName || IsEnvironmentMade(all)) return "";
  const std::string asked = Joined(all.pythons, " ") + " " + Joined(all.requirements, " ");
  char name[20];
  std::snprintf(name, sizeof(name), "%016llx", static_cast<unsigned long long>(Fnv1a(asked)));
  const std::string folder = CacheFolder() + "/together";
  const std::string file = folder + "/" + name;
  std::string reason;
  if (std::ifstream known(file); std::getline(known, reason)) return OneLine(reason);
  Tell("dlpack-cts: asking pip whether these can be installed together: " + OneLine(Joined(all.requirements, " ")) +
       "\n");
  reason = AskPip(all);
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  std::ofstream(file) << reason << "\n";  // without it pip is asked again
  return reason;
}

Library HomeOf(const Library& first, const Library& second) {
  if (first.name == second.name) return first;
  const PairEnvironments plan = PlanEnvironments({first, second}, WhyNotTogether);
  const PairPlace& place = plan.Of(first, second);
  if (place.reason.empty()) return plan.environments[place.environment];
  throw Failure(first.name + " and " + second.name + " cannot be installed together: " + place.reason,
                "change the requirements in the library.toml of the adapters, or give --python PATH");
}

}  // namespace dlpack_cts::runner
