# adapters/iree/adapter.py: IREE's buffer views as producer and consumer, on its local-sync device, whose functions take and return capsules.
import importlib.metadata
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "helpers"))
import iree.runtime as rt  # noqa: E402
import numpy as np  # noqa: E402
import strided  # noqa: E402

DEVICE = rt.get_device("local-sync")
KINDS = rt.HalElementType
TYPES = {"bool": KINDS.BOOL_8, "complex64": KINDS.COMPLEX_64, "complex128": KINDS.COMPLEX_128}
TYPES |= {f"float{bits}": getattr(KINDS, f"FLOAT_{bits}") for bits in (16, 32, 64)}
TYPES |= {f"int{bits}": getattr(KINDS, f"SINT_{bits}") for bits in (8, 16, 32, 64)}
TYPES |= {f"uint{bits}": getattr(KINDS, f"UINT_{bits}") for bits in (8, 16, 32, 64)}
NAME_OF = {int(kind): name for name, kind in TYPES.items()}


def version():
    return importlib.metadata.version("iree-base-runtime")


from_dlpack = DEVICE.from_dlpack_capsule


def describe(view):
    return None, tuple(view.shape), None, NAME_OF.get(int(view.element_type)), (1, 0), None


def values(view):
    if int(view.element_type) not in NAME_OF:
        return None  # NumPy has no such type
    return rt.DeviceArray(DEVICE, view, implicit_host_transfer=True).to_host().tobytes()


def export(view, **kw):
    return DEVICE.create_dlpack_capsule(view, 1, 0, **kw)


def make(request):
    if request.dtype not in TYPES:
        raise NotImplementedError(f"NumPy, which fills the buffers, has no {request.dtype}")
    array = strided.strided(request, np, request.dtype)
    if request.read_only or request.making == "view" or not array.flags.c_contiguous:
        raise NotImplementedError("the adapter makes compact buffers only")
    usage = rt.BufferUsage.DEFAULT | rt.BufferUsage.MAPPING
    return DEVICE.allocator.allocate_buffer_copy(rt.MemoryType.DEVICE_LOCAL, usage, DEVICE, array.copy(), TYPES[request.dtype])
