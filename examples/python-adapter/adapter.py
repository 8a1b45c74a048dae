# examples/python-adapter/adapter.py: lets dlpack-cts drive strided.py, which lies beside it.
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # your library is installed, and needs no such line
import strided  # noqa: E402

NAMES = {0: "int", 1: "uint", 2: "float"}


class _Holder:
    """A bare capsule, as an object that exports it."""

    def __init__(self, capsule):
        self.capsule = capsule

    def __dlpack__(self, **_):
        return self.capsule


def version():
    return "1.0"


def from_dlpack(obj, **kw):
    return strided.from_dlpack(obj if hasattr(obj, "__dlpack__") else _Holder(obj), **kw)


def describe(block):
    code, bits = block.kind
    pointer = block.address or None  # NULL where there are no elements
    return pointer, block.shape, block.strides, NAMES[code] + str(bits), (strided.CPU, 0), not block.read_only


def values(block):
    return block.tobytes()


def write(block, index, bits):
    block[index] = bits


def compute(block):
    return block.copy()


def view(block):
    return block.view()
