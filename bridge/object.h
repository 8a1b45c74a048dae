// bridge/object.h: owning references, and small conversions between Python objects and C++ data.
#ifndef DLPACK_CTS_BRIDGE_OBJECT_H_
#define DLPACK_CTS_BRIDGE_OBJECT_H_

#include <Python.h>

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/ledger/record.h"
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

/// The interned str of a literal, made once and kept. Borrowed. For names that every exchange needs.
PyObject* Name(const char* literal);

/// The text of a str object; empty for anything else. Leaves no exception pending.
std::string TextOf(PyObject* object);

/// Leaves no exception pending.
bool HasAttribute(PyObject* object, PyObject* name);

/// The module name of an adapter, whatever its folder is called.
inline constexpr char kAdapterModule[] = "_dlpack_cts_adapter";

/// The objects that a library received in one call, borrowed, or NULL. An AttributeError about one of them is a
/// refusal.
using Given = std::span<PyObject* const>;

/// Takes the pending exception, drops its traceback (whose frames hold capsules), and records it. NotImplementedError
/// is Outcome::kUnsupported if `unsupported`. With `given`, an AttributeError about another object, or about an
/// attribute that exists, counts as a bug. Without `given`, an AttributeError never does.
void TakeException(Refusal& refusal, bool unsupported, const Given* given = nullptr);

/// The pending exception as one line, and its traceback. Clears it. `files` gets the files of the traceback, the
/// innermost last, and after them the file of a SyntaxError.
std::string DescribeException(std::string* traceback, std::vector<std::string>* files = nullptr);

/// The kind and value of an argument that a caller passed. NULL means that it is missing.
Argument ArgumentOf(PyObject* object);

/// The Python value of that argument, as a new reference. NULL for kAbsent.
Ref MakeArgument(const Argument& argument);
/// The names that the Python text defines. Borrowed, or NULL with an exception set.
PyObject* DefinedBy(const char* text);

/// "foreign_byte_order": the value of request.oddity that an adapter reads.
const char* OddityName(Oddity oddity);

/// True, with `value` set, if the object is an int that fits.
bool ToInt64(PyObject* object, int64_t* value);

/// ToInt64() that also accepts an enumerator that is not an int, such as a device type, by its value.
bool ToNumber(PyObject* object, int64_t* value);

/// ToInt64() that clips ints that do not fit: a byte stride of a dimension of extent 1 may be any int64 times the item
/// size.
bool ToNearestInt64(PyObject* object, int64_t* value);

/// Removes a pending exception while something runs that must not see it, and restores it afterwards.
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
