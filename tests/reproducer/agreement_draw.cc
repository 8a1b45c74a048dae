// tests/reproducer/agreement_draw.cc: draws recipes, and writes of each the engine's facts and a script that notes all.
//
// For agreement_test.py. By hand: agreement_draw PYTHON LIBPYTHON ADAPTER_FOLDER OUT COUNT SEED [plain]
// With `plain` it writes short scripts instead, each about one fact of the engine's.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "base/failure.h"
#include "engine/engine.h"
#include "harness/case/case.h"
#include "harness/ledger/fact_table.h"
#include "harness/ledger/facts.h"
#include "harness/minimise/minimise.h"
#include "harness/recipe/codec.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/laws.h"
#include "harness/recipe/life.h"
#include "harness/recipe/normalize.h"
#include "harness/reproducer/plain.h"
#include "harness/reproducer/reproducer.h"
#include "subject/python_loader.h"

namespace dlpack_cts {
namespace {

constexpr unsigned kSeconds = 3;  // for one exchange

struct Work {
  BridgeConfig config;
  std::string out;
  int count = 0;
  uint64_t seed = 0;
  bool plain = false;
  std::string adapter;
};

/// What the adapter of agreement_test.py can do. It names its dtypes.
Profile AdapterProfile(const std::string& adapter) {
  Profile profile{};
  for (const Claim claim : {Claim::kConsumer, Claim::kProducer, Claim::kCapsuleInput, Claim::kCompute, Claim::kView,
                            Claim::kWrite, Claim::kReexport, Claim::kReadOnly, Claim::kTransposeInPlace,
                            Claim::kZeroCopy, Claim::kClose, Claim::kPython}) {
    profile.claims |= 1u << static_cast<uint32_t>(claim);
  }
  profile.takes_legacy = profile.takes_versioned = profile.makes_legacy = profile.makes_versioned = 1;
  profile.takes_scalar = profile.survives_negative = profile.takes_empty = profile.takes_strided = 1;
  profile.takes_null_strides = profile.takes_offset = profile.takes_read_only = profile.aliases = 1;
  profile.shows_read_only = profile.shows_writable = profile.takes_keywords = 1;
  profile.makes_empty = profile.makes_offset = profile.makes_read_only = 1;
  for (size_t i = 0; i < DataTypes().size(); ++i) {
    const bool has = adapter.find("\"" + std::string(DataTypes()[i].name) + "\"") != std::string::npos;
    if (has) profile.takes_dtypes |= uint64_t{1} << i;
  }
  profile.makes_dtypes = profile.takes_dtypes;
  return profile;
}

bool Runs(const Case& tested, const Profile& profile) {
  if (tested.hostile || tested.pair || tested.role == Role::kExchange) return false;
  for (const Claim claim : tested.needs) {
    if (!profile.Claims(claim)) return false;
  }
  return tested.blocked == nullptr || tested.blocked(profile).empty();
}

/// As the worker draws.
Recipe DrawFrom(const Case& tested, Random& random, const Profile& profile) {
  const int rows = tested.examples == Examples::kTable ? tested.table : 1000;
  const int index = static_cast<int>(random.Below(static_cast<uint64_t>(rows)));
  Draw draw{Random(random.Next()), index, profile};
  Recipe recipe = tested.draw(draw);
  for (int i = 0; i < recipe.used.offers; ++i) MendLies(recipe.offer(i), kHostileLaws | kLawRelease);
  FollowWays(profile, recipe);
  Normalize(recipe);
  return recipe;
}

/// Where elements share their place, a write changes several. The script expects that; the engine expects it of one.
bool MayWriteSeveral(const Recipe& recipe) {
  const bool overlap =
      recipe.offer().strides_kind == StridesKind::kExplicit || recipe.request().strides_kind == StridesKind::kExplicit;
  return overlap && std::ranges::any_of(recipe.life(), [](const Step& step) {
           return step.op == Op::kWriteSource || step.op == Op::kWriteArray || step.op == Op::kWriteExport;
         });
}

ReproducerInput InputOf(const Case& tested, const Recipe& recipe, const std::string& adapter) {
  ReproducerInput input;
  input.case_id = tested.id;
  input.verdict = "FAIL";
  input.fact = recipe.kind == RecipeKind::kImport ? "import0.outcome" : "export0.outcome";
  input.library = "toy";
  input.adapter = adapter;
  input.recipe = recipe;
  input.every_fact = true;
  return input;
}

/// A script sees neither the GIL nor facts that depend on scheduling or addresses. Messages are not compared.
bool BothCanKnow(const FactRow& row) {
  if (row.varies || row.family == Family::kReported || row.block == Block::kTable || row.block == Block::kRun)
    return false;
  return row.key.find("without_gil") == std::string::npos && row.key.find("pending_exception") == std::string::npos &&
         row.key.find("name_agrees") == std::string::npos;
}

/// For every fact its value, and what it would be had nothing been noted; null where a script cannot know it.
nlohmann::json FactsOf(const Ledger& ledger) {
  const auto empty = std::make_unique<Ledger>();
  nlohmann::json facts;
  for (const FactRow& row : FactRows()) {
    facts[row.key] = nullptr;
    if (BothCanKnow(row)) facts[row.key] = {Fact(ledger, row.key), Fact(*empty, row.key)};
  }
  return facts;
}

void Write(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

/// Runs the recipe in a child. False when it died: there are no facts to compare.
bool RunInChild(Subject& subject, const Recipe& recipe, const std::string& path) {
  subject.runtime().BeforeFork();
  const pid_t child = fork();
  if (child == 0) {
    subject.runtime().AfterForkInChild();
    alarm(kSeconds);
    const auto ledger = std::make_unique<Ledger>();
    Engine engine(subject);
    engine.Run(recipe, *ledger);
    Write(path, FactsOf(*ledger).dump());
    _exit(0);
  }
  subject.runtime().AfterForkInParent();
  int status = 1;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/// The recipe with only the first steps that a short script may have.
Recipe Shortened(const Recipe& recipe) {
  constexpr Op kPlain[] = {Op::kImport,      Op::kImportCapsule,  Op::kMake,       Op::kDescribe,   Op::kRead,
                           Op::kCompute,     Op::kDropProducer,   Op::kExport,     Op::kAskDevice,  Op::kTableExport,
                           Op::kTableImport, Op::kChangeMetadata, Op::kDropSource, Op::kReadExport, Op::kInspect};
  std::vector<unsigned> steps;
  std::vector<Op> seen;
  for (unsigned i = 0; i < recipe.life().size(); ++i) {
    const Op op = recipe.life()[i].op;
    const bool known = std::ranges::find(kPlain, op) != std::end(kPlain);
    if (!known || std::ranges::find(seen, op) != seen.end()) continue;
    seen.push_back(op);
    steps.push_back(i);
  }
  return WithSteps(recipe, steps);
}

/// Writes a short script for each fact that the engine noted and that a short script may watch. N.json has the fact and
/// its value; N.py must reproduce the value, and N_right.py, which wants this value, must not. Returns how many.
int WritePlain(const Case& tested, const Recipe& recipe, const std::string& facts, const Work& work, int drawn) {
  const auto noted = nlohmann::json::parse(std::ifstream(facts));
  const auto refusals = {"import0.outcome", "source0.change", "source0.device_call"};
  int written = 0;
  for (const auto& [key, values] : noted.items()) {
    if (values.is_null() || values[0] == values[1]) continue;
    ReproducerInput input = InputOf(tested, recipe, work.adapter);
    input.every_fact = false;
    input.fact = key;
    input.got = values[0].get<std::string>();
    input.wanted = "the other";  // no value, so the script looks for `got`
    input.refused = std::ranges::any_of(refusals, [&noted = noted](const char* call) {
      return noted[call][0] != noted[call][1] && noted[call][0] != "accepted";
    });
    input.by_destructor = false;
    if (!WhyNoReproducer(input).empty() || !IsPlain(input)) continue;
    const std::string name = work.out + "/" + std::to_string(drawn + written++);
    Write(name + ".json", nlohmann::json{{"fact", key}, {"value", input.got}, {"recipe", ToJson(recipe)}}.dump());
    Write(name + ".py", Reproducer(input));
    input.wanted = input.got;
    Write(name + "_right.py", Reproducer(input));
  }
  return written;
}

void DrawAll(const Work& work) {
  Subject& subject = OpenInPython(work.config);
  const Profile profile = AdapterProfile(work.adapter);
  Random random(work.seed);
  for (int drawn = 0; drawn < work.count;) {
    const Case& tested = Catalogue()[random.Below(Catalogue().size())];
    if (!Runs(tested, profile)) continue;
    const Recipe recipe = work.plain ? Shortened(DrawFrom(tested, random, profile)) : DrawFrom(tested, random, profile);
    const ReproducerInput input = InputOf(tested, recipe, work.adapter);
    if (!WhyNoReproducer(input).empty() || MayWriteSeveral(input.recipe)) continue;
    const std::string name = work.out + "/" + std::to_string(drawn);
    if (!RunInChild(subject, input.recipe, name + ".json")) continue;
    if (work.plain) {
      drawn += WritePlain(tested, recipe, name + ".json", work, drawn);
      continue;
    }
    Write(name + ".py", Reproducer(input));
    Write(name + ".recipe", ToJson(input.recipe));
    ++drawn;
  }
}

int Body(void* opaque) {
  const std::optional<Failure> failure = FailureOf([&] { DrawAll(*static_cast<Work*>(opaque)); });
  if (failure) std::fputs(Printed(*failure).c_str(), stderr);
  std::fflush(nullptr);
  _exit(failure ? 1 : 0);
}

int Main(int argc, char** argv) {
  if (argc != 7 && argc != 8) {
    std::fprintf(stderr, "usage: agreement_draw PYTHON LIBPYTHON ADAPTER_FOLDER OUT COUNT SEED [plain]\n");
    return 2;
  }
  Work work;
  work.config.python = argv[1];
  work.config.adapter = argv[3];
  work.config.library = "toy";
  work.out = argv[4];
  work.count = std::atoi(argv[5]);
  work.seed = std::strtoull(argv[6], nullptr, 10);
  work.plain = argc == 8;
  std::ostringstream adapter;
  adapter << std::ifstream(work.config.adapter + "/adapter.py", std::ios::binary).rdbuf();
  work.adapter = adapter.str();
  LoadBridge(argv[2]);
  return EnterPython(work.config, Body, &work);
}

}  // namespace
}  // namespace dlpack_cts

int main(int argc, char** argv) { return dlpack_cts::Main(argc, argv); }
