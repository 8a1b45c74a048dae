# tests/python/toy_adapter/adapter.py: a small conforming library of one type, in pure Python, for tests of the bridge.
import ctypes
import itertools
import threading

API = ctypes.pythonapi
API.PyCapsule_New.restype = ctypes.py_object
API.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
for function in (API.PyCapsule_IsValid, API.PyCapsule_GetPointer, API.PyCapsule_SetName):
    function.argtypes = [ctypes.py_object, ctypes.c_char_p]
API.PyCapsule_GetPointer.restype = ctypes.c_void_p

LEGACY, USED_LEGACY = b"dltensor", b"used_dltensor"
VERSIONED, USED_VERSIONED = b"dltensor_versioned", b"used_dltensor_versioned"
CODES = {"int8": (0, 8), "int32": (0, 32), "uint8": (1, 8), "float32": (2, 32), "float64": (2, 64), "bool": (6, 8)}
NAMES = {code: name for name, code in CODES.items()}
TAKING = threading.RLock()  # of several threads that are given one capsule one takes it


class DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


class Managed(ctypes.Structure):
    _fields_ = [("tensor", DLTensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class ManagedVersioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
                ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", DLTensor)]


Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
exported = {}  # address of an exported struct: everything that it points to


@Deleter
def forget(address):
    exported.pop(address, None)


class Array:
    """A typed, strided piece of memory; `owner` keeps it alive."""

    def __init__(self, pointer, shape, strides, dtype, owner, read_only=False):
        self.pointer, self.shape, self.strides, self.dtype = pointer, shape, strides, dtype
        self.owner, self.read_only = owner, read_only

    def addresses(self):
        if 0 in self.shape:
            return  # the other extents may be huge
        for index in itertools.product(*map(range, self.shape)):
            yield self.pointer + sum(i * s for i, s in zip(index, self.strides))

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        versioned = max_version is not None and max_version[0] >= 1
        managed = ManagedVersioned(major=1, minor=0, flags=self.read_only) if versioned else Managed()
        if self.read_only and not versioned:
            raise BufferError("a legacy capsule cannot say that the array is read-only")
        size, dims = CODES[self.dtype][1] // 8, len(self.shape)
        shape = (ctypes.c_int64 * dims)(*self.shape)
        strides = (ctypes.c_int64 * dims)(*(stride // size for stride in self.strides))
        managed.tensor = DLTensor(self.pointer, 1, 0, dims, *CODES[self.dtype], 1, shape, strides, 0)
        managed.deleter = ctypes.cast(forget, ctypes.c_void_p)
        exported[ctypes.addressof(managed)] = managed, shape, strides, self
        return API.PyCapsule_New(ctypes.addressof(managed), VERSIONED if versioned else LEGACY, None)

    def __dlpack_device__(self):
        return 1, 0


class Imported:
    """Owns a foreign tensor."""

    def __init__(self, managed):
        self.managed = managed

    def __del__(self):
        if self.managed.deleter:
            Deleter(self.managed.deleter)(ctypes.addressof(self.managed))


def version():
    return "1.0"


def from_dlpack(obj, **kw):
    method = type(obj).__dlpack__  # as Python looks up its special methods
    try:
        capsule = method(obj, max_version=(1, 0), **kw)
    except TypeError:
        capsule = method(obj)
    with TAKING:
        return take(capsule)


def take(capsule):
    versioned = bool(API.PyCapsule_IsValid(capsule, VERSIONED))
    if not versioned and not API.PyCapsule_IsValid(capsule, LEGACY):
        raise BufferError("not an unused DLPack capsule")
    kind, name, used = (ManagedVersioned, VERSIONED, USED_VERSIONED) if versioned else (Managed, LEGACY, USED_LEGACY)
    managed = kind.from_address(API.PyCapsule_GetPointer(capsule, name))
    tensor = managed.tensor
    dtype = NAMES.get((tensor.code, tensor.bits))
    if dtype is None or tensor.lanes != 1 or tensor.device_type != 1:
        raise BufferError("only plain types on the CPU")
    size, shape = tensor.bits // 8, tuple(tensor.shape[:tensor.ndim])
    if tensor.strides:
        strides = tuple(stride * size for stride in tensor.strides[:tensor.ndim])
    else:
        strides = tuple(size * product(shape[axis + 1:]) for axis in range(tensor.ndim))
    API.PyCapsule_SetName(capsule, used)
    return Array((tensor.data or 0) + tensor.byte_offset, shape, strides, dtype, Imported(managed),
                 versioned and bool(managed.flags & 1))


def product(numbers):
    result = 1
    for number in numbers:
        result *= number
    return result


def describe(array):
    return array.pointer, array.shape, array.strides, array.dtype, (1, 0), not array.read_only


def values(array):
    return b"".join(ctypes.string_at(address, CODES[array.dtype][1] // 8) for address in array.addresses())


def write(array, index, bits):
    if array.read_only:
        raise ValueError("read-only")
    ctypes.memmove(next(itertools.islice(array.addresses(), index, None)), bits, len(bits))


def view(array):
    return Array(array.pointer, array.shape, array.strides, array.dtype, array, array.read_only)


def change_metadata(array, how):
    if how != "transpose":
        raise NotImplementedError("only transposes")
    array.shape, array.strides = array.shape[::-1], array.strides[::-1]


def make(request):
    if request.dtype not in CODES:
        raise NotImplementedError("the toy has no " + request.dtype)
    if request.oddity != "none":
        raise NotImplementedError("the toy has no " + request.oddity)
    store = ctypes.create_string_buffer(request.backing, len(request.backing))
    pointer = ctypes.addressof(store) + request.offset * request.itemsize
    strides = tuple(stride * request.itemsize for stride in request.strides)
    return Array(pointer, request.shape, strides, request.dtype, store, request.read_only)
