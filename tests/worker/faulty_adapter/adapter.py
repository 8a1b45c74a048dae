# tests/worker/faulty_adapter/adapter.py: the toy library with one mistake, of its adapter or of the library itself.
"""The variable FAULT names the mistake: a function of ADAPTER below, or of LIBRARY."""
import importlib.util
import os
import types

_file = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python", "toy_adapter", "adapter.py")
_spec = importlib.util.spec_from_file_location("toy", _file)
toy = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(toy)
globals().update({name: value for name, value in vars(toy).items() if not name.startswith("__")})

FAULT = os.environ.get("FAULT", "")


class Bool:
    """What numpy.bool_ is like: neither True nor False."""

    def __bool__(self):
        return True

    def __repr__(self):
        return "True"


def size(array):
    return toy.CODES[array.dtype][1] // 8


def changed(place, value):
    """A describe() with another part at that place."""
    def describe(array):
        parts = list(toy.describe(array))
        parts[place] = value(array)
        return tuple(parts)
    return {"describe": describe}


def remade(change):
    """A make() that gets another request."""
    def make(request):
        copy = types.SimpleNamespace(**vars(request))
        change(copy)
        return toy.make(copy)
    return {"make": make}


def bytes_for_elements(request):
    request.itemsize = 1


def bytes_for_offset(request):
    request.backing = request.backing[:0] + bytes(8) + request.backing
    array_offset = request.offset + 8  # as if it were counted in bytes, and the store began at 8
    request.offset, request.itemsize, request.strides = array_offset, 1, tuple(4 * s for s in request.strides)


def long_values(array):
    return toy.values(array) + b"\0"


def by_column(array):
    if len(array.shape) != 2:
        return toy.values(array)
    return toy.values(toy.Array(array.pointer, array.shape[::-1], array.strides[::-1], array.dtype, array))


def swapped(array):
    raw, item = toy.values(array), size(array)
    return b"".join(raw[at:at + item][::-1] for at in range(0, len(raw), item))


ADAPTER = {
    "element_strides": changed(2, lambda a: tuple(s // size(a) for s in a.strides)),
    "wrong_pointer": changed(0, lambda a: a.pointer + size(a)),
    "pointer_is_text": changed(0, lambda a: hex(a.pointer)),
    "shape_is_list": changed(1, lambda a: list(a.shape)),
    "shape_is_floats": changed(1, lambda a: tuple(map(float, a.shape))),
    "shape_is_truths": changed(1, lambda a: tuple(True for _ in a.shape)),
    "wrong_shape": changed(1, lambda a: a.shape[::-1]),
    "strides_too_few": changed(2, lambda a: a.strides[1:]),
    "short_name": changed(3, lambda a: {"float32": "f4"}.get(a.dtype, a.dtype)),
    "module_name": changed(3, lambda a: "torch." + a.dtype),
    "one_short_name": changed(3, lambda a: {"bool": "bool_"}.get(a.dtype, a.dtype)),
    "name_is_object": changed(3, lambda a: toy),
    "wrong_type": changed(3, lambda a: {"float32": "float64"}.get(a.dtype, a.dtype)),
    "device_is_name": changed(4, lambda a: "cpu"),
    "device_is_triple": changed(4, lambda a: (1, 0, 0)),
    "writable_is_bool_": changed(5, lambda a: Bool()),
    "five_parts": {"describe": lambda a: toy.describe(a)[:5]},
    "describe_is_list": {"describe": lambda a: list(toy.describe(a))},
    "describe_raises": {"describe": lambda a: a.nothing},
    "values_are_text": {"values": lambda a: toy.values(a).hex()},
    "values_too_long": {"values": long_values},
    "values_by_column": {"values": by_column},
    "values_swapped": {"values": swapped},
    "make_counts_bytes": remade(bytes_for_elements),
    "make_mixes_offset": remade(bytes_for_offset),
}


class WrongExport(toy.Array):
    """The library exports byte strides: its own fault, and nobody else's."""

    def __dlpack__(self, **keywords):
        capsule = toy.Array.__dlpack__(self, **keywords)
        managed = list(toy.exported.values())[-1][0]
        for axis in range(managed.tensor.ndim):
            managed.tensor.strides[axis] = self.strides[axis]
        return capsule


def through_export(array):
    """An adapter that reads arrays through the library's export alone."""
    again = toy.from_dlpack(array)
    return toy.values(again)


def wrong_import(obj, **keywords):
    array = toy.from_dlpack(obj, **keywords)
    array.shape, array.strides = array.shape[::-1], array.strides[::-1]
    return array


def made_by_import(request):
    """An adapter of a library that makes arrays in no other way than by import."""
    return wrong_import(toy.make(request))


def wrong_make(request):
    array = toy.make(request)
    return WrongExport(array.pointer, array.shape, array.strides, array.dtype, array.owner, array.read_only)


LIBRARY = {
    "exports_byte_strides": {"make": wrong_make},
    "exports_byte_strides_and_reads_through_them": {"make": wrong_make, "values": through_export},
    "imports_transposed": {"from_dlpack": wrong_import},
}
globals().update(ADAPTER.get(FAULT) or LIBRARY.get(FAULT) or {})
