// worker/entry.h: the two functions with which the worker's library is entered.
#ifndef DLPACK_CTS_WORKER_ENTRY_H_
#define DLPACK_CTS_WORKER_ENTRY_H_

extern "C" {

/// The main function of the program dlpack-cts-worker. Returns the exit status.
__attribute__((visibility("default"))) int dlpack_cts_worker_program(int argc, char** argv);

/// Runs a job in the interpreter that calls it, on its main thread (worker/interpreter.h). Returns only if the
/// job cannot be run.
__attribute__((visibility("default"))) int dlpack_cts_worker_in_python(int argc, char** argv);
}

#endif  // DLPACK_CTS_WORKER_ENTRY_H_
