# examples/python-adapter/adapter.py: lets dlpack-cts drive strided.py in the same folder.
"""Replace `strided` by your library, function by function. docs/adapters.md describes all functions. Return None for
everything that the library does not report: a guess turns into a false accusation."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # not needed for an installed library
import strided  # noqa: E402

NAMES = {0: "int", 1: "uint", 2: "float"}


class _Holder:
    """Wraps a bare capsule in an object with __dlpack__."""

    def __init__(self, capsule):
        self.capsule = capsule

    def __dlpack__(self, **_):
        return self.capsule


# Every adapter has version(), describe() and values(). The role "consumer" needs from_dlpack().


def version():
    return "1.0"


def from_dlpack(obj, **kw):
    """The library's array. `obj` has __dlpack__ and __dlpack_device__. It is a bare capsule only because library.toml
    claims capsule_input. Exceptions of the library must pass through: they are judged."""
    return strided.from_dlpack(_Holder(obj) if type(obj).__name__ == "PyCapsule" else obj, **kw)


def describe(block):
    """Pointer to element 0, shape, strides in BYTES, type, (device type, device id), whether it can be written."""
    code, bits = block.kind
    pointer = block.address or None  # 0 if there are no elements
    return pointer, block.shape, block.strides, NAMES[code] + str(bits), (strided.CPU, 0), not block.read_only


def values(block):
    """All elements as bytes, row-major, read by the library itself."""
    return block.tobytes()


# The role "producer" needs this function. The arrays it returns need __dlpack__ and __dlpack_device__.
#
# def make(request):
#     """An array with request.shape, request.dtype and request.strides (in ELEMENTS) over the bytes request.backing.
#     Raise NotImplementedError("why") if the library has no such arrays."""

# Each function below belongs to the claim of the same name in library.toml. Delete both if the library has no such
# function.


def write(block, index, bits):
    """Writes the bytes of one element into row-major element `index`."""
    block[index] = bits


def compute(block):
    """An array with equal elements, computed by a kernel of the library."""
    return block.copy()


def view(block):
    """A view with the same elements that keeps the memory alive."""
    return block.view()
