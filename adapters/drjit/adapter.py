# adapters/drjit/adapter.py: Dr.Jit tensors as producer and consumer, on the scalar backend, which does not need a compiler.
import drjit
import numpy as np
from drjit import scalar

ENDINGS = {"bool": "b", "int8": "i8", "int32": "i", "int64": "i64", "uint8": "u8", "uint32": "u", "uint64": "u64",
           "float16": "f16", "float32": "f", "float64": "f64"}
CLASSES = {name: getattr(scalar, "TensorX" + ending) for name, ending in ENDINGS.items()
           if hasattr(scalar, "TensorX" + ending)}  # types of 8 bits are newer than the others
NAMES = {kind: name for name, kind in CLASSES.items()}


def version():
    return drjit.__version__


def from_dlpack(obj, dtype, ndim):
    if dtype not in CLASSES:
        raise NotImplementedError(f"Dr.Jit has no tensors of {dtype}")
    return CLASSES[dtype](obj)


def memory_of(array):
    return array.memview() if hasattr(array, "memview") else array.numpy()  # what 1.3 and earlier have


def describe(array):
    return None, array.shape, memory_of(array).strides, NAMES[type(array)], (1, 0), None


def values(array):
    return memory_of(array).tobytes()


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
