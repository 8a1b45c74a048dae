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


def only(dtype, right, wrong):
    """The mistake is made for arrays of that type alone."""
    return lambda array: (wrong if array.dtype == dtype else right)(array)


def copied(array, shape=None, dtype=None):
    """A compact copy; with another shape or type its bytes are the array's nevertheless."""
    dtype = dtype or array.dtype
    store = ctypes.create_string_buffer(toy.values(array) * 2)
    item, shape = toy.CODES[dtype][1] // 8, shape or array.shape
    strides = tuple(item * toy.product(shape[axis + 1:]) for axis in range(len(shape)))
    return toy.Array(ctypes.addressof(store), shape, strides, dtype, store)


def transposed(array):
    return copied(toy.Array(array.pointer, array.shape[::-1], array.strides[::-1], array.dtype, array))


def copy_where_strided(array, index, bits):
    compact = copied(array)
    toy.write(array if array.strides == compact.strides else compact, index, bits)


def by_column_index(array, index, bits):
    turned = toy.Array(array.pointer, array.shape[::-1], array.strides[::-1], array.dtype, array)
    toy.write(turned, index, bits)


def make_other(request):
    array = toy.make(request)
    if array.dtype == "int32":
        ctypes.memset(array.pointer, 0x55, 4)
    return array


def long_values(array):
    return toy.values(array) + b"\0"


def by_column(array):
    if len(array.shape) != 2:
        return toy.values(array)
    return toy.values(toy.Array(array.pointer, array.shape[::-1], array.strides[::-1], array.dtype, array))


def swapped(array):
    raw, item = toy.values(array), size(array)
    return b"".join(raw[at:at + item][::-1] for at in range(0, len(raw), item))


class ArrayInterface(toy.ctypes.Structure):
    """The struct behind NumPy's __array_struct__."""

    _fields_ = [("two", toy.ctypes.c_int), ("nd", toy.ctypes.c_int), ("typekind", toy.ctypes.c_char), ("itemsize", toy.ctypes.c_int),
                ("flags", toy.ctypes.c_int), ("shape", toy.ctypes.c_void_p), ("strides", toy.ctypes.c_void_p),
                ("data", toy.ctypes.c_void_p), ("descr", toy.ctypes.c_void_p)]


def array_struct_of(array, shape=None):
    """What NumPy would return for such an array."""
    kind = {"i": b"i", "u": b"u", "f": b"f", "b": b"b"}[array.dtype[0]]
    numbers = toy.ctypes.c_ssize_t * len(array.shape)
    parts = numbers(*(shape or array.shape)), numbers(*array.strides)
    flags = 0x200 | (0 if array.read_only else 0x400)
    struct = ArrayInterface(2, len(array.shape), kind, size(array), flags, *map(toy.ctypes.addressof, parts), array.pointer, None)
    array.struct = struct, parts
    return toy.API.PyCapsule_New(toy.ctypes.addressof(struct), None, None)


ADAPTER = {
    "array_struct_is_wrong": {"array_struct": lambda a: array_struct_of(a, a.shape[::-1])},
    "array_struct_is_text": {"array_struct": lambda a: "text"},
    "array_struct_has_typo": {"array_struct": lambda a: a.__array_strut__},
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
    "unknown_name": changed(3, lambda a: "xyz"),
    "empty_name": changed(3, lambda a: ""),
    "colored_name": changed(3, lambda a: "\x1b[31m\n" + 40 * "y"),
    "one_unknown_name": changed(3, lambda a: {"int8": "xyz"}.get(a.dtype, a.dtype)),
    "name_of_another": changed(3, lambda a: {"float32": "f8"}.get(a.dtype, a.dtype)),
    "one_type_widened": {"values": only("bool", toy.values, lambda a: b"".join(
        bytes([v, 0, 0, 0]) for v in toy.values(a)))},
    "one_type_swapped": {"values": only("int32", toy.values, swapped)},
    "one_type_in_elements": changed(2, lambda a: tuple(s // size(a) for s in a.strides) if a.dtype == "float64"
                                    else a.strides),
    "one_type_made_wrong": {"make": make_other},
    "three_dimensions_by_column": {"values": lambda a: toy.values(transposed(a) if len(a.shape) == 3 else a)},
    "three_dimensions_in_elements": changed(2, lambda a: tuple(s // size(a) for s in a.strides) if len(a.shape) == 3
                                            else a.strides),
    "three_dimensions_reversed": changed(1, lambda a: a.shape[::-1] if len(a.shape) == 3 else a.shape),
    "compute_transposes": {"compute": transposed},
    "compute_is_zero": {"compute": lambda a: (lambda c: (ctypes.memset(c.pointer, 0, len(toy.values(a))), c)[1])(
        copied(a))},
    "compute_widens_one": {"compute": only("int8", copied, lambda a: copied(a, dtype="uint8"))},
    "compute_has_typo": {"compute": lambda a: a.nothing},
    "compute_misses_argument": {"compute": lambda: None},
    "compute_is_none": {"compute": lambda a: None},
    "compute_is_list": {"compute": lambda a: list(toy.values(a))},
    "write_is_lost": {"write": lambda a, i, b: None},
    "write_into_copy": {"write": copy_where_strided},
    "write_by_column": {"write": by_column_index},
    "write_has_typo": {"write": lambda a, i, b: nothing(a)},  # noqa: F821
    "view_is_copy": {"view": copied},
    "change_is_lost": {"change_metadata": lambda a, how: None},
    "change_in_copy": {"change_metadata": lambda a, how: toy.change_metadata(copied(a), how)},
    "view_is_none": {"view": lambda a: None},
    "view_has_typo": {"view": lambda a: a.viw()},
    "device_is_other": changed(4, lambda a: (2, 0)),
    "device_is_swapped": changed(4, lambda a: (0, 1)),
    "device_is_huge": changed(4, lambda a: (1 << 40, 0)),
    "device_hook_has_typo": {"device": lambda a: a.devic()},
    "device_hook_is_text": {"device": lambda a: "cpu"},
    "export_hook_has_typo": {"export": lambda a, **kw: a.__dlpak__(**kw)},
    "export_hook_is_none": {"export": lambda a, **kw: None},
    "lacks_raises": {"lacks": lambda: toy.nothing},
    "lacks_is_text": {"lacks": lambda: "copy_keyword"},
    "lacks_is_none": {"lacks": lambda: None},
    "lacks_number": {"lacks": lambda: [3]},
    "lacks_unknown": {"lacks": lambda: ["copy"]},
    "always_writable": changed(5, lambda a: True),
    "make_counts_bytes": remade(bytes_for_elements),
    "make_mixes_offset": remade(bytes_for_offset),
}


class OtherDevice(toy.Array):
    """The library says a device in __dlpack_device__ that it is not on: its own fault."""

    def __dlpack_device__(self):
        return 1, 7


def unable(array, *rest):
    raise NotImplementedError("not for these")


class WrongExport(toy.Array):
    """The library exports byte strides: an error of the library, not of the adapter."""

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


def wrong_make(request, of=None):
    array = toy.make(request)
    return (of or WrongExport)(array.pointer, array.shape, array.strides, array.dtype, array.owner, array.read_only)


def flattened(array, how):
    if how == "transpose":
        return toy.change_metadata(array, how)
    if how != "reshape":
        raise NotImplementedError("the toy cannot " + how)
    array.shape, array.strides = (toy.product(array.shape),), (size(array),)


LIBRARY = {
    "exports_byte_strides": {"make": wrong_make},
    "exports_byte_strides_and_reads_through_them": {"make": wrong_make, "values": through_export},
    "imports_transposed": {"from_dlpack": wrong_import},
    "says_other_device": {"make": lambda request: wrong_make(request, OtherDevice)},
}
HONEST = {
    "array_struct_agrees": {"array_struct": array_struct_of},
    "unable": {"compute": unable, "view": unable, "write": unable},
    "names_no_type": changed(3, lambda a: None),
    "names_no_device": changed(4, lambda a: None),
    "flattens_and_transposes": {"change_metadata": flattened},
    "lacks_claims": {"lacks": lambda: ("view", "copy_keyword")},
    "lacks_imports": {"lacks": lambda: ["consumer"], "from_dlpack": lambda obj: toy.nothing},
}
# Hooks are claimed for all of them.
compute = copied
globals().update(HONEST.get(FAULT) or ADAPTER.get(FAULT) or LIBRARY.get(FAULT) or {})
