// runner/run/shard.cc: divides ids by their hash, and makes the id of a run.
#include "runner/run/shard.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "base/hash.h"
#include "runner/run/assignment.h"
#include "runner/run/options.h"

namespace dlpack_cts::runner {
namespace {

std::optional<uint64_t> Number(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && number >= 1 && number <= kMostShards ? std::optional(number) : std::nullopt;
}

}  // namespace

bool Shard::Has(std::string_view id) const {
  const uint64_t hash = Fnv1a(id);
  return (hash ^ (hash >> 32)) % count + 1 == number;  // the low bits of FNV-1a depend on few bits of the text
}

std::string Shard::Text() const { return fmt::format("{}/{}", number, count); }

std::optional<Shard> ParseShard(std::string_view text) {
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::optional<uint64_t> number = Number(text.substr(0, slash));
  const std::optional<uint64_t> count = Number(text.substr(slash + 1));
  if (!number || !count || *number > *count) return std::nullopt;
  return Shard{*number, *count};
}

nlohmann::json DecidingOptions(const Options& options) {
  const Options usual;
  nlohmann::json deciding = nlohmann::json::object();
  const auto add = [&](const char* key, const auto& value, const auto& usual_value) {
    if (value != usual_value) deciding[key] = value;
  };
  add("select", options.run.select, usual.run.select);
  add("deselect", options.run.deselect, usual.run.deselect);
  add("role", options.run.roles, usual.run.roles);
  add("level", options.level, usual.level);
  add("last_failed", options.last_failed, usual.last_failed);
  add("fail_on", options.fail_on, usual.fail_on);
  add("strict", options.strict, usual.strict);
  add("sweep", options.run.sweep, options.pairs ? kPairSweep : usual.run.sweep);
  add("timeout", options.run.case_seconds, usual.run.case_seconds);
  add("memory", options.run.memory_mb, usual.run.memory_mb);
  add("keep_environment", options.run.keep_environment, usual.run.keep_environment);
  add("expectations", options.expectations, usual.expectations);
  if (options.pairs) deciding[kLibrariesOption] = options.libraries;
  add(kLeftOutOption, options.left_out, usual.left_out);
  return deciding;
}

std::vector<std::string> PairsOf(const nlohmann::json& deciding_options) {
  std::vector<std::string> pairs;
  std::vector<std::string> names = deciding_options.value(kLibrariesOption, std::vector<std::string>());
  for (std::string& name : names) name = name.substr(0, name.find("=="));
  for (const std::string& producer : names) {
    for (const std::string& consumer : names) pairs.push_back(PairName(producer, consumer));
  }
  const auto left_out = deciding_options.value(kLeftOutOption, std::vector<std::string>());
  std::erase_if(pairs, [&](const std::string& pair) { return std::ranges::find(left_out, pair) != left_out.end(); });
  return pairs;
}

bool IsNarrowed(const nlohmann::json& deciding_options) {
  return std::ranges::any_of(std::initializer_list<const char*>{"select", "deselect", "role", "level", "last_failed"},
                             [&](const char* key) { return deciding_options.contains(key); });
}

std::string RunIdOf(const Header& header, const Shard& shard, const std::string& given) {
  nlohmann::json common = {header.program_version, header.seed, header.examples, header.options, shard.count};
  // Each pair has other libraries, and may have another environment.
  if (!header.options.contains(kLibrariesOption)) {
    for (const std::string& text : {header.library, header.library_version, header.interpreter}) common.push_back(text);
  }
  const std::string hash =
      fmt::format("{:016x}", Fnv1a(given + common.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace)));
  return given.empty() ? hash : given + "-" + hash;
}

std::string GivenRunId(const std::string& option) {
  if (!option.empty()) return option;
  for (const char* const variable : {"GITHUB_RUN_ID", "CI_PIPELINE_ID"}) {
    const char* const id = std::getenv(variable);
    if (id != nullptr && *id != '\0') return id;
  }
  return "";
}

}  // namespace dlpack_cts::runner
