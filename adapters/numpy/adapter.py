# adapters/numpy/adapter.py: NumPy as producer and consumer, from 1.22 on.
import numpy as np

TYPES = {name: np.dtype(name) for name in (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "float32", "float64", "complex64", "complex128")}
NAMES = {dtype: name for name, dtype in TYPES.items()}
CPU = (1, 0)


def version():
    return np.__version__


def lacks():
    # 1.22 has __dlpack__, and 1.23 from_dlpack. Both got their keywords in 2.1.
    roles = [] if hasattr(np.ndarray, "__dlpack__") else ["producer"]
    roles += [] if hasattr(np, "from_dlpack") else ["consumer"]
    if getattr(np, "__array_api_version__", "") >= "2023.12":
        return roles
    return [*roles, "array_api", "copy_keyword", "device_keyword"]


def from_dlpack(obj, **keywords):
    if keywords.get("device") == CPU:
        keywords["device"] = "cpu"  # the only one that NumPy knows
    return np.from_dlpack(obj, **keywords)


def describe(array):
    interface = array.__array_interface__
    pointer, read_only = interface["data"]
    if isinstance(array, np.generic):
        pointer, read_only = None, True  # each look makes an array of its own
    return pointer, array.shape, array.strides, NAMES.get(array.dtype), CPU, not read_only


def values(array):
    return array.tobytes() if array.dtype.isnative else array.astype(array.dtype.newbyteorder("=")).tobytes()


def write(array, index, bits):
    array[np.unravel_index(index, array.shape)] = np.frombuffer(bits, array.dtype)[0]


def compute(array):
    return np.where(True, array, array)


def view(array):
    return array[...]


def change_metadata(array, how):
    if how == "reshape":
        array.shape = (array.size,)
    elif how == "transpose":
        array.shape = array.shape[::-1]
    else:
        array.resize((array.size + 1,), refcheck=False)


def make(request):
    if request.oddity == "long_double":
        return np.ones(request.shape, np.longdouble)
    if request.oddity == "complex_long_double":
        return np.ones(request.shape, np.clongdouble)
    if request.oddity == "object":
        return np.full(request.shape, None, object)
    if request.oddity == "date":
        return np.ones(request.shape, "datetime64[s]")
    if request.oddity == "text":
        return np.full(request.shape, "one")
    if request.dtype not in TYPES:
        raise NotImplementedError(f"NumPy has no {request.dtype}")
    store = np.frombuffer(bytearray(request.backing), TYPES[request.dtype])
    offset = request.offset * request.itemsize
    steps = tuple(stride * request.itemsize for stride in request.strides)
    if request.oddity == "idle_stride":
        steps = tuple(request.itemsize + 1 if extent == 1 else step for extent, step in zip(request.shape, steps))
    array = np.ndarray(request.shape, store.dtype, store, offset, steps)
    if request.oddity == "scalar_object" and array.ndim == 0 and hasattr(np.generic, "__dlpack__"):
        return array[()]
    if request.oddity not in ("none", "idle_stride"):
        return odd(request.oddity, array)
    if request.making == "fresh" and request.oddity == "none" and array.flags.c_contiguous:
        array = array.copy()
    if request.read_only:
        array.flags.writeable = False
    return array


def odd(oddity, array):
    if oddity == "subclass":
        return np.ma.MaskedArray(array)
    if array.itemsize > 1 and oddity == "foreign_byte_order":
        return array.astype(array.dtype.newbyteorder("S"))
    if array.itemsize > 1 and oddity == "unaligned_stride":
        padded = np.zeros(array.shape, [("pad", "u1"), ("element", array.dtype)])
        padded["element"] = array
        return padded["element"]
    raise NotImplementedError(f"NumPy has no {oddity} arrays of {array.dtype}")
