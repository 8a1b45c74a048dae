# adapters/pyarrow-array/adapter.py: pyarrow's Array as producer and consumer: one dimension, immutable.
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "helpers"))
import pyarrow as pa  # noqa: E402
import pyarrow.compute  # noqa: E402
import strided  # noqa: E402

_tensor = strided.adapter_of("pyarrow")


def version():
    return pa.__version__


def lacks():
    roles = [] if hasattr(pa.Array, "__dlpack__") else ["producer"]  # since 15
    return roles if hasattr(pa.Array, "from_dlpack") else [*roles, "consumer"]  # since 26


def from_dlpack(obj, **keywords):
    return pa.Array.from_dlpack(obj, **keywords)


def describe(array):
    size = array.type.bit_width // 8
    data = array.buffers()[1]
    pointer = data.address + array.offset * size if data is not None else None
    return pointer, (len(array),), (size,), _tensor.NAME_OF.get(array.type), (1, 0), False


def values(array):
    return array.to_numpy(zero_copy_only=True).tobytes()


def compute(array):
    return pa.compute.if_else(True, array, array)


def view(array):
    return array[:]


def make(request):
    if request.oddity == "text":
        return pa.array(["one"])
    if request.oddity == "date":
        return pa.array([1], pa.date32())
    if request.oddity != "none":
        raise NotImplementedError("pyarrow has no such arrays")
    if request.dtype not in _tensor.TYPES:
        raise NotImplementedError(f"pyarrow exchanges no {request.dtype}")
    if len(request.shape) != 1 or request.shape[0] > 1 and request.strides[0] != 1:
        raise NotImplementedError("arrays have one dimension, and no strides")
    whole = pa.py_buffer(bytes(request.backing))
    offset = request.offset if request.shape[0] else 0
    if request.making == "view":
        return pa.Array.from_buffers(_tensor.TYPES[request.dtype], request.shape[0], [None, whole], offset=offset, null_count=0)
    size = request.itemsize
    own = pa.py_buffer(bytes(request.backing)[offset * size:(offset + request.shape[0]) * size])
    return pa.Array.from_buffers(_tensor.TYPES[request.dtype], request.shape[0], [None, own], null_count=0)
