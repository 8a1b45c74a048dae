# adapters/open3d/adapter.py: Open3D's core.Tensor, of the build for the CPU.
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "helpers"))
import numpy as np  # noqa: E402
import open3d  # noqa: E402
import strided  # noqa: E402
from open3d import core  # noqa: E402

NAMES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64".split()
TYPES = [(getattr(core, name), name) for name in NAMES]


def version():
    return open3d.__version__


from_dlpack = core.Tensor.from_dlpack


def _name(tensor):
    return next((name for kind, name in TYPES if kind == tensor.dtype), None)


def describe(tensor):
    name, shape = _name(tensor), tuple(tensor.shape)
    if not tensor.is_cpu or name is None:
        return None, shape, None, name, None, None
    pointer = tensor.numpy().ctypes.data if 0 not in shape else None
    return pointer, shape, tuple(stride * np.dtype(name).itemsize for stride in tensor.strides), name, (1, 0), None


def values(tensor):
    return tensor.contiguous().numpy().tobytes() if _name(tensor) else None


def write(tensor, index, bits):
    memory = tensor.numpy()
    memory[np.unravel_index(index, memory.shape)] = np.frombuffer(bits, memory.dtype)[0]


def compute(tensor):
    return tensor.clone()


def view(tensor):
    return tensor.reshape(tensor.shape)


def make(request):
    if request.dtype not in NAMES or request.read_only:
        raise NotImplementedError("tensors have integers, floats and bools, and can be written")
    tensor = core.Tensor.from_numpy(strided.strided(request, np, request.dtype))
    return tensor.clone() if request.making == "fresh" else tensor
