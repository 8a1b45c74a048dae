// fuzz/seeds_main.cc: writes the seeds of every target, a few per family, into corpus/TARGET.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/failure.h"
#include "fuzz/target.h"
#include "results/whole_file.h"

namespace dlpack_cts::fuzz {
namespace {

constexpr int kPerFamily = 2;
constexpr int kTries = 100000;

void Write(const std::string& path, std::string_view bytes) {
  if (WriteWholeFile(path, bytes) == 0) return;
  throw Failure("the file " + path + " cannot be written", "choose another folder");
}

void WriteFamily(const Target& target, const Family& family, const std::filesystem::path& folder) {
  Random random(1);
  Offering offering;
  offering.tier = std::max(offering.tier, family.tier);
  int written = 0;
  for (int i = 0; i < kTries && written < kPerFamily; ++i) {
    Recipe recipe = target.draw(random, i, family.tier, Limits{});
    target.fold(recipe, offering);
    if (!family.belongs(recipe)) continue;
    const std::string name = std::string(family.name) + "-" + std::to_string(++written);
    const auto bytes = target.encode(recipe);
    Write(folder / (name + std::string(target.suffix)), {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
  if (written == kPerFamily) return;
  throw Failure("the generator gives too few recipes of the family " + std::string(family.name) + " of " +
                    std::string(target.name),
                "correct fuzz/targets/", kHarness);
}

void WriteAll(int argc, char** argv) {
  if (argc != 2) throw Failure("the folder is missing", "usage: dlpack-cts-fuzz-seeds corpus");
  for (const Target* target : Targets()) {
    const std::filesystem::path folder = std::filesystem::path(argv[1]) / target->name;
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    for (const Family& family : target->families) WriteFamily(*target, family, folder);
    if (target->dictionary != nullptr) Write(folder.string() + ".dict", target->dictionary());
  }
}

}  // namespace
}  // namespace dlpack_cts::fuzz

int main(int argc, char** argv) {
  const auto failure = dlpack_cts::FailureOf([=] { dlpack_cts::fuzz::WriteAll(argc, argv); });
  if (failure) std::fputs(Printed(*failure).c_str(), stderr);
  return failure ? failure->status() : 0;
}
