# tests/cuda/device_library/gpu.py: arrays in CUDA memory, made with the driver and ctypes, with an optional defect.
"""An Array is a strided view of device memory, or of imported host memory."""
import ctypes
import itertools
import math
import os

DEFECT = os.environ.get("CUDA_DEFECT", "")
TAKES = os.environ.get("CUDA_TAKES", "both")  # "device": memory of the host is not imported
HOST, CUDA = (1, 0), 2
READ_ONLY = 1
MOST_BYTES = 1 << 20  # of an imported tensor
LEGACY_STREAM, NON_BLOCKING = 1, 1
ABSENT = object()
TYPES = {"int8": (0, 8), "int16": (0, 16), "int32": (0, 32), "int64": (0, 64), "uint8": (1, 8), "uint16": (1, 16),
         "uint32": (1, 32), "uint64": (1, 64), "float16": (2, 16), "float32": (2, 32), "float64": (2, 64)}
NAMES = {kind: name for name, kind in TYPES.items()}
# Static: a capsule keeps the pointer to its name, not a copy.
EXCHANGE, LEGACY, USED_LEGACY = b"dlpack_exchange_api", b"dltensor", b"used_dltensor"
VERSIONED, USED_VERSIONED = b"dltensor_versioned", b"used_dltensor_versioned"

_driver = ctypes.CDLL("libcuda.so.1")
_new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
    ("PyCapsule_New", ctypes.pythonapi))
_pointer_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
_name_of = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p)(("PyCapsule_GetName", ctypes.pythonapi))
_increment = ctypes.PYFUNCTYPE(None, ctypes.py_object)(("Py_IncRef", ctypes.pythonapi))
_rename = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_SetName", ctypes.pythonapi))


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


def _call(function, *arguments):
    status = getattr(_driver, function)(*arguments)
    if status != 0:
        raise RuntimeError(f"{function} returned {status}")


class _Current:
    """Makes the device current, and restores the previous one at exit."""

    def __init__(self, device, stays=False):
        self.device, self.stays, self.before = device, stays, ctypes.c_void_p()

    def __enter__(self):
        context = ctypes.c_void_p()
        _call("cuCtxGetCurrent", ctypes.byref(self.before))
        _call("cuDevicePrimaryCtxRetain", ctypes.byref(context), self.device)
        _call("cuCtxSetCurrent", context)

    def __exit__(self, *_):
        if not self.stays:
            _call("cuCtxSetCurrent", self.before)


class _Memory:
    """Device memory that is freed with its last reference."""

    def __init__(self, size, device):
        self.device = device
        self.address = ctypes.c_uint64()
        pinned, managed = DEFECT in ("pinned-memory", "pinned-arrays"), DEFECT.startswith("managed-arrays")
        allocate = "cuMemAllocHost_v2" if pinned else "cuMemAllocManaged" if managed else "cuMemAlloc_v2"
        flags = (ctypes.c_uint(1),) if managed else ()
        with _Current(1 - device if DEFECT == "memory-of-another-device" else device):
            _call(allocate, ctypes.byref(self.address), ctypes.c_size_t(max(size, 1)), *flags)

    def __del__(self):
        with _Current(self.device):
            _call("cuMemFree_v2", self.address)


def _stream(device):
    """The stream on which the library works on that device."""
    if device not in _streams:
        handle = ctypes.c_void_p()
        with _Current(device):
            _call("cuStreamCreate", ctypes.byref(handle), NON_BLOCKING)
        _streams[device] = handle.value
    return _streams[device]


def _come_behind(stream, first):
    """Later work on `stream` waits for all work that is queued on `first`."""
    event = ctypes.c_void_p()
    _call("cuEventCreate", ctypes.byref(event), 0)
    _call("cuEventRecord", event, ctypes.c_void_p(first))
    _call("cuStreamWaitEvent", ctypes.c_void_p(stream), event, 0)
    _call("cuEventDestroy_v2", event)


_streams = {}


class Array:
    """`strides` in elements; `owner` keeps the memory alive."""

    def __init__(self, address, shape, strides, name, device, owner):
        self.address, self.shape, self.strides, self.name = address, tuple(shape), tuple(strides), name
        self.device, self.owner, self.stream, self.writable = device, owner, None, True

    @property
    def itemsize(self):
        return TYPES[self.name][1] // 8

    def _addresses(self):
        for index in itertools.product(*map(range, self.shape)):
            yield self.address + self.itemsize * sum(i * stride for i, stride in zip(index, self.strides))

    def tobytes(self, stream=LEGACY_STREAM, waits=True):
        """Reads device memory on that stream, and host memory without the driver: that would need a current device."""
        if self.device == HOST:
            return b"".join(ctypes.string_at(address, self.itemsize) for address in self._addresses())
        if 0 in self.shape:
            return b""
        ends = [(extent - 1) * stride * self.itemsize for extent, stride in zip(self.shape, self.strides)]
        lowest, highest = sum(end for end in ends if end < 0), sum(end for end in ends if end > 0)
        out = ctypes.create_string_buffer(highest - lowest + self.itemsize)
        _call("cuMemcpyAsync", ctypes.c_uint64(ctypes.addressof(out)), ctypes.c_uint64(self.address + lowest),
              ctypes.c_size_t(len(out)), ctypes.c_void_p(stream))
        if waits:
            _call("cuStreamSynchronize", ctypes.c_void_p(stream))
        if self.strides == _compact(self.shape):
            return out.raw
        start = self.address + lowest
        return b"".join(out.raw[address - start:address - start + self.itemsize] for address in self._addresses())

    def _copy(self, to, stream):
        if self.strides == _compact(self.shape):
            size = math.prod(self.shape) * self.itemsize
            if size > 0:
                _call("cuMemcpyAsync", ctypes.c_uint64(to), ctypes.c_uint64(self.address), ctypes.c_size_t(size),
                      ctypes.c_void_p(stream))
            return
        for number, address in enumerate(self._addresses()):
            _call("cuMemcpyAsync", ctypes.c_uint64(to + number * self.itemsize), ctypes.c_uint64(address),
                  ctypes.c_size_t(self.itemsize), ctypes.c_void_p(stream))

    def copied(self, stream):
        """Copies the array on its device, on that stream."""
        memory = _Memory(math.prod(self.shape) * self.itemsize, self.device[1])
        if DEFECT != "unfilled-copies":
            self._copy(memory.address.value, stream)
        return Array(memory.address.value, self.shape, _compact(self.shape), self.name, self.device, memory)

    def compact(self, device, elements):
        if device == HOST:
            owner = ctypes.create_string_buffer(elements, max(1, len(elements)))
            address = ctypes.addressof(owner)
        else:
            owner = _copied(elements, device[1])
            address = owner.address.value
        return Array(address, self.shape, _compact(self.shape), self.name, device, owner)

    def __dlpack_device__(self):
        return _declared(self)

    def _order(self, stream):
        """Makes the consumer's stream wait for the library's own."""
        own = _stream(self.device[1])
        if DEFECT == "blocks-for-minus-one" and stream == -1 or DEFECT == "waits-on-the-host":
            return _call("cuStreamSynchronize", ctypes.c_void_p(own))
        given = "no-argument" if stream is ABSENT else "handles" if stream and stream > 2 else str(stream).lower()
        if DEFECT == f"ignores-{given}":
            return None
        if DEFECT == "takes-handles-for-the-default" and given == "handles" or DEFECT == "orders-minus-one" and stream == -1:
            stream = None
        if stream == -1:
            return None
        return _come_behind(LEGACY_STREAM if stream in (ABSENT, None) else stream, own)

    def __dlpack__(self, *, stream=ABSENT, max_version=None, dl_device=None, copy=None):
        if stream == 0:
            raise ValueError("0 is not a CUDA stream")
        if dl_device not in (None, self.device, _declared(self), HOST):
            raise BufferError("arrays cannot be exported to this device")
        moves = dl_device == HOST and self.device != HOST
        if moves and (copy is False or DEFECT == "host-refused-otherwise"):
            raise BufferError("a copy is needed") if copy is False else RuntimeError("arrays cannot be exported to the host")
        source = self
        with _Current(self.device[1], DEFECT == "device-stays-changed"):
            if moves and DEFECT != "device-kept-for-the-host":
                elements = self.tobytes(LEGACY_STREAM if DEFECT == "host-copies-at-once" else _stream(self.device[1]))
                source = self.compact(HOST, bytes(len(elements)) if DEFECT == "unfilled-host-copy" else elements)
            elif self.device[0] == CUDA:
                if DEFECT == "synchronises-exports":
                    _call("cuStreamSynchronize", None)
                copies = copy or (stream in (1, 2) and DEFECT == f"copies-for-stream-{stream}")
                explicit = stream is not ABSENT and stream is not None and stream > 0
                if copies and DEFECT == "copies-apart":
                    source = self.copied(_stream(self.device[1]))
                self._order(stream)
                if copies and DEFECT != "copies-apart":
                    source = self.copied(stream if explicit else LEGACY_STREAM)
            elif copy:
                source = self.compact(self.device, self.tobytes())
        copied = bool(copy) or (source is not self and moves)
        capsule = _capsule(source, max_version is not None and max_version[0] >= 1, copied)
        if DEFECT == "keeps-the-stream" and stream is not ABSENT and stream is not None and stream > 2:
            source.stream = stream
        return capsule


def _copied(elements, device):
    memory = _Memory(len(elements), device)
    store = ctypes.create_string_buffer(elements, max(1, len(elements)))
    _call("cuMemcpy", memory.address, ctypes.c_uint64(ctypes.addressof(store)), ctypes.c_size_t(len(elements)))
    return memory


def _compact(shape):
    return tuple(math.prod(shape[axis + 1:]) for axis in range(len(shape)))


def array(name, shape, strides, offset, backing):
    """An array on device 0, which becomes current if no device was. Shifted by 16 bytes, to hide the alignment of allocations."""
    current = ctypes.c_void_p()
    _call("cuCtxGetCurrent", ctypes.byref(current))
    if not current.value:
        _Current(0, stays=True).__enter__()
    shift = 16 if DEFECT == "unaligned-arrays" else 0
    memory = _copied(bytes(shift) + backing, 0)
    owner = memory
    address = memory.address.value
    if DEFECT in ("host-memory", "pageable-memory"):
        owner = ctypes.create_string_buffer(backing, max(1, len(backing)))
        address = ctypes.addressof(owner)
    itemsize = TYPES[name][1] // 8
    return Array(address + shift + offset * itemsize, shape, strides, name, (CUDA, 0), owner)


def _declared(source):
    """The device of an exported struct, and of __dlpack_device__."""
    if source.device[0] != CUDA or not isinstance(source.owner, _Memory):
        return source.device
    if DEFECT in ("pinned-arrays", "device-arrays-declared-as-pinned", "managed-arrays-declared-as-pinned"):
        return 3, 0
    return (13, 0) if DEFECT in ("managed-arrays", "device-arrays-declared-as-managed") else source.device


# ---- Exports. _live holds what a struct keeps alive until its deleter runs, on any thread.

_live, _leaked = {}, []


def _delete(address):
    *_, source = _live.pop(address)
    if DEFECT == "deleter-wants-a-device":
        current = ctypes.c_void_p()
        _call("cuCtxGetCurrent", ctypes.byref(current))
        if not current.value:
            os.abort()
    if DEFECT == "deleter-leaks":
        _leaked.append(source)
    if source.stream is not None:
        _driver.cuStreamSynchronize(ctypes.c_void_p(source.stream))
    with _Current(source.device[1], DEFECT == "deleter-changes-the-device"):
        del source


def _destroy(capsule):
    name = _name_of(capsule)
    if name in (LEGACY, VERSIONED):
        _delete(_pointer_of(capsule, name))


_deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(_delete)
_destructor = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(_destroy)


def _fill(tensor, source):
    """The shape and strides arrays that the tensor points to."""
    count = max(1, len(source.shape))
    shape, strides = (ctypes.c_int64 * count)(*source.shape), (ctypes.c_int64 * count)(*source.strides)
    address = source.address
    if DEFECT == "another-address" and source.device != HOST:
        source = source.compact(source.device, source.tobytes())
        address = source.address
        strides = (ctypes.c_int64 * count)(*source.strides)
    if source.device != HOST and DEFECT == "no-address":
        address = 0
    if source.device != HOST and DEFECT == "spoils-elements" and math.prod(source.shape):
        other = ctypes.create_string_buffer(b"?" * source.itemsize)
        _call("cuMemcpy", ctypes.c_uint64(address), ctypes.c_uint64(ctypes.addressof(other)), ctypes.c_size_t(source.itemsize))
    code, bits = TYPES[source.name]
    values = (address, *_declared(source), len(source.shape), code, bits, 1, shape, strides, 0)
    for (name, _), value in zip(_Tensor._fields_, values):
        setattr(tensor, name, value)
    return shape, strides, source


def _managed(source, versioned, copied):
    managed = _Versioned() if versioned else _Legacy()
    if versioned:
        managed.major, managed.minor, managed.flags = 1, 3, 2 if copied else 0
    managed.deleter = ctypes.cast(_deleter, ctypes.c_void_p)
    shape, strides, kept = _fill(managed.tensor, source)
    _live[ctypes.addressof(managed)] = managed, shape, strides, source, kept
    return managed


def _capsule(source, versioned, copied):
    managed = _managed(source, versioned, copied)
    return _new_capsule(ctypes.addressof(managed), VERSIONED if versioned else LEGACY,
                        ctypes.cast(_destructor, ctypes.c_void_p))


# ---- Imports.

class _Owner:
    def __init__(self, managed):
        self.managed = managed

    def __del__(self):
        if self.managed.deleter and DEFECT != "never-releases":
            ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.managed.deleter)(ctypes.addressof(self.managed))


def from_dlpack(obj):
    table = getattr(type(obj), "__dlpack_c_exchange_api__", None)
    if table is not None and _name_of(id(table)) == EXCHANGE:
        table = _Table.from_address(_pointer_of(id(table), EXCHANGE))
        if table.major == 1 and table.from_object:
            return _from_table(obj, table)
    kind_of_device, number = obj.__dlpack_device__()
    if TAKES == "device" and kind_of_device != CUDA:
        raise BufferError("only memory of CUDA devices is supported")
    words = {}
    if kind_of_device == CUDA:
        words["stream"] = _stream(0 if DEFECT == "stream-of-the-first-device" else number)
        if DEFECT.endswith("-minus-one-consumer"):
            words["stream"] = -1
        if DEFECT in ("passes-no-stream", "waits-for-the-default-stream"):
            words = {}
    try:
        capsule = obj.__dlpack__(max_version=(1, 3), **words)
    except TypeError:
        capsule = obj.__dlpack__(**words)
    name = _name_of(id(capsule))
    if name not in (LEGACY, VERSIONED):
        raise BufferError("not an unused DLPack capsule")
    struct, used = (_Versioned, USED_VERSIONED) if name == VERSIONED else (_Legacy, USED_LEGACY)
    managed = struct.from_address(_pointer_of(id(capsule), name))
    return _taken(managed, name == VERSIONED, kind_of_device, number, lambda: _rename(id(capsule), used))


def _taken(managed, versioned, kind_of_device, number, take):
    """The array of a tensor, which `take` takes over once it is accepted."""
    if versioned and managed.major != 1:
        raise BufferError("only major version 1 of DLPack is supported")
    tensor = managed.tensor
    kind = tensor.code, tensor.bits
    if kind not in NAMES or tensor.lanes != 1 or tensor.ndim > 8 or tensor.ndim < 0:
        raise BufferError("this tensor is not supported")
    if tensor.device_type not in (CUDA, HOST[0]):
        raise BufferError("this device is not supported")
    shape = tuple(tensor.shape[:tensor.ndim]) if tensor.ndim else ()
    strides = tuple(tensor.strides[:tensor.ndim]) if tensor.ndim and tensor.strides else _compact(shape)
    if math.prod(shape) * TYPES[NAMES[kind]][1] // 8 > MOST_BYTES:
        raise BufferError("a tensor of this size is not supported")
    take()
    writable = not versioned or managed.flags & READ_ONLY == 0
    offset = tensor.byte_offset
    if tensor.device_type == CUDA:
        if DEFECT == "ignores-strides-on-the-device":
            strides = _compact(shape)
        if DEFECT == "ignores-offsets-on-the-device":
            offset = 0
        if DEFECT == "writes-beside-the-tensor" and 0 not in shape:
            _write_behind((tensor.data or 0) + offset, shape, strides, TYPES[NAMES[kind]][1] // 8, number)
    if DEFECT == "releases-at-once":
        _Owner(managed)
        managed = _Legacy()
    imported = Array((tensor.data or 0) + offset, shape, strides, NAMES[kind],
                     (tensor.device_type, tensor.device_id), _Owner(managed))
    imported.writable = writable
    if DEFECT == "passes-the-order-on" and kind_of_device == CUDA:
        imported.after = _other_stream(number)
        _come_behind(imported.after, _stream(number))
    if DEFECT == "waits-for-the-default-stream" and kind_of_device == CUDA:
        with _Current(number):
            _come_behind(_stream(number), LEGACY_STREAM)
    return imported


def _from_table(obj, table):
    """Imports through the exchange table, and orders the library's stream behind the producer's work."""
    out, stream = ctypes.c_void_p(), ctypes.c_void_p()
    export = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(table.from_object)
    if export(id(obj), ctypes.addressof(out)) != 0:
        raise BufferError("the exchange table exports no tensor")
    managed = _Versioned.from_address(out.value)
    kind, number = managed.tensor.device_type, managed.tensor.device_id
    if kind == CUDA and DEFECT != "ignores-work-streams":
        query = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_int32, ctypes.c_void_p)(table.stream)
        if query(kind, number, ctypes.addressof(stream)) == 0:
            with _Current(number):
                _come_behind(_stream(number), stream.value or LEGACY_STREAM)
    try:
        return _taken(managed, True, kind, number, lambda: None)
    except BufferError:
        _Owner(managed)
        raise


def _write_behind(address, shape, strides, itemsize, device):
    """Writes one byte behind the highest element."""
    highest = sum((extent - 1) * stride for extent, stride in zip(shape, strides) if stride > 0)
    store = ctypes.create_string_buffer(b"!", 1)
    with _Current(device):
        _call("cuMemcpy", ctypes.c_uint64(address + (highest + 1) * itemsize), ctypes.c_uint64(ctypes.addressof(store)),
              ctypes.c_size_t(1))


def fetch(imported):
    """The elements of an imported array, read by work on the library's stream."""
    stream = _stream(imported.device[1])
    if DEFECT == "passes-the-order-on":
        stream = imported.after
    if DEFECT == "works-on-another-stream":
        stream = _other_stream(imported.device[1])
    if DEFECT == "synchronising-minus-one-consumer":
        _call("cuCtxSynchronize")
    if DEFECT == "accesses-are-wide" and imported.address % 16:
        _call("fakeMisalignedAccess")
    if DEFECT == "computes-aligned-only" and imported.address % 16:
        raise RuntimeError("the address must be a multiple of 16")
    return imported.tobytes(stream)


def _other_stream(device):
    handle = ctypes.c_void_p()
    with _Current(device):
        _call("cuStreamCreate", ctypes.byref(handle), NON_BLOCKING)
    return handle.value


# ---- The C exchange API: the functions that export, and current_work_stream.

class _Table(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("previous", ctypes.c_void_p)] + [
        (name, ctypes.c_void_p) for name in ("allocate", "from_object", "to_object", "view", "stream")]


def _at(address):
    return ctypes.cast(address, ctypes.py_object).value


def _wait(defect):
    """The answer is not looked at. A ctypes callback cannot return an exception to its caller."""
    if DEFECT == defect:
        _driver.cuStreamSynchronize(None)


def _from_object(address, out):
    _wait("synchronises-table-exports")
    ctypes.c_void_p.from_address(out).value = ctypes.addressof(_managed(_at(address), True, False))
    return 0


def _to_object(address, out):
    _wait("synchronises-table-imports")
    managed = _Versioned.from_address(address)
    try:
        imported = _taken(managed, True, managed.tensor.device_type, managed.tensor.device_id, lambda: None)
    except BufferError:
        return -1
    _increment(imported)
    ctypes.c_void_p.from_address(out).value = id(imported)
    return 0


def _view(address, out):
    """Shape and strides live as long as the array."""
    _wait("synchronises-views")
    source = _at(address)
    source.viewed = _fill(_Tensor.from_address(out), source)
    return 0


def _work_stream(kind, device, out):
    stream = _stream(device) if kind == CUDA else 0
    if kind == CUDA and DEFECT == "wrapped-stream":
        stream = id(_streams)
    elif kind == CUDA and DEFECT == "another-work-stream":
        stream = _other_stream(device)
    ctypes.c_uint64.from_address(out).value = stream
    return 0


def _function(work, *arguments):
    return ctypes.PYFUNCTYPE(ctypes.c_int, *arguments)(work)


_WORD = ctypes.c_void_p
_functions = (_function(lambda *_: -1, _WORD, _WORD, _WORD, _WORD), _function(_from_object, _WORD, _WORD),
              _function(_to_object, _WORD, _WORD), _function(_view, _WORD, _WORD),
              _function(_work_stream, ctypes.c_int32, ctypes.c_int32, _WORD))
_table = _Table(1, 3, None, *[ctypes.cast(function, _WORD) for function in _functions])
Array.__dlpack_c_exchange_api__ = _new_capsule(ctypes.addressof(_table), EXCHANGE, None)

_call("cuInit", 0)
