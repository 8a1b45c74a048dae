# examples/python-adapter/adapter.py: lets dlpack-cts drive strided.py in the same folder.
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


def version():
    return "1.0"


def from_dlpack(obj, **kw):
    return strided.from_dlpack(_Holder(obj) if type(obj).__name__ == "PyCapsule" else obj, **kw)


def describe(block):
    code, bits = block.kind
    pointer = block.address or None  # 0 if there are no elements
    return pointer, block.shape, block.strides, NAMES[code] + str(bits), (strided.CPU, 0), not block.read_only


def values(block):
    return block.tobytes()


def write(block, index, bits):
    block[index] = bits


def compute(block):
    return block.copy()


def view(block):
    return block.view()
