# adapters/dpnp/adapter.py: dpnp's arrays as producer and consumer. They lie on a oneAPI device; imported host memory is a NumPy array.
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "helpers"))
import dpctl.memory  # noqa: E402
import dpnp  # noqa: E402
import dpnp.tensor  # noqa: E402
import numpy as np  # noqa: E402
import strided  # noqa: E402


def version():
    return dpnp.__version__


def from_dlpack(obj, **kw):
    return dpnp.from_dlpack(obj, **kw)


def describe(array):
    if isinstance(array, np.ndarray):
        return array.ctypes.data, array.shape, array.strides, array.dtype.name, (1, 0), array.flags.writeable
    own = array.get_array()
    pointer = own._pointer if array.size else None
    return pointer, array.shape, array.strides, array.dtype.name, (14, 0), own.flags.writable


def values(array):
    return array.tobytes() if isinstance(array, np.ndarray) else None  # the memory of a device is not read


def view(array):
    return array[...]


def make(request):
    if request.dtype not in strided.NAMES:
        raise NotImplementedError(f"dpnp has no {request.dtype}")
    if request.oddity != "none":
        raise NotImplementedError(f"dpnp has no such arrays: {request.oddity}")
    memory = dpctl.memory.MemoryUSMShared(max(1, len(request.backing)))
    memory.copy_from_host(np.frombuffer(bytearray(request.backing) or bytearray(1), np.uint8))
    array = dpnp.tensor.usm_ndarray(request.shape, dtype=request.dtype, buffer=memory, strides=request.strides, offset=request.offset)
    array = strided.own_memory(request, dpnp.asarray(array))
    if request.read_only:
        array.get_array().flags["W"] = False
    return array
