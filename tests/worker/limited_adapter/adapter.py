# tests/worker/limited_adapter/adapter.py: the toy library with the limitation that SHAPE names.
import importlib.util
import os

_file = os.environ["TOY"]
_spec = importlib.util.spec_from_file_location("toy", _file)
toy = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(toy)
globals().update({name: value for name, value in vars(toy).items() if not name.startswith("__")})

SHAPE = os.environ["SHAPE"]
COMPACT = toy.Array  # overwritten by shapes that export copies


def compact_copy(array, dtype=None, raw=None):
    """A row-major copy in memory of its own."""
    import ctypes
    dtype, raw = dtype or array.dtype, toy.values(array) if raw is None else raw
    store, size = ctypes.create_string_buffer(raw, max(1, len(raw))), toy.CODES[dtype][1] // 8
    strides = tuple(size * toy.product(array.shape[axis + 1:]) for axis in range(len(array.shape)))
    return toy.Array(ctypes.addressof(store), array.shape, strides, dtype, store)


def is_capsule(obj):
    return type(obj).__name__ == "PyCapsule"


def own_type():
    """Not legal: imports arrays of its own type and capsules, and no other object."""
    def from_dlpack(obj, **keywords):
        if is_capsule(obj):
            return toy.take(obj)
        if not isinstance(obj, toy.Array):
            raise TypeError("an Array is needed")
        return toy.from_dlpack(obj, **keywords)
    return {"from_dlpack": from_dlpack}


def wants_shape():
    """Not legal: imports capsules, and only objects that have an attribute `shape`."""
    def from_dlpack(obj, **keywords):
        if is_capsule(obj):
            return toy.take(obj)
        if not hasattr(obj, "shape"):
            raise BufferError("the object has no shape")
        return toy.from_dlpack(obj, **keywords)
    return {"from_dlpack": from_dlpack}


def imports_nothing():
    """Not legal: claims to be a consumer, and refuses every tensor."""
    def from_dlpack(obj, **keywords):
        raise BufferError("not supported")
    return {"from_dlpack": from_dlpack}


def exports_nothing():
    """Not legal: claims to be a producer, and refuses every export."""
    def dlpack(array, *, stream=None, max_version=None, dl_device=None, copy=None):
        raise BufferError("not supported")
    toy.Array.__dlpack__ = dlpack
    return {}


def capsules_alone():
    """Not legal without capsules_only: imports bare capsules, as functions before 2021 did, and no objects."""
    def from_dlpack(capsule):
        if not is_capsule(capsule):
            raise TypeError("a capsule is needed")
        return toy.take(capsule)
    return {"from_dlpack": from_dlpack}


def compact_only():
    """Refuses every tensor that is not row-major."""
    def from_dlpack(obj, **keywords):
        array = toy.from_dlpack(obj, **keywords)
        if 0 not in array.shape and compact_copy(array).strides != array.strides:
            raise BufferError("only row-major tensors")
        return array
    return {"from_dlpack": from_dlpack}


def copies_strided():
    """Shares row-major tensors, and copies others."""
    def from_dlpack(obj, **keywords):
        array = toy.from_dlpack(obj, **keywords)
        plain = compact_copy(array)
        return array if 0 in array.shape or plain.strides == array.strides else plain
    return {"from_dlpack": from_dlpack}


def copies_strided_exports():
    """Not legal: describes arrays that are not row-major, and exports copies of them."""
    export = toy.Array.__dlpack__

    def dlpack(array, *, stream=None, max_version=None, dl_device=None, copy=None):
        plain = compact_copy(array)
        if 0 in array.shape or plain.strides == array.strides:
            return export(array, max_version=max_version)
        plain.read_only = array.read_only
        capsule = export(plain, max_version=max_version)
        if toy.API.PyCapsule_IsValid(capsule, toy.VERSIONED):
            toy.ManagedVersioned.from_address(toy.API.PyCapsule_GetPointer(capsule, toy.VERSIONED)).flags |= 2
        return capsule
    toy.Array.__dlpack__ = dlpack
    return {}


def old_keywords():
    """The protocol of 2021: __dlpack__ has only the keyword stream."""
    export = toy.Array.__dlpack__
    toy.Array.__dlpack__ = lambda array, *, stream=None: export(array)
    return {}


def copy_is_not_none():
    """Not legal: __dlpack__ accepts copy=True and copy=False, and not copy=None."""
    export, absent = toy.Array.__dlpack__, object()

    def dlpack(array, *, stream=None, max_version=None, dl_device=None, copy=absent):
        if copy is None:
            raise TypeError("copy must be a bool")
        return export(array, max_version=max_version)
    toy.Array.__dlpack__ = dlpack
    return {}


def always_copies_on_request():
    """Shares tensors, and refuses copy=False, as a library does that cannot promise it."""
    def from_dlpack(obj, copy=None):
        if copy is False:
            raise BufferError("cannot promise that nothing is copied")
        array = toy.from_dlpack(obj)
        return compact_copy(array) if copy else array
    return {"from_dlpack": from_dlpack}


def import_copy_is_not_none():
    """Not legal: from_dlpack accepts copy=True and copy=False, and not copy=None."""
    absent = object()

    def from_dlpack(obj, copy=absent):
        if copy is None:
            raise TypeError("copy must be a bool")
        array = toy.from_dlpack(obj)
        return compact_copy(array) if copy is True else array
    return {"from_dlpack": from_dlpack}


def scalars_not_allocated():
    """Not legal: publishes an exchange table whose allocator refuses tensors without dimensions."""
    import ctypes
    pointer, number = ctypes.c_void_p, ctypes.c_int
    set_error = ctypes.CFUNCTYPE(None, pointer, ctypes.c_char_p, ctypes.c_char_p)
    tensor = ctypes.POINTER(toy.DLTensor)
    functions = (ctypes.CFUNCTYPE(number, tensor, ctypes.POINTER(pointer), pointer, set_error),
                 ctypes.PYFUNCTYPE(number, ctypes.py_object, ctypes.POINTER(pointer)),
                 ctypes.PYFUNCTYPE(number, pointer, ctypes.POINTER(pointer)),
                 ctypes.PYFUNCTYPE(number, ctypes.py_object, tensor),
                 ctypes.PYFUNCTYPE(number, ctypes.c_int32, ctypes.c_int32, ctypes.POINTER(pointer)))

    class Table(ctypes.Structure):
        _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("previous", pointer)] + \
                   [(f"function{i}", function) for i, function in enumerate(functions)]

    def export(array):
        capsule = array.__dlpack__(max_version=(1, 0))
        toy.API.PyCapsule_SetName(capsule, toy.USED_VERSIONED)
        return toy.API.PyCapsule_GetPointer(capsule, toy.USED_VERSIONED)

    def allocate(prototype, out, context, report):
        asked = prototype.contents
        shape, dtype = tuple(asked.shape[:asked.ndim]), toy.NAMES.get((asked.code, asked.bits))
        count = toy.product(shape)
        if not shape or dtype is None or asked.lanes != 1 or asked.device_type != 1 or not 0 <= count < 1 << 40 or min(shape) < 0:
            report(context, b"BufferError", b"not supported")
            return -1
        raw = bytes(count * toy.CODES[dtype][1] // 8)
        out[0] = export(compact_copy(toy.Array(0, shape, (), dtype, None), raw=raw))
        return 0

    def from_object(array, out):
        out[0] = export(array)
        return 0

    def to_object(managed, out):
        array = toy.take(toy.API.PyCapsule_New(managed, toy.VERSIONED, None))
        toy.API.Py_IncRef(array)
        out[0] = id(array)
        return 0

    def look(array, out):
        size = toy.CODES[array.dtype][1] // 8
        array.seen = ((ctypes.c_int64 * len(array.shape))(*array.shape),
                      (ctypes.c_int64 * len(array.shape))(*(stride // size for stride in array.strides)))
        out[0] = toy.DLTensor(array.pointer, 1, 0, len(array.shape), *toy.CODES[array.dtype], 1, *array.seen, 0)
        return 0

    def stream(device, index, out):
        out[0] = None
        return 0

    toy.API.Py_IncRef.argtypes = [ctypes.py_object]
    calls = [function(call) for function, call in zip(functions, (allocate, from_object, to_object, look, stream))]
    table = Table(1, 3, None, *calls)
    toy.Array.table = table, calls
    toy.Array.__dlpack_c_exchange_api__ = toy.API.PyCapsule_New(ctypes.addressof(table), b"dlpack_exchange_api", None)
    return {}


def refuses(reason):
    """Refuses tensors for which `reason` returns a text; it gets the struct and the shape."""
    take = toy.take

    def checked(capsule):
        kind, name = (toy.ManagedVersioned, toy.VERSIONED) if toy.API.PyCapsule_IsValid(capsule, toy.VERSIONED) else (toy.Managed, toy.LEGACY)
        tensor = kind.from_address(toy.API.PyCapsule_GetPointer(capsule, name)).tensor
        text = reason(tensor, tuple(tensor.shape[:tensor.ndim]))
        if text:
            raise BufferError(text)
        return take(capsule)
    toy.take = checked
    return {}


def matrices_without_strides():
    """Imports tensors of two dimensions only if their strides are NULL."""
    return refuses(lambda tensor, shape: "strides" if len(shape) == 2 and tensor.strides else None)


def channels():
    """Imports tensors whose last extent is 1, 3 or 4, of any rank."""
    return refuses(lambda tensor, shape: "1, 3 or 4 channels" if shape and shape[-1] not in (1, 3, 4) else None)


def channels_of_four():
    """The same of 4 alone, so that no tensor of the usual extents is imported in more than two dimensions."""
    return refuses(lambda tensor, shape: "4 channels" if len(shape) > 2 and shape[-1] != 4 else None)


def no_strides_beside_one():
    """Refuses strides that are not NULL where an extent is 1."""
    return refuses(lambda tensor, shape: "an extent of 1" if len(shape) > 1 and 1 in shape and tensor.strides else None)


def no_extent_of_one():
    """Refuses an extent of 1, with any strides."""
    return refuses(lambda tensor, shape: "an extent of 1" if len(shape) > 1 and 1 in shape else None)


def divides_by_elements():
    """Divides by the number of elements of what has several dimensions."""
    return refuses(lambda tensor, shape: "" if len(shape) < 2 else "" * (1 // toy.product(shape)))


def no_empty_rows():
    """Refuses matrices without columns."""
    return refuses(lambda tensor, shape: "no columns" if len(shape) == 2 and shape[1] == 0 else None)


def nothing_empty():
    """Refuses tensors without elements."""
    return refuses(lambda tensor, shape: "no elements" if 0 in shape else None)


def vectors_and_matrices():
    """Refuses tensors of more than two dimensions."""
    return refuses(lambda tensor, shape: "at most 2 dimensions" if len(shape) > 2 else None)


def makes_no_empty_matrices():
    """Makes arrays without elements only of one dimension."""
    def make(request):
        if len(request.shape) > 1 and 0 in request.shape:
            raise NotImplementedError("empty matrices")
        return toy.make(request)
    return {"make": make}


def copies_of_compact():
    """Imports every layout and read-only memory, and copies only writable row-major tensors."""
    def from_dlpack(obj, copy=None):
        array = toy.from_dlpack(obj)
        if not copy:
            return array
        plain = compact_copy(array)
        if array.read_only or (0 not in array.shape and plain.strides != array.strides):
            raise BufferError("no copies of that")
        return plain
    return {"from_dlpack": from_dlpack}


def copies_nothing():
    """Refuses copy=True."""
    def from_dlpack(obj, copy=None):
        if copy:
            raise BufferError("no copies")
        return toy.from_dlpack(obj)
    return {"from_dlpack": from_dlpack}


def exports_if(reason):
    """Exports copies for copy=True, unless `reason` returns a text; it gets the array and max_version."""
    export = toy.Array.__dlpack__

    def dlpack(array, *, stream=None, max_version=None, dl_device=None, copy=None):
        text = reason(array, max_version) if copy else ""
        if text:
            raise BufferError(text)
        return export(compact_copy(array) if copy else array, max_version=max_version)
    toy.Array.__dlpack__ = dlpack
    return {}


def exports_copies_of_compact():
    """Exports every layout, and copies only of row-major arrays."""
    def reason(array, max_version):
        return "" if 0 in array.shape or compact_copy(array).strides == array.strides else "no copies of that"
    return exports_if(reason)


def copies_need_max_version():
    """Refuses copy=True from callers without max_version."""
    return exports_if(lambda array, max_version: "no legacy copies" if max_version is None else "")


def makes_channels():
    """Makes arrays whose last extent is 1, 3 or 4."""
    def make(request):
        if request.shape and request.shape[-1] not in (1, 3, 4):
            raise NotImplementedError("1, 3 or 4 channels")
        return toy.make(request)
    return {"make": make}


globals().update(globals()[SHAPE]())
