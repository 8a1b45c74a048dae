# tests/cuda/device_library/gpu/common.py: what all files use: the defect, element types, devices, streams.
import math
import os

DEFECT = os.environ.get("CUDA_DEFECT", "")
HOST, CUDA = (1, 0), 2
LEGACY_STREAM, NON_BLOCKING = 1, 1
ABSENT = object()
TYPES = {"int8": (0, 8), "int16": (0, 16), "int32": (0, 32), "int64": (0, 64), "uint8": (1, 8), "uint16": (1, 16),
         "uint32": (1, 32), "uint64": (1, 64), "float16": (2, 16), "float32": (2, 32), "float64": (2, 64)}
NAMES = {kind: name for name, kind in TYPES.items()}


def compact_strides(shape):
    return tuple(math.prod(shape[axis + 1:]) for axis in range(len(shape)))
