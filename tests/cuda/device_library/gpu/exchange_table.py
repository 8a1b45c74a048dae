# tests/cuda/device_library/gpu/exchange_table.py: the C exchange API: exports, imports, and the current stream.
import ctypes

from .arrays import Array
from .common import CUDA, DEFECT
from .driver import DRIVER, other_stream, stream_of
from .exports import fill, managed_struct
from .imports import taken
from .structs import EXCHANGE, Table, Tensor, Versioned, increment, new_capsule


def _at(address):
    return ctypes.cast(address, ctypes.py_object).value


def _wait(defect):
    """The answer is not looked at. A ctypes callback cannot return an exception to its caller."""
    if DEFECT == defect:
        DRIVER.cuStreamSynchronize(None)


def _from_object(address, out):
    _wait("synchronises-table-exports")
    ctypes.c_void_p.from_address(out).value = ctypes.addressof(managed_struct(_at(address), True, False))
    return 0


def _to_object(address, out):
    _wait("synchronises-table-imports")
    managed = Versioned.from_address(address)
    try:
        imported = taken(managed, True, managed.tensor.device_type, managed.tensor.device_id, lambda: None)
    except BufferError:
        return -1
    increment(imported)
    ctypes.c_void_p.from_address(out).value = id(imported)
    return 0


def _view(address, out):
    """Shape and strides live as long as the array."""
    _wait("synchronises-views")
    source = _at(address)
    source.viewed = fill(Tensor.from_address(out), source)
    return 0


def _work_stream(kind, device, out):
    stream = stream_of(device) if kind == CUDA else 0
    if kind == CUDA and DEFECT == "wrapped-stream":
        stream = id(Table)
    elif kind == CUDA and DEFECT == "another-work-stream":
        stream = other_stream(device)
    ctypes.c_uint64.from_address(out).value = stream
    return 0


def _function(work, *arguments):
    return ctypes.PYFUNCTYPE(ctypes.c_int, *arguments)(work)


_WORD = ctypes.c_void_p
_functions = (_function(lambda *_: -1, _WORD, _WORD, _WORD, _WORD), _function(_from_object, _WORD, _WORD),
              _function(_to_object, _WORD, _WORD), _function(_view, _WORD, _WORD),
              _function(_work_stream, ctypes.c_int32, ctypes.c_int32, _WORD))
_table = Table(1, 3, None, *[ctypes.cast(function, _WORD) for function in _functions])
Array.__dlpack_c_exchange_api__ = new_capsule(ctypes.addressof(_table), EXCHANGE, None)
