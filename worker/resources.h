// worker/resources.h: checks that the system gives the worker what the largest recipes need.
#ifndef DLPACK_CTS_WORKER_RESOURCES_H_
#define DLPACK_CTS_WORKER_RESOURCES_H_

namespace dlpack_cts::worker {

/// Throws Failure if a limit is too low, or if there are not enough descriptors, threads or processes. Call it before
/// the library is imported: after that, a shortage may look like a refusal of the library. `pair`: two libraries.
void RequireResources(bool pair);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_RESOURCES_H_
