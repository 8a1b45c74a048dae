# adapters/tvm/adapter.py: Apache TVM as producer and consumer, on the CPU. Its tensors are those of apache-tvm-ffi.
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "helpers"))
import numpy as np  # noqa: E402
import strided  # noqa: E402
import tvm  # noqa: E402

_ffi = strided.adapter_of("tvm-ffi")
describe, values = _ffi.describe, _ffi.values
NAMES = ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64").split()


def version():
    return tvm.__version__


from_dlpack = tvm.runtime.from_dlpack


def compute(array):
    return array.copyto(tvm.cpu(0))


def make(request):
    if request.dtype not in NAMES:
        raise NotImplementedError(f"the adapter makes tensors with NumPy, and TVM has no {request.dtype} of it")
    if request.read_only:
        raise NotImplementedError("TVM has no read-only tensors")
    array = strided.strided(request, np, request.dtype)
    if request.making == "view" or not array.flags.c_contiguous:
        raise NotImplementedError("TVM tensors are compact, and are never views")
    return tvm.runtime.tensor(array)
