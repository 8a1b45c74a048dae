// engine/lanes.cc: starts a thread for each lane, and calls libraries in the contexts of steps.
#include "engine/lanes.h"

#include <algorithm>
#include <latch>
#include <thread>
#include <vector>

#include "harness/forge/thread.h"
#include "harness/recipe/ops.h"

namespace dlpack_cts {
namespace {

/// Only operations that release something may run with a pending exception.
bool LetsGo(Op op) { return HasTrait(op, OpTrait::kLetsGo); }

/// Operations that call the library once, so that the context is that of this call.
bool CallsOnce(Op op) { return LetsGo(op) || HasTrait(op, OpTrait::kPassesKeywords); }

/// Those of them whose call is about an array that the library made.
bool UsesSource(Op op) { return op == Op::kExport || op == Op::kImportSource; }

}  // namespace

bool IsTaken(const Step& step) {
  switch (step.context) {
    case Context::kUsual:
      return true;
    case Context::kRawThread:
    case Context::kCollection:
    case Context::kStrictWarnings:
      return CallsOnce(step.op);
    case Context::kPendingException:
      return LetsGo(step.op);
    case Context::kFinalised:
    case Context::kAtExit:
    case Context::kForkedChild:
    case Context::kSubinterpreter:
    case Context::kEndedStream:
      return step.op == Op::kDelete;
    case Context::kOtherDevice:
      return step.op == Op::kExport || step.op == Op::kDelete;
    case Context::kCapture:
      return step.op == Op::kExport || step.op == Op::kTableExport || step.op == Op::kTableView ||
             step.op == Op::kTableImport;
    case Context::kPendingWork:
      return step.op == Op::kExport || step.op == Op::kImport;
    case Context::kHeldStream:
      return step.op == Op::kExport;
  }
  return false;
}

int Lanes::Segment(int first, bool* lanes) const {
  const Recipe& recipe = life_.recipe;
  int behind = first + 1;
  while (behind < recipe.used.steps && recipe.steps[behind].barrier == 0) ++behind;
  for (int i = first; i < behind; ++i) *lanes = *lanes || recipe.steps[i].lane != 0;
  return behind;
}

void Lanes::Take(int first, int behind, const std::function<void(int index)>& take) {
  std::vector<int> numbers;
  for (int i = first; i < behind; ++i) {
    const int lane = life_.recipe.steps[i].lane;
    if (lane != 0 && std::find(numbers.begin(), numbers.end(), lane) == numbers.end()) numbers.push_back(lane);
  }
  life_.lanes = true;
  std::latch ready(static_cast<std::ptrdiff_t>(numbers.size() + 1));
  std::vector<Threads::Worker*> workers;
  for (const int lane : numbers) {
    workers.push_back(&life_.threads.Start([&, lane] {
      const ThreadMark mark(static_cast<int8_t>(lane));
      ready.arrive_and_wait();
      TakeLane(lane, first, behind, take);
    }));
  }
  life_.producer.runtime().Waiting([&ready] { ready.arrive_and_wait(); });
  TakeLane(0, first, behind, take);
  life_.producer.runtime().Waiting([&] {
    for (Threads::Worker* const worker : workers) life_.threads.Wait(*worker);
  });
  life_.lanes = false;
}

void Lanes::TakeLane(int lane, int first, int behind, const std::function<void(int index)>& take) {
  Runtime& runtime = life_.producer.runtime();
  for (int i = first; i < behind; ++i) {
    const Step& step = life_.recipe.steps[i];
    if (step.lane != lane) continue;
    // A lane that deletes on a raw thread must not attach to the interpreter.
    const bool attaches = lane != 0 && !(step.op == Op::kDelete && step.context == Context::kRawThread);
    if (lane == 0) {
      Begin();
    } else {
      book_.lock();
      if (attaches) runtime.Attach();
    }
    AwaitStep(step);
    ThreadMark::SetStep(i);
    take(i);
    if ((lane == 0 || attaches) && life_.ForgetException()) life_.exported(step.slot).left_exception = Answer::kYes;
    ThreadMark::SetStep(ThreadMark::kNoStep);
    if (attaches) runtime.Detach();
    End();
  }
}

void Lanes::Begin() {
  if (!book_.try_lock()) life_.producer.runtime().Waiting([this] { book_.lock(); });
}

void Lanes::AwaitStep(const Step& step) {
  Await(step.slot);
  // Two calls with the same array never overlap.
  if (UsesSource(step.op)) {
    while (life_.sources[LifeState::SourceOf(step)].calls > 0) Yield();
  } else if (!CallsOnce(step.op)) {
    const auto busy = [](const LifeState::Source& source) { return source.calls > 0; };
    while (std::any_of(life_.sources, life_.sources + kSlots, busy)) Yield();
  }
}

void Lanes::Await(int slot) {
  while (life_.slots[slot].calls > 0) Yield();
}

void Lanes::Yield() {
  End();
  life_.producer.runtime().Waiting([this] {
    std::this_thread::yield();
    book_.lock();
  });
}

void Lanes::CallInContext(Subject& subject, const Step& step, const std::function<void()>& work, bool attached) {
  const bool lanes = life_.lanes;
  int idle = 0;
  int& calls = life_.slots[step.slot].calls;
  int& source_calls = UsesSource(step.op) ? life_.sources[LifeState::SourceOf(step)].calls : idle;
  if (lanes) {
    ++calls;
    ++source_calls;
    End();
  }
  const Survival survival = CallIn(subject, step, work, attached);
  if (lanes) {
    if (step.lane != 0 && step.context == Context::kRawThread && !attached) {
      book_.lock();
    } else {
      Begin();
    }
    life_.ledger.BeginStep(static_cast<int>(&step - life_.recipe.steps));  // other lanes have begun steps meanwhile
    --calls;
    --source_calls;
  }
  if (survival != Survival::kNotRun) life_.exported(step.slot).pending_exception = survival;
}

Survival Lanes::CallIn(Subject& subject, const Step& step, const std::function<void()>& work, bool attached) {
  switch (step.context) {
    case Context::kRawThread:
      CallOnThread(subject, step, work, attached);
      break;
    case Context::kPendingException:
      return subject.runtime().WithPendingException(work);
    case Context::kCollection:
      subject.runtime().InCollection(work);
      break;
    case Context::kStrictWarnings:
      subject.runtime().Strictly(work);
      break;
    case Context::kOtherDevice:
    case Context::kCapture:
    case Context::kPendingWork:
    case Context::kHeldStream:
    case Context::kEndedStream:
      cuda_.Call(step, work);
      break;
    default:
      work();
      break;
  }
  return Survival::kNotRun;
}

void Lanes::CallOnThread(Subject& subject, const Step& step, const std::function<void()>& work, bool attached) {
  // Each lane except lane 0 is such a thread already.
  if (life_.lanes && step.lane != 0) return work();
  const auto call = [&] {
    const ThreadMark mark;
    if (life_.lanes) ThreadMark::SetStep(static_cast<int32_t>(&step - life_.recipe.steps));
    if (attached) subject.runtime().Attach();
    work();
    if (attached) subject.runtime().Detach();
  };
  // A correct deleter waits for the GIL, so this thread must release it: waiting with it would be a deadlock.
  subject.runtime().Waiting([&] { life_.threads.Wait(life_.threads.Start(call)); });
}

}  // namespace dlpack_cts
