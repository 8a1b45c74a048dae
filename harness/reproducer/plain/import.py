# harness/reproducer/plain/import.py: the tensor that the script offers, its import, and what the script reads of that.
import itertools
import operator

c = ctypes.pythonapi  # the functions of CPython and libc
c.mmap.restype, c.PyCapsule_New.restype = ctypes.c_void_p, ctypes.py_object


def guarded(image):  # the address of a copy of these bytes, which ends at an inaccessible page
    start = (c.mmap(None, 23 * 4096, 0, 0x4022, -1, 0) + 4096) | 4096  # an odd page number
    c.mprotect(ctypes.c_void_p(start), 20 * 4096, 3)
    ctypes.memset(start, 0xC5, 20 * 4096)  #? plain-read import.memory
    return ctypes.memmove(start + 20 * 4096 - len(image), image, len(image))


def imports():
    # The tensor that the library imports.
    data = OFFER.data  # OFFER.dtype_name
    c.mprotect(ctypes.c_void_p(data & -4096), 4096, 1)  # read-only  #? offer.placement.read-only-page
    shape, strides = OFFER.shape, OFFER.strides
    deleted, capsules = [], []  # the arguments of the deleter's calls; the offered capsules  #? counts
    capsules, c.PyCapsule_GetName.restype = [], ctypes.c_char_p  #? import.name_after
    on_delete = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(deleted.append)  #? counts
    manager_ctx, deleter = OFFER.context, ctypes.cast(on_delete, ctypes.c_void_p).value  #? counts
    manager_ctx, deleter = OFFER.context, OFFER.deleter  #? !counts
    tensor = struct.pack("<IIQQQ", OFFER.version, manager_ctx, deleter, OFFER.flags)  # version, manager_ctx, deleter, flags  #? offer.kind.versioned
    tensor += struct.pack("<QiiiBBH", data, OFFER.device, OFFER.ndim, OFFER.dtype)  # data, device, ndim, dtype  #? offer.kind.versioned
    tensor = struct.pack("<QiiiBBH", data, OFFER.device, OFFER.ndim, OFFER.dtype)  # data, device, ndim, dtype  #? !offer.kind.versioned
    tensor += struct.pack("<QQQ", shape, strides, OFFER.byte_offset)  # shape, strides, byte_offset  #? offer.kind.versioned
    tensor += struct.pack("<QQQQQ", shape, strides, OFFER.byte_offset, manager_ctx, deleter)  # byte_offset is the third  #? !offer.kind.versioned
    tensor = ctypes.c_void_p(guarded(tensor))  #? !offer.place.body-unmapped
    tensor = ctypes.c_void_p(guarded(tensor[:32]))  # what follows is inaccessible  #? offer.place.body-unmapped
    capsules.append(c.PyCapsule_New(tensor, OFFER.capsule_name, None))  #? own
    c.PyCapsule_GetPointer.restype, found = ctypes.c_void_p, ctypes.c_void_p()  #? table
    request = EXPORT.request  #? table
    array = library.make(request)  #? table
    table = c.PyCapsule_GetPointer(ctypes.py_object(type(array).__dlpack_c_exchange_api__), b"dlpack_exchange_api")  #? table
    function = struct.unpack("<Q", ctypes.string_at(table + 32, 8))[0]  # managed_tensor_to_py_object_no_sync  #? table
    take = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(function)  # raises what it leaves pending  #? table
    class Producer:  #? step.import
        def __dlpack__(self, *, max_version=None, dl_device=None, copy=None, stream=None):
            raise BufferError("this producer refuses to export")  #? offer.gives.buffer-error
            return None  #? offer.gives.none
            raise OSError("this producer raises OSError")  #? offer.gives.os-error
            raise TypeError("this producer raises TypeError")  #? offer.gives.type-error
            return c.PyCapsule_New(tensor, OFFER.capsule_name, None)  #? hands-out
            capsules.append(c.PyCapsule_New(tensor, OFFER.capsule_name, None))  #? keeps
            return capsules[-1]  #? keeps
        def __dlpack_device__(self):
            raise OSError("__dlpack_device__ of this producer raises OSError")  #? offer.gives.no-device
            return None  #? offer.gives.none-for-device
            return 1  #? offer.gives.number-for-device
            return (1,)  #? offer.gives.one-for-device
            return (1, 0, 0)  #? offer.gives.three-for-device
            return ("cpu", 0)  #? offer.gives.text-for-device
            return OFFER.reported_device  #? names-device
    offered = Producer()  #? step.drop-producer
    code = getattr(library.from_dlpack, "__code__", None)  #? adapter.may-take-type
    parameters = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount] if code else ()  #? adapter.may-take-type
    typed = OFFER.typed if {"dtype", "ndim"} <= set(parameters) else {}  #? adapter.may-take-type
    #  #? !counts
    try:  #? death counts import.name_after
        array = library.from_dlpack(OFFER.object, OFFER.arguments)  #? !table
        status = take(tensor, ctypes.byref(found))  #? table
        array = ctypes.cast(found, ctypes.py_object).value  #? table
        library.describe(array)  #? step.describe
        library.values(array)  #? step.read
        library.compute(array)  #? step.compute
        del offered  #? step.drop-producer
        del array  #? step.drop-array
        gc.collect()  #? step.drop-array
    except Exception as error:  #? death counts import.name_after
        print("raised:", ascii(repr(error)), flush=True)
    name = c.PyCapsule_GetName(ctypes.py_object(capsules[-1])) if capsules else b""  #? import.name_after
    known = name is not None and name.replace(b"used_", b"", 1) in (b"dltensor", b"dltensor_versioned")  #? import.name_after
    seen = name.decode() if known else "null" if name is None else "foreign"  #? import.name_after
    array = None  #? counts
    getattr(library, "release", gc.collect)()  #? late
    gc.collect()  #? counts
    unused = [one for one in capsules if c.PyCapsule_IsValid(ctypes.py_object(one), OFFER.capsule_name)]  #? counts
    seen = str(deleted.count(tensor.value) + len(unused))  # the destructor of an unused capsule calls the deleter  #? counts
    seen = FINDING.unseen  #? exception message is_buffer_error is_type_error
    try:  #? ended
        array = library.from_dlpack(OFFER.object, OFFER.arguments)  #? !table
        status = take(tensor, ctypes.byref(found))  #? table
        seen = "accepted"  #? accepts
        seen = "refused" if status else "accepted"  #? returns
    except Exception as error:  #? ended
        print("raised:", ascii(repr(error)))
        seen = "unsupported" if isinstance(error, NotImplementedError) else "refused"  #? outcome
        seen = type(error).__name__  #? exception
        seen = str(error).split("\n")[0]  #? message
        seen = str(int(isinstance(error, BufferError)))  #? is_buffer_error
        seen = str(int(isinstance(error, TypeError)))  #? is_type_error
    array = library.from_dlpack(OFFER.object, OFFER.arguments)  #? import.library import.memory describes
    pointer, shape, strides, dtype, device, writable = library.describe(array)  #? import.memory describes
    types = OFFER.types  #? import.dtype
    places = (sum(map(operator.mul, index, strides or ())) for index in itertools.product(*map(range, shape)))  #? import.memory
    got = b"".join(ctypes.string_at(pointer + place, OFFER.item) for place in places)  #? import.memory
    got = bytes(library.values(array))  #? import.library
    right = OFFER.right  # row-major  #? import.library import.memory
    print("expected:", right.hex(), "got:", got.hex())  #? import.library import.memory
    seen = "matches" if got == right else "differs" if len(got) == len(right) else "wrong-count"  #? import.library import.memory
    seen = str(types.get(dtype, dtype))  #? import.dtype
    seen = str(len(shape))  #? import.ndim
    seen = str(tuple(map(int, shape)))  #? import.shape
    seen = str(tuple(map(int, strides)))  #? import.strides
    seen = str(tuple(map(int, device)))  #? import.device
    seen = str(int(writable))  #? import.writable
    seen = str(int(pointer is not None))  #? import.has_pointer
    STATE[0] = 2  #? death
    print(FINDING.question, ascii(seen), flush=True)  #? !death
    STATE[0] = 3 if FINDING.wrong else 2  #? !death
    os._exit(0)  # some libraries abort in their own exit handlers
