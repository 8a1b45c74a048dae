// fuzz/seeds_main.cc: writes the seeds of every target, a few per family, into corpus/TARGET.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "fuzz/target.h"
#include "harness/recipe/codec.h"

namespace dlpack_cts::fuzz {
namespace {

constexpr int kPerFamily = 2;
constexpr int kTries = 100000;

bool Write(const Recipe& recipe, const std::filesystem::path& path) {
  const auto bytes = Encode(recipe);
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return static_cast<bool>(file.flush());
}

/// Returns the exit status.
int WriteFamily(const Target& target, const Family& family, const std::filesystem::path& folder) {
  Random random(1);
  int written = 0;
  for (int i = 0; i < kTries && written < kPerFamily; ++i) {
    Recipe recipe = target.draw(random, i, family.tier, Limits{});
    target.fold(recipe, Offering{});
    if (!family.belongs(recipe)) continue;
    const auto path = folder / (std::string(family.name) + "-" + std::to_string(++written) + ".recipe");
    if (Write(recipe, path)) continue;
    std::fprintf(stderr, "dlpack-cts: the file %s cannot be written\n  hint: choose another folder\n", path.c_str());
    return 2;
  }
  if (written == kPerFamily) return 0;
  std::fprintf(
      stderr, "dlpack-cts: the generator gives too few recipes of the family %s of %s\n  hint: correct fuzz/targets/\n",
      std::string(family.name).c_str(), std::string(target.name).c_str());
  return 3;
}

int Main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "dlpack-cts: the folder is missing\n  hint: usage: dlpack-cts-fuzz-seeds corpus\n");
    return 2;
  }
  for (const Target* target : Targets()) {
    const std::filesystem::path folder = std::filesystem::path(argv[1]) / target->name;
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    for (const Family& family : target->families) {
      if (const int status = WriteFamily(*target, family, folder); status != 0) return status;
    }
  }
  return 0;
}

}  // namespace
}  // namespace dlpack_cts::fuzz

int main(int argc, char** argv) { return dlpack_cts::fuzz::Main(argc, argv); }
