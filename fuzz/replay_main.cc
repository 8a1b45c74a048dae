// fuzz/replay_main.cc: runs stored inputs of the import target again, without libFuzzer, each in a process of its own.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz/target.h"
#include "harness/recipe/codec.h"

namespace dlpack_cts {
namespace {

constexpr int kHeld = 0;
constexpr int kFound = 1;
constexpr int kUsage = 2;
constexpr unsigned kSeconds = 30;  // for one input

int Fail(const std::string& what, const std::string& hint) {
  std::fprintf(stderr, "dlpack-cts: %s\n  hint: %s\n", what.c_str(), hint.c_str());
  return kUsage;
}

std::string Answer(const Refusal& import) {
  if (import.outcome == Outcome::kAccepted) return "accepted";
  return "refused: " + std::string(import.type.view()) + ": " + std::string(import.message.view());
}

/// In the child: what the input shows.
int Judge(Target& target, const std::string& file, const std::vector<uint8_t>& bytes) {
  target.InstallFaultHandler();
  alarm(kSeconds);
  Recipe recipe = DecodeAny(bytes);
  const std::optional<Finding> finding = target.Run(recipe);
  const char* known = finding && target.IsKnown(*finding) ? " (known)" : "";
  if (!finding) {
    const Refusal& import = target.ledger().imports[0].import;
    std::printf("%s: held (%s)\n", file.c_str(), Answer(import).c_str());
  } else {
    std::printf("%s: %s%s", file.c_str(), ToText(*finding, recipe).c_str(), known);
  }
  std::fflush(nullptr);
  return finding && *known == '\0' ? kFound : kHeld;
}

int Replay(Target& target, const std::string& file, const std::vector<uint8_t>& bytes) {
  std::fflush(nullptr);
  const int child = fork();
  if (child == 0) _exit(Judge(target, file, bytes));
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return Fail("cannot fork", "close other programs");
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  const int signal = WTERMSIG(status);
  std::printf("%s: %s: the library %s\n  recipe: %s\n", file.c_str(), signal == SIGALRM ? "TIMEOUT" : "CRASH",
              signal == SIGALRM ? "did not end" : strsignal(signal), ToJson(DecodeAny(bytes)).c_str());
  return kFound;
}

int Main(int argc, char** argv) {
  if (argc < 2) return Fail("no file to replay", "dlpack-cts-fuzz-import-replay FILE...");
  std::vector<std::vector<uint8_t>> inputs;
  for (int i = 1; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    if (!file) return Fail(std::string("there is no file ") + argv[i], "name inputs that a campaign kept, or seeds");
    inputs.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  Campaign campaign;
  std::string error;
  if (!ReadCampaign(&campaign, &error)) return Fail(error, "dlpack-cts replay FILE sets the environment up");
  Target& target = Target::Open(campaign);
  int status = kHeld;
  for (size_t i = 0; i < inputs.size(); ++i) {
    status = std::max(status, Replay(target, argv[i + 1], inputs[i]));
  }
  std::fflush(nullptr);
  return status;
}

}  // namespace
}  // namespace dlpack_cts

// Libraries abort in their exit handlers.
int main(int argc, char** argv) { _exit(dlpack_cts::Main(argc, argv)); }
