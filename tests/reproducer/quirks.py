# tests/reproducer/quirks.py: further ways of a toy library, as in defects.py, so that every fact has something to say.
"""A run may find nothing wrong with them, or die: they are for exchanges whose facts are compared."""

MISREADS = """
correct_values = values
def values(array):
    bits = correct_values(array)
    return bytes([bits[0] ^ 1]) + bits[1:]
"""

DESCRIBES_OTHER_STRIDES = """
correct_describe = describe
def describe(array):
    pointer, shape, strides, *others = correct_describe(array)
    return (pointer, shape, (0,) * len(strides), *others)
"""

WRITES_WHAT_IT_IMPORTS = """
correct = from_dlpack
def from_dlpack(obj, **kw):
    array = correct(obj, **kw)
    if not array.read_only and 0 not in array.shape:
        ctypes.c_uint8.from_address(array.pointer).value ^= 1
    return array
"""

CHANGES_THE_CAPSULE = """
for function in (API.PyCapsule_SetContext, API.PyCapsule_SetDestructor, API.PyCapsule_SetPointer):
    function.argtypes = [ctypes.py_object, ctypes.c_void_p]
correct = from_dlpack
def from_dlpack(obj, **kw):
    held = []
    keeper = type("Keeper", (), {"__dlpack__": lambda self, **named: held.append(obj.__dlpack__(**named)) or held[-1]})
    array = correct(keeper(), **kw)
    API.PyCapsule_SetContext(held[-1], 17)
    API.PyCapsule_SetDestructor(held[-1], None)
    if array.dtype != "bool":
        API.PyCapsule_SetPointer(held[-1], 4096)
    return array
"""

EXPORTS_ONE_CAPSULE = """
kept = []
correct_export = Array.__dlpack__
def export_again(self, **kw):
    if not hasattr(self, "capsule"):
        self.capsule = correct_export(self, **kw)
        kept.extend(exported.values())  # what was deleted may be read again
    return self.capsule
Array.__dlpack__ = export_again
"""

EXPORTS_WITHOUT_ARRAYS = """
API.PyCapsule_SetDestructor.argtypes = [ctypes.py_object, ctypes.c_void_p]
nothing = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda capsule: None)
correct_export = Array.__dlpack__
def export_without(self, **kw):
    capsule = correct_export(self, **kw)
    versioned = bool(API.PyCapsule_IsValid(capsule, VERSIONED))
    kind, name = (ManagedVersioned, VERSIONED) if versioned else (Managed, LEGACY)
    tensor = kind.from_address(API.PyCapsule_GetPointer(capsule, name)).tensor
    if min(self.strides, default=0) >= 0:  # else a reading would leave the memory
        tensor.strides = None
    if tensor.ndim != 1:
        tensor.shape = None
    API.PyCapsule_SetDestructor(capsule, nothing)
    return capsule
Array.__dlpack__ = export_without
"""

CHANGES_WHAT_IT_EXPORTED = """
correct_values = values
def values(array):
    for managed, shape, strides, owner in exported.values():
        managed.tensor.device_id = 3
        for i in range(len(shape)):
            shape[i] = 1
    return correct_values(array)
"""

ASKS_FOR_MORE = """
correct = from_dlpack
def from_dlpack(obj, **kw):
    device = obj.__dlpack_device__()
    try:
        capsule = obj.__dlpack__(stream=None, max_version=(1, 3), dl_device=device, copy=False)
    except TypeError:
        try:
            capsule = obj.__dlpack__(None, stream=-1)
        except TypeError:
            capsule = obj.__dlpack__(stream=1 << 70, copy=True, max_version=(1.5, 0), nonsense=[])
    return correct(Bare(capsule))
"""

REFUSES_WITH_TYPE_ERRORS = """
def type_error(*args, **kw):
    raise TypeError("not like this")
correct = from_dlpack
def from_dlpack(obj, **kw):
    try:
        return correct(obj, **kw)
    except BufferError as error:
        raise TypeError(str(error))
Array.__dlpack_device__ = change_metadata = type_error
correct_make = make
def make(request):
    return correct_make(request) if len(request.shape) < 3 else type_error()
"""

REFUSES_TO_SAY_WHERE = """
def buffer_error(*args, **kw):
    raise BufferError("not like this")
Array.__dlpack_device__ = change_metadata = buffer_error
correct_make = make
def make(request):
    return correct_make(request) if len(request.shape) < 3 else buffer_error()
"""

KEEPS_AND_REFUSES = """
kept = []
def keep(self, **kw):
    kept.append(self)
    raise BufferError("no")
Array.__dlpack__ = keep
"""

DELETES_ANOTHER = """
def delete_another(self):
    if self.managed.deleter:
        Deleter(self.managed.deleter)(ctypes.addressof(self.managed) + 8)
Imported.__del__ = delete_another
"""

QUIRKS = {name: text for name, text in globals().items() if name.isupper()}
