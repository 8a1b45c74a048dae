# adapters/quadrants/adapter.py: the ndarrays of Quadrants (formerly GsTaichi) as producers, on the CPU.
import ctypes
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "helpers"))
import numpy as np  # noqa: E402
import quadrants as qd  # noqa: E402
import strided  # noqa: E402
from quadrants.lang import impl  # noqa: E402

qd.init(arch=qd.cpu, log_level=qd.ERROR, cpu_max_num_threads=1)
TYPES = {"bool": qd.u1, "int32": qd.i32, "int64": qd.i64, "float32": qd.f32, "float64": qd.f64}
NAME_OF = {dtype: name for name, dtype in TYPES.items()}


def version():
    return ".".join(map(str, qd.__version__))


def memory(array):
    """The elements in place. The functions of Quadrants compile a kernel for each array that they read or write."""
    elements = np.empty(array.shape, NAME_OF[array.dtype])
    address = impl.get_runtime().prog.get_ndarray_data_ptr_as_int(array.arr)
    return np.ndarray(array.shape, elements.dtype, (ctypes.c_char * elements.nbytes).from_address(address))


def describe(array):
    elements = memory(array)
    return elements.ctypes.data, tuple(array.shape), elements.strides, elements.dtype.name, (1, 0), None


def values(array):
    return memory(array).tobytes()


def write(array, index, bits):
    elements = memory(array)
    elements[np.unravel_index(index, elements.shape)] = np.frombuffer(bits, elements.dtype)[0]


def export(array, max_version=None, **kw):
    return array.to_dlpack(versioned=max_version is not None and max_version[0] >= 1, **kw)


def device(array):
    return (1, 0)


def make(request):
    if request.dtype not in TYPES or 0 in request.shape or not request.shape:
        raise NotImplementedError(f"Quadrants has no such ndarray of {request.dtype}")
    elements = strided.strided(request, np, request.dtype)
    if request.read_only or request.making == "view" or not elements.flags.c_contiguous:
        raise NotImplementedError("an ndarray is compact and can be written")
    array = qd.ndarray(TYPES[request.dtype], request.shape)
    memory(array)[...] = elements
    return array
