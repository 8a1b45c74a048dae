# adapters/cuda-core/adapter.py: cuda.core as a consumer: StridedMemoryView, of memory of the host and of CUDA devices.
import ctypes
import functools
import itertools

import cuda.core
from cuda.core.utils import StridedMemoryView

NAMES = ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128 "
         "bfloat16").split()
HOST, CUDA, MANAGED = 1, 2, 13
MOST_AT_ONCE = 1 << 24  # bytes from the lowest to the highest element


@functools.cache
def _stream():
    """The stream that the views are made for. A device is needed only where memory of one is imported."""
    device = cuda.core.Device(0)
    device.set_current()
    return device.create_stream()


@functools.cache
def _driver():
    return ctypes.CDLL("libcuda.so.1")


def version():
    return cuda.core.__version__


def from_dlpack(obj):
    # -1 asks for no order, which is the only choice where the memory is not CUDA's.
    streams = obj.__dlpack_device__()[0] in (CUDA, MANAGED)
    return StridedMemoryView.from_dlpack(obj, stream_ptr=int(_stream().handle) if streams else -1)


def _dtype(view):
    """cuda.core reads the dtype only when it is asked for, and may not support it."""
    try:
        return view.dtype
    except (BufferError, NotImplementedError, TypeError):
        return None


def _byte_strides(view, dtype):
    if view.strides is not None and dtype is not None:
        return tuple(stride * dtype.itemsize for stride in view.strides)
    return None


def describe(view):
    dtype = _dtype(view)
    name = dtype.name if dtype is not None and dtype.name in NAMES else None
    return view.ptr or None, view.shape, _byte_strides(view, dtype), name, view.__dlpack_device__(), not view.readonly


def _strides(view):
    """In elements."""
    if view.strides is not None:
        return view.strides
    strides = [1]
    for extent in reversed(view.shape[1:]):
        strides.insert(0, strides[0] * extent)
    return tuple(strides[:len(view.shape)])


def _read(view, copy):
    """The elements, where the view says that they are. `copy` returns bytes of its memory."""
    dtype = _dtype(view)
    if dtype is None or 0 in view.shape:
        return None if dtype is None else b""
    steps = [stride * dtype.itemsize for stride in _strides(view)]
    offsets = [sum(map(int.__mul__, index, steps)) for index in itertools.product(*map(range, view.shape))]
    lowest, size = min(offsets), max(offsets) - min(offsets) + dtype.itemsize
    if size > MOST_AT_ONCE:
        return b"".join(copy(view.ptr + offset, dtype.itemsize) for offset in offsets)
    memory = copy(view.ptr + lowest, size)
    return b"".join(memory[offset - lowest:offset - lowest + dtype.itemsize] for offset in offsets)


def values(view):
    return _read(view, ctypes.string_at) if view.__dlpack_device__()[0] == HOST else None


def fetch(view):
    """cuda.core has no kernels of its own: a copy on its stream reads the elements."""
    return _read(view, _copy_of) if view.__dlpack_device__()[0] != HOST else None


def _copy_of(address, size):
    out = ctypes.create_string_buffer(size)
    handle = ctypes.c_void_p(int(_stream().handle))
    for status in (_driver().cuMemcpyDtoHAsync_v2(out, ctypes.c_uint64(address), ctypes.c_size_t(size), handle),
                   _driver().cuStreamSynchronize(handle)):
        if status != 0:
            raise RuntimeError(f"the CUDA driver returned {status}")
    return out.raw
