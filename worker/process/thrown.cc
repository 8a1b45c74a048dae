// worker/process/thrown.cc: the handler of std::terminate.
#include "worker/process/thrown.h"

#include <cxxabi.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "worker/process/foreign_exception.h"

namespace dlpack_cts::worker {
namespace {

CrashRecord* g_crash_record = nullptr;

[[noreturn]] void OnTerminate() {
  const std::string what = DescribeThrown();
  if (g_crash_record != nullptr)
    std::snprintf(g_crash_record->thrown, sizeof(g_crash_record->thrown), "%s", what.c_str());
  std::abort();
}

}  // namespace

std::string DescribeThrown() {
  if (!std::current_exception()) {
    std::string foreign = DescribeForeign();
    if (!foreign.empty()) return foreign;
    // It may also be an exception of another language, which this runtime cannot see.
    return ::abi::__cxa_current_exception_type() == nullptr ? kNoException : "an unknown exception";
  }
  const std::type_info* type = ::abi::__cxa_current_exception_type();
  std::string text = "an unknown exception";
  if (type != nullptr) {
    int status = 0;
    char* name = ::abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
    text = status == 0 && name != nullptr ? name : type->name();
    std::free(name);
  }
  try {
    throw;
  } catch (const std::exception& e) {
    text += std::string(": ") + e.what();
  } catch (...) {
    return text;  // the text of a library's own exception class is enough
  }
  return text;
}

void NoteThrown(CrashRecord& crash_record) {
  g_crash_record = &crash_record;
  std::set_terminate(&OnTerminate);
  SetForeignTerminate(&OnTerminate);
}

}  // namespace dlpack_cts::worker
