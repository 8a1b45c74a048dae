# tests/cuda/device_library/gpu/imports.py: imports from capsules and through exchange tables, and reads.
import ctypes
import math
import os

from .arrays import Array
from .common import CUDA, DEFECT, HOST, LEGACY_STREAM, NAMES, TYPES, compact_strides
from .driver import Current, call, come_behind, other_stream, stream_of
from .structs import (EXCHANGE, LEGACY, READ_ONLY, USED_LEGACY, USED_VERSIONED, VERSIONED, Legacy, Table, Versioned, name_of,
                      pointer_of, rename)

TAKES = os.environ.get("CUDA_TAKES", "both")  # "device": memory of the host is not imported
MOST_BYTES = 1 << 20  # of an imported tensor


class _Owner:
    def __init__(self, managed):
        self.managed = managed

    def __del__(self):
        if self.managed.deleter and DEFECT != "never-releases":
            ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.managed.deleter)(ctypes.addressof(self.managed))


def from_dlpack(obj):
    table = getattr(type(obj), "__dlpack_c_exchange_api__", None)
    if table is not None and name_of(id(table)) == EXCHANGE:
        table = Table.from_address(pointer_of(id(table), EXCHANGE))
        if table.major == 1 and table.from_object:
            return _from_table(obj, table)
    kind_of_device, number = obj.__dlpack_device__()
    if TAKES == "device" and kind_of_device != CUDA:
        raise BufferError("only memory of CUDA devices is supported")
    words = {}
    if kind_of_device == CUDA:
        words["stream"] = stream_of(0 if DEFECT == "stream-of-the-first-device" else number)
        if DEFECT.endswith("-minus-one-consumer"):
            words["stream"] = -1
        if DEFECT in ("passes-no-stream", "waits-for-the-default-stream"):
            words = {}
    if DEFECT == "looks-at-the-type-first":
        managed, _, take = _exported(obj, {"stream": -1} if kind_of_device == CUDA else {})
        take()
        _Owner(managed)
    managed, versioned, take = _exported(obj, words)
    return taken(managed, versioned, kind_of_device, number, take)


def _exported(obj, words):
    """The struct of a new capsule, whether it is versioned, and what renames the capsule."""
    try:
        capsule = obj.__dlpack__(max_version=(1, 3), **words)
    except TypeError:
        capsule = obj.__dlpack__(**words)
    name = name_of(id(capsule))
    if name not in (LEGACY, VERSIONED):
        raise BufferError("not an unused DLPack capsule")
    struct, used = (Versioned, USED_VERSIONED) if name == VERSIONED else (Legacy, USED_LEGACY)
    managed = struct.from_address(pointer_of(id(capsule), name))
    return managed, name == VERSIONED, lambda: rename(id(capsule), used)


def taken(managed, versioned, kind_of_device, number, take):
    """The array of a tensor, which `take` takes over once it is accepted."""
    if versioned and managed.major != 1:
        raise BufferError("only major version 1 of DLPack is supported")
    tensor = managed.tensor
    kind = tensor.code, tensor.bits
    if kind not in NAMES or tensor.lanes != 1 or tensor.ndim > 8 or tensor.ndim < 0:
        raise BufferError("this tensor is not supported")
    if tensor.device_type not in (CUDA, HOST[0]):
        raise BufferError("this device is not supported")
    shape = tuple(tensor.shape[:tensor.ndim]) if tensor.ndim else ()
    strides = tuple(tensor.strides[:tensor.ndim]) if tensor.ndim and tensor.strides else compact_strides(shape)
    if math.prod(shape) * TYPES[NAMES[kind]][1] // 8 > MOST_BYTES:
        raise BufferError("a tensor of this size is not supported")
    if DEFECT == "wants-an-address" and tensor.device_type == CUDA and not tensor.data:
        raise BufferError("data is NULL")
    take()
    writable = not versioned or managed.flags & READ_ONLY == 0
    offset = tensor.byte_offset
    if tensor.device_type == CUDA:
        if DEFECT == "ignores-strides-on-the-device":
            strides = compact_strides(shape)
        if DEFECT == "ignores-offsets-on-the-device":
            offset = 0
        if DEFECT == "writes-beside-the-tensor" and 0 not in shape:
            _write_behind((tensor.data or 0) + offset, shape, strides, TYPES[NAMES[kind]][1] // 8, number)
    if DEFECT == "releases-at-once":
        _Owner(managed)
        managed = Legacy()
    imported = Array((tensor.data or 0) + offset, shape, strides, NAMES[kind],
                     (tensor.device_type, tensor.device_id), _Owner(managed))
    imported.writable = writable
    if DEFECT == "passes-the-order-on" and kind_of_device == CUDA:
        imported.after = other_stream(number)
        come_behind(imported.after, stream_of(number))
    if DEFECT == "waits-for-the-default-stream" and kind_of_device == CUDA:
        with Current(number):
            come_behind(stream_of(number), LEGACY_STREAM)
    return imported


def _from_table(obj, table):
    """Imports through the exchange table, and orders the library's stream behind the producer's work."""
    out, stream = ctypes.c_void_p(), ctypes.c_void_p()
    export = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(table.from_object)
    if export(id(obj), ctypes.addressof(out)) != 0:
        raise BufferError("the exchange table exports no tensor")
    managed = Versioned.from_address(out.value)
    kind, number = managed.tensor.device_type, managed.tensor.device_id
    if kind == CUDA and DEFECT != "ignores-work-streams":
        query = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_int32, ctypes.c_void_p)(table.stream)
        if query(kind, number, ctypes.addressof(stream)) == 0:
            with Current(number):
                come_behind(stream_of(number), stream.value or LEGACY_STREAM)
    try:
        return taken(managed, True, kind, number, lambda: None)
    except BufferError:
        _Owner(managed)
        raise


def _write_behind(address, shape, strides, itemsize, device):
    """Writes one byte behind the highest element."""
    highest = sum((extent - 1) * stride for extent, stride in zip(shape, strides) if stride > 0)
    store = ctypes.create_string_buffer(b"!", 1)
    with Current(device):
        call("cuMemcpy", ctypes.c_uint64(address + (highest + 1) * itemsize), ctypes.c_uint64(ctypes.addressof(store)),
              ctypes.c_size_t(1))


def fetch(imported):
    """The elements of an imported array, read by work on the library's stream."""
    stream = stream_of(imported.device[1])
    if DEFECT == "passes-the-order-on":
        stream = imported.after
    if DEFECT == "works-on-another-stream":
        stream = other_stream(imported.device[1])
    if DEFECT == "synchronising-minus-one-consumer":
        call("cuCtxSynchronize")
    if DEFECT == "accesses-are-wide" and imported.address % 16:
        call("fakeMisalignedAccess")
    if DEFECT == "computes-aligned-only" and imported.address % 16:
        raise RuntimeError("the address must be a multiple of 16")
    return imported.tobytes(stream)
