# adapters/array-api-strict/adapter.py: array-api-strict as producer and consumer: NumPy's arrays behind the array API alone.
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "helpers"))
import array_api_strict as xp  # noqa: E402
import numpy as np  # noqa: E402
import strided  # noqa: E402

NAMES = ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128").split()


def version():
    return xp.__version__


def lacks():
    # 2022.12 has no keywords. 2.0 supports 2023.12 only on request, and has one device without a name.
    return [] if hasattr(xp, "Device") else ["array_api", "copy_keyword", "device_keyword"]


def from_dlpack(obj, **keywords):
    if keywords.get("device") == (1, 0):
        keywords["device"] = xp.Device("CPU_DEVICE")
    return xp.from_dlpack(obj, **keywords)


def describe(array):
    inner = array._array  # the library shows neither address nor strides
    name = inner.dtype.name if inner.dtype.name in NAMES else None
    return inner.ctypes.data, array.shape, inner.strides, name, (1, 0), inner.flags.writeable


def values(array):
    return array._array.tobytes()


def write(array, index, bits):
    element = np.frombuffer(bits, array._array.dtype)[0].item()
    array[tuple(int(i) for i in np.unravel_index(index, array.shape))] = element


def compute(array):
    return xp.where(xp.asarray(True), array, array)


def view(array):
    return array[...]


def make(request):
    if request.dtype not in NAMES:
        raise NotImplementedError(f"array-api-strict has no {request.dtype}")
    return xp.asarray(strided.made(request, np, request.dtype))  # 1.0 refuses copy=False, and shares the memory
