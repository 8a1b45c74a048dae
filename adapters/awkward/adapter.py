# adapters/awkward/adapter.py: Awkward Array: from_dlpack imports, an Index (one dimension, five types) exports.
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "helpers"))
import awkward as ak  # noqa: E402
import numpy as np  # noqa: E402
import strided  # noqa: E402

CLASSES = {"int8": ak.index.Index8, "uint8": ak.index.IndexU8, "int32": ak.index.Index32, "uint32": ak.index.IndexU32,
           "int64": ak.index.Index64}


def version():
    return ak.__version__


def lacks():
    roles = [] if hasattr(ak, "from_dlpack") else ["consumer"]
    return roles if hasattr(ak.index.Index, "__dlpack__") else [*roles, "producer"]


def from_dlpack(obj):
    return ak.from_dlpack(obj)


def inner(array):
    """The NumPy array that holds the elements."""
    return array.data if isinstance(array, ak.index.Index) else array.layout.data


def describe(array):
    data = inner(array)
    name = data.dtype.name if data.dtype.name in strided.NAMES else None
    return data.ctypes.data, data.shape, data.strides, name, (1, 0), data.flags.writeable


def values(array):
    return inner(array).tobytes()


def write(array, index, bits):
    data = inner(array)
    data[np.unravel_index(index, data.shape)] = np.frombuffer(bits, data.dtype)[0]


def view(array):
    return array[:]


def make(request):
    if request.dtype not in CLASSES or len(request.shape) != 1:
        raise NotImplementedError("an Index has one dimension and one of five integer types")
    if request.read_only:
        raise NotImplementedError("an Index is not made read-only")
    array = strided.strided(request, np, request.dtype)
    if not array.flags.c_contiguous:
        raise NotImplementedError("an Index is compact: it copies what is not")
    return CLASSES[request.dtype](array.copy() if request.making == "fresh" else array)
