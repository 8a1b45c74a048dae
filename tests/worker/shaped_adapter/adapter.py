# tests/worker/shaped_adapter/adapter.py: the toy library in an unusual but legal shape, which SHAPE names.
import importlib.util
import os
import struct
import warnings

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


def immutable():
    """Every array is read-only, and the library has no others: a plain one cannot be asked to be writable."""
    def make(request):
        if not request.read_only:
            raise NotImplementedError("arrays are immutable")
        return toy.make(request)
    return {"make": make}


def narrows(once=False):
    """Has no float64: it warns and converts."""
    told = []

    def from_dlpack(obj, **keywords):
        array = toy.from_dlpack(obj, **keywords)
        if array.dtype != "float64":
            return array
        if not once or not told:
            warnings.warn("float64 is converted to float32", UserWarning)
            told.append(True)
        count = toy.product(array.shape)
        numbers = struct.unpack("<%dd" % count, toy.values(array))
        return compact_copy(array, "float32", struct.pack("<%df" % count, *numbers))

    def make(request):
        if request.dtype == "float64":
            raise NotImplementedError("the library has no float64")
        return toy.make(request)
    return {"from_dlpack": from_dlpack, "make": make}


def narrows_and_warns_once():
    """The same, but it warns once in a process."""
    return narrows(once=True)


def takes_legacy_capsules():
    """Knows no versioned capsules, which it refuses as an object of the wrong type, and no other device than the CPU."""
    def from_dlpack(obj, **keywords):
        capsule = type(obj).__dlpack__(obj, **keywords)
        if not toy.API.PyCapsule_IsValid(capsule, toy.LEGACY):
            raise TypeError("expected a capsule named dltensor")
        return toy.take(capsule)
    return {"from_dlpack": from_dlpack}


def declares_what_it_uses():
    """Declares version 1.1 for float8, which is new in it, and 1.0 for everything else."""
    toy.CODES["float8_e4m3fn"] = (10, 8)
    toy.NAMES[10, 8] = "float8_e4m3fn"
    export = toy.Array.__dlpack__

    def dlpack(array, **keywords):
        capsule = export(array, **keywords)
        if toy.API.PyCapsule_IsValid(capsule, toy.VERSIONED):
            managed = toy.ManagedVersioned.from_address(toy.API.PyCapsule_GetPointer(capsule, toy.VERSIONED))
            managed.minor = 1 if array.dtype == "float8_e4m3fn" else 0
        return capsule
    toy.Array.__dlpack__ = dlpack
    return {}


def compares_versions():
    """Compares max_version with the oldest version that it knows. Objects without an order raise TypeError in that comparison."""
    export = toy.Array.__dlpack__

    def dlpack(array, *, max_version=None, **keywords):
        if max_version is not None and not max_version >= (0, 5):
            raise BufferError("the oldest version is 0.5")
        return export(array, max_version=max_version, **keywords)
    toy.Array.__dlpack__ = dlpack
    return {}


def late():
    """Releases what it imported on a thread of its own, a moment later."""
    import ctypes
    import queue
    import threading
    import time
    gone, threads = queue.SimpleQueue(), []

    def release():
        while True:
            managed = gone.get()
            time.sleep(0.0003)  # as the engine of MXNet takes
            toy.Deleter(managed.deleter)(ctypes.addressof(managed))

    class Late(toy.Imported):
        def __del__(self):
            if not threads:
                threads.append(threading.Thread(target=release, daemon=True))
                threads[0].start()
            if self.managed.deleter:
                gone.put(self.managed)

    toy.Imported = Late
    return {}


def frees_late():
    """Frees some bytes of each export on a thread of its own, a moment later."""
    import queue
    import threading
    import time
    gone, processes, export = queue.SimpleQueue(), [], toy.Array.__dlpack__

    def free():
        while True:
            time.sleep(0.02)
            while not gone.empty():
                gone.get()

    def dlpack(array, **keywords):
        if os.getpid() not in processes:
            processes.append(os.getpid())
            threading.Thread(target=free, daemon=True).start()
        gone.put(bytearray(400))
        return export(array, **keywords)
    toy.Array.__dlpack__ = dlpack
    return {}


def pools():
    """Keeps some bytes of each array that it makes, but for a while of none: no export causes that."""
    kept, made = [], [0]

    def make(request):
        made[0] += 1
        if made[0] % 850 >= 150:
            kept.append(bytearray(400))
        return toy.make(request)
    return {"make": make}


def borrows():
    """Leaves capsules as they are, and holds each for as long as its array lives."""
    class Lent:
        """What the tensor says, without taking it over."""

        def __init__(self, capsule):
            self.capsule = capsule

    def from_dlpack(obj, **keywords):
        try:
            capsule = type(obj).__dlpack__(obj, max_version=(1, 0), **keywords)
        except TypeError:
            capsule = type(obj).__dlpack__(obj)
        if not any(toy.API.PyCapsule_IsValid(capsule, name) for name in (toy.VERSIONED, toy.LEGACY)):
            raise BufferError("not an unused DLPack capsule")
        owner, toy.Imported = toy.Imported, lambda managed: Lent(capsule)
        try:
            array = toy.take(capsule)
        finally:
            toy.Imported = owner
        versioned = toy.API.PyCapsule_IsValid(capsule, toy.USED_VERSIONED)
        toy.API.PyCapsule_SetName(capsule, toy.VERSIONED if versioned else toy.LEGACY)
        return array
    return {"from_dlpack": from_dlpack}


def keeps():
    """Arrays are immutable, and keep the bytes that they were asked for once."""
    def values(array):
        if not hasattr(array, "kept"):
            array.kept = toy.values(array)
        return array.kept

    def from_dlpack(obj, **keywords):
        array = toy.from_dlpack(obj, **keywords)
        values(array)
        return array
    return {"from_dlpack": from_dlpack, "values": values, **immutable()}


def abrupt():
    """Not legal: refuses with what exceptions there are, and refuses arrays without dimensions."""
    def from_dlpack(obj, **keywords):
        try:
            array = toy.from_dlpack(obj, **keywords)
        except BufferError as error:
            raise NotImplementedError(str(error)) from None
        if not array.shape:
            raise IndexError("tuple index out of range")
        return array
    return {"from_dlpack": from_dlpack}


def newest():
    """Not legal: refuses versions before 1.2."""
    def from_dlpack(obj, **keywords):
        array = toy.from_dlpack(obj, **keywords)
        if getattr(array.owner.managed, "minor", 2) < 2:
            raise BufferError("too old")
        return array
    return {"from_dlpack": from_dlpack}


def stale():
    """Not legal: exports an array that was changed in place as it was when it was exported first."""
    class Stale(toy.Array):
        def __dlpack__(self, **keywords):
            if not hasattr(self, "first"):
                self.first = toy.Array(self.pointer, self.shape, self.strides, self.dtype, self.owner, self.read_only)
            return self.first.__dlpack__(**keywords)

    def make(request):
        array = toy.make(request)
        return Stale(array.pointer, array.shape, array.strides, array.dtype, array.owner, array.read_only)
    return {"make": make}


def images():
    """Has arrays of bytes in three dimensions, and nothing else."""
    def from_dlpack(obj, **keywords):
        array = toy.from_dlpack(obj, **keywords)
        if array.dtype != "uint8" or len(array.shape) != 3:
            raise BufferError("not an image")
        return array

    def make(request):
        if request.dtype != "uint8" or len(request.shape) != 3:
            raise NotImplementedError("not an image")
        return toy.make(request)
    return {"from_dlpack": from_dlpack, "make": make}


def pictures():
    """Images whose last dimension is that of 1, 3 or 4 channels."""
    def check(shape):
        if shape[-1] not in (1, 3, 4):
            raise ValueError("1, 3 or 4 channels")
    of_images = images()

    def from_dlpack(obj, **keywords):
        array = of_images["from_dlpack"](obj, **keywords)
        check(array.shape)
        return array

    def make(request):
        check(request.shape or (0,))
        return of_images["make"](request)
    return {"from_dlpack": from_dlpack, "make": make}


def matrices():
    """Has arrays of two dimensions alone; one without any arrives as (1, 1)."""
    def from_dlpack(obj, **keywords):
        array = toy.from_dlpack(obj, **keywords)
        if len(array.shape) not in (0, 2):
            raise BufferError("not a matrix")
        if not array.shape:
            size = toy.CODES[array.dtype][1] // 8
            array.shape, array.strides = (1, 1), (size, size)
        return array

    def make(request):
        if len(request.shape) != 2:
            raise NotImplementedError("not a matrix")
        return toy.make(request)
    return {"from_dlpack": from_dlpack, "make": make}


def without_scalars():
    """Has arrays of one and two dimensions; one without any arrives as (1,)."""
    def from_dlpack(obj, **keywords):
        array = toy.from_dlpack(obj, **keywords)
        if len(array.shape) > 2:
            raise BufferError("at most two dimensions")
        if array.shape:
            return array
        return toy.Array(array.pointer, (1,), (toy.CODES[array.dtype][1] // 8,), array.dtype, array.owner, array.read_only)

    def make(request):
        if len(request.shape) not in (1, 2):
            raise NotImplementedError("one or two dimensions")
        return toy.make(request)
    return {"from_dlpack": from_dlpack, "make": make}


def copies_views():
    """Exports a compact copy of whatever is strided, flagged where the struct has flags."""
    class Copying(toy.Array):
        def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
            plain = compact_copy(self)
            if plain.strides == self.strides:
                return super().__dlpack__(max_version=max_version)
            capsule = plain.__dlpack__(max_version=max_version)
            managed = list(toy.exported.values())[-1][0]
            if isinstance(managed, toy.ManagedVersioned):
                managed.flags |= 2
            return capsule

    def make(request):
        array = toy.make(request)
        return Copying(array.pointer, array.shape, array.strides, array.dtype, array.owner, array.read_only)
    return {"make": make}


def aligned():
    """Refuses data that is not aligned to 64 bytes."""
    def from_dlpack(obj, **keywords):
        array = toy.from_dlpack(obj, **keywords)
        if array.pointer % 64 and toy.product(array.shape):
            raise BufferError("data has to be aligned to 64 bytes")
        return array
    return {"from_dlpack": from_dlpack}


def forward():
    """Refuses a stride below 0, and makes an array of its own where there is no data at all."""
    def from_dlpack(obj, **keywords):
        array = toy.from_dlpack(obj, **keywords)
        if array.pointer and any(stride < 0 for stride in array.strides):
            raise BufferError("strides below 0 are not supported")
        return array
    return {"from_dlpack": from_dlpack}


class Bare:
    """An array without methods."""

    def __init__(self, array):
        self.array = array


def functions():
    """Capsules are made and taken by functions; arrays have no methods."""
    class Holder:
        def __init__(self, capsule):
            self.capsule = capsule

        def __dlpack__(self, **keywords):
            return self.capsule

    def from_dlpack(capsule):
        if hasattr(capsule, "__dlpack__"):
            raise TypeError("a capsule is needed")
        return Bare(toy.from_dlpack(Holder(capsule)))
    return {"from_dlpack": from_dlpack, "make": lambda request: Bare(toy.make(request)),
            "export": lambda bare: bare.array.__dlpack__(), "describe": lambda bare: toy.describe(bare.array),
            "values": lambda bare: toy.values(bare.array), "view": lambda bare: Bare(toy.view(bare.array)),
            "write": lambda bare, index, bits: toy.write(bare.array, index, bits)}


def old():
    """__dlpack__ from before max_version: legacy structs, and no keyword but stream."""
    class Old(toy.Array):
        def __dlpack__(self, stream=None):
            return super().__dlpack__()

    def make(request):
        if request.read_only:
            raise NotImplementedError("no read-only arrays")
        array = toy.make(request)
        return Old(array.pointer, array.shape, array.strides, array.dtype, array.owner)

    def from_dlpack(obj):
        capsule = obj.__dlpack__()
        if not toy.API.PyCapsule_IsValid(capsule, toy.LEGACY):
            raise ValueError("no legacy capsule")

        class Stored:
            def __dlpack__(self, **keywords):
                return capsule
        return toy.from_dlpack(Stored())
    return {"make": make, "from_dlpack": from_dlpack}


def versioned_only():
    """Gives versioned structs alone."""
    class New(toy.Array):
        def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
            if max_version is None or max_version[0] < 1:
                raise BufferError("legacy capsules are not made")
            return super().__dlpack__(max_version=max_version)

    def make(request):
        array = toy.make(request)
        return New(array.pointer, array.shape, array.strides, array.dtype, array.owner, array.read_only)
    return {"make": make}


def silent():
    """Says nothing of its arrays, but what they hold."""
    return {"describe": lambda array: (None, None, None, None, None, None)}


def silent_values():
    """Has no conversion, and no strides to tell."""
    def describe(array):
        pointer, shape, _, dtype, device, writable = toy.describe(array)
        return pointer, shape, None, dtype, device, writable
    return {"describe": describe, "values": lambda array: None}


def typed():
    """One class for each type: who imports has to know which."""
    def from_dlpack(obj, *, dtype, ndim, **keywords):
        array = toy.from_dlpack(obj, **keywords)
        if (array.dtype, len(array.shape)) != (dtype, ndim):
            raise TypeError("the class is of another type")
        return array
    return {"from_dlpack": from_dlpack}


def classes():
    """As typed, in an adapter that knows for which types there is a class."""
    def from_dlpack(obj, *, dtype, ndim, **keywords):
        if dtype not in toy.CODES:
            raise NotImplementedError("there is no class for " + dtype)
        return toy.from_dlpack(obj, **keywords)
    return {"from_dlpack": from_dlpack}


def idle_zeros():
    """Not legal: refuses a stride of 0 that has no effect, in an array of one element and in an array without any."""
    def from_dlpack(obj, **keywords):
        array = toy.from_dlpack(obj, **keywords)
        empty = 0 in array.shape
        if any(stride == 0 and (empty or extent == 1) for extent, stride in zip(array.shape, array.strides)):
            raise BufferError("a stride of 0")
        return array
    return {"from_dlpack": from_dlpack}


def tuples():
    """Not legal: __dlpack__ returns something else than a capsule, so no case ever sees a struct."""
    toy.Array.__dlpack__ = lambda array, *, stream=None, max_version=None, dl_device=None, copy=None: (array,)
    return {}


def swaps():
    """Makes an array of the other byte order from the same bytes, so that it has other values, and shows that."""
    def make(request):
        array = toy.make(type("Plain", (), {**vars(request), "oddity": "none"}))
        if request.oddity != "foreign_byte_order":
            return toy.make(request)
        size, raw = request.itemsize, toy.values(array)
        return compact_copy(array, raw=b"".join(raw[at:at + size][::-1] for at in range(0, len(raw), size)))
    return {"make": make}


def compacts():
    """Makes a compact array, whatever strides were requested, and describes it so."""
    def make(request):
        array = compact_copy(toy.make(request))
        array.read_only = request.read_only
        return array
    return {"make": make}


def channels():
    """Refuses extents first, with an exception of their own."""
    take = toy.take

    def take_channels(capsule):
        kind, name = (toy.ManagedVersioned, toy.VERSIONED) if toy.API.PyCapsule_IsValid(capsule, toy.VERSIONED) else (toy.Managed, toy.LEGACY)
        tensor = kind.from_address(toy.API.PyCapsule_GetPointer(capsule, name)).tensor
        if tensor.ndim and tensor.shape[tensor.ndim - 1] not in (1, 3, 4):
            raise ValueError("1, 3 or 4 channels")
        return take(capsule)
    toy.take = take_channels
    return {}


def exports_channels(error):
    """Exports arrays of 1, 3 or 4 channels alone, and raises that exception for others."""
    def change(array, copy):
        if array.shape and array.shape[-1] not in (1, 3, 4):
            raise error("1, 3 or 4 channels")
        return compact_copy(array) if copy else array
    return exports(change)


def type_error_channels():
    """Its exception for the number of channels is the one for a keyword that is not there."""
    return exports_channels(TypeError)


def value_error_channels():
    """Its exception for the number of channels does not occur in the protocol."""
    return exports_channels(LookupError)


def refuses_keywords():
    """Not legal: has keywords for from_dlpack, and refuses each, whatever its value is."""
    def from_dlpack(obj, **keywords):
        array = toy.from_dlpack(obj)
        if keywords:
            raise RuntimeError("keywords are not supported yet")
        return array
    return {"from_dlpack": from_dlpack}


def refuses_copies():
    """Not legal: refuses copy=, whatever its value is, with an exception of its own."""
    def change(array, copy):
        if copy is not None:
            raise RuntimeError("copy is not supported yet")
        return array
    return exports(change)


def imports_twice():
    """Looks at a first import, drops it, and keeps the second one."""
    def from_dlpack(obj, **keywords):
        first = toy.from_dlpack(obj, **keywords)
        second = toy.from_dlpack(obj, **keywords)
        del first
        return second
    return {"from_dlpack": from_dlpack}


def leaves_capsules():
    """Copies, and leaves the capsule as it was. An array without elements has no pointer."""
    def from_dlpack(obj, **keywords):
        return compact_copy(borrow(obj, **keywords))
    def describe(array):
        pointer, *others = toy.describe(array)
        return (None if 0 in array.shape else pointer, *others)
    borrow = borrows()["from_dlpack"]
    return {"from_dlpack": from_dlpack, "describe": describe}


def versioned_kills():
    """Not legal: versioned structs crash it."""
    def from_dlpack(obj, **keywords):
        array = toy.from_dlpack(obj, **keywords)
        if isinstance(array.owner.managed, toy.ManagedVersioned):
            os.kill(os.getpid(), 11)
        return array
    return {"from_dlpack": from_dlpack}


def unreadable():
    """Not legal: imported arrays cannot be read."""
    def from_dlpack(obj, **keywords):
        array = toy.from_dlpack(obj, **keywords)
        array.imported = True
        return array

    def values(array):
        if hasattr(array, "imported"):
            raise RuntimeError("no buffer")
        return toy.values(array)
    return {"from_dlpack": from_dlpack, "values": values}


def unreadable_matrices():
    """Not legal: imported arrays of two dimensions cannot be read."""
    def values(array):
        if len(array.shape) == 2:
            raise RuntimeError("no buffer")
        return toy.values(array)
    return {"values": values}


def dies_of_matrices():
    """Not legal: an import of more than one dimension ends the process."""
    def from_dlpack(obj, **keywords):
        array = toy.from_dlpack(obj, **keywords)
        if len(array.shape) > 1:
            os.kill(os.getpid(), 11)
        return array
    return {"from_dlpack": from_dlpack}


def exports(change):
    """Every export goes through `change`, which gets the array, the struct, and whether a copy was requested."""
    export = toy.Array.__dlpack__

    def dlpack(array, *, stream=None, max_version=None, dl_device=None, copy=None):
        capsule = export(change(array, copy), max_version=max_version)
        managed = list(toy.exported.values())[-1][0]
        if copy and isinstance(managed, toy.ManagedVersioned):
            managed.flags |= 2
        return capsule
    toy.Array.__dlpack__ = dlpack
    return {}


def no_scalars():
    """Not legal: arrays without dimensions exist, but exports stumble over them."""
    def change(array, copy):
        array.strides[-1]
        return array
    return exports(change)


def copies_keep_strides():
    """Not legal: copies are compact, and described with the strides of the source."""
    def change(array, copy):
        if not copy:
            return array
        compact = compact_copy(array)
        compact.strides = array.strides
        return compact
    return exports(change)


def no_deleter():
    """Not legal: the memory of exports is never released."""
    export = toy.Array.__dlpack__

    def dlpack(array, **keywords):
        capsule = export(array, **keywords)
        list(toy.exported.values())[-1][0].deleter = None
        return capsule
    toy.Array.__dlpack__ = dlpack
    return {}


def elsewhere():
    """Has its arrays on the device DEVICE, and refuses all others. ANSWERED and EXPORTED are defects: what it says instead.

    IGNORES=1 is a defect, too: it ignores dl_device and copy.
    """
    own, answered, exported = (tuple(map(int, (os.environ.get(name) or os.environ["DEVICE"]).split(",")))
                           for name in ("DEVICE", "ANSWERED", "EXPORTED"))
    ignores = os.environ.get("IGNORES") == "1"
    take, describe, export = toy.take, toy.describe, toy.Array.__dlpack__

    def tensor_of(capsule):
        versioned = toy.API.PyCapsule_IsValid(capsule, toy.VERSIONED)
        kind, name = (toy.ManagedVersioned, toy.VERSIONED) if versioned else (toy.Managed, toy.LEGACY)
        return kind.from_address(toy.API.PyCapsule_GetPointer(capsule, name)).tensor

    def take_own(capsule):
        if not any(toy.API.PyCapsule_IsValid(capsule, name) for name in (toy.VERSIONED, toy.LEGACY)):
            raise BufferError("not an unused DLPack capsule")
        tensor = tensor_of(capsule)
        if (tensor.device_type, tensor.device_id) != own:
            raise BufferError("the tensor is not on the device of this library")
        tensor.device_type, tensor.device_id = 1, 0
        try:
            return take(capsule)
        finally:
            tensor.device_type, tensor.device_id = own

    def dlpack(array, *, stream=None, max_version=None, dl_device=None, copy=None):
        if ignores:
            dl_device = copy = None
        if dl_device not in (None, own):
            raise BufferError("there is no copy to another device")
        array = compact_copy(array) if copy else array
        capsule = export(array, max_version=max_version)
        tensor = tensor_of(capsule)
        tensor.device_type, tensor.device_id = exported
        if copy and toy.API.PyCapsule_IsValid(capsule, toy.VERSIONED):
            list(toy.exported.values())[-1][0].flags |= 2
        return capsule

    toy.take, toy.Array.__dlpack__ = take_own, dlpack
    toy.Array.__dlpack_device__ = lambda array: answered
    return {"describe": lambda array: (*describe(array)[:4], own, not array.read_only)}


globals().update(globals()[SHAPE]())
