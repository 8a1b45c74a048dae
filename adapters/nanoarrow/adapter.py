# adapters/nanoarrow/adapter.py: nanoarrow's buffers as producers and consumers: read-only, compact and flat.
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "helpers"))
import nanoarrow  # noqa: E402
import numpy as np  # noqa: E402
import strided  # noqa: E402
from nanoarrow.c_buffer import CBuffer  # noqa: E402

NAMES = set("int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64".split())
OTHER_NAMES = {"float": "float32", "double": "float64", "half_float": "float16"}


def version():
    return nanoarrow.__version__


def lacks():
    roles = [] if hasattr(CBuffer, "from_dlpack") else ["consumer"]
    made = CBuffer.from_pybuffer(b"").view() if hasattr(CBuffer, "view") else None
    return roles if hasattr(made, "__dlpack__") else [*roles, "producer"]


def from_dlpack(obj):
    return CBuffer.from_dlpack(obj)


def describe(buffer):
    name = OTHER_NAMES.get(buffer.data_type, buffer.data_type)
    known = name in NAMES or name == "float16"
    made = not isinstance(buffer, CBuffer)  # an imported buffer is flat, whatever shape the tensor had
    shape = (buffer.n_elements,) if made else None
    return buffer._addr() or None, shape, (buffer.itemsize,) if made else None, name if known else None, (1, 0), False


def values(buffer):
    return memoryview(buffer).tobytes()


def make(request):
    if request.dtype not in NAMES or len(request.shape) != 1:
        raise NotImplementedError("buffers have one dimension and integers or floats")
    array = strided.strided(request, np, request.dtype)
    if not array.flags.c_contiguous:
        raise NotImplementedError("buffers are compact")
    return CBuffer.from_pybuffer(array).view()
