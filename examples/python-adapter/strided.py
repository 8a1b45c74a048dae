# examples/python-adapter/strided.py: the library under test in this example. It reads DLPack tensors with ctypes only.
"""A Block is a strided view of foreign memory. from_dlpack() makes one from any object that exports DLPack."""
import array
import ctypes
import math
import threading

MAX_DIMS = 32
LARGEST_COPY = 1 << 18  # bytes: a broadcast tensor may describe more than any memory
CPU = 1

# DLPack's code and bits, and the type code of array.array.
TYPES = {(0, 8): "b", (0, 16): "h", (0, 32): "i", (0, 64): "q", (1, 8): "B", (1, 16): "H", (1, 32): "I", (1, 64): "Q",
         (2, 32): "f", (2, 64): "d"}

_api = ctypes.pythonapi
_api.PyCapsule_GetName.restype = ctypes.c_char_p
_api.PyCapsule_GetName.argtypes = [ctypes.py_object]
_api.PyCapsule_GetPointer.restype = ctypes.c_void_p
_api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]

# Static, because a capsule keeps the pointer to its name, not a copy.
LEGACY, USED_LEGACY = b"dltensor", b"used_dltensor"
VERSIONED, USED_VERSIONED = b"dltensor_versioned", b"used_dltensor_versioned"

# If several threads import the same capsule, only one may consume it.
_taking = threading.Lock()

_Deleter = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)


class _Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


class _Legacy(ctypes.Structure):
    _fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class _Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
                ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", _Tensor)]


class _Owner:
    """Calls the deleter of a tensor when the last block is gone."""

    def __init__(self, managed):
        self.managed = managed

    def __del__(self):
        if self.managed.deleter:
            _Deleter(self.managed.deleter)(ctypes.addressof(self.managed))


class Block:
    """`strides` in bytes; `owner` keeps the memory alive."""

    def __init__(self, address, shape, strides, kind, read_only, owner):
        self.address, self.shape, self.strides, self.kind = address, shape, strides, kind
        self.read_only, self.owner = read_only, owner

    @property
    def itemsize(self):
        return self.kind[1] // 8

    def _addresses(self):
        for index in range(math.prod(self.shape)):
            yield self._address(index)

    def _address(self, index):
        """The address of the element at a row-major index."""
        address = self.address
        for extent, stride in zip(reversed(self.shape), reversed(self.strides)):
            index, position = divmod(index, extent)
            address += position * stride
        return address

    def tobytes(self):
        if math.prod(self.shape) * self.itemsize > LARGEST_COPY:
            raise MemoryError("there are too many elements for a copy")
        return b"".join(ctypes.string_at(address, self.itemsize) for address in self._addresses())

    def __setitem__(self, index, bits):
        if self.read_only:
            raise ValueError("the block is read-only")
        if not 0 <= index < math.prod(self.shape):
            raise IndexError("the block has no such element")
        ctypes.memmove(self._address(index), bits, self.itemsize)

    def view(self):
        return Block(self.address, self.shape, self.strides, self.kind, self.read_only, self.owner)

    def copy(self):
        """A compact block over an array.array."""
        store = array.array(TYPES[self.kind])
        store.frombytes(self.tobytes())
        address = store.buffer_info()[0] if len(store) else 0
        return Block(address, self.shape, _compact(self.shape, self.itemsize), self.kind, False, store)


def from_dlpack(obj, copy=None):
    try:
        capsule = obj.__dlpack__(max_version=(1, 3), copy=copy)
    except TypeError:  # an old producer without these keywords
        capsule = obj.__dlpack__()
    with _taking:
        name = _api.PyCapsule_GetName(capsule)
        if name not in (LEGACY, VERSIONED):
            raise BufferError("not an unused DLPack capsule")
        kind, used = (_Versioned, USED_VERSIONED) if name == VERSIONED else (_Legacy, USED_LEGACY)
        managed = kind.from_address(_api.PyCapsule_GetPointer(capsule, name))
        # After a refusal the tensor stays in its capsule, whose destructor releases it. If the major version is another
        # one, only the fields up to `flags` may be read.
        if name == VERSIONED and managed.major != 1:
            raise BufferError("only major version 1 of DLPack is supported")
        flags = managed.flags if name == VERSIONED else 0
        block = _read(managed.tensor, bool(flags & 1))
        # From here on this library owns the tensor.
        _api.PyCapsule_SetName(capsule, used)
    block.owner = _Owner(managed)
    return block.copy() if copy and not flags & 2 else block


def _read(tensor, read_only):
    kind = tensor.code, tensor.bits
    if tensor.device_type != CPU:
        raise BufferError("only tensors on the CPU are supported")
    if kind not in TYPES or tensor.lanes != 1:
        raise BufferError("this element type is not supported")
    if not 0 <= tensor.ndim <= MAX_DIMS or (tensor.ndim > 0 and not tensor.shape):
        raise BufferError("the number of dimensions is not supported")
    shape = tuple(tensor.shape[:tensor.ndim]) if tensor.ndim else ()
    if any(extent < 0 for extent in shape):
        raise BufferError("an extent is negative")
    itemsize = kind[1] // 8
    strides = _compact(shape, itemsize)
    if 0 in shape:  # data and strides have no meaning
        return Block(0, shape, strides, kind, read_only, None)
    if not tensor.data:
        raise BufferError("the tensor has elements, but data is NULL")
    if tensor.ndim and tensor.strides:
        given = tensor.strides[:tensor.ndim]
        strides = tuple(stride * itemsize if extent > 1 else 0 for stride, extent in zip(given, shape))
    reach = sum(abs(stride) * (extent - 1) for stride, extent in zip(strides, shape))
    if max(reach, math.prod(shape) * itemsize) >= 1 << 63:
        raise BufferError("the strides reach beyond the address space")
    return Block(tensor.data + tensor.byte_offset, shape, strides, kind, read_only, None)


def _compact(shape, itemsize):
    return tuple(itemsize * math.prod(shape[axis + 1:]) for axis in range(len(shape)))
