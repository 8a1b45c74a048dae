# tests/worker/asked_adapter/adapter.py: the toy library; its adapter writes down whenever it is asked for elements.
"""PLACES says which arrays lie on a device, have no elements, or are huge, as describe() tells it. RECORD names a folder."""
import importlib.util
import os

_spec = importlib.util.spec_from_file_location("toy", os.environ["TOY"])
toy = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(toy)
version, make, change_metadata = toy.version, toy.make, toy.change_metadata

PLACES, RECORD = set(os.environ["PLACES"].split(",")), os.environ["RECORD"]
HOST, MOST = (1, 3, 11, 13), 1 << 20


def born(array, how):
    array.how = how
    return array


def from_dlpack(obj, **kw):
    return born(toy.from_dlpack(obj, **kw), "imported")


def describe(array):
    pointer, shape, strides, dtype, device, writable = toy.describe(array)
    how = getattr(array, "how", "made")
    if {"all-on-device", how + "-on-device"} & PLACES:
        device = (2, 0)
    if how + "-is-empty" in PLACES:
        shape = (0,) + shape[1:]
    if how + "-is-huge" in PLACES:
        shape = shape[:-1] + (1 << 40,) * len(shape[-1:])
    return pointer, shape, strides if len(strides) == len(shape) else None, dtype, device, writable


def device(array):
    """The library says so too: else the adapter's describe() would contradict it."""
    return describe(array)[4]


def ask(function, array, index=0):
    shape, device = describe(array)[1], describe(array)[4]
    count = toy.product(shape)
    word = "device" if device[0] not in HOST else "empty" if count == 0 else "huge" if count > MOST else "fine"
    if word == "fine" and index >= count:
        word = "beyond"
    open(os.path.join(RECORD, function + "-" + word), "w").close()
    if word != "fine":
        raise RuntimeError("%s() of an array that is %s" % (function, word))


def values(array):
    ask("values", array)
    return toy.values(array)


def write(array, index, bits):
    ask("write", array, index)
    toy.write(array, index, bits)


def compute(array):
    ask("compute", array)
    return born(copied(array), "computed")


def copied(array):
    elements, size = toy.values(array), toy.CODES[array.dtype][1] // 8
    store = toy.ctypes.create_string_buffer(elements, max(1, len(elements)))
    strides = tuple(size * toy.product(array.shape[axis + 1:]) for axis in range(len(array.shape)))
    return toy.Array(toy.ctypes.addressof(store), array.shape, strides, array.dtype, store)


def view(array):
    return born(toy.view(array), "viewed")
