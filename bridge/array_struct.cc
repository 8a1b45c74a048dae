// bridge/array_struct.cc: the C struct behind NumPy's __array_struct__.
#include "bridge/array_struct.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "harness/recipe/dtypes.h"

namespace dlpack_cts {
namespace {

/// PyArrayInterface of NumPy's numpy/ndarraytypes.h.
struct ArrayInterface {
  int two;  // 2: a sanity check
  int nd;
  char typekind;
  int itemsize;
  int flags;
  Py_ssize_t* shape;
  Py_ssize_t* strides;  // in bytes
  void* data;           // element 0
  PyObject* descr;
};
constexpr int kNotSwapped = 0x200;
constexpr int kWriteable = 0x400;

struct PlainType {
  char typekind;
  int itemsize;
  std::string_view name;
  int index = -1;  // in DataTypes()
};

const std::array<PlainType, 14>& PlainTypes() {
  static const std::array<PlainType, 14> types = [] {
    std::array<PlainType, 14> all = {{{'b', 1, "bool"},
                                      {'i', 1, "int8"},
                                      {'i', 2, "int16"},
                                      {'i', 4, "int32"},
                                      {'i', 8, "int64"},
                                      {'u', 1, "uint8"},
                                      {'u', 2, "uint16"},
                                      {'u', 4, "uint32"},
                                      {'u', 8, "uint64"},
                                      {'f', 2, "float16"},
                                      {'f', 4, "float32"},
                                      {'f', 8, "float64"},
                                      {'c', 8, "complex64"},
                                      {'c', 16, "complex128"}}};
    for (PlainType& type : all) type.index = DataTypeIndex(type.name);
    return all;
  }();
  return types;
}

}  // namespace

bool ReadArrayStruct(PyObject* capsule, Description& description) {
  const auto* const array = static_cast<const ArrayInterface*>(PyCapsule_GetPointer(capsule, nullptr));
  if (array == nullptr) {
    PyErr_Clear();
    return false;
  }
  if (array->two != 2 || array->nd < 0 || array->nd > kDims || (array->flags & kNotSwapped) == 0) return false;
  const auto type = std::ranges::find_if(PlainTypes(), [&](const PlainType& one) {
    return one.typekind == array->typekind && one.itemsize == array->itemsize;
  });
  if (type == PlainTypes().end()) return false;
  const auto& row = DataTypes()[static_cast<size_t>(type->index)];
  description.valid = description.has_pointer = description.has_shape = description.has_strides = 1;
  description.known_dtype = description.has_device = 1;
  description.pointer = reinterpret_cast<uint64_t>(array->data);
  description.ndim = array->nd;
  std::copy_n(array->shape, array->nd, description.shape);
  std::copy_n(array->strides, array->nd, description.byte_strides);
  description.dtype = row.dtype;
  description.dtype_name.Set(row.name);
  description.device = {abi::kDLCPU, 0};
  description.writable = (array->flags & kWriteable) != 0 ? Answer::kYes : Answer::kNo;
  return true;
}

}  // namespace dlpack_cts
