# bench/peer_check.py: the check of import_rate.cc as a Python programmer would write it, with ctypes.
import ctypes
import sys
import time

import numpy as np

CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}
TYPES = [np.dtype(name) for name in (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
    "complex64", "complex128")]
FACTORS = [1, 1, 2, -1, 0]  # of strides
READ_ONLY = 1


class DataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("dtype", DataType), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


class Managed(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("manager_ctx", ctypes.c_void_p),
                ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", Tensor)]


new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
NAME = b"dltensor_versioned"
calls = []


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def deleter(managed):
    calls.append(managed)


class Producer:
    """Offers one tensor, as an array of another library would."""

    def __init__(self, managed):
        self.managed = managed

    def __dlpack__(self, **keywords):
        return new_capsule(ctypes.addressof(self.managed), NAME, None)

    def __dlpack_device__(self):
        return (1, 0)


def steps_of(shape, factors):
    """Strides in elements, each stretched by its factor (0: broadcast, negative: reversed), and element 0's number."""
    strides = []
    step = 1
    for extent, factor in zip(reversed(shape), reversed(factors)):
        strides.insert(0, step * factor)
        step *= max(extent, 1) * 2
    lowest = sum(min(0, (extent - 1) * stride) for extent, stride in zip(shape, strides) if extent > 0)
    return strides, -lowest


def imports_what_was_offered(dtype, shape, factors, offset, read_only, seed):
    strides, first = steps_of(shape, factors)
    item = dtype.itemsize
    highest = sum(max(0, (extent - 1) * stride) for extent, stride in zip(shape, strides) if extent > 0)
    size = (offset + first + highest + 1) * item
    if dtype.kind == "b":
        values = bytes((seed + i) & 1 for i in range(size))
    else:
        values = bytes((seed + 7 * i) & 63 for i in range(size))  # no NaN: patterns with the exponent full
    store = ctypes.create_string_buffer(values, size)
    extents = (ctypes.c_int64 * len(shape))(*shape)
    steps = (ctypes.c_int64 * len(shape))(*strides)
    managed = Managed(1, 0, None, ctypes.cast(deleter, ctypes.c_void_p).value, READ_ONLY if read_only else 0,
                      Tensor(ctypes.addressof(store), 1, 0, len(shape), DataType(CODES[dtype.kind], item * 8, 1),
                             extents, steps, (offset + first) * item))
    calls.clear()
    array = np.from_dlpack(Producer(managed))
    want = np.ndarray(shape, dtype, store, (offset + first) * item, [stride * item for stride in strides])
    assert array.dtype == dtype
    assert array.shape == tuple(shape)
    if array.size > 0:
        assert all(a == b for a, b, extent in zip(array.strides, want.strides, shape) if extent > 1)
        assert array.__array_interface__["data"][0] == want.__array_interface__["data"][0]
    assert array.flags.writeable != read_only
    assert array.tobytes() == want.tobytes()
    assert not calls
    assert list(extents) == shape and list(steps) == strides and store.raw == values
    del array
    assert calls == [ctypes.addressof(managed)]


def measure(run):
    """`run(examples)` checks that many examples. Prints properties per second of CPU time, once per repetition."""
    examples, repetitions = int(sys.argv[1]), int(sys.argv[2])
    for _ in range(repetitions):
        began = time.process_time()
        run(examples)
        print(f"{examples / (time.process_time() - began):.1f}", flush=True)
