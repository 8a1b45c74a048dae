# tests/cuda/device_library/gpu/driver.py: the CUDA driver: calls, the current device, memory, streams.
import ctypes

from .common import DEFECT, NON_BLOCKING

DRIVER = ctypes.CDLL("libcuda.so.1")
_streams = {}  # the stream on which the library works, by device


def call(function, *arguments):
    status = getattr(DRIVER, function)(*arguments)
    if status != 0:
        raise RuntimeError(f"{function} returned {status}")


class Current:
    """Makes the device current, and restores the previous one at exit."""

    def __init__(self, device, stays=False):
        self.device, self.stays, self.before = device, stays, ctypes.c_void_p()

    def __enter__(self):
        context = ctypes.c_void_p()
        call("cuCtxGetCurrent", ctypes.byref(self.before))
        call("cuDevicePrimaryCtxRetain", ctypes.byref(context), self.device)
        call("cuCtxSetCurrent", context)

    def __exit__(self, *_):
        if not self.stays:
            call("cuCtxSetCurrent", self.before)


class Memory:
    """Device memory that is freed with its last reference."""

    def __init__(self, size, device):
        self.device = device
        self.address = ctypes.c_uint64()
        pinned, managed = DEFECT in ("pinned-memory", "pinned-arrays"), DEFECT.startswith("managed-arrays")
        allocate = "cuMemAllocHost_v2" if pinned else "cuMemAllocManaged" if managed else "cuMemAlloc_v2"
        flags = (ctypes.c_uint(1),) if managed else ()
        with Current(1 - device if DEFECT == "memory-of-another-device" else device):
            call(allocate, ctypes.byref(self.address), ctypes.c_size_t(max(size, 1)), *flags)

    def __del__(self):
        with Current(self.device):
            call("cuMemFree_v2", self.address)


def stream_of(device):
    """The stream on which the library works on that device."""
    if device not in _streams:
        handle = ctypes.c_void_p()
        with Current(device):
            call("cuStreamCreate", ctypes.byref(handle), NON_BLOCKING)
        _streams[device] = handle.value
    return _streams[device]


def come_behind(stream, first):
    """Later work on `stream` waits for all work that is queued on `first`."""
    event = ctypes.c_void_p()
    call("cuEventCreate", ctypes.byref(event), 0)
    call("cuEventRecord", event, ctypes.c_void_p(first))
    call("cuStreamWaitEvent", ctypes.c_void_p(stream), event, 0)
    call("cuEventDestroy_v2", event)


def other_stream(device):
    handle = ctypes.c_void_p()
    with Current(device):
        call("cuStreamCreate", ctypes.byref(handle), NON_BLOCKING)
    return handle.value


def to_device(elements, device):
    memory = Memory(len(elements), device)
    store = ctypes.create_string_buffer(elements, max(1, len(elements)))
    call("cuMemcpy", memory.address, ctypes.c_uint64(ctypes.addressof(store)), ctypes.c_size_t(len(elements)))
    return memory


call("cuInit", 0)
