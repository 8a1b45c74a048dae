// tests/python/life_test.cc: forks, and libraries that keep things longer than their exchange lasts.
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <thread>

#include "tests/python/bridge_test.h"

namespace dlpack_cts {
namespace {

TEST_F(BridgeTest, ForkedChildCanUseTheLibrary) {
  Subject& subject = *g_opened.subject;
  subject.runtime().BeforeFork();
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    subject.runtime().AfterForkInChild();
    const ImportLedger& import = Run(ImportMatrix()).imports[0];
    _exit(import.library.reading == Reading::kMatches && import.released ? 0 : 1);
  }
  subject.runtime().AfterForkInParent();
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(Run(ImportMatrix()).imports[0].released, 1);
}

TEST_F(BridgeTest, LateCapsuleAndProducerDoNotChangeALaterExchange) {
  BridgeConfig config = g_opened.config;
  config.adapter = g_opened.tests + "/keeper_adapter";
  const std::unique_ptr<Subject> keeper(&OpenInPython(config));
  Recipe recipe = ImportMatrix();
  recipe.offer().kind = StructKind::kLegacy;
  Normalize(recipe);
  Ledger ledger;
  Engine engine(*keeper);
  engine.Run(recipe, ledger);
  EXPECT_EQ(ledger.imports[0].import.type.view(), "BufferError");
  EXPECT_EQ(ledger.imports[0].released, 0);
  engine.Run(recipe, ledger);
  EXPECT_EQ(ledger.imports[0].import.type.view(), "RuntimeError") << ledger.imports[0].import.message.view();
  EXPECT_EQ(ledger.imports[0].producer_calls, 1);
  EXPECT_EQ(ledger.imports[0].deleter.calls, 0);
}

TEST_F(BridgeTest, ThreadsOutsidePythonDoNotHoldTheGil) {
  const ThreadProbe probe = g_opened.subject->runtime().Probe();
  EXPECT_EQ(probe.holds_gil(), 1);
  EXPECT_EQ(probe.has_pending_exception(), 0);
  int holds = -1;
  g_opened.subject->runtime().Waiting([&] { std::thread([&] { holds = probe.holds_gil(); }).join(); });
  EXPECT_EQ(holds, 0);
  EXPECT_EQ(probe.holds_gil(), 1);
}

}  // namespace
}  // namespace dlpack_cts
