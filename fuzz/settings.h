// fuzz/settings.h: the settings of the fuzz programs, from environment variables and from a file beside the program.
#ifndef DLPACK_CTS_FUZZ_SETTINGS_H_
#define DLPACK_CTS_FUZZ_SETTINGS_H_

#include <string>
#include <vector>

#include "fuzz/finding.h"
#include "fuzz/target.h"

namespace dlpack_cts::fuzz {

/// A known deviation, from the library's expectations. It does not stop the program.
struct Known {
  std::string cases;    // glob; empty where `rule` is given
  std::string rule;     // glob
  std::string message;  // prefix
};

/// A program named TARGET_SUBJECT, such as import_numpy, reads the file SUBJECT.settings beside itself, so that it
/// needs no variables: lines NAME=VALUE. NAME is that of a variable without its prefix. ADAPTER, PYTHON and LIBPYTHON
/// are relative to the folder of the program. KNOWN may come several times. "env.NAME" sets an environment variable,
/// unless it is set.
///
/// The variables are DLPACK_CTS_FUZZ_TARGET, _LIBRARY, _KIND, _ADAPTER, _PYTHON, _LIBPYTHON, _MUTANT, _TIER, _KNOWN
/// and _FINDING: docs/fuzzing.md explains each.
struct Settings {
  const Target* target = nullptr;
  std::string library = "reference";
  std::string kind = "reference";
  std::string adapter;  // folder of adapter.py, or the plug-in of a native library
  std::string python;
  std::string libpython;
  std::string mutant;
  std::vector<Known> known;
  Offering offering;
  std::string finding;  // file for the minimised finding; empty: it is only printed
};

/// Whether the library is used through Python.
inline bool NeedsPython(const Settings& settings) { return settings.kind == "python" || settings.kind == "reference"; }

/// Reads the file, if there is one, and the environment, which takes precedence. Throws Failure.
Settings ReadSettings();

/// Several lines: verdict, rule, message, case, recipe as JSON.
std::string ToText(const Finding& finding, const Recipe& recipe);

/// The finding as `dlpack-cts replay` reads it.
std::string ToReplayJson(const Finding& finding, const Recipe& recipe, const Settings& settings);

}  // namespace dlpack_cts::fuzz

#endif  // DLPACK_CTS_FUZZ_SETTINGS_H_
