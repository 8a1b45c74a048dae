# adapters/mlx/adapter.py: MLX as producer and consumer, on the CPU.
import mlx.core as mx
import numpy as np

TYPES = {name: getattr(mx, name) for name in ("int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 "
                                              "float32 float64 complex64").split() if hasattr(mx, name)}
TYPES["bool"] = mx.bool_
NAMES = {dtype: name for name, dtype in TYPES.items()}


def version():
    return mx.__version__


def lacks():
    roles = [] if hasattr(mx.array, "__dlpack__") else ["producer"]
    # Before it, mx.array() took other arrays over as it takes lists.
    return roles if hasattr(mx, "from_dlpack") else [*roles, "consumer"]


def from_dlpack(obj, **keywords):
    return mx.from_dlpack(obj, **keywords)


def describe(array):
    seen = memoryview(array)  # only the buffer protocol shows the strides
    pointer = None if array.dtype == mx.bfloat16 else np.asarray(seen).__array_interface__["data"][0]
    return pointer, array.shape, seen.strides, NAMES.get(array.dtype), (1, 0), None


def values(array):
    return memoryview(array).tobytes()


def write(array, index, bits):
    if array.dtype == mx.bfloat16:
        raise NotImplementedError("MLX arrays are written through NumPy, which has no bfloat16")
    memory = np.asarray(memoryview(array))
    memory[np.unravel_index(index, memory.shape)] = np.frombuffer(bits, memory.dtype)[0]


def compute(array):
    result = mx.where(True, array, array)
    mx.eval(result)
    return result


def view(array):
    return array[...]


def compact(array):
    if hasattr(mx, "contiguous"):
        return mx.contiguous(array)
    if array.dtype == mx.bfloat16:
        raise NotImplementedError("the first releases make compact arrays through NumPy, which has no bfloat16")
    return mx.array(np.array(memoryview(array)))


def make(request):
    if request.dtype not in TYPES:
        raise NotImplementedError(f"MLX has no {request.dtype}")
    if request.read_only:
        raise NotImplementedError("MLX has no read-only arrays")
    store = mx.array(bytearray(request.backing)).view(TYPES[request.dtype])
    array = mx.as_strided(store, request.shape, request.strides, request.offset)
    if request.making == "fresh":
        array = compact(array)
    mx.eval(array)
    return array
