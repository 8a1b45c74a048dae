// runner/cli/common_options.h: options that several commands share, each with what happens without it.
#ifndef DLPACK_CTS_RUNNER_CLI_COMMON_OPTIONS_H_
#define DLPACK_CTS_RUNNER_CLI_COMMON_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include "runner/run/options.h"

namespace dlpack_cts::runner {

/// The value of the option must be one of these words.
void OneOf(CLI::Option* option, const std::vector<std::string>& words);

/// May be given several times with one value each, because the next word is a library.
void Repeatable(CLI::Option* option, const std::string& type, const std::string& usual);

/// "" for a number above 0, else the error. CLI11's own message would contain the largest double as the end of the
/// range.
std::string IsPositive(const std::string& text);
/// The same for whole numbers. CLI11's own message would be "Could not convert".
std::string IsCount(const std::string& text);
/// "" unless the text is empty. An unset shell variable must not look like a missing option.
std::string IsNotEmpty(const std::string& text);

/// A number above 0. Without the option it stays unchanged.
template <typename Number>
CLI::Option* AddNumber(CLI::App* sub, const std::string& name, Number& number, const std::string& what) {
  const auto check = std::is_integral_v<Number> ? IsCount : IsPositive;
  return sub->add_option(name, number, what)->check(check)->type_name("N")->capture_default_str();
}

void AddAdapter(CLI::App* sub, Options& o);
void AddPython(CLI::App* sub, Options& o);
/// What is divided among the shards: "cases", "pairs".
void AddShard(CLI::App* sub, Options& o, const std::string& what);
/// --shard, and --run-id, which a result file has.
void AddShardOfRun(CLI::App* sub, Options& o, const std::string& what);
void AddTimeLimit(CLI::App* sub, Options& o);
/// The seed of "random" is printed, and replay commands contain it.
void AddSeed(CLI::App* sub, Options& o);
void AddOut(CLI::App* sub, Options& o, const std::string& what, const std::string& usual);
void AddExpectations(CLI::App* sub, Options& o);
void AddColor(CLI::App* sub, Options& o);
void AddVerbose(CLI::App* sub, Options& o);
/// The default is one process per core.
void AddWorkers(CLI::App* sub, Options& o);

void AddSelect(CLI::App* sub, Options& o);
CLI::Option* AddSweep(CLI::App* sub, int& sweep);

/// The options of every command that tests a library: adapters, limits, output.
void AddCommon(CLI::App* sub, Options& o);
void AddLevel(CLI::App* sub, Options& o);
void AddUpdate(CLI::App* sub, Options& o);

/// The options that select cases, and the known deviations.
void AddSelection(CLI::App* sub, Options& o);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_CLI_COMMON_OPTIONS_H_
