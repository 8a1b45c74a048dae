# tests/cuda/device_library/gpu/arrays.py: an Array: a strided view of device memory, or of imported host memory.
import ctypes
import itertools
import math

from .common import ABSENT, CUDA, DEFECT, HOST, LEGACY_STREAM, TYPES, compact_strides
from .driver import Current, Memory, call, come_behind, stream_of, to_device
from .exports import capsule_of, declared


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
        call("cuMemcpyAsync", ctypes.c_uint64(ctypes.addressof(out)), ctypes.c_uint64(self.address + lowest),
              ctypes.c_size_t(len(out)), ctypes.c_void_p(stream))
        if waits:
            call("cuStreamSynchronize", ctypes.c_void_p(stream))
        if self.strides == compact_strides(self.shape):
            return out.raw
        start = self.address + lowest
        return b"".join(out.raw[address - start:address - start + self.itemsize] for address in self._addresses())

    def _copy(self, to, stream):
        if self.strides == compact_strides(self.shape):
            size = math.prod(self.shape) * self.itemsize
            if size > 0:
                call("cuMemcpyAsync", ctypes.c_uint64(to), ctypes.c_uint64(self.address), ctypes.c_size_t(size),
                      ctypes.c_void_p(stream))
            return
        for number, address in enumerate(self._addresses()):
            call("cuMemcpyAsync", ctypes.c_uint64(to + number * self.itemsize), ctypes.c_uint64(address),
                  ctypes.c_size_t(self.itemsize), ctypes.c_void_p(stream))

    def copied(self, stream):
        """Copies the array on its device, on that stream."""
        memory = Memory(math.prod(self.shape) * self.itemsize, self.device[1])
        if DEFECT != "unfilled-copies":
            self._copy(memory.address.value, stream)
        return Array(memory.address.value, self.shape, compact_strides(self.shape), self.name, self.device, memory)

    def compact(self, device, elements):
        if device == HOST:
            owner = ctypes.create_string_buffer(elements, max(1, len(elements)))
            address = ctypes.addressof(owner)
        else:
            owner = to_device(elements, device[1])
            address = owner.address.value
        return Array(address, self.shape, compact_strides(self.shape), self.name, device, owner)

    def __dlpack_device__(self):
        return declared(self)

    def _order(self, stream):
        """Makes the consumer's stream wait for the library's own."""
        own = stream_of(self.device[1])
        if DEFECT == "blocks-for-minus-one" and stream == -1 or DEFECT == "waits-on-the-host":
            return call("cuStreamSynchronize", ctypes.c_void_p(own))
        given = "no-argument" if stream is ABSENT else "handles" if stream and stream > 2 else str(stream).lower()
        if DEFECT == f"ignores-{given}":
            return None
        if DEFECT == "takes-handles-for-the-default" and given == "handles" or DEFECT == "orders-minus-one" and stream == -1:
            stream = None
        if stream == -1:
            return None
        return come_behind(LEGACY_STREAM if stream in (ABSENT, None) else stream, own)

    def __dlpack__(self, *, stream=ABSENT, max_version=None, dl_device=None, copy=None):
        if stream == 0:
            raise ValueError("0 is not a CUDA stream")
        if stream == -1 and DEFECT == "fails-for-minus-one":
            raise RuntimeError("INTERNAL: CUDA error: CUDA_ERROR_INVALID_HANDLE: invalid resource handle")
        if dl_device not in (None, self.device, declared(self), HOST):
            raise BufferError("arrays cannot be exported to this device")
        moves = dl_device == HOST and self.device != HOST
        if moves and (copy is False or DEFECT == "host-refused-otherwise"):
            raise BufferError("a copy is needed") if copy is False else RuntimeError("arrays cannot be exported to the host")
        source = self
        with Current(self.device[1], DEFECT == "device-stays-changed"):
            if moves and DEFECT != "device-kept-for-the-host":
                elements = self.tobytes(LEGACY_STREAM if DEFECT == "host-copies-at-once" else stream_of(self.device[1]))
                source = self.compact(HOST, bytes(len(elements)) if DEFECT == "unfilled-host-copy" else elements)
            elif self.device[0] == CUDA:
                if DEFECT == "synchronises-exports":
                    call("cuStreamSynchronize", None)
                copies = copy or (stream in (1, 2) and DEFECT == f"copies-for-stream-{stream}")
                explicit = stream is not ABSENT and stream is not None and stream > 0
                if copies and DEFECT == "copies-apart":
                    source = self.copied(stream_of(self.device[1]))
                self._order(stream)
                if copies and DEFECT != "copies-apart":
                    source = self.copied(stream if explicit else LEGACY_STREAM)
            elif copy:
                source = self.compact(self.device, self.tobytes())
        copied = bool(copy) or (source is not self and moves)
        capsule = capsule_of(source, max_version is not None and max_version[0] >= 1, copied)
        if DEFECT == "keeps-the-stream" and stream is not ABSENT and stream is not None and stream > 2:
            source.stream = stream
        return capsule


def array(name, shape, strides, offset, backing):
    """An array on device 0, which becomes current if no device was. Shifted by 16 bytes, to hide the alignment of allocations."""
    current = ctypes.c_void_p()
    call("cuCtxGetCurrent", ctypes.byref(current))
    if not current.value:
        Current(0, stays=True).__enter__()
    shift = 16 if DEFECT == "unaligned-arrays" else 0
    memory = to_device(bytes(shift) + backing, 0)
    # A copy from pageable memory may return before it is complete, and a non-blocking stream does not wait for it.
    with Current(0):
        call("cuCtxSynchronize")
    owner = memory
    address = memory.address.value
    if DEFECT in ("host-memory", "pageable-memory"):
        owner = ctypes.create_string_buffer(backing, max(1, len(backing)))
        address = ctypes.addressof(owner)
    itemsize = TYPES[name][1] // 8
    return Array(address + shift + offset * itemsize, shape, strides, name, (CUDA, 0), owner)
