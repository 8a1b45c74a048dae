# adapters/warp/adapter.py: NVIDIA Warp as producer and consumer, on its CPU device.
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "helpers"))
import numpy as np  # noqa: E402
import strided  # noqa: E402
import warp as wp  # noqa: E402

wp.config.quiet = True
wp.init()
NAMES = ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64").split()
TYPES = {name: getattr(wp, name) for name in NAMES if hasattr(wp, name)}  # bfloat16 is newer than 1.0
NAME_OF = {dtype: name for name, dtype in TYPES.items()}


def version():
    return wp.__version__


from_dlpack = wp.from_dlpack


def describe(array):
    device = (1, 0) if array.device.is_cpu else None
    return array.ptr, tuple(array.shape), tuple(array.strides), NAME_OF.get(array.dtype), device, None


def values(array):
    return array.contiguous().numpy().tobytes()


def write(array, index, bits):
    memory = array.numpy()  # shares the memory
    memory[np.unravel_index(index, memory.shape)] = np.frombuffer(bits, memory.dtype)[0]


def compute(array):
    return wp.clone(array)


def view(array):
    return array[:]


def make(request):
    if request.dtype not in TYPES:
        raise NotImplementedError(f"Warp has no {request.dtype}")
    if request.read_only:
        raise NotImplementedError("Warp has no read-only arrays")
    if not 1 <= len(request.shape) <= 4:
        raise NotImplementedError("Warp arrays have one to four dimensions")
    bits = strided.strided(request, np, f"u{request.itemsize}")
    array = wp.array(ptr=bits.ctypes.data, dtype=TYPES[request.dtype], shape=request.shape,
                     strides=strided.byte_strides(request), device="cpu", copy=False)
    array.memory = bits  # a Warp array does not keep memory of others alive
    return wp.clone(array) if request.making == "fresh" and array.is_contiguous else array
