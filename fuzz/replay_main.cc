// fuzz/replay_main.cc: runs stored inputs of a target again, without libFuzzer, each in a separate process.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/child.h"
#include "base/failure.h"
#include "fuzz/player.h"
#include "harness/recipe/codec.h"

namespace dlpack_cts::fuzz {
namespace {

constexpr int kHeld = 0;
constexpr int kFound = 1;
constexpr unsigned kSeconds = 30;  // for one input, with its minimisation

std::string Words(const Refusal& answer) {
  if (answer.outcome == Outcome::kAccepted) return "accepted";
  if (answer.outcome != Outcome::kRefused) return "the library cannot make such an array";
  return "refused: " + std::string(answer.type.view()) + ": " + std::string(answer.message.view());
}

/// For the driver, which does not depend on DLPack: name, role and description, separated by tabs.
int PrintTargets() {
  for (const Target* target : Targets()) {
    std::printf("%s\t%s\t%s\n", target->name.data(), target->role.data(), target->what.data());
  }
  return kHeld;
}

/// In the child: prints the finding of the input, or of the smallest recipe with the same failure.
int Judge(Player& player, const std::string& file, const std::vector<uint8_t>& bytes, bool smallest) {
  player.InstallFaultHandler();
  alarm(kSeconds);
  Recipe recipe = player.target().decode(bytes);
  std::optional<Finding> finding = player.Run(recipe);
  if (finding && smallest) finding = player.Minimise(recipe, *finding);
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
  ChildEnd end;
  // If a smaller recipe crashes the process, the input itself runs again without minimisation.
  for (const bool smallest : {true, false}) {
    const int child = fork();
    if (child == 0) _exit(Judge(player, file, bytes, smallest));
    if (child < 0) throw Failure("a process cannot be started", "close other programs");
    end = WaitFor(child);
    if (end.how == ChildEnd::How::kExited) return end.code;
  }
  const std::string what = end.code == SIGALRM
                               ? "TIMEOUT: the exchange did not end within " + std::to_string(kSeconds) + " s"
                               : "CRASH: the library was terminated by a signal: " + std::string(strsignal(end.code));
  std::printf("%s: %s\n  recipe: %s\n", file.c_str(), what.c_str(), ToJson(player.target().decode(bytes)).c_str());
  return kFound;
}

int Main(int argc, char** argv) {
  if (argc < 2) throw Failure("a file to replay is missing", "usage: dlpack-cts-fuzz-replay FILE..., or --targets");
  if (std::string_view(argv[1]) == "--targets") return PrintTargets();
  std::vector<std::vector<uint8_t>> inputs;
  for (int i = 1; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    if (!file) throw Failure(std::string("there is no file ") + argv[i], "give inputs that a campaign kept, or seeds");
    inputs.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  const Settings settings = WithContext("", "use dlpack-cts replay FILE, which sets the environment variables",
                                        [] { return ReadSettings(); });
  Player& player = Player::Open(settings);
  int status = kHeld;
  for (size_t i = 0; i < inputs.size(); ++i) {
    status = std::max(status, Replay(player, argv[i + 1], inputs[i]));
  }
  return status;
}

}  // namespace
}  // namespace dlpack_cts::fuzz

// Some libraries abort in their exit handlers, so these are skipped.
int main(int argc, char** argv) {
  int status = 0;
  try {
    status = dlpack_cts::fuzz::Main(argc, argv);
  } catch (const dlpack_cts::Failure& failure) {
    std::fputs(Printed(failure).c_str(), stderr);
    status = failure.status();
  }
  std::fflush(nullptr);
  _exit(status);
}
