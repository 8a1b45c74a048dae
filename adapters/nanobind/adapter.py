# adapters/nanobind/adapter.py: nanobind's nb::ndarray as producer and consumer, through an extension that is compiled here.
import hashlib
import importlib.util
import os
import subprocess
import sys
import sysconfig
import tempfile
import weakref

import nanobind
import numpy as np

# Typical code with nanobind: functions that take an ndarray, return an ndarray, and read the one that was taken.
SOURCE = r"""
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <cstring>

namespace nb = nanobind;

struct Taken {
  nb::ndarray<> array;
};

uint8_t *Element(const nb::ndarray<> &array, size_t index) {
  int64_t offset = 0;
  for (size_t i = array.ndim(); i-- > 0; index /= array.shape(i)) {
    offset += static_cast<int64_t>(index % array.shape(i)) * array.stride(i);
  }
  void *const data = const_cast<void *>(static_cast<const void *>(array.data()));
  return static_cast<uint8_t *>(data) + offset * static_cast<int64_t>(array.itemsize());
}

nb::tuple Describe(const Taken &taken) {
  const nb::ndarray<> &array = taken.array;
  nb::list shape, strides;
  for (size_t i = 0; i < array.ndim(); ++i) {
    shape.append(array.shape(i));
    strides.append(array.stride(i) * static_cast<int64_t>(array.itemsize()));
  }
  const auto type = array.dtype();
  return nb::make_tuple(reinterpret_cast<uintptr_t>(array.data()), nb::tuple(shape), nb::tuple(strides),
                        nb::make_tuple(type.code, type.bits, type.lanes),
                        nb::make_tuple(array.device_type(), array.device_id()));
}

nb::bytes Values(const Taken &taken) {
  const size_t size = taken.array.itemsize(), count = taken.array.size();
  nb::bytes bytes(nullptr, size * count);
  char *out = PyBytes_AS_STRING(bytes.ptr());
  for (size_t i = 0; i < count; ++i) std::memcpy(out + i * size, Element(taken.array, i), size);
  return bytes;
}

#ifdef CTS_MAKES
template <typename Array>
Array Make(nb::bytearray store, size_t offset, std::vector<size_t> shape, std::vector<int64_t> strides, uint8_t code,
           uint8_t bits) {
  return Array(static_cast<char *>(store.data()) + offset, shape.size(), shape.data(), store, strides.data(),
               nb::dlpack::dtype{code, bits, 1});
}
#endif

NB_MODULE(dlpack_cts_nanobind, m) {
  nb::class_<Taken>(m, "Taken", nb::is_weak_referenceable());
  m.def("take", [](nb::ndarray<> array) { return Taken{array}; });
  m.def("describe", &Describe);
  m.def("values", &Values);
  m.def("write", [](Taken &taken, size_t index, nb::bytes bits) {
    std::memcpy(Element(taken.array, index), bits.data(), bits.size());
  });
#ifdef CTS_MAKES
  m.def("make", &Make<nb::ndarray<nb::array_api>>);
  m.def("make_read_only", &Make<nb::ndarray<nb::array_api, nb::ro>>);
#endif
}
"""


def makes_arrays():
    """Whether nb::ndarray<nb::array_api> exists. Earlier releases hand arrays to NumPy or other libraries, which export them."""
    with open(os.path.join(nanobind.include_dir(), "nanobind", "ndarray.h"), encoding="utf-8") as header:
        return "array_api" in header.read()


def build():
    """Compiles the extension as nb_combined.cpp of nanobind describes, once for each environment (10 s). A pair shares it."""
    if "dlpack_cts_nanobind" in sys.modules:
        return sys.modules["dlpack_cts_nanobind"]
    name = hashlib.sha256((SOURCE + nanobind.__version__).encode()).hexdigest()[:12]
    path = os.path.join(sys.prefix, f"dlpack_cts_nanobind_{name}" + sysconfig.get_config_var("EXT_SUFFIX"))
    if not os.path.exists(path):
        with tempfile.TemporaryDirectory(dir=sys.prefix) as folder:
            written = os.path.join(folder, "extension.cc")
            with open(written, "w", encoding="ascii") as file:
                file.write(SOURCE)
            root = os.path.dirname(nanobind.__file__)
            include = [nanobind.include_dir(), os.path.join(root, "ext", "robin_map", "include"),
                       sysconfig.get_path("include")]
            built = os.path.join(folder, "extension.so")
            subprocess.run([os.environ.get("CXX", "c++"), "-std=c++17", "-O1", "-DNDEBUG", "-fno-strict-aliasing",
                            "-fvisibility=hidden", "-fPIC", "-shared", *(["-DCTS_MAKES"] if makes_arrays() else []),
                            *(f"-I{one}" for one in include), written,
                            os.path.join(root, "src", "nb_combined.cpp"), "-o", built], check=True)
            os.replace(built, path)
    spec = importlib.util.spec_from_file_location("dlpack_cts_nanobind", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules[spec.name] = module
    return module


extension = build()
CODES = {"int": 0, "uint": 1, "float": 2, "bfloat": 4, "complex": 5}
TYPES = {"bool": (6, 8), **{f"{kind}{bits}": (CODES[kind], bits) for kind, bits in (
    ("int", 8), ("int", 16), ("int", 32), ("int", 64), ("uint", 8), ("uint", 16), ("uint", 32), ("uint", 64),
    ("float", 16), ("float", 32), ("float", 64), ("bfloat", 16), ("complex", 32), ("complex", 64), ("complex", 128))}}
NAMES = {(*bits, 1): name for name, bits in TYPES.items()}
FORMATS = {"?": "bool", "b": "int8", "h": "int16", "i": "int32", "q": "int64", "B": "uint8", "H": "uint16",
           "I": "uint32", "Q": "uint64", "e": "float16", "f": "float32", "d": "float64", "Zf": "complex64",
           "Zd": "complex128"}
STORES = {}


class Store(bytearray):  # a subclass, because bytearray has no weak references
    pass


def version():
    return nanobind.__version__


def lacks():
    return [] if makes_arrays() else ["producer", "read_only"]


from_dlpack = extension.take


def is_small(array):
    """Whether elements are smaller than a byte. nb::ndarray forwards them, but does not say how they are packed."""
    _, bits, lanes = extension.describe(array)[3]
    return bits * lanes < 8


def describe(array):
    if isinstance(array, extension.Taken):
        pointer, shape, strides, dtype, device = extension.describe(array)
        strides = None if is_small(array) else strides
        return pointer, shape, strides, NAMES.get(dtype), device, True  # nb::ndarray<> is writable
    try:
        seen = memoryview(array)
    except BufferError:  # a type that the buffer protocol has not
        return None, None, None, None, None, None
    pointer = np.asarray(seen).__array_interface__["data"][0]
    return pointer, seen.shape, seen.strides, FORMATS.get(seen.format), None, not seen.readonly


def values(array):
    if isinstance(array, extension.Taken):
        return None if is_small(array) else extension.values(array)
    try:
        return memoryview(array).tobytes()
    except BufferError:
        return None


def write(array, index, bits):
    if isinstance(array, extension.Taken):
        if is_small(array):
            raise NotImplementedError("nanobind does not read elements that are smaller than a byte")
        extension.write(array, index, bits)
    else:
        extension.write(extension.take(memoryview(array)), index, bits)


def make(request):
    if request.dtype not in TYPES:
        raise NotImplementedError(f"nanobind has no name for {request.dtype}")
    maker = extension.make_read_only if request.read_only else extension.make
    store = Store(request.backing)
    array = maker(store, request.offset * request.itemsize, list(request.shape),
                  list(request.strides), *TYPES[request.dtype])
    STORES[id(array)] = weakref.ref(store)
    return array


def watch(array):  # an export keeps the owner of the memory, and nb_ndarray cannot be watched
    return STORES[id(array)]()
