# adapters/dali/adapter.py: NVIDIA DALI on the CPU: TensorCPU, which imports bare capsules and buffers.
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "helpers"))
import numpy as np  # noqa: E402
import nvidia.dali  # noqa: E402
import strided  # noqa: E402
from nvidia.dali.tensors import TensorCPU  # noqa: E402
from nvidia.dali.types import DALIDataType  # noqa: E402

NAMES = {"FLOAT16": "float16", "FLOAT": "float32", "FLOAT64": "float64", "BOOL": "bool"}
NAMES.update({f"{kind}{bits}": f"{kind}{bits}".lower() for kind in ("INT", "UINT") for bits in (8, 16, 32, 64)})
NAME_OF = {getattr(DALIDataType, kind): name for kind, name in NAMES.items()}


def version():
    return nvidia.dali.__version__


def from_dlpack(obj):
    return TensorCPU(obj.__dlpack__() if hasattr(obj, "__dlpack__") else obj, "")


def describe(tensor):
    return tensor.data_ptr() or None, tuple(tensor.shape()), None, NAME_OF.get(tensor.dtype), (1, 0), None


def values(tensor):
    return np.array(tensor).tobytes()


def write(tensor, index, bits):
    memory = np.asarray(tensor)
    memory[np.unravel_index(index, memory.shape)] = np.frombuffer(bits, memory.dtype)[0]


def device(tensor):
    kind, number = tensor.__dlpack_device__()
    return int(kind), number


def make(request):
    array = strided.strided(request, np, request.dtype) if request.dtype in NAMES.values() else None
    if array is None or not array.flags.c_contiguous or request.read_only or request.making == "view":
        raise NotImplementedError("tensors are compact, and of integers, floats and bools")
    return TensorCPU(array, "")
