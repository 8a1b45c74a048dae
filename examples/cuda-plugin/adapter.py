# examples/cuda-plugin/adapter.py: lets dlpack-cts drive tensor.cc, by ctypes. A library with Python bindings needs the hooks alone.
import ctypes
import pathlib

_native = ctypes.CDLL(str(pathlib.Path(__file__).resolve().parent / "libtiny-cuda.so"))
_POINTER, _INT, _WORD = ctypes.c_void_p, ctypes.c_int, ctypes.c_int64


def _function(library, name, result, *arguments):
    function = getattr(library, name)
    function.restype, function.argtypes = result, arguments
    return function


_error = _function(_native, "tiny_cuda_error", ctypes.c_char_p)
_make = _function(_native, "tiny_cuda_make", _POINTER, ctypes.c_char_p, ctypes.c_size_t, _INT, _INT, _INT, _POINTER, _POINTER, _WORD)
_drop = _function(_native, "tiny_cuda_drop", None, _POINTER)
_address = _function(_native, "tiny_cuda_address", ctypes.c_uint64, _POINTER)
_stream = _function(_native, "tiny_cuda_stream", _POINTER)
_export = _function(_native, "tiny_cuda_export", _POINTER, _POINTER, _WORD, _INT, _INT)
_release = _function(_native, "tiny_cuda_release", None, _POINTER, _INT)

# Prototypes of their own: other code in the process may set those of ctypes.pythonapi.
_new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, _POINTER, ctypes.c_char_p, _POINTER)(("PyCapsule_New", ctypes.pythonapi))
_pointer_of = ctypes.PYFUNCTYPE(_POINTER, _POINTER, ctypes.c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
_has_name = ctypes.PYFUNCTYPE(_INT, _POINTER, ctypes.c_char_p)(("PyCapsule_IsValid", ctypes.pythonapi))

CUDA = 2
TYPES = {f"{kind}{bits}": (code, bits) for code, kind in enumerate(("int", "uint", "float")) for bits in (8, 16, 32, 64)
         if kind != "float" or bits > 8}
NAMES = b"dltensor", b"dltensor_versioned"  # a capsule keeps the pointer to its name, not a copy


@ctypes.CFUNCTYPE(None, _POINTER)
def _destroy(capsule):
    for versioned, name in enumerate(NAMES):
        if _has_name(capsule, name):
            _release(_pointer_of(capsule, name), versioned)


def _checked(pointer):
    if not pointer:
        raise RuntimeError(_error().decode())
    return pointer


class Array:
    def __init__(self, request):
        code, bits = TYPES[request.dtype]
        dims = len(request.shape)
        words = ctypes.c_int64 * max(1, dims)
        self.name, self.shape = request.dtype, tuple(request.shape)
        self.byte_strides = tuple(stride * bits // 8 for stride in request.strides)
        backing = bytes(request.backing)
        self.handle = _checked(_make(backing, len(backing), code, bits, dims, words(*request.shape), words(*request.strides),
                                     request.offset))

    def __del__(self):
        if getattr(self, "handle", None):
            _drop(self.handle)

    def __dlpack_device__(self):
        return CUDA, 0

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if stream == 0:
            raise ValueError("0 is not a CUDA stream")
        if dl_device not in (None, (CUDA, 0)):
            raise BufferError("arrays cannot be exported to this device")
        versioned = int(max_version is not None and max_version[0] >= 1)
        managed = _checked(_export(self.handle, 1 if stream is None else stream, versioned, int(bool(copy))))
        return _new_capsule(managed, NAMES[versioned], ctypes.cast(_destroy, _POINTER))


# ---- The hooks.

def version():
    return "1.0"


def make(request):
    if request.oddity != "none" or request.dtype not in TYPES:
        raise NotImplementedError("tiny-cuda has no such arrays")
    return Array(request)


def describe(array):
    return _address(array.handle), array.shape, array.byte_strides, array.name, (CUDA, 0), True


def values(array):
    return None  # the elements are on the device


def stream(array):
    return _stream()
