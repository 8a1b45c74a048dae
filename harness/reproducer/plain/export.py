# harness/reproducer/plain/export.py: the array that the library makes, its export, and what the script reads of that.
import contextlib
import itertools
import math


def exports():
    # The array that the library makes.
    request = EXPORT.request
    array = library.make(request)
    pointer = library.describe(array)[0]  #? export.points_at_source
    EXPORT.device  #? asks-first
    with contextlib.suppress(Exception): EXPORT.device  #? may-ask-first
    python = ctypes.pythonapi
    python.PyCapsule_GetPointer.restype, out = ctypes.c_void_p, ctypes.c_void_p()  #? table
    table = python.PyCapsule_GetPointer(ctypes.py_object(type(array).__dlpack_c_exchange_api__), b"dlpack_exchange_api")  #? table
    function = struct.unpack("<Q", ctypes.string_at(table + 24, 8))[0]  # managed_tensor_from_py_object_no_sync  #? table
    export = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p)(function)  # raises what it leaves pending  #? table
    #
    seen = FINDING.unseen  #? exception message is_buffer_error is_type_error
    try:  #? ended
        capsule = EXPORT.call  #? step.export
        status = export(array, ctypes.byref(out))  #? table
        pair = EXPORT.device  #? only-asks
        seen = "accepted"  #? accepts
        seen = "refused" if status else "accepted"  #? returns
    except Exception as error:  #? ended
        print("raised:", ascii(repr(error)))
        seen = "refused"  #? outcome
        seen = type(error).__name__  #? exception
        seen = str(error).split("\n")[0]  #? message
        seen = str(int(isinstance(error, BufferError)))  #? is_buffer_error
        seen = str(int(isinstance(error, TypeError)))  #? is_type_error
    pair = EXPORT.device  #? source.reported_device
    is_pair = isinstance(pair, tuple) and len(pair) == 2  #? source.reported_device
    seen = str(tuple(map(int, pair)) if is_pair else (0, 0))  #? source.reported_device
    capsule = EXPORT.call  #? export.name export.has_destructor by-capsule
    status = export(array, ctypes.byref(out))  #? by-table
    python.PyCapsule_GetName.restype, python.PyCapsule_GetPointer.restype = ctypes.c_char_p, ctypes.c_void_p  #? export.name by-capsule
    python.PyCapsule_GetDestructor.restype = ctypes.c_void_p  #? export.has_destructor
    seen = str(int(bool(python.PyCapsule_GetDestructor(ctypes.py_object(capsule)))))  #? export.has_destructor
    name = python.PyCapsule_GetName(ctypes.py_object(capsule))
    seen = "null" if name is None else name.decode()  #? export.name
    versioned = name == b"dltensor_versioned"  #? !table
    managed = python.PyCapsule_GetPointer(ctypes.py_object(capsule), name)  # DLManagedTensorVersioned or DLManagedTensor  #? !table
    managed, versioned = out.value, True  # DLManagedTensorVersioned  #? by-table
    major, minor, manager_ctx, deleter, flags = struct.unpack("<IIQQQ", ctypes.string_at(managed, 32))  #? export.version export.flags
    at = managed + 32 if versioned else managed  # dl_tensor
    data, device_type, device_id, ndim = struct.unpack("<Qiii", ctypes.string_at(at, 20))  #? export.null_data export.device export.ndim export.alignment export.data_alignment export.points_at_source export.shape export.strides export.elements
    code, bits, lanes = struct.unpack("<BBH", ctypes.string_at(at + 20, 4))  #? export.dtype
    shape, strides, byte_offset = struct.unpack("<QQQ", ctypes.string_at(at + 24, 24))  #? export.null_shape export.null_strides export.byte_offset export.alignment export.points_at_source export.shape export.strides export.elements
    deleter = struct.unpack("<Q", ctypes.string_at(managed + (16 if versioned else 56), 8))[0]  #? export.has_deleter
    extents = struct.unpack("<%dq" % ndim, ctypes.string_at(shape, 8 * ndim))  #? export.elements
    compact = [math.prod(extents[d + 1:]) for d in range(ndim)]  #? export.elements
    steps = struct.unpack("<%dq" % ndim, ctypes.string_at(strides, 8 * ndim)) if strides else compact  #? export.elements
    found = (sum(i * step for i, step in zip(index, steps)) for index in itertools.product(*map(range, extents)))  #? export.elements
    names = "version flags data device ndim dtype shape-pointer strides-pointer byte_offset shape strides".split()  #? export.changed
    def fields():  #? export.changed
        head = struct.unpack("<8s16xQ", ctypes.string_at(managed, 32)) if versioned else (None, None)
        tensor = struct.unpack("<QiiiBBHQQQ", ctypes.string_at(at, 48))
        ndim, arrays = tensor[3], tensor[7:9]
        numbers = (struct.unpack("<%dq" % ndim, ctypes.string_at(array, 8 * ndim)) if array else None for array in arrays)
        return (*head, tensor[0], tensor[1:3], ndim, tensor[4:7], *arrays, tensor[9], *numbers)
    before = fields()  #? export.changed
    library.change_metadata(array, EXPORT.change)  #? changes
    with contextlib.suppress(Exception): library.change_metadata(array, EXPORT.change)  #? may-change
    del array  #? step.drop-source
    getattr(library, "release", gc.collect)()  #? late
    gc.collect()  #? step.collect
    changes = [(name, old, new) for name, old, new in zip(names, before, fields()) if old != new]  #? export.changed
    print(*("%s was %s, and is now %s" % change for change in changes), sep="\n")  #? export.changed
    seen = " ".join(name for name, _, _ in changes) or "none"  #? export.changed
    got = b"".join(ctypes.string_at(data + byte_offset + EXPORT.item * i, EXPORT.item) for i in found)  #? export.elements
    right = EXPORT.right  # row-major  #? export.elements
    print("expected:", right.hex(), "got:", got.hex())  #? export.elements
    seen = "matches" if got == right else "differs" if len(got) == len(right) else "wrong-count"  #? export.elements
    seen = str(int(versioned))  #? export.versioned
    seen = str(int(deleter != 0))  #? export.has_deleter
    seen = str(int(data == 0))  #? export.null_data
    seen = str(int(shape == 0))  #? export.null_shape
    seen = str(int(strides == 0))  #? export.null_strides
    seen = str((device_type, device_id))  #? export.device
    seen = str(ndim)  #? export.ndim
    seen = str((code, bits, lanes))  #? export.dtype
    seen = str(struct.unpack("<%dq" % ndim, ctypes.string_at(shape, 8 * ndim)))  #? export.shape
    seen = str(struct.unpack("<%dq" % ndim, ctypes.string_at(strides, 8 * ndim))) if strides else FINDING.unseen  #? export.strides
    seen = str(byte_offset)  #? export.byte_offset
    seen = str((data + byte_offset) & -(data + byte_offset))  #? export.alignment
    print("element 0 is at", hex(pointer), "and is exported at", hex(data + byte_offset))  #? export.points_at_source
    seen = str(int(data + byte_offset == pointer))  #? export.points_at_source
    seen = str(data & -data)  #? export.data_alignment
    seen = str((major, minor)) if versioned else FINDING.unseen  #? export.version
    seen = str(flags) if versioned else FINDING.unseen  #? export.flags
    print(FINDING.question, ascii(seen), flush=True)
    STATE[0] = 3 if FINDING.wrong else 2
    os._exit(0)  # some libraries abort in their own exit handlers
