# adapters/mxnet/adapter.py: Apache MXNet as producer and consumer, on the CPU. Its functions exchange bare capsules.
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "helpers"))
import numpy as np  # noqa: E402

np.bool = bool  # the name that MXNet 1.9 uses
import mxnet as mx  # noqa: E402
import strided  # noqa: E402

NAMES = "bool int8 int32 int64 uint8 float16 float32 float64".split()


def version():
    return mx.__version__


def from_dlpack(capsule):
    array = mx.nd.from_dlpack(capsule)
    array.shape  # an NDArray cannot be used without it
    return array


def describe(array):
    dtype = np.dtype(array.dtype)
    return None, tuple(array.shape), None, "bfloat16" if dtype.names == ("bfloat16",) else dtype.name, (1, 0), None


def values(array):
    return array.asnumpy().tobytes()


def write(array, index, bits):
    elements = array.asnumpy()  # an assignment of one int64 rounds it to float64
    elements[np.unravel_index(index, array.shape)] = np.frombuffer(bits, elements.dtype)[0]
    array._sync_copyfrom(elements)
    mx.nd.waitall()


def compute(array):
    return array.copy()


def view(array):
    return array.reshape(array.shape)


def make(request):
    if request.dtype not in NAMES or request.read_only:
        raise NotImplementedError(f"MXNet has no such {request.dtype}")
    if not request.shape or 0 in request.shape:
        raise NotImplementedError("MXNet has no scalars and no empty arrays outside of its NumPy mode")
    if request.making == "view":
        raise NotImplementedError("the adapter makes no views")
    array = mx.nd.array(strided.strided(request, np, request.dtype), dtype=request.dtype)
    mx.nd.waitall()
    return array


def export(array, **kw):
    return array.to_dlpack_for_write(**kw)


def device(array):
    return (1, 0)


def release():
    mx.nd.waitall()
