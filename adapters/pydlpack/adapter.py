# adapters/pydlpack/adapter.py: pydlpack as producer: asdlpack exports the memory of a NumPy array, in pure Python.
import importlib.metadata
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "helpers"))
import numpy as np  # noqa: E402
import strided  # noqa: E402
from dlpack import asdlpack  # noqa: E402


def version():
    return importlib.metadata.version("pydlpack")


def describe(exporter):
    array = exporter.wrapped
    return array.ctypes.data, array.shape, array.strides, array.dtype.name, (1, 0), bool(array.flags.writeable)


def values(exporter):
    return exporter.wrapped.tobytes()


def write(exporter, index, bits):
    array = exporter.wrapped
    array[np.unravel_index(index, array.shape)] = np.frombuffer(bits, array.dtype)[0]


def make(request):
    if request.dtype not in strided.NAMES:
        raise NotImplementedError(f"NumPy has no {request.dtype}")
    array = strided.made(request, np, request.dtype)
    exporter = asdlpack(array)
    exporter.wrapped = array  # what the exporter shows of it is only a buffer
    return exporter
