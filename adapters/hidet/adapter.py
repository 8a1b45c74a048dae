# adapters/hidet/adapter.py: Hidet on the CPU: compact tensors.
import ctypes
import faulthandler
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "helpers"))
import hidet  # noqa: E402
import numpy as np  # noqa: E402
import strided  # noqa: E402

faulthandler.disable()  # Hidet enables it


def version():
    return hidet.__version__


from_dlpack = hidet.from_dlpack


def _device(tensor):
    kinds = {"cpu": 1, "cuda": 2, "hip": 10}
    return kinds[tensor.device.kind], tensor.device.id or 0


def describe(tensor):
    name = tensor.dtype.name
    known = name in strided.NAMES or name == "bfloat16"
    return tensor.storage.addr or None, tuple(map(int, tensor.shape)), None, name if known else None, _device(tensor), None


def values(tensor):
    """Tensor.numpy() goes through DLPack, so ctypes reads what the storage of a compact tensor holds."""
    return ctypes.string_at(tensor.storage.addr, int(tensor.nbytes)) if tensor.nbytes else b""


def device(tensor):
    kind, number = tensor.__dlpack_device__()
    return int(kind), int(number)


def make(request):
    array = strided.strided(request, np, request.dtype) if request.dtype in strided.NAMES else None
    if array is None or not array.flags.c_contiguous or request.read_only or request.making == "view":
        raise NotImplementedError("tensors are compact, and of NumPy's types")
    return hidet.asarray(array)
