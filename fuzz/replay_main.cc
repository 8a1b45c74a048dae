// fuzz/replay_main.cc: runs stored inputs of a target again, without libFuzzer, each in a process of its own.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz/player.h"
#include "harness/recipe/codec.h"

namespace dlpack_cts {
namespace {

constexpr int kHeld = 0;
constexpr int kFound = 1;
constexpr int kUsage = 2;
constexpr unsigned kSeconds = 30;  // for one input and what is smaller

int Fail(const std::string& what, const std::string& hint) {
  std::fprintf(stderr, "dlpack-cts: %s\n  hint: %s\n", what.c_str(), hint.c_str());
  return kUsage;
}

std::string Words(const Refusal& answer) {
  if (answer.outcome == Outcome::kAccepted) return "accepted";
  if (answer.outcome != Outcome::kRefused) return "the library has no such array";
  return "refused: " + std::string(answer.type.view()) + ": " + std::string(answer.message.view());
}

/// For the driver, which knows no DLPack: name, role and what it does, separated by tabs.
int PrintTargets() {
  for (const Target* target : Targets()) {
    std::printf("%s\t%s\t%s\n", target->name.data(), target->role.data(), target->what.data());
  }
  return kHeld;
}

/// In the child: what the input shows, or the smallest one that shows the same: that says which rule it is about.
int Judge(Player& player, const std::string& file, const std::vector<uint8_t>& bytes, bool smallest) {
  player.InstallFaultHandler();
  alarm(kSeconds);
  Recipe recipe = DecodeAny(bytes);
  std::optional<Finding> finding = player.Run(recipe);
  if (finding && smallest) finding = player.Shrink(recipe, *finding);
  const char* known = finding && player.IsKnown(*finding) ? " (known)" : "";
  if (!finding) {
    std::printf("%s: held (%s)\n", file.c_str(), Words(player.Answer()).c_str());
  } else {
    std::printf("%s: %s%s", file.c_str(), ToText(*finding, recipe).c_str(), known);
  }
  std::fflush(nullptr);
  return finding && *known == '\0' ? kFound : kHeld;
}

int Replay(Player& player, const std::string& file, const std::vector<uint8_t>& bytes) {
  std::fflush(nullptr);
  int status = 0;
  // A smaller one that kills has nothing to do with what this one shows.
  for (const bool smallest : {true, false}) {
    const int child = fork();
    if (child == 0) _exit(Judge(player, file, bytes, smallest));
    if (child < 0 || waitpid(child, &status, 0) != child) return Fail("cannot fork", "close other programs");
    if (WIFEXITED(status)) return WEXITSTATUS(status);
  }
  const int signal = WTERMSIG(status);
  std::printf("%s: %s: the library %s\n  recipe: %s\n", file.c_str(), signal == SIGALRM ? "TIMEOUT" : "CRASH",
              signal == SIGALRM ? "did not end" : strsignal(signal), ToJson(DecodeAny(bytes)).c_str());
  return kFound;
}

int Main(int argc, char** argv) {
  if (argc < 2) return Fail("no file to replay", "dlpack-cts-fuzz-replay FILE..., or --targets");
  if (std::string_view(argv[1]) == "--targets") return PrintTargets();
  std::vector<std::vector<uint8_t>> inputs;
  for (int i = 1; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    if (!file) return Fail(std::string("there is no file ") + argv[i], "name inputs that a campaign kept, or seeds");
    inputs.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  Campaign campaign;
  std::string error;
  if (!ReadCampaign(&campaign, &error)) return Fail(error, "dlpack-cts replay FILE sets the environment up");
  Player& player = Player::Open(campaign);
  int status = kHeld;
  for (size_t i = 0; i < inputs.size(); ++i) {
    status = std::max(status, Replay(player, argv[i + 1], inputs[i]));
  }
  return status;
}

}  // namespace
}  // namespace dlpack_cts

// Libraries abort in their exit handlers.
int main(int argc, char** argv) {
  const int status = dlpack_cts::Main(argc, argv);
  std::fflush(nullptr);
  _exit(status);
}
