# adapters/drjit/adapter.py: Dr.Jit tensors as producer and consumer, on the scalar backend, which does not need a compiler.
import drjit
import numpy as np
from drjit import scalar

CLASSES = {"bool": scalar.TensorXb, "int8": scalar.TensorXi8, "int32": scalar.TensorXi, "int64": scalar.TensorXi64,
           "uint8": scalar.TensorXu8, "uint32": scalar.TensorXu, "uint64": scalar.TensorXu64,
           "float16": scalar.TensorXf16, "float32": scalar.TensorXf, "float64": scalar.TensorXf64}
NAMES = {kind: name for name, kind in CLASSES.items()}


def version():
    return drjit.__version__


def from_dlpack(obj, dtype, ndim):
    if dtype not in CLASSES:
        raise NotImplementedError(f"Dr.Jit has no tensors of {dtype}")
    return CLASSES[dtype](obj)


def describe(array):
    return None, array.shape, array.memview().strides, NAMES[type(array)], (1, 0), None


def values(array):
    return array.memview().tobytes()


def write(array, index, bits):
    array.array[index] = np.frombuffer(bits, NAMES[type(array)])[0].item()


def compute(array):
    return drjit.select(array == array, array, array)


def make(request):
    if request.dtype not in CLASSES:
        raise NotImplementedError(f"Dr.Jit has no tensors of {request.dtype}")
    if request.read_only:
        raise NotImplementedError("Dr.Jit has no read-only tensors")
    store = np.frombuffer(bytearray(request.backing), request.dtype)
    steps = tuple(stride * request.itemsize for stride in request.strides)
    laid_out = np.ndarray(request.shape, store.dtype, store, request.offset * request.itemsize, steps)
    if request.making == "view" or not laid_out.flags.c_contiguous:
        raise NotImplementedError("Dr.Jit tensors are compact, and are never views")
    return CLASSES[request.dtype](memoryview(laid_out))  # through the buffer protocol
