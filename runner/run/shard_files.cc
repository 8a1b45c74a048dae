// runner/run/shard_files.cc: groups shards by the id of their run, and names what is missing or doubled.
#include "runner/run/shard_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "reports/outline.h"
#include "reports/text.h"
#include "runner/run/assignment.h"
#include "runner/run/merge_shards.h"
#include "runner/run/shard.h"

namespace dlpack_cts::runner {
namespace {

constexpr char kHint[] = "give dlpack-cts report one result file, or OUT folder, of each shard";

std::string NameOfRun(const Header& header) {
  const bool pairs = header.options.contains(kLibrariesOption);
  return fmt::format("run {} of {}", OneLine(header.run_id),
                     pairs ? "interop" : OneLine(NameOf(header.library, header.library_version)));
}

Shard ShardOf(const StoredRun& stored) {
  const std::optional<Shard> shard = ParseShard(stored.run.header.shard);
  if (shard && !stored.run.header.run_id.empty()) return *shard;
  throw Failure(fmt::format("{}: \"{}\" is not a shard of a run", stored.path, OneLine(stored.run.header.shard)),
                kHint);
}

/// All parts that the run has to have, in their order.
std::vector<std::string> NamesOfParts(const Header& header, uint64_t count) {
  std::vector<std::string> names;
  const std::vector<std::string> pairs = PairsOf(header.options);
  for (const std::string& pair : pairs) {
    Shard shard{.number = 1, .count = count};
    while (!shard.Has(pair)) ++shard.number;
    names.push_back(fmt::format("{} of shard {}", pair, shard.Text()));
  }
  for (uint64_t number = 1; pairs.empty() && number <= count; ++number) {
    names.push_back("shard " + Shard{number, count}.Text());
  }
  return names;
}

std::string NameOfPart(const StoredRun& stored) {
  const Header& header = stored.run.header;
  return (header.options.contains(kLibrariesOption) ? OneLine(header.library) + " of " : "") + "shard " + header.shard;
}

/// What differs from a shard of another run of the library, or "".
std::string DifferenceBetween(const Header& a, const Header& b) {
  const auto count = [](const Header& header) {
    const std::optional<Shard> shard = ParseShard(header.shard);
    return shard ? shard->count : 0;
  };
  const std::pair<const char*, bool> differences[] = {
      {"number of shards", count(a) != count(b)},
      {"version of the library", a.library_version != b.library_version},
      {"version of dlpack-cts", a.program_version != b.program_version},
      {"interpreter", a.interpreter != b.interpreter},
      {"--seed", a.seed != b.seed},
      {"--examples", a.examples != b.examples},
      {"options", a.options != b.options}};
  for (const auto& [what, differs] : differences) {
    if (differs) return what;
  }
  return "--run-id";
}

/// Why the shards are not the whole run, or nothing.
std::optional<Failure> WrongIn(const std::vector<const StoredRun*>& shards, const std::vector<StoredRun>& all) {
  const Header& header = shards.front()->run.header;
  const std::string run = NameOfRun(header);
  std::map<std::string, const StoredRun*> found;
  for (const StoredRun* const shard : shards) {
    const std::string name = NameOfPart(*shard);
    if (shard->run.header.provisional) {
      return Failure(fmt::format("{}: {} of {} did not end", shard->path, name, run), "run this shard again");
    }
    const auto [other, added] = found.try_emplace(name, shard);
    if (!added) {
      return Failure(fmt::format("{} occurs twice: {} is in {} and in {}", run, name, other->second->path, shard->path),
                     "leave out one of them");
    }
  }
  std::vector<std::string> missing;
  for (const std::string& name : NamesOfParts(header, ShardOf(*shards.front()).count)) {
    if (!found.contains(name)) missing.push_back(name);
  }
  if (missing.empty()) return std::nullopt;
  std::string hint = kHint;
  for (const StoredRun& other : all) {
    const Header& its = other.run.header;
    if (its.shard.empty() || its.library != header.library || its.run_id == header.run_id) continue;
    hint = fmt::format("{} is of another run: its {} differs", other.path, DifferenceBetween(header, its));
  }
  return Failure(fmt::format("{}: {} {} missing", run, fmt::join(missing, ", "), missing.size() == 1 ? "is" : "are"),
                 hint);
}

}  // namespace

WholeRuns WithMergedShards(const Catalogue& catalogue, const std::vector<StoredRun>& stored) {
  std::map<std::string, std::vector<const StoredRun*>> shards_of;
  for (const StoredRun& one : stored) {
    if (one.run.header.shard.empty()) continue;
    ShardOf(one);
    shards_of[one.run.header.run_id].push_back(&one);
  }
  WholeRuns whole;
  std::map<std::string, bool> is_whole;
  for (const StoredRun& one : stored) {
    const std::string& id = one.run.header.run_id;
    if (one.run.header.shard.empty()) {
      whole.runs.push_back(one);
      continue;
    }
    const std::vector<const StoredRun*>& shards = shards_of.at(id);
    const bool is_first = shards.front() == &one;
    if (is_first) {
      const std::optional<Failure> wrong = WrongIn(shards, stored);
      if (wrong) whole.wrong.push_back(*wrong);
      is_whole[id] = !wrong;
    }
    if (!is_whole.at(id)) continue;
    if (one.run.header.options.contains(kLibrariesOption)) {
      whole.runs.push_back(one);
    } else if (is_first) {
      std::vector<const Run*> runs;
      std::vector<std::string> files;
      for (const StoredRun* const shard : shards) {
        runs.push_back(&shard->run);
        files.push_back(shard->path);
      }
      whole.runs.push_back({.name = one.run.header.library,
                            .path = one.path,
                            .run = MergeShards(catalogue, WorkerList("choices"), runs),
                            .shards = std::move(files)});
    }
  }
  return whole;
}

}  // namespace dlpack_cts::runner
