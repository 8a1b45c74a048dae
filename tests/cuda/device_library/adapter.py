# tests/cuda/device_library/adapter.py: the adapter of gpu/, whose arrays are on a CUDA device. CUDA_DEFECT selects a defect.
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import gpu  # noqa: E402


def version():
    return "1.0"


def from_dlpack(obj):
    return gpu.from_dlpack(obj)


def make(request):
    if request.oddity != "none":
        raise NotImplementedError("the library does not support such arrays")
    if request.dtype not in gpu.TYPES:
        raise NotImplementedError("this element type is not supported")
    return gpu.array(request.dtype, request.shape, request.strides, request.offset, request.backing)


def describe(array):
    strides = tuple(stride * array.itemsize for stride in array.strides)
    return array.address or None, array.shape, strides, array.name, gpu.declared(array), array.writable


def values(array):
    return array.tobytes() if array.device == gpu.HOST else None


def stream(array):
    return gpu.stream_of(array.device[1]) if array.device != gpu.HOST else None


def fetch(array):
    return gpu.fetch(array) if array.device != gpu.HOST else None
