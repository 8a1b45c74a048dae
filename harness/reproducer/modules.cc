// harness/reproducer/modules.cc: finds the files in an adapter's folder that the adapter imports.
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

std::set<std::string> WordsOf(const std::string& text) {
  static const std::regex kWord("[A-Za-z_][A-Za-z_0-9]*");
  const std::sregex_iterator end;
  std::set<std::string> words;
  for (std::sregex_iterator word(text.begin(), text.end(), kWord); word != end; ++word) words.insert(word->str());
  return words;
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

}  // namespace

std::map<std::string, std::string> ModulesBeside(const std::string& folder, const std::string& adapter) {
  std::map<std::string, std::string> modules;
  std::vector<std::string> unread = {adapter};
  while (!unread.empty()) {
    const std::set<std::string> words = WordsOf(unread.back());
    unread.pop_back();
    for (const std::string& word : words) {
      for (const fs::path& source : SourcesOf(folder, word)) {
        const std::string path = source.lexically_relative(folder).generic_string();
        if (modules.contains(path)) continue;
        unread.push_back(modules[path] = TextOf(source));
      }
    }
  }
  return modules;
}

}  // namespace dlpack_cts
