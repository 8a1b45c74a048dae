# adapters/nnabla/adapter.py: nnabla's NdArray as producer and consumer, on the CPU. Its functions take and return bare capsules.
import logging
import os
import sys

logging.disable(logging.INFO)
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "helpers"))
import nnabla as nn  # noqa: E402
import numpy as np  # noqa: E402
import strided  # noqa: E402
from nnabla.ext_utils import get_extension_context  # noqa: E402
from nnabla.utils import dlpack  # noqa: E402

nn.set_default_context(get_extension_context("cpu"))
NAMES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64".split()


def version():
    return nn.__version__


from_dlpack = dlpack.from_dlpack


def describe(array):
    name, size = np.dtype(array.dtype).name, np.dtype(array.dtype).itemsize
    strides = tuple(stride * size for stride in array.strides)
    return array.data.ctypes.data, tuple(array.shape), strides, name if name in NAMES else None, (1, 0), None


def values(array):
    return array.data.tobytes()


def write(array, index, bits):
    memory = array.data  # shares the memory
    memory[np.unravel_index(index, memory.shape)] = np.frombuffer(bits, memory.dtype)[0]


def compute(array):
    other = nn.NdArray.from_numpy_array(np.zeros(array.shape, array.dtype))
    other.cast(array.dtype)
    other.copy_from(array)
    return other


def export(array, **kw):
    return dlpack.to_dlpack(array, dtype=np.dtype(array.dtype), **kw)


def make(request):
    if request.dtype not in NAMES:
        raise NotImplementedError(f"nnabla has no {request.dtype}")
    array = strided.strided(request, np, request.dtype)
    if request.read_only or request.making == "view" or not array.flags.c_contiguous:
        raise NotImplementedError("nnabla has writable compact arrays only")
    made = nn.NdArray.from_numpy_array(array.copy())
    made.cast(array.dtype)
    return made
