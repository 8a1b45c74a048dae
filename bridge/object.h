// bridge/object.h: owning references, and small conversions between Python objects and plain data.
#ifndef DLPACK_CTS_BRIDGE_OBJECT_H_
#define DLPACK_CTS_BRIDGE_OBJECT_H_

#include <Python.h>

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "harness/ledger/ledger.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// Owns one reference.
class Ref {
 public:
  Ref() = default;
  static Ref Steal(PyObject* object) { return Ref(object); }
  static Ref Borrow(PyObject* object) {
    Py_XINCREF(object);
    return Ref(object);
  }
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref&& other) noexcept {
    if (this != &other) {
      PyObject* old = std::exchange(object_, std::exchange(other.object_, nullptr));
      Py_XDECREF(old);
    }
    return *this;
  }
  Ref(const Ref&) = delete;
  Ref& operator=(const Ref&) = delete;
  ~Ref() { Py_XDECREF(object_); }

  PyObject* get() const { return object_; }
  PyObject* release() { return std::exchange(object_, nullptr); }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  explicit Ref(PyObject* object) : object_(object) {}
  PyObject* object_ = nullptr;
};

/// The interned str of a literal, made once and kept; borrowed. For names that every exchange needs.
PyObject* Name(const char* literal);

/// Text of a str object; empty for anything else. Never leaves an exception.
std::string TextOf(PyObject* object);

/// Never leaves an exception.
bool HasAttribute(PyObject* object, PyObject* name);

/// Under this name an adapter is imported, whatever its folder is called.
inline constexpr char kAdapterModule[] = "_dlpack_cts_adapter";

/// The objects that a library was handed in one call, borrowed, or NULL: an AttributeError about one of them is an
/// answer.
using Given = std::span<PyObject* const>;

/// Takes the pending exception, drops its traceback (whose frames hold capsules), and writes it down.
/// NotImplementedError is Outcome::kUnsupported when `unsupported` says so. With `given`, an AttributeError about
/// anything but what one of them lacks is a mistake; without, who raised it may have been asked for what he lacks.
void TakeException(Refusal& refusal, bool unsupported, const Given* given = nullptr);

/// The pending exception as one line, and as a traceback; clears it.
std::string DescribeException(std::string* traceback);

/// What kind of argument a caller passed. NULL means absent.
Argument ArgumentOf(PyObject* object);

/// An argument of that kind, as a new reference; NULL for kAbsent.
Ref MakeArgument(const Argument& argument);

/// "foreign_byte_order": what an adapter reads in request.oddity.
const char* OddityName(Oddity oddity);

/// True (and `value` set) when the object is an int that fits.
bool ToInt64(PyObject* object, int64_t* value);

/// As ToInt64, but also accepts an enumerator that is not an int, such as a device type, by its value.
bool ToNumber(PyObject* object, int64_t* value);

/// As ToInt64, with ints that do not fit cut to the nearest that does: a byte stride of a size-1 dimension may be the
/// product of any int64 with the item size.
bool ToNearestInt64(PyObject* object, int64_t* value);

/// Holds a pending exception back while something runs that must not see it.
class ExceptionHeldBack {
 public:
  ExceptionHeldBack() { PyErr_Fetch(&type_, &value_, &traceback_); }
  ~ExceptionHeldBack() { PyErr_Restore(type_, value_, traceback_); }
  ExceptionHeldBack(const ExceptionHeldBack&) = delete;
  ExceptionHeldBack& operator=(const ExceptionHeldBack&) = delete;

 private:
  PyObject* type_ = nullptr;
  PyObject* value_ = nullptr;
  PyObject* traceback_ = nullptr;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BRIDGE_OBJECT_H_
