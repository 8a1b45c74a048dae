# adapters/cute-dsl/adapter.py: NVIDIA's CuTe DSL as a consumer: from_dlpack, whose tensors are descriptions of memory.
import ctypes
import importlib.metadata
import itertools
import re

from cutlass.cute.runtime import from_dlpack as take

NAMES = {"Boolean": "bool", "BFloat16": "bfloat16", "Float8E5M2": "float8_e5m2", "Float8E4M3FN": "float8_e4m3fn",
         "Float8E4M3B11FNUZ": "float8_e4m3b11fnuz", "Float8E4M3": "float8_e4m3", "Float8E3M4": "float8_e3m4",
         "Float8E8M0FNU": "float8_e8m0fnu"}
NAMES.update({f"{kind}{bits}": f"{kind}{bits}".lower() for kind in ("Int", "Uint") for bits in (8, 16, 32, 64)})
NAMES.update({f"Float{bits}": f"float{bits}" for bits in (16, 32, 64)})
ADDRESS = re.compile("Tensor<0x([0-9a-f]+)@")  # where kernels read; data_ptr leaves byte_offset out
DEVICES = {"generic": (1, 0)}  # of the memory spaces, only this one is the host's


def version():
    return importlib.metadata.version("nvidia-cutlass-dsl")


def from_dlpack(obj):
    tensor = take(obj)
    tensor.shape  # the capsule is read at the first question
    return tensor


def _modes(modes):
    """One mode of a layout is a number, several are a tuple."""
    return modes if isinstance(modes, tuple) else (modes,)


def describe(tensor):
    kind = tensor.element_type
    size = kind.width // 8
    strides = tuple(stride * size for stride in _modes(tensor.stride)) if size else None
    address = int(ADDRESS.match(str(tensor))[1], 16) or None
    return address, _modes(tensor.shape), strides, NAMES.get(kind.__name__), DEVICES.get(str(tensor.memspace)), None


def values(tensor):
    """Only kernels read elements, so ctypes reads them where the tensor says that they are."""
    address, shape, strides, _, device, _ = describe(tensor)
    if device is None or strides is None:
        return None
    indices = itertools.product(*map(range, shape))
    return b"".join(ctypes.string_at(address + sum(map(int.__mul__, index, strides)), tensor.element_type.width // 8) for index in indices)
