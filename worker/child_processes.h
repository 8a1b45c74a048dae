// worker/child_processes.h: the runs that diagnosis asks for, in children of the fork server.
#ifndef DLPACK_CTS_WORKER_CHILD_PROCESSES_H_
#define DLPACK_CTS_WORKER_CHILD_PROCESSES_H_

#include <functional>
#include <string_view>
#include <vector>

#include "worker/diagnose/processes.h"
#include "worker/process/fork_server.h"
#include "worker/run/trial.h"
#include "worker/setup.h"

namespace dlpack_cts::worker {

class ChildProcesses final : public Processes {
 public:
  ChildProcesses(Setup& setup, ForkServer& server) : setup_(setup), server_(server) {}

  Tried Examine(std::string_view case_id, const Recipe& recipe, double seconds) override;
  Series ExamineEach(std::string_view case_id, const std::function<void(const Run& run)>& work,
                     double seconds) override;
  Tried Find(const Finding& suspect, const Recipe& recipe, const std::vector<Recipe>& crashing,
             const Budget& budget) override;
  std::vector<Finding> RunAgain(const Finding& suspect) override;
  bool ShowsAfter(const std::vector<Recipe>& earlier, const Recipe& recipe, const Finding& found) override;
  Tried FindInHalf(Side side, const Recipe& recipe, const Finding& found) override;

 private:
  /// What a child does with a trial of the case.
  using Work = std::function<void(Trial& trial, const Case& tested, const Output& out)>;

  Series Try(std::string_view case_id, double seconds, const Work& work);
  Series Try(std::string_view case_id, double seconds, const std::function<Engine&()>& engine, const Work& work);

  Setup& setup_;
  ForkServer& server_;
};

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_CHILD_PROCESSES_H_
