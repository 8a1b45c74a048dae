// worker/process/foreign_exception.h: exceptions of libstdc++ in a program that has libc++ (the wheel of
// scripts/wheel.sh).
//
// Two C++ runtimes in one process share the unwinder, but not what they know about an exception. To libc++ an exception
// of libstdc++ has neither type nor text, and each runtime has a std::terminate of its own. In a program that uses
// libstdc++ itself these functions do nothing.
#ifndef DLPACK_CTS_WORKER_PROCESS_FOREIGN_EXCEPTION_H_
#define DLPACK_CTS_WORKER_PROCESS_FOREIGN_EXCEPTION_H_

#include <exception>
#include <string>

namespace dlpack_cts::worker {

/// The exception of libstdc++ that this runtime or that one has caught, as "std::runtime_error: no such device". Empty
/// without one.
std::string DescribeForeign();

/// From now on std::terminate of libstdc++ calls the handler too, if the process has loaded libstdc++.
void SetForeignTerminate(std::terminate_handler handler);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_PROCESS_FOREIGN_EXCEPTION_H_
