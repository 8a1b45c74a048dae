// worker/subject_factory.cc: opens the subject that a job names.
#include "worker/subject_factory.h"

#include "adapters/interface/python_loader.h"

namespace dlpack_cts {

bool NeedsPython(const SubjectSource& source) { return source.kind == "python" || source.kind == "reference"; }

Subject* OpenSubject(const SubjectSource& source, const Job& job, BridgeError* error) {
  if (NeedsPython(source)) {
    const auto open = reinterpret_cast<BridgeOpen>(BridgeSymbol("dlpack_cts_bridge_open"));
    if (open == nullptr) {
      *error = {"the bridge cannot open a subject", "build the program again", ""};
      return nullptr;
    }
    BridgeConfig config;
    config.python = job.python;
    config.path = job.path;
    config.library = source.library;
    config.adapter = source.kind == "reference" ? "" : source.adapter;
    return open(config, error);
  }
  *error = {"native subjects are not there yet", "", ""};
  return nullptr;
}

}  // namespace dlpack_cts
