// harness/forge/thread.cc: the marks of the harness's threads.
#include "harness/forge/thread.h"

namespace dlpack_cts {
namespace {

thread_local bool t_marked = false;
thread_local int8_t t_lane = ThreadMark::kNoLane;
thread_local int32_t t_step = ThreadMark::kNoStep;

}  // namespace

ThreadMark::ThreadMark(int8_t lane) : marked_before_(t_marked), lane_before_(t_lane) {
  t_marked = true;
  t_lane = lane;
}

ThreadMark::~ThreadMark() {
  t_marked = marked_before_;
  t_lane = lane_before_;
}

bool ThreadMark::IsMarked() { return t_marked; }
int8_t ThreadMark::Lane() { return t_lane; }
void ThreadMark::SetStep(int32_t step) { t_step = step; }
int32_t ThreadMark::Step() { return t_step; }

}  // namespace dlpack_cts
