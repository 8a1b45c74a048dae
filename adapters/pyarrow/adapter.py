# adapters/pyarrow/adapter.py: pyarrow's Tensor as producer and consumer.
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "helpers"))
import numpy as np  # noqa: E402
import pyarrow as pa  # noqa: E402
import strided  # noqa: E402

NAMES = ("int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64").split()
TYPES = {name: getattr(pa, name)() for name in NAMES}
NAME_OF = {dtype: name for name, dtype in TYPES.items()}


def version():
    return pa.__version__


def lacks():
    roles = [] if hasattr(pa.Tensor, "__dlpack__") else ["producer"]
    return roles if hasattr(pa.Tensor, "from_dlpack") else [*roles, "consumer"]


def from_dlpack(obj, **keywords):
    return pa.Tensor.from_dlpack(obj, **keywords)


def describe(tensor):
    pointer = tensor.to_numpy().ctypes.data  # only NumPy and the buffer protocol show it
    return pointer, tuple(tensor.shape), tuple(tensor.strides), NAME_OF.get(tensor.type), (1, 0), tensor.is_mutable


def values(tensor):
    return tensor.to_numpy().tobytes()


def write(tensor, index, bits):
    memory = tensor.to_numpy()
    memory[np.unravel_index(index, memory.shape)] = np.frombuffer(bits, memory.dtype)[0]


def make(request):
    if request.dtype not in TYPES:
        raise NotImplementedError(f"pyarrow exchanges no {request.dtype}")
    return pa.Tensor.from_numpy(strided.made(request, np, request.dtype))
