# tests/cuda/device_library/gpu/exports.py: exported structs and capsules.
import ctypes
import math
import os

from .common import CUDA, DEFECT, HOST, TYPES
from .driver import DRIVER, Current, Memory, call
from .structs import LEGACY, VERSIONED, Legacy, Tensor, Versioned, name_of, new_capsule, pointer_of

# What a struct keeps alive until its deleter runs, on any thread.
_live, _leaked = {}, []


def declared(source):
    """The device of an exported struct, and of __dlpack_device__."""
    if source.device[0] != CUDA or not isinstance(source.owner, Memory):
        return source.device
    if DEFECT in ("pinned-arrays", "device-arrays-declared-as-pinned", "managed-arrays-declared-as-pinned"):
        return 3, 0
    return (13, 0) if DEFECT in ("managed-arrays", "device-arrays-declared-as-managed") else source.device


def _delete(address):
    *_, source = _live.pop(address)
    if DEFECT == "deleter-wants-a-device":
        current = ctypes.c_void_p()
        call("cuCtxGetCurrent", ctypes.byref(current))
        if not current.value:
            os.abort()
    if DEFECT == "deleter-leaks":
        _leaked.append(source)
    if source.stream is not None:
        DRIVER.cuStreamSynchronize(ctypes.c_void_p(source.stream))
    with Current(source.device[1], DEFECT == "deleter-changes-the-device"):
        del source


def _destroy(capsule):
    name = name_of(capsule)
    if name in (LEGACY, VERSIONED):
        _delete(pointer_of(capsule, name))


_deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(_delete)
_destructor = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(_destroy)


def fill(tensor, source):
    """The shape and strides arrays that the tensor points to."""
    count = max(1, len(source.shape))
    shape, strides = (ctypes.c_int64 * count)(*source.shape), (ctypes.c_int64 * count)(*source.strides)
    address = source.address
    if DEFECT == "another-address" and source.device != HOST:
        source = source.compact(source.device, source.tobytes())
        address = source.address
        strides = (ctypes.c_int64 * count)(*source.strides)
    if source.device != HOST and DEFECT == "no-address":
        address = 0
    if source.device != HOST and DEFECT == "spoils-elements" and math.prod(source.shape):
        other = ctypes.create_string_buffer(b"?" * source.itemsize)
        call("cuMemcpy", ctypes.c_uint64(address), ctypes.c_uint64(ctypes.addressof(other)), ctypes.c_size_t(source.itemsize))
    code, bits = TYPES[source.name]
    values = (address, *declared(source), len(source.shape), code, bits, 1, shape, strides, 0)
    for (name, _), value in zip(Tensor._fields_, values):
        setattr(tensor, name, value)
    return shape, strides, source


def managed_struct(source, versioned, copied):
    managed = Versioned() if versioned else Legacy()
    if versioned:
        managed.major, managed.minor, managed.flags = 1, 3, 2 if copied else 0
    managed.deleter = ctypes.cast(_deleter, ctypes.c_void_p)
    shape, strides, kept = fill(managed.tensor, source)
    _live[ctypes.addressof(managed)] = managed, shape, strides, source, kept
    return managed


def capsule_of(source, versioned, copied):
    managed = managed_struct(source, versioned, copied)
    return new_capsule(ctypes.addressof(managed), VERSIONED if versioned else LEGACY,
                        ctypes.cast(_destructor, ctypes.c_void_p))
