// bridge/object.cc: small conversions between Python objects and C++ data.
#include "bridge/object.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <limits>
#include <unordered_map>

#include "base/enum_words.h"

namespace dlpack_cts {

PyObject* Name(const char* literal) {
  struct Known {
    const char* literal;
    PyObject* name;
  };
  static std::array<Known, 1024> places;  // the bridge has fewer than 200 literals
  size_t at = reinterpret_cast<uintptr_t>(literal) / 4 % places.size();
  while (places[at].literal != literal && places[at].literal != nullptr) at = (at + 1) % places.size();
  if (places[at].literal == nullptr) places[at] = {literal, PyUnicode_InternFromString(literal)};
  return places[at].name;
}

std::string TextOf(PyObject* object) {
  if (object == nullptr || !PyUnicode_Check(object)) return "";
  const Ref bytes = Ref::Steal(PyUnicode_AsEncodedString(object, "utf-8", "replace"));
  char* text = nullptr;
  Py_ssize_t size = 0;
  if (!bytes || PyBytes_AsStringAndSize(bytes.get(), &text, &size) != 0) {
    PyErr_Clear();
    return "";
  }
  return std::string(text, static_cast<size_t>(size));
}

bool HasAttribute(PyObject* object, PyObject* name) {
  const Ref attribute = Ref::Steal(PyObject_GetAttr(object, name));
  PyErr_Clear();
  return static_cast<bool>(attribute);
}

namespace {

struct Raised {
  Ref type;
  Ref value;
  Ref traceback;
};

Raised Fetch() {
  PyObject* type = nullptr;
  PyObject* value = nullptr;
  PyObject* traceback = nullptr;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  return {Ref::Steal(type), Ref::Steal(value), Ref::Steal(traceback)};
}

std::string NameOf(PyObject* type) {
  const Ref name = Ref::Steal(type != nullptr ? PyObject_GetAttr(type, Name("__name__")) : nullptr);
  if (!name) PyErr_Clear();
  return TextOf(name.get());
}

std::string MessageOf(PyObject* value) {
  const Ref text = Ref::Steal(value != nullptr ? PyObject_Str(value) : nullptr);
  if (!text) PyErr_Clear();
  return TextOf(text.get());
}

/// The files of the frames, the innermost last, and after them the file of a SyntaxError.
std::vector<std::string> FilesOf(const Raised& raised) {
  std::vector<std::string> files;
  for (Ref entry = Ref::Borrow(raised.traceback.get()); entry && entry.get() != Py_None;
       entry = Ref::Steal(PyObject_GetAttr(entry.get(), Name("tb_next")))) {
    const Ref frame = Ref::Steal(PyObject_GetAttr(entry.get(), Name("tb_frame")));
    const Ref code = Ref::Steal(frame ? PyObject_GetAttr(frame.get(), Name("f_code")) : nullptr);
    const Ref file = Ref::Steal(code ? PyObject_GetAttr(code.get(), Name("co_filename")) : nullptr);
    files.push_back(TextOf(file.get()));
  }
  if (PyErr_GivenExceptionMatches(raised.type.get(), PyExc_SyntaxError) != 0) {
    const Ref file = Ref::Steal(PyObject_GetAttr(raised.value.get(), Name("filename")));
    files.push_back(TextOf(file.get()));
  }
  PyErr_Clear();
  return files;
}

/// Whether the frame that raised belongs to the adapter: a misspelt name there is not a bug of the library.
bool IsRaisedByAdapter(PyObject* traceback) {
  Ref innermost = Ref::Borrow(traceback);
  for (;;) {
    Ref next = Ref::Steal(innermost ? PyObject_GetAttr(innermost.get(), Name("tb_next")) : nullptr);
    if (!next || next.get() == Py_None) break;
    innermost = std::move(next);
  }
  const Ref frame = Ref::Steal(innermost ? PyObject_GetAttr(innermost.get(), Name("tb_frame")) : nullptr);
  const Ref globals = Ref::Steal(frame ? PyObject_GetAttr(frame.get(), Name("f_globals")) : nullptr);
  const Ref module = Ref::Steal(globals ? PyObject_GetItem(globals.get(), Name("__name__")) : nullptr);
  PyErr_Clear();
  return TextOf(module.get()) == kAdapterModule;
}

/// An attribute of an exception. Empty if it is missing or None.
Ref Part(PyObject* exception, const char* name) {
  Ref part = Ref::Steal(exception != nullptr ? PyObject_GetAttr(exception, Name(name)) : nullptr);
  PyErr_Clear();
  return part.get() == Py_None ? Ref() : std::move(part);
}

/// The last part of the type's name, which CPython's messages use for an object.
std::string TypeNameOf(PyObject* object) {
  const std::string name = NameOf(reinterpret_cast<PyObject*>(Py_TYPE(object)));
  return name.substr(name.rfind('.') + 1);
}

/// The name of the nearest builtin base class, because a library may raise a subclass.
std::string BuiltinIn(PyObject* type) {
  const Ref order = Part(type, "__mro__");
  const Py_ssize_t size = order && PyTuple_Check(order.get()) ? PyTuple_Size(order.get()) : 0;
  for (Py_ssize_t i = 0; i < size; ++i) {
    PyObject* const above = PyTuple_GetItem(order.get(), i);
    if (TextOf(Part(above, "__module__").get()) == "builtins") return NameOf(above);
  }
  return "";
}

struct TypeNames {
  std::string own;
  std::string builtin;
};

/// The names of an exception's type. Those of a static type cannot change, and are read once.
TypeNames NamesOf(PyObject* type) {
  static std::unordered_map<PyObject*, TypeNames> known;
  const bool fixed = (PyType_GetFlags(reinterpret_cast<PyTypeObject*>(type)) & Py_TPFLAGS_HEAPTYPE) == 0;
  if (!fixed) return {NameOf(type), BuiltinIn(type)};
  const auto [names, is_new] = known.try_emplace(type);
  if (is_new) names->second = {NameOf(type), BuiltinIn(type)};
  return names->second;
}

/// Whether a message is about an attribute that the object lacks. Needed if the exception does not say so itself:
/// before CPython 3.10, or if a library raised it. The message must name no other type, and an attribute that the
/// object lacks.
bool SaysOfIt(const std::string& message, PyObject* object) {
  const size_t of_type = message.find("' object");
  if (of_type != std::string::npos && of_type != 0) {
    const size_t quote = message.rfind('\'', of_type - 1);
    const std::string type = quote == std::string::npos ? "" : message.substr(quote + 1, of_type - quote - 1);
    if (type.substr(type.rfind('.') + 1) != TypeNameOf(object)) return false;
  }
  const auto in_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (auto at = message.begin(); at != message.end();) {
    const auto end = std::find_if_not(at, message.end(), in_name);
    const bool quoted = at != message.begin() && end != message.end() && at[-1] == '\'' && *end == '\'';
    const std::string word(at, end);
    at = end == message.end() ? end : end + 1;
    // A word is an attribute if it is quoted, or starts with two underscores.
    if (!quoted && !word.starts_with("__")) continue;
    const Ref name = Ref::Steal(PyUnicode_FromString(word.c_str()));
    if (name && word != TypeNameOf(object) && !HasAttribute(object, name.get())) return true;
  }
  return false;
}

/// Whether an AttributeError is about one of the given objects. A library that reads __dlpack__ of a bare capsule
/// refuses it by AttributeError. An AttributeError about any other object is a bug.
bool IsAboutWhatWasGiven(PyObject* raised, std::span<PyObject* const> given) {
  const Ref of = Part(raised, "obj");
  const Ref name = Part(raised, "name");
  const std::string message = name ? "" : MessageOf(raised);
  return std::ranges::any_of(given, [&](PyObject* object) {
    if (object == nullptr) return false;
    if (!name) return SaysOfIt(message, object);
    const bool same = of.get() == object || of.get() == reinterpret_cast<PyObject*>(Py_TYPE(object));
    return same && !HasAttribute(of.get(), name.get());
  });
}

/// The same for the exception, or one that it was raised from.
bool ComesOfWhatWasGiven(const Raised& raised, const Given& given) {
  constexpr int kMost = 8;  // a chain of causes may be a cycle
  Ref one = Ref::Borrow(raised.value.get());
  for (int i = 0; one && i < kMost; ++i) {
    if (IsAboutWhatWasGiven(one.get(), given)) return true;
    one = Part(one.get(), "__cause__");
  }
  return false;
}

/// Whether the exception looks like a bug. CPython raises NameError (and UnboundLocalError) for a name that is not
/// defined, AttributeError for a missing attribute, and SystemError for a C function that broke its contract. A message
/// that begins with the status code INTERNAL (absl::Status, gRPC) says itself that it is one. With any other exception
/// a library may refuse.
bool IsStumble(const Raised& raised, const std::string& message, const Given* given) {
  const auto is = [&raised](PyObject* type) { return PyErr_GivenExceptionMatches(raised.type.get(), type) != 0; };
  if (is(PyExc_SystemError) || message.starts_with("INTERNAL:")) return true;
  if (is(PyExc_NameError)) return !IsRaisedByAdapter(raised.traceback.get());
  return given != nullptr && is(PyExc_AttributeError) && !IsRaisedByAdapter(raised.traceback.get()) &&
         !ComesOfWhatWasGiven(raised, *given);
}

}  // namespace

void TakeException(Refusal& refusal, bool unsupported, const Given* given) {
  const Raised raised = Fetch();
  refusal.outcome = Outcome::kRefused;
  if (!raised.type) {
    refusal.type.Set("SystemError");
    refusal.message.Set("NULL without an exception");
    refusal.stumbled = 1;
    return;
  }
  if (unsupported && PyErr_GivenExceptionMatches(raised.type.get(), PyExc_NotImplementedError)) {
    refusal.outcome = Outcome::kUnsupported;
  }
  refusal.buffer_error = PyErr_GivenExceptionMatches(raised.type.get(), PyExc_BufferError) != 0;
  refusal.type_error = PyErr_GivenExceptionMatches(raised.type.get(), PyExc_TypeError) != 0;
  refusal.ends_programs = PyErr_GivenExceptionMatches(raised.type.get(), PyExc_Exception) == 0;
  const std::string message = MessageOf(raised.value.get());
  refusal.stumbled = IsStumble(raised, message, given) ? 1 : 0;
  const TypeNames names = NamesOf(raised.type.get());
  refusal.type.Set(names.own);
  refusal.builtin.Set(names.builtin);
  // C++ libraries append a backtrace after the first line. Only the first line is useful.
  refusal.message.Set(message.substr(0, message.find('\n')));
}

std::string DescribeException(std::string* traceback, std::vector<std::string>* files) {
  const Raised raised = Fetch();
  if (files != nullptr) *files = FilesOf(raised);
  const std::string line = NameOf(raised.type.get()) + ": " + MessageOf(raised.value.get());
  if (traceback != nullptr && raised.traceback) {
    const Ref module = Ref::Steal(PyImport_ImportModule("traceback"));
    const Ref lines =
        Ref::Steal(module ? PyObject_CallMethod(module.get(), "format_exception", "OOO", raised.type.get(),
                                                raised.value.get(), raised.traceback.get())
                          : nullptr);
    const Ref empty = Ref::Steal(PyUnicode_FromString(""));
    const Ref joined = Ref::Steal(lines && empty ? PyUnicode_Join(empty.get(), lines.get()) : nullptr);
    *traceback = TextOf(joined.get());
    PyErr_Clear();
  }
  return line;
}

bool ToInt64(PyObject* object, int64_t* value) {
  if (object == nullptr) return false;
  if (!PyLong_Check(object)) {
    const Ref index = Ref::Steal(PyNumber_Index(object));
    if (!index) {
      PyErr_Clear();
      return false;
    }
    return ToInt64(index.get(), value);
  }
  *value = PyLong_AsLongLong(object);
  if (*value == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    return false;
  }
  return true;
}

bool ToNumber(PyObject* object, int64_t* value) {
  if (object == nullptr || ToInt64(object, value)) return object != nullptr;
  const Ref attribute = Ref::Steal(PyObject_GetAttr(object, Name("value")));
  PyErr_Clear();
  return ToInt64(attribute.get(), value);
}

bool ToNearestInt64(PyObject* object, int64_t* value) {
  int overflow = 0;
  *value = PyLong_Check(object) ? PyLong_AsLongLongAndOverflow(object, &overflow) : 0;
  if (overflow != 0) *value = overflow < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
  return PyLong_Check(object) || ToInt64(object, value);
}

Argument ArgumentOf(PyObject* object) {
  Argument argument{};
  if (object == nullptr) return argument;
  argument.kind = ArgumentKind::kObject;
  if (object == Py_None) {
    argument.kind = ArgumentKind::kNone;
  } else if (object == Py_True || object == Py_False) {
    argument.kind = object == Py_True ? ArgumentKind::kTrue : ArgumentKind::kFalse;
  } else if (PyUnicode_Check(object)) {
    argument.kind = ArgumentKind::kString;
  } else if (PyLong_Check(object)) {
    argument.kind = ToInt64(object, &argument.a) ? ArgumentKind::kInt : ArgumentKind::kHuge;
  } else if (PyTuple_Check(object) || PyList_Check(object)) {
    const bool tuple = PyTuple_Check(object);
    const Py_ssize_t size = tuple ? PyTuple_Size(object) : PyList_Size(object);
    const auto item = [&](Py_ssize_t i) { return tuple ? PyTuple_GetItem(object, i) : PyList_GetItem(object, i); };
    const bool first = size >= 1 && ToNumber(item(0), &argument.a);
    const bool second = size >= 2 && ToInt64(item(1), &argument.b);
    if (size == 2 && first && second) argument.kind = tuple ? ArgumentKind::kPair : ArgumentKind::kList;
    if (size == 1 && first && tuple) argument.kind = ArgumentKind::kOneTuple;
    if (size == 2 && tuple && PyBool_Check(item(0)) && PyBool_Check(item(1))) argument.kind = ArgumentKind::kBools;
    if (size == 2 && (PyFloat_Check(item(0)) || PyFloat_Check(item(1)))) argument.kind = ArgumentKind::kFloats;
  }
  return argument;
}

PyObject* DefinedBy(const char* text) {
  PyObject* const names = PyDict_New();
  PyDict_SetItemString(names, "__builtins__", PyEval_GetBuiltins());
  const Ref name = Ref::Steal(PyUnicode_FromString("dlpack_cts"));
  PyDict_SetItemString(names, "__name__", name.get());
  const Ref code = Ref::Steal(Py_CompileString(text, "<dlpack_cts>", Py_file_input));
  const Ref done = Ref::Steal(code ? PyEval_EvalCode(code.get(), names, names) : nullptr);
  return names;
}

namespace {

/// What the function of that name makes of the integers: an argument of another class.
Ref MakeOfOtherClass(const char* name, long long a, long long b) {
  constexpr char kClasses[] =
      "import enum\n"
      "class Number(int): pass\n"
      "class Pair(tuple): pass\n"
      "class Index:\n"
      "    def __init__(self, number): self.number = number\n"
      "    def __index__(self): return self.number\n"
      "def enum_int(a, b): return enum.IntEnum('Number', [('number', a)]).number\n"
      "def subclass_int(a, b): return Number(a)\n"
      "def index_int(a, b): return Index(a)\n"
      "def enum_pair(a, b): return enum_int(a, b), b\n"
      "def subclass_pair(a, b): return Pair((Number(a), Number(b)))\n"
      "def index_pair(a, b): return Index(a), Index(b)\n";
  static PyObject* const names = DefinedBy(kClasses);
  PyObject* const make = PyDict_GetItemString(names, name);
  return Ref::Steal(make != nullptr ? PyObject_CallFunction(make, "LL", a, b) : nullptr);
}

}  // namespace

Ref MakeArgument(const Argument& argument) {
  const auto a = static_cast<long long>(argument.a);
  const auto b = static_cast<long long>(argument.b);
  switch (argument.kind) {
    case ArgumentKind::kAbsent:
      return Ref();
    case ArgumentKind::kNone:
      return Ref::Borrow(Py_None);
    case ArgumentKind::kPair:
      return Ref::Steal(Py_BuildValue("(LL)", a, b));
    case ArgumentKind::kInt:
      return Ref::Steal(PyLong_FromLongLong(a));
    case ArgumentKind::kTrue:
      return Ref::Borrow(Py_True);
    case ArgumentKind::kFalse:
      return Ref::Borrow(Py_False);
    case ArgumentKind::kList:
      return Ref::Steal(Py_BuildValue("[LL]", a, b));
    case ArgumentKind::kOneTuple:
      return Ref::Steal(Py_BuildValue("(L)", a));
    case ArgumentKind::kString:
      return Ref::Steal(PyUnicode_FromString("dlpack"));
    case ArgumentKind::kFloats:
      return Ref::Steal(Py_BuildValue("(dL)", static_cast<double>(a), b));
    case ArgumentKind::kHuge: {
      const Ref huge =
          Ref::Steal(PyLong_FromString("100000000000000000000000000000000000000000000000000", nullptr, 16));
      return Ref::Steal(Py_BuildValue("(Oi)", huge.get(), 0));
    }
    case ArgumentKind::kBools:
      return Ref::Steal(PyTuple_Pack(2, a != 0 ? Py_True : Py_False, b != 0 ? Py_True : Py_False));
    case ArgumentKind::kEnumPair:
      return MakeOfOtherClass("enum_pair", a, b);
    case ArgumentKind::kSubclassPair:
      return MakeOfOtherClass("subclass_pair", a, b);
    case ArgumentKind::kIndexPair:
      return MakeOfOtherClass("index_pair", a, b);
    case ArgumentKind::kEnumInt:
      return MakeOfOtherClass("enum_int", a, b);
    case ArgumentKind::kSubclassInt:
      return MakeOfOtherClass("subclass_int", a, b);
    case ArgumentKind::kIndexInt:
      return MakeOfOtherClass("index_int", a, b);
    case ArgumentKind::kObject:
      return Ref::Steal(PyObject_CallFunctionObjArgs(reinterpret_cast<PyObject*>(&PyBaseObject_Type), nullptr));
  }
  return Ref();
}

const char* OddityName(Oddity oddity) {
  constexpr const char* kNames[] = {"none",        "foreign_byte_order",
                                    "long_double", "complex_long_double",
                                    "object",      "unaligned_stride",
                                    "conjugate",   "negated",
                                    "sparse",      "requires_grad",
                                    "meta",        "subclass",
                                    "idle_stride", "zeros",
                                    "date",        "quantized",
                                    "text",        "scalar_object"};
  static_assert(std::size(kNames) == kEnumerators<Oddity>);
  return kNames[static_cast<size_t>(oddity)];
}

}  // namespace dlpack_cts
