// worker/thrown.h: what an exception says that nobody caught.
#ifndef DLPACK_CTS_WORKER_THROWN_H_
#define DLPACK_CTS_WORKER_THROWN_H_

#include <string>

#include "worker/board.h"

namespace dlpack_cts::worker {

/// From now on std::terminate writes to Board::thrown what ended the process, then aborts. Call again after anything
/// of the library ran that may have set a handler of its own.
void NoteThrown(Board& board);

/// The exception that is being handled: "std::runtime_error: no such device". kNoException where this C++ runtime
/// knows of none.
std::string DescribeThrown();
inline constexpr char kNoException[] = "std::terminate was called";

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_THROWN_H_
