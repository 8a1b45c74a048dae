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
    if isinstance(array, np.generic):
        pointer, writable = None, False  # each look makes an array of its own
    else:
        # __array_interface__ has both too, and more, so it takes longer.
        pointer, writable = array.ctypes.data, array.flags.writeable
    return pointer, array.shape, array.strides, NAMES.get(array.dtype), CPU, writable


def array_struct(array):
    return None if isinstance(array, np.generic) else array.__array_struct__


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
    oddity = request.oddity
    if oddity in {"long_double", "complex_long_double", "object", "date", "text"}:
        return of_other_type(oddity, request.shape)
    if request.dtype not in TYPES:
        raise NotImplementedError(f"NumPy has no {request.dtype}")
    if oddity not in {"none", "idle_stride", "subclass", "scalar_object", "foreign_byte_order", "unaligned_stride"}:
        raise NotImplementedError(f"NumPy has no {oddity} arrays of {request.dtype}")
    size = request.itemsize
    steps = [stride * size for stride in request.strides]
    if oddity == "idle_stride":
        steps = [size + 1 if extent == 1 else step for extent, step in zip(request.shape, steps)]
    array = np.ndarray(request.shape, TYPES[request.dtype], bytearray(request.backing), request.offset * size, steps)
    if oddity not in ("none", "idle_stride"):
        return odd(oddity, array)
    if oddity == "none" and request.making == "fresh" and array.flags.c_contiguous:
        array = array.copy()
    elif oddity == "none" and request.offset == 0 and array.flags.f_contiguous and not array.flags.c_contiguous:
        array = array.copy(order="F")  # column-major memory of its own, where a view is not needed
    if request.read_only:
        array.flags.writeable = False
    return array


def of_other_type(oddity, shape):
    if oddity == "long_double":
        return np.ones(shape, np.longdouble)
    if oddity == "complex_long_double":
        return np.ones(shape, np.clongdouble)
    if oddity == "object":
        return np.full(shape, None, object)
    return np.ones(shape, "datetime64[s]") if oddity == "date" else np.full(shape, "one")


def odd(oddity, array):
    if oddity == "subclass":
        return np.ma.MaskedArray(array)
    if oddity == "scalar_object" and array.ndim == 0 and hasattr(np.generic, "__dlpack__"):
        return array[()]
    if array.itemsize > 1 and oddity == "foreign_byte_order":
        return array.astype(array.dtype.newbyteorder("S"))
    if array.itemsize > 1 and oddity == "unaligned_stride":
        padded = np.zeros(array.shape, [("pad", "u1"), ("element", array.dtype)])
        padded["element"] = array
        return padded["element"]
    raise NotImplementedError(f"NumPy has no {oddity} arrays of {array.dtype}")
