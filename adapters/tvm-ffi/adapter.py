# adapters/tvm-ffi/adapter.py: apache-tvm-ffi as producer and consumer, on the CPU. Its from_dlpack uses exchange tables.
import ctypes
import itertools

import numpy as np
import tvm_ffi

NAMES = set("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 bfloat16 float8_e3m4 float8_e4m3 "
            "float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu".split())
LANES = NAMES | set("int4 uint4 int2 uint2 float4_e2m1fn float6_e2m3fn float6_e3m2fn".split())  # types of lanes, in vectors of whole bytes


def version():
    return tvm_ffi.__version__


from_dlpack = tvm_ffi.from_dlpack


def type_of(array):
    """Name and size of an element; (None, None) for a type without a name, or with packed elements."""
    try:
        dtype = array.dtype
    except ValueError:
        return None, None
    if dtype.lanes == 1:
        return (str(dtype), dtype.itemsize) if str(dtype) in NAMES else (None, None)
    name = str(dtype).removesuffix(f"x{dtype.lanes}")
    known = name in LANES and dtype.bits * dtype.lanes % 8 == 0
    return (f"{name}_x{dtype.lanes}", dtype.itemsize) if known else (None, None)


def address(array):
    if hasattr(array, "data_ptr"):
        return array.data_ptr()
    return np.from_dlpack(array).ctypes.data  # the first releases show it only through NumPy, which lacks some types


def describe(array):
    name, item = type_of(array)
    strides = None if item is None else tuple(stride * item for stride in array.strides)
    device = (array.device.dlpack_device_type(), array.device.index)
    return address(array), tuple(array.shape), strides, name, device, None


def values(array):
    """The library has no conversion, so the elements are read from its memory."""
    name, item = type_of(array)
    if name is None:
        return None
    data, strides = address(array), array.strides
    places = itertools.product(*map(range, array.shape))
    return b"".join(ctypes.string_at(data + item * sum(map(int.__mul__, place, strides)), item) for place in places)


def make(request):
    """The library cannot make arrays, so they come from NumPy and use its memory."""
    if request.dtype not in NAMES or not hasattr(np, request.dtype):
        raise NotImplementedError(f"NumPy has no {request.dtype}")
    if request.read_only:
        raise NotImplementedError("tvm-ffi has no read-only arrays")
    store = np.frombuffer(bytearray(request.backing), request.dtype)
    steps = [stride * request.itemsize for stride in request.strides]
    array = np.lib.stride_tricks.as_strided(store[request.offset:], request.shape, steps)
    return tvm_ffi.from_dlpack(array.copy() if request.making == "fresh" else array)
