// worker/process/foreign_exception.cc: reads exceptions of libstdc++ by the layouts of the Itanium C++ ABI.
#include "worker/process/foreign_exception.h"

#if defined(_LIBCPP_VERSION)
#include <cxxabi.h>
#include <dlfcn.h>
#include <unwind.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <typeinfo>

// Both runtimes have it; <cxxabi.h> of libc++ does not declare it.
extern "C" void* __cxa_get_globals() noexcept;  // NOLINT(bugprone-reserved-identifier)

namespace dlpack_cts::worker {
namespace {

constexpr uint64_t kGnuClass = 0x474E5543432B2B00;  // "GNUCC++\0"
constexpr uint64_t kDependent = 1;                  // an exception that std::rethrow_exception threw again

/// __cxa_exception of libstdc++. The object follows it. In a dependent exception the object is `type_or_object`.
struct GnuException {
  const void* type_or_object;
  void* unused_a[4];
  int unused_b[2];
  void* unused_c[4];
  _Unwind_Exception unwind;
};
static_assert(offsetof(GnuException, unwind) == 80 && sizeof(GnuException) == 112);

/// In libc++abi two words more precede the same fields.
constexpr size_t kOwnHeader = 96;

/// __cxa_eh_globals, in both runtimes.
struct Globals {
  char* caught;
  unsigned uncaught;
};

bool IsGnu(const _Unwind_Exception& unwind) { return (unwind.exception_class & ~kDependent) == kGnuClass; }

/// The library, if it is loaded.
void* Libstdcxx() { return dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD); }

const GnuException* Caught() {
  const auto* own = static_cast<const Globals*>(__cxa_get_globals());
  if (own->caught != nullptr) {
    const char* const unwind = own->caught + kOwnHeader;
    if (!IsGnu(*reinterpret_cast<const _Unwind_Exception*>(unwind))) return nullptr;
    return reinterpret_cast<const GnuException*>(unwind - offsetof(GnuException, unwind));
  }
  void* const library = Libstdcxx();
  if (library == nullptr) return nullptr;
  using Get = const Globals* (*)();
  const auto get = reinterpret_cast<Get>(dlsym(library, "__cxa_get_globals"));
  if (get == nullptr || get()->caught == nullptr) return nullptr;
  const auto* exception = reinterpret_cast<const GnuException*>(get()->caught);
  return IsGnu(exception->unwind) ? exception : nullptr;
}

/// The type info of a class with bases: one (at offset 0), or several.
struct OneBase {
  const void* vtable;
  const char* name;
  const std::type_info* base;
};
struct SeveralBases {
  const void* vtable;
  const char* name;
  unsigned flags;
  unsigned count;
  struct {
    const std::type_info* base;
    int64_t offset_and_flags;  // the offset is in the upper 56 bits
  } bases[1];
};

/// The part of the object that is a std::exception, or NULL. dynamic_cast knows only classes of its own runtime.
const void* AsStdException(const std::type_info* type, const void* object) {
  constexpr int64_t kVirtual = 1;
  if (std::strcmp(type->name(), "St9exception") == 0) return object;
  const auto* const vtable = *reinterpret_cast<const std::type_info* const* const*>(type);
  const char* const kind = vtable[-1]->name();
  if (std::strcmp(kind, "N10__cxxabiv120__si_class_type_infoE") == 0) {
    return AsStdException(reinterpret_cast<const OneBase*>(type)->base, object);
  }
  if (std::strcmp(kind, "N10__cxxabiv121__vmi_class_type_infoE") != 0) return nullptr;
  const auto* const several = reinterpret_cast<const SeveralBases*>(type);
  for (unsigned i = 0; i < several->count; ++i) {
    const auto& base = several->bases[i];
    if ((base.offset_and_flags & kVirtual) != 0) continue;
    const void* const found =
        AsStdException(base.base, static_cast<const char*>(object) + (base.offset_and_flags >> 8));
    if (found != nullptr) return found;
  }
  return nullptr;
}

/// Calls what(), which follows the two destructors in the table of virtual functions.
std::string What(const void* exception) {
  using Function = const char* (*)(const void*);
  return (*static_cast<const Function* const*>(exception))[2](exception);
}

std::string Demangled(const char* mangled) {
  int status = 0;
  char* const name = ::abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  std::string text = status == 0 && name != nullptr ? name : mangled;
  std::free(name);
  return text;
}

}  // namespace

std::string DescribeForeign() {
  const GnuException* exception = Caught();
  if (exception == nullptr) return "";
  const void* object = exception + 1;
  if ((exception->unwind.exception_class & kDependent) != 0) {
    object = exception->type_or_object;
    exception = static_cast<const GnuException*>(object) - 1;
  }
  const auto* const type = static_cast<const std::type_info*>(exception->type_or_object);
  const void* const standard = AsStdException(type, object);
  return Demangled(type->name()) + (standard != nullptr ? ": " + What(standard) : "");
}

void SetForeignTerminate(std::terminate_handler handler) {
  void* const library = Libstdcxx();
  if (library == nullptr) return;
  using Set = void (*)(std::terminate_handler);
  const auto set = reinterpret_cast<Set>(dlsym(library, "_ZSt13set_terminatePFvvE"));
  if (set != nullptr) set(handler);
}

}  // namespace dlpack_cts::worker

#else

namespace dlpack_cts::worker {

std::string DescribeForeign() { return ""; }
void SetForeignTerminate(std::terminate_handler) {}

}  // namespace dlpack_cts::worker

#endif
