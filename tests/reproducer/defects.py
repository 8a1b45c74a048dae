# tests/reproducer/defects.py: defects of a toy library; each is text that follows the toy's adapter.
"""Every defect breaks a different part of an exchange, so that each kind of fact decides some finding."""
from small_types import EXPORTS_VIEWS_INSIDE_BYTES, FLAGS_PACKED_AS_PADDED, READS_HIGH_BITS_FIRST, SMALL_TYPES  # noqa: F401

ABORTS = """
import os
correct = from_dlpack
def from_dlpack(obj, **kw):
    array = correct(obj, **kw)
    if any(stride < 0 for stride in array.strides):
        os.abort()
    return array
"""

HANGS = """
correct = from_dlpack
def from_dlpack(obj, **kw):
    array = correct(obj, **kw)
    while 0 in array.shape:
        pass
    return array
"""

LEAVES = """
import os
correct = from_dlpack
def from_dlpack(obj, **kw):
    array = correct(obj, **kw)
    if array.dtype == "bool":
        os._exit(7)
    return array
"""

LEAKS = """
Imported.__del__ = lambda self: None
"""

DELETES_TWICE = """
correct_end = Imported.__del__
def end(self):
    correct_end(self)
    correct_end(self)
Imported.__del__ = end
"""

DELETES_AT_ONCE = """
correct = from_dlpack
def from_dlpack(obj, **kw):
    array = correct(obj, **kw)
    array.owner.__del__()
    return array
"""

IGNORES_STRIDES = """
correct = from_dlpack
def from_dlpack(obj, **kw):
    array = correct(obj, **kw)
    size = CODES[array.dtype][1] // 8
    array.strides = tuple(size * product(array.shape[axis + 1:]) for axis in range(len(array.shape)))
    return array
"""

COPIES = """
correct = from_dlpack
def from_dlpack(obj, **kw):
    array = correct(obj, **kw)
    store = ctypes.create_string_buffer(values(array) or b"0")
    size = CODES[array.dtype][1] // 8
    strides = tuple(size * product(array.shape[axis + 1:]) for axis in range(len(array.shape)))
    return Array(ctypes.addressof(store), array.shape, strides, array.dtype, store)
"""

FORGETS_THE_NAME = """
class Forgetful:
    def __getattr__(self, name):
        return getattr(ctypes.pythonapi, name)
    def PyCapsule_SetName(self, capsule, name):
        return 0
API = Forgetful()
"""

CHANGES_THE_TENSOR = """
correct = from_dlpack
def from_dlpack(obj, **kw):
    array = correct(obj, **kw)
    tensor = array.owner.managed.tensor
    if tensor.ndim > 0 and tensor.shape[0] == 2:
        tensor.shape[0] = 1
        array.owner.managed.context = 17
    return array
"""

READS_TOO_FAR = """
correct_values = values
def values(array):
    if len(array.shape) == 1 and isinstance(array.owner, Imported):  # guard pages follow only what the toy was given
        ctypes.string_at(array.pointer, (array.shape[0] + 64) * CODES[array.dtype][1])
    return correct_values(array)
"""

ALWAYS_WRITABLE = """
correct_describe = describe
def describe(array):
    description = correct_describe(array)
    return description[:5] + (True,) if isinstance(array.owner, Imported) else description
"""

RAISES_SOMETHING_ELSE = """
correct = from_dlpack
def from_dlpack(obj, **kw):
    try:
        return correct(obj, **kw)
    except BufferError as error:
        raise RuntimeError(str(error))
"""

EXPORTS_NONSENSE = """
correct_export = Array.__dlpack__
def export_wrongly(self, **kw):
    capsule = correct_export(self, **kw)
    versioned = bool(API.PyCapsule_IsValid(capsule, VERSIONED))
    kind, name = (ManagedVersioned, VERSIONED) if versioned else (Managed, LEGACY)
    managed = kind.from_address(API.PyCapsule_GetPointer(capsule, name))
    managed.tensor.device_type = 4
    managed.tensor.bits += 1
    if versioned:
        managed.major, managed.flags = 7, 0x40
    return capsule
Array.__dlpack__ = export_wrongly
"""

EXPORTS_OTHER_ELEMENTS = """
correct_export = Array.__dlpack__
def export_a_zero(self, **kw):
    if self.dtype == "int32" and len(self.shape) > 0 and 0 not in self.shape and not self.read_only:
        ctypes.memset(self.pointer, 0, 4)
    return correct_export(self, **kw)
Array.__dlpack__ = export_a_zero
"""

KEEPS_THE_SOURCE = """
kept = []
correct_export = Array.__dlpack__
def export_and_keep(self, **kw):
    kept.append(self)
    return correct_export(self, **kw)
Array.__dlpack__ = export_and_keep
"""

KEEPS_ON_REFUSAL = """
kept = []
correct_export = Array.__dlpack__
def export_or_keep(self, **kw):
    try:
        return correct_export(self, **kw)
    except Exception:
        kept.append(self)
        raise
Array.__dlpack__ = export_or_keep
"""

REPORTS_ANOTHER_DEVICE = """
Array.__dlpack_device__ = lambda self: [2, 0]
"""

TAKES_NO_KEYWORDS = """
correct_export = Array.__dlpack__
Array.__dlpack__ = lambda self: correct_export(self)
"""

REFUSES_NEWER_VERSIONS = """
correct_export = Array.__dlpack__
def export_or_refuse(self, **kw):
    if (kw.get("max_version") or (1, 0)) > (1, 3):
        raise BufferError("no such version")
    return correct_export(self, **kw)
Array.__dlpack__ = export_or_refuse
"""

ASKS_WRONGLY = """
correct = from_dlpack
def from_dlpack(obj, **kw):
    return correct(type("Asker", (), {"__dlpack__": lambda self, **named: obj.__dlpack__(stream="s")})())
"""

IGNORES_BYTE_OFFSET = """
correct = from_dlpack
def from_dlpack(obj, **kw):
    array = correct(obj, **kw)
    array.pointer -= array.owner.managed.tensor.byte_offset
    return array
"""

HOLDS_BYTE_OFFSET_IN_16_BITS = """
correct = from_dlpack
def from_dlpack(obj, **kw):
    array = correct(obj, **kw)
    array.pointer -= array.owner.managed.tensor.byte_offset & ~0xFFFF
    return array
"""

CONSUMES_WHAT_IT_REFUSES = """
correct = from_dlpack
def from_dlpack(obj, **kw):
    held = []
    keeper = type("Keeper", (), {"__dlpack__": lambda self, **named: held.append(obj.__dlpack__(**named)) or held[-1]})
    try:
        return correct(keeper(), **kw)
    except BufferError:
        for name, used in ((VERSIONED, USED_VERSIONED), (LEGACY, USED_LEGACY)):
            if held and API.PyCapsule_IsValid(held[-1], name):
                API.PyCapsule_SetName(held[-1], used)
        raise
"""

EXPORTS_ANOTHER_TYPE = """
correct_export = Array.__dlpack__
def export_wrongly(self, **kw):
    capsule = correct_export(self, **kw)
    versioned = bool(API.PyCapsule_IsValid(capsule, VERSIONED))
    kind, name = (ManagedVersioned, VERSIONED) if versioned else (Managed, LEGACY)
    kind.from_address(API.PyCapsule_GetPointer(capsule, name)).tensor.code ^= 1
    return capsule
Array.__dlpack__ = export_wrongly
"""

EXPORTS_ANOTHER_VERSION = """
correct_export = Array.__dlpack__
def export_wrongly(self, **kw):
    capsule = correct_export(self, **kw)
    if API.PyCapsule_IsValid(capsule, VERSIONED):
        ManagedVersioned.from_address(API.PyCapsule_GetPointer(capsule, VERSIONED)).major = 7
    return capsule
Array.__dlpack__ = export_wrongly
"""

KEEPS_THE_MEMORY = """
kept = []
correct_export = Array.__dlpack__
def export_memory(self, **kw):
    capsule = correct_export(self, **kw)
    address, everything = exported.popitem()
    exported[address] = *everything[:3], self.owner
    if not isinstance(self.owner, Imported):
        kept.append(self.owner)
    return capsule
Array.__dlpack__ = export_memory
"""

EXPORTS_LIVE_METADATA = """
correct_change = change_metadata
def change_metadata(array, how):
    correct_change(array, how)
    for _, shape, strides, owner in exported.values():
        if owner is array:
            size = CODES[array.dtype][1] // 8
            shape[:] = array.shape
            strides[:] = [stride // size for stride in array.strides]
"""

REFUSES_AS_NOT_IMPLEMENTED = """
correct = from_dlpack
def from_dlpack(obj, **kw):
    array = correct(obj, **kw)
    if 0 in array.shape:
        raise NotImplementedError("empty tensors are not implemented")
    return array
"""

DELETES_LATE = """
import atexit
libc = ctypes.CDLL(None)
def add_handler():
    getattr(libc, "__cxa_atexit")(ctypes.cast(libc.pause, ctypes.c_void_p), None, None)
atexit.register(add_handler)
"""

ENDS_THE_THREAD = """
import atexit
def replace_deleters():
    for managed, *_ in exported.values():
        managed.deleter = ctypes.cast(ctypes.CDLL(None).pthread_exit, ctypes.c_void_p)
atexit.register(replace_deleters)
"""

# Finalisation waits in a fork of the script, as for threads that only its parent has.
WAITS_IN_FORKS = """
import atexit, os, sys, time
process = os.getpid()
def wait_in_forks():
    while os.getpid() != process and hasattr(sys.modules["__main__"], "run_child"):
        time.sleep(1)
atexit.register(wait_in_forks)
"""

DEFECTS = {name: text for name, text in globals().items() if name.isupper()}
