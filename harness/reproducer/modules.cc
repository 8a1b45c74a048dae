// harness/reproducer/modules.cc: finds the files that an adapter imports, also from helpers/ beside it.
#include "harness/reproducer/modules.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <vector>

namespace dlpack_cts {
namespace {

namespace fs = std::filesystem;

bool IsSource(const fs::path& path) {
  std::error_code failed;
  return path.extension() == ".py" && fs::is_regular_file(path, failed);
}

std::string TextOf(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Each match of the pattern's last group.
std::set<std::string> MatchesIn(const std::string& text, const std::regex& pattern) {
  const std::sregex_iterator end;
  std::set<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern); match != end; ++match) {
    found.insert((*match)[match->size() - 1].str());
  }
  return found;
}

std::set<std::string> WordsOf(const std::string& text) {
  static const std::regex kWord("[A-Za-z_][A-Za-z_0-9]*");
  return MatchesIn(text, kWord);
}

/// The source files of a module or package. None for a package with a compiled module: a copy of only its .py files
/// could not be imported, and would hide the installed package.
std::vector<fs::path> SourcesOf(const fs::path& folder, const std::string& name) {
  std::error_code failed;
  if (name != "adapter" && IsSource(folder / (name + ".py"))) return {folder / (name + ".py")};
  if (!IsSource(folder / name / "__init__.py")) return {};
  std::vector<fs::path> sources;
  for (const auto& entry : fs::recursive_directory_iterator(folder / name, failed)) {
    if (entry.path().extension() == ".so") return {};
    if (IsSource(entry.path())) sources.push_back(entry.path());
  }
  return sources;
}

/// The libraries whose adapters are the base of this one: strided.adapter_of("cuda-core").
std::set<std::string> BasesOf(const std::string& text) {
  static const std::regex kBase("adapter_of\\(\"([A-Za-z0-9_-]+)\"\\)");
  return MatchesIn(text, kBase);
}

}  // namespace

std::map<std::string, std::string> ModulesBeside(const std::string& folder, const std::string& adapter) {
  std::map<std::string, std::string> modules;
  std::vector<std::string> unread = {adapter};
  const auto take = [&](const fs::path& source, const fs::path& base) {
    const std::string path = source.lexically_relative(base).generic_string();
    if (!modules.contains(path)) unread.push_back(modules[path] = TextOf(source));
  };
  const fs::path all = fs::path(folder) / "..";
  while (!unread.empty()) {
    const std::string text = unread.back();
    unread.pop_back();
    for (const std::string& word : WordsOf(text)) {
      for (const fs::path& base : {fs::path(folder), all / "helpers"}) {
        for (const fs::path& source : SourcesOf(base, word)) take(source, base);
      }
    }
    for (const std::string& library : BasesOf(text)) {
      if (const fs::path source = all / library / "adapter.py"; IsSource(source)) take(source, all);
    }
  }
  return modules;
}

}  // namespace dlpack_cts
