# adapters/cupy/adapter.py: CuPy as producer and consumer, on a CUDA device.
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "helpers"))
import cupy  # noqa: E402
import numpy  # noqa: E402
import strided  # noqa: E402

STREAM = cupy.cuda.Stream(non_blocking=True)
STREAM.use()


def version():
    return cupy.__version__


def from_dlpack(obj, **keywords):
    if keywords.get("device") is not None:
        kind, number = keywords["device"]
        keywords["device"] = "cpu" if kind == 1 else cupy.cuda.Device(number)
    STREAM.use()  # the current stream belongs to a thread
    return cupy.from_dlpack(obj, **keywords)


def describe(array):
    name = array.dtype.name if array.dtype.name in strided.NAMES and array.dtype.isnative else None
    if isinstance(array, numpy.ndarray):
        return array.ctypes.data, array.shape, array.strides, name, (1, 0), None
    return array.data.ptr, array.shape, array.strides, name, (2, array.device.id), None


def values(array):
    return array.tobytes() if isinstance(array, numpy.ndarray) else None


def view(array):
    return array.view()


def make(request):
    if request.dtype not in strided.NAMES:
        raise NotImplementedError(f"CuPy has no {request.dtype}")
    if request.read_only:
        raise NotImplementedError("CuPy has no read-only arrays")
    if request.oddity != "none":
        raise NotImplementedError("CuPy has no such arrays")
    STREAM.use()
    store = cupy.asarray(numpy.frombuffer(request.backing, request.dtype))
    memory = store.data + request.offset * request.itemsize
    array = cupy.ndarray(request.shape, store.dtype, memory, strides=strided.byte_strides(request))
    array = strided.own_memory(request, array)
    STREAM.synchronize()
    return array


def stream(array):
    return STREAM.ptr if isinstance(array, cupy.ndarray) else None


def fetch(array):
    """CuPy's own kernel reads the elements."""
    if not isinstance(array, cupy.ndarray):
        return None
    STREAM.use()
    read = cupy.logical_or(array, False) if array.dtype == bool else array + array.dtype.type(0)
    return read.get().tobytes()
