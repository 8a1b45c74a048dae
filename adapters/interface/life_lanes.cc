// adapters/interface/life_lanes.cc: steps on several threads at once, and in other states of thread and interpreter.
//
// Between two barriers each lane is a thread; lane 0 is the engine's. One lane at a time runs a step: it holds the
// mutex `book_`, which protects the ledger, the slots and the scratch memory. It releases the mutex while it calls the
// library, so that calls overlap. No thread waits for the mutex while it holds the GIL, so a thread may wait for the
// GIL while it holds the mutex.
#include <algorithm>
#include <latch>
#include <thread>
#include <vector>

#include "adapters/interface/life_run.h"
#include "harness/forge/thread.h"
#include "harness/recipe/ops.h"

namespace dlpack_cts {
namespace {

/// Only operations that let something go may meet a pending exception.
bool LetsGo(Op op) { return HasTrait(op, OpTrait::kLetsGo); }

/// Operations that call the library once, so that a context is that of this call.
bool CallsOnce(Op op) { return LetsGo(op) || HasTrait(op, OpTrait::kPassesKeywords); }

/// Of these, the ones whose call is about an array that the library made.
bool UsesSource(Op op) { return op == Op::kExport || op == Op::kImportSource; }

}  // namespace

bool LifeRun::Runs(const Step& step) {
  switch (step.context) {
    case Context::kUsual:
      return true;
    case Context::kRawThread:
    case Context::kCollection:
      return CallsOnce(step.op);
    case Context::kPendingException:
      return LetsGo(step.op);
    case Context::kFinalised:
    case Context::kAtExit:
    case Context::kForkedChild:
    case Context::kSubinterpreter:
      return step.op == Op::kDelete;
    case Context::kOtherDevice:
      return step.op == Op::kExport || step.op == Op::kDelete;
    case Context::kCapture:
      return step.op == Op::kExport || step.op == Op::kTableExport || step.op == Op::kTableView;
    case Context::kPendingWork:
      return step.op == Op::kExport || step.op == Op::kRead;
    case Context::kHeldStream:
      return step.op == Op::kExport;
    case Context::kEndedStream:
      return step.op == Op::kDelete;
  }
  return false;
}

int LifeRun::Segment(int first, bool* lanes) const {
  int behind = first + 1;
  while (behind < recipe_.used.steps && recipe_.steps[behind].barrier == 0) ++behind;
  for (int i = first; i < behind; ++i) *lanes = *lanes || recipe_.steps[i].lane != 0;
  return behind;
}

void LifeRun::TakeAlone(int index) {
  const Step& step = recipe_.steps[index];
  if (!Runs(step)) return;
  ledger_.BeginStep(index);
  ledger_.Add(Seen::kStep, step.slot, static_cast<int32_t>(step.op), step.argument);
  Take(step);
}

bool LifeRun::ForgetException() {
  const bool left = subject_.runtime().ForgetException() == Answer::kYes;
  return (&consumer_ != &subject_ && consumer_.runtime().ForgetException() == Answer::kYes) || left;
}

void LifeRun::NoteException(const Step& step) {
  if (ForgetException()) exported(step.slot).left_exception = Answer::kYes;
}

void LifeRun::TakeInLanes(int first, int behind) {
  std::vector<int> numbers;
  for (int i = first; i < behind; ++i) {
    const int lane = recipe_.steps[i].lane;
    if (lane != 0 && std::find(numbers.begin(), numbers.end(), lane) == numbers.end()) numbers.push_back(lane);
  }
  const auto take = [this, first, behind](int lane) {
    for (int i = first; i < behind; ++i) {
      const Step& step = recipe_.steps[i];
      if (step.lane != lane) continue;
      // A lane that deletes on a raw thread is one: nothing ties it to the interpreter.
      const bool attaches = lane != 0 && !(step.op == Op::kDelete && step.context == Context::kRawThread);
      if (lane == 0) {
        Begin();
      } else {
        book_.lock();
        if (attaches) subject_.runtime().Attach();
      }
      AwaitStep(step);
      ThreadMark::SetStep(i);
      TakeAlone(i);
      if (lane == 0 || attaches) NoteException(step);
      ThreadMark::SetStep(ThreadMark::kNoStep);
      if (attaches) subject_.runtime().Detach();
      End();
    }
  };
  lanes_ = true;
  std::latch ready(static_cast<std::ptrdiff_t>(numbers.size() + 1));
  std::vector<Threads::Worker*> workers;
  for (const int lane : numbers) {
    workers.push_back(&threads_.Start([&take, &ready, lane] {
      const ThreadMark mark(static_cast<int8_t>(lane));
      ready.arrive_and_wait();
      take(lane);
    }));
  }
  subject_.runtime().Waiting([&ready] { ready.arrive_and_wait(); });
  take(0);
  subject_.runtime().Waiting([&] {
    for (Threads::Worker* const worker : workers) threads_.Wait(*worker);
  });
  lanes_ = false;
}

void LifeRun::Begin() {
  if (!book_.try_lock()) subject_.runtime().Waiting([this] { book_.lock(); });
}

void LifeRun::AwaitStep(const Step& step) {
  Await(step.slot);
  // Two calls with the same array never overlap.
  if (UsesSource(step.op)) {
    while (sources_[SourceOf(step)].calls > 0) Yield(true);
  } else if (!CallsOnce(step.op)) {
    const auto busy = [](const Source& source) { return source.calls > 0; };
    while (std::any_of(sources_, sources_ + kSlots, busy)) Yield(true);
  }
}

void LifeRun::Await(int slot) {
  while (slots_[slot].calls > 0) Yield(true);
}

/// Lets the other lanes go on for a moment.
void LifeRun::Yield(bool attached) {
  End();
  const auto again = [this] {
    std::this_thread::yield();
    book_.lock();
  };
  if (attached) {
    subject_.runtime().Waiting(again);
  } else {
    again();
  }
}

void LifeRun::CallInContext(Subject& subject, const Step& step, const std::function<void()>& work, bool attached) {
  const int slot = step.slot;
  const auto index = static_cast<int32_t>(&step - recipe_.steps);
  int idle = 0;
  int& source_calls = UsesSource(step.op) ? sources_[SourceOf(step)].calls : idle;
  const bool raw = step.context == Context::kRawThread;
  const bool on_lane = lanes_ && step.lane != 0;
  if (lanes_) {
    ++slots_[slot].calls;
    ++source_calls;
    End();
  }
  Survival survival = Survival::kNotRun;
  switch (step.context) {
    case Context::kRawThread:
      // A lane of its own is such a thread already.
      if (on_lane) {
        work();
      } else {
        const auto call = [&] {
          const ThreadMark mark;
          if (lanes_) ThreadMark::SetStep(index);
          if (attached) subject.runtime().Attach();
          work();
          if (attached) subject.runtime().Detach();
        };
        // A correct deleter waits for the GIL: waiting while holding it would be a deadlock of our own.
        subject.runtime().Waiting([&] { threads_.Wait(threads_.Start(call)); });
      }
      break;
    case Context::kPendingException:
      survival = subject.runtime().WithPendingException(work);
      break;
    case Context::kCollection:
      subject.runtime().InCollection(work);
      break;
    case Context::kOtherDevice:
    case Context::kCapture:
    case Context::kPendingWork:
    case Context::kHeldStream:
    case Context::kEndedStream:
      CallOnCuda(step, work);
      break;
    default:
      work();
      break;
  }
  if (lanes_) {
    if (on_lane && raw && !attached) {
      book_.lock();
    } else {
      Begin();
    }
    ledger_.BeginStep(index);  // others began meanwhile
    --slots_[slot].calls;
    --source_calls;
  }
  if (survival != Survival::kNotRun) exported(slot).pending_exception = survival;
}

}  // namespace dlpack_cts
