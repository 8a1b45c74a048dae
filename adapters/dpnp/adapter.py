# adapters/dpnp/adapter.py: dpnp's arrays as producer and consumer. They lie on a oneAPI device; imported host memory is a NumPy array.
import dpctl.memory
import dpnp
import dpnp.tensor
import numpy as np

TYPES = {"bool", "complex64", "complex128", "float16", "float32", "float64"}
TYPES |= {f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)}


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
    if request.dtype not in TYPES:
        raise NotImplementedError(f"dpnp has no {request.dtype}")
    if request.oddity != "none":
        raise NotImplementedError(f"dpnp has no such arrays: {request.oddity}")
    memory = dpctl.memory.MemoryUSMShared(max(1, len(request.backing)))
    memory.copy_from_host(np.frombuffer(bytearray(request.backing) or bytearray(1), np.uint8))
    array = dpnp.tensor.usm_ndarray(request.shape, dtype=request.dtype, buffer=memory, strides=request.strides, offset=request.offset)
    if request.read_only:
        array.flags["W"] = False
    return dpnp.asarray(array)
