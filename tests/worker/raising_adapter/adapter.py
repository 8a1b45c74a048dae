# tests/worker/raising_adapter/adapter.py: the toy library, whose __dlpack__ raises what RAISES says.
import ctypes
import importlib.util
import os

_file = os.environ["TOY"]
_spec = importlib.util.spec_from_file_location("toy", _file)
toy = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(toy)
globals().update({name: value for name, value in vars(toy).items() if not name.startswith("__")})


def nothing(array):
    """The toy as it is."""


def scalars(array):
    """Not legal: a bug for arrays without dimensions, whatever their dtype and the keywords are."""
    if not array.shape:
        array.shape[0]


def scalars_and_doubles(array):
    """Not legal: two bugs. A float64 array without dimensions shows the first one."""
    scalars(array)
    if array.dtype == "float64":
        raise KeyError(array.dtype)


def scalars_and_read_only(array):
    """Not legal: two bugs of one class, with different texts."""
    if not array.shape:
        raise AssertionError("no strides")
    if array.read_only:
        raise AssertionError("no buffer")


def dtypes(array):
    """Not legal: one bug, whose text names the dtype."""
    if array.dtype not in ("float32", "int32"):
        raise KeyError(array.dtype)


def matrices(array):
    """Not legal: one bug, whose text has an address."""
    if len(array.shape) == 2:
        raise KeyError(id(array))


def refusals(array):
    """Legal: refuses what the others stumble over."""
    if not array.shape:
        raise BufferError("no arrays without dimensions")
    if array.dtype == "float64":
        raise NotImplementedError("no float64")


RAISES = globals()[os.environ["RAISES"]]
EXPORT = toy.Array.__dlpack__
VALID = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_IsValid", ctypes.pythonapi))
POINTER = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
SET = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p)(("PyCapsule_SetDestructor", ctypes.pythonapi))


@ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
def release(capsule):
    for name in (toy.VERSIONED, toy.LEGACY):
        if VALID(capsule, name):
            toy.forget(POINTER(capsule, name))


def copy_of(array):
    size = toy.CODES[array.dtype][1] // 8
    raw = toy.values(array)
    store = ctypes.create_string_buffer(raw, max(1, len(raw)))
    strides = tuple(size * toy.product(array.shape[axis + 1:]) for axis in range(len(array.shape)))
    return toy.Array(ctypes.addressof(store), array.shape, strides, array.dtype, store)


def dlpack(array, *, stream=None, max_version=None, dl_device=None, copy=None):
    """What the toy lacks: a destructor, copies, and the refusal of another device."""
    RAISES(array)
    if dl_device not in (None, (1, 0)):
        raise BufferError("only on the CPU")
    capsule = EXPORT(copy_of(array) if copy else array, max_version=max_version)
    if copy and VALID(id(capsule), toy.VERSIONED):
        toy.ManagedVersioned.from_address(POINTER(id(capsule), toy.VERSIONED)).flags |= 2
    SET(capsule, ctypes.cast(release, ctypes.c_void_p))
    return capsule


toy.Array.__dlpack__ = dlpack
