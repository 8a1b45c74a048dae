# adapters/numba-cuda/adapter.py: Numba's CUDA target as a consumer: the arguments of a kernel, in memory of CUDA devices.
"""An import is what a launch `kernel[1, 1, stream](obj, out)` does with `obj`: it finds the type of the argument, and then its
memory. Numba has no public function for that, and drops its view when the launch returns. So this adapter calls the same two
functions as a launch."""
import functools
import importlib.metadata
import math
import os
import sys

import numpy

if not hasattr(numpy, "row_stack"):  # NumPy 2.5 has removed it, and Numba 0.68 looks for it
    numpy.row_stack = numpy.vstack

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "helpers"))
import cuda.core  # noqa: E402
import strided  # noqa: E402
from numba import cuda as numba_cuda  # noqa: E402
from numba.cuda.cudadrv.devicearray import _to_strided_memory_view  # noqa: E402
from numba.cuda.typing.typeof import typeof  # noqa: E402

# Numba's view of an argument is that of cuda.core.
VIEWS = strided.adapter_of("cuda-core")
HOST = 1
WORD = 8  # bytes of the widest type that the kernel copies; a wider element has several


@functools.cache
def _stream():
    """A stream that no default stream waits for; those of Numba's own do."""
    device = cuda.core.Device(0)
    device.set_current()
    return device.create_stream()


def version():
    return importlib.metadata.version("numba-cuda")


def from_dlpack(obj):
    if obj.__dlpack_device__()[0] == HOST:  # a launch does not check that, and the kernel then reads the address
        raise BufferError("a kernel of Numba does not read host memory")
    typeof(obj)
    return _to_strided_memory_view(obj, stream=int(_stream().handle))[0]


def describe(view):
    return VIEWS.describe(view)


def values(view):
    return VIEWS.values(view)


def stream(view):
    return int(_stream().handle)


@numba_cuda.jit
def _copy(array, out):
    """Numba compiles it for each rank."""
    for i in range(out.size):
        out[i] = array.flat[i]


def _as_words(view):
    """The view as an array of Numba, with unsigned integers as elements: the kernel then needs few types."""
    shape, item, strides = view.shape, view.dtype.itemsize, describe(view)[2]
    if strides is None:
        strides = tuple(item * math.prod(shape[axis + 1:]) for axis in range(len(shape)))
    # An axis of one element may have any stride, also one that no array of Numba can have.
    strides = tuple(step if extent > 1 else item for extent, step in zip(shape, strides))
    word = min(item, WORD)
    if item > word or not shape:
        shape, strides = (*shape, item // word), (*strides, word)
    description = {"shape": shape, "strides": strides, "typestr": f"<u{word}", "data": (view.ptr, True), "version": 3}
    return numba_cuda.from_cuda_array_interface(description, owner=view, sync=False)


def fetch(view):
    """A kernel of Numba reads the elements."""
    if 0 in view.shape:
        return b""
    array = _as_words(view)
    own = numba_cuda.external_stream(int(_stream().handle))
    out = numba_cuda.device_array(math.prod(array.shape), array.dtype, stream=own)
    _copy[1, 1, own](array, out)
    read = out.copy_to_host(stream=own)
    own.synchronize()
    return read.tobytes()
