# tests/python/broken_adapters/no_describe/adapter.py: an adapter that lacks a function that every role needs.
def version():
    return "1.0"


def from_dlpack(obj):
    return obj


def values(array):
    return b""
