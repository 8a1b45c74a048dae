// runner/cli/pair_plan.cc: selects the pairs of `interop`, and finds their environments.
#include "runner/cli/pair_plan.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/failure.h"
#include "runner/base/places.h"
#include "runner/run/assignment.h"

namespace dlpack_cts::runner {
namespace {

bool Acts(const Library& library, const char* role) {
  return std::ranges::find(library.roles, role) != library.roles.end();
}

/// Every library with an adapter whose arrays are in host memory.
std::vector<std::string> NamesOfAll(const std::map<std::string, Library>& known) {
  std::vector<std::string> names;
  for (const auto& [name, library] : known) {
    if (library.kind == "python" && !library.Claims("cuda")) names.push_back(name);
  }
  return names;
}

/// The libraries that the command line names, each once.
std::vector<Library> LibrariesOf(const std::map<std::string, Library>& known, Options& options) {
  if (options.every_pair && !options.libraries.empty())
    throw Failure("--all stands for every library, so no library can be named", "leave out --all, or the names");
  if (options.every_pair) options.libraries = NamesOfAll(known);
  if (options.libraries.size() < 2)
    throw Failure("interop needs at least two libraries", "for example: dlpack-cts interop numpy torch");
  std::vector<Library> libraries;
  std::vector<std::string> names;
  for (const std::string& name : options.libraries) {
    if (std::ranges::find(names, name) != names.end()) continue;
    names.push_back(name);
    libraries.push_back(SelectLibrary(known, name));
    if (std::ranges::count(libraries, libraries.back().name, &Library::name) > 1) {
      throw Failure(
          "interop was given two versions of " + libraries.back().name + ", which one environment cannot hold",
          "test them one after the other");
    }
  }
  options.libraries = std::move(names);
  return libraries;
}

/// In the order of the command line. A library that only imports is not a producer.
std::vector<Pair> PairsOf(const std::vector<Library>& libraries) {
  std::vector<Pair> pairs;
  for (size_t producer = 0; producer < libraries.size(); ++producer) {
    for (size_t consumer = 0; consumer < libraries.size(); ++consumer) {
      if (!Acts(libraries[producer], "producer") || !Acts(libraries[consumer], "consumer")) continue;
      Pair pair{.producer = producer, .consumer = consumer, .cell = {}};
      pair.cell.producer = libraries[producer].name;
      pair.cell.consumer = libraries[consumer].name;
      pairs.push_back(std::move(pair));
    }
  }
  if (pairs.empty()) throw Failure("none of these libraries exports what another one imports", "name other libraries");
  return pairs;
}

/// The names of the pairs of these libraries that do not run.
std::vector<std::string> LeftOut(const std::vector<Library>& libraries, const std::vector<Pair>& pairs) {
  std::vector<std::string> names;
  for (const Library& producer : libraries) {
    for (const Library& consumer : libraries) {
      const bool runs = std::ranges::any_of(pairs, [&](const Pair& pair) {
        return pair.cell.producer == producer.name && pair.cell.consumer == consumer.name &&
               pair.cell.state != PairState::kNotTogether;
      });
      if (!runs) names.push_back(PairName(producer.name, consumer.name));
    }
  }
  return names;
}

/// One environment for all if the command line gives it.
PairEnvironments EnvironmentsOf(const std::vector<Library>& libraries, const RunOptions& options) {
  if (!GivesPython(options)) return PlanEnvironments(libraries, WhyNotTogether);
  return PlanEnvironments(libraries, [](const Library&) { return std::string(); });
}

}  // namespace

std::string Pair::Name() const { return PairName(cell.producer, cell.consumer); }

const Library& PairPlan::HomeOf(const Pair& pair) const {
  return environments.environments[environments.Of(libraries[pair.producer], libraries[pair.consumer]).environment];
}

PairPlan SelectPairs(Options& options) {
  std::vector<Library> libraries = LibrariesOf(FindLibraries(DataFolder(), options.adapters), options);
  std::vector<Pair> pairs = PairsOf(libraries);
  return {std::move(libraries), std::move(pairs)};
}

void PlacePairs(Options& options, PairPlan& plan) {
  plan.environments = EnvironmentsOf(plan.libraries, options.run);
  for (Pair& pair : plan.pairs) {
    pair.cell.why = plan.environments.Of(plan.libraries[pair.producer], plan.libraries[pair.consumer]).reason;
    if (!pair.cell.why.empty()) pair.cell.state = PairState::kNotTogether;
  }
  options.left_out = LeftOut(plan.libraries, plan.pairs);
  std::erase_if(plan.pairs, [&](const Pair& pair) { return !options.shard.Has(pair.Name()); });
}

}  // namespace dlpack_cts::runner
