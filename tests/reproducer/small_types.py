# tests/reproducer/small_types.py: types of less than a byte for the toy library; text that follows the toy's adapter.
"""The toy packs them, low bits first, and takes no padded ones. Strides of such an array count elements."""

SMALL_TYPES = """
SMALL = {"int4": (0, 4), "uint2": (1, 2), "float4_e2m1fn": (17, 4)}
CODES.update(SMALL)
NAMES.update((code, name) for name, code in SMALL.items())
whole_import, whole_make, whole_values, whole_write, whole_view = from_dlpack, make, values, write, view


class Small(Array):
    first = 0  # bit of the byte at `pointer` at which element 0 starts
    high_first = False

    def bits(self):
        width = CODES[self.dtype][1]
        for index in itertools.product(*map(range, self.shape)) if 0 not in self.shape else ():
            bit = self.first + sum(i * s for i, s in zip(index, self.strides)) * width
            yield bit // 8 * 8 + 8 - width - bit % 8 if self.high_first else bit

    def __dlpack__(self, *, max_version=None, **kw):
        if self.first % 8 and 0 not in self.shape:
            raise BufferError("the first element does not start a byte")
        dtype, self.dtype = self.dtype, "int8"
        try:
            capsule = super().__dlpack__(max_version=max_version, **kw)
        finally:
            self.dtype = dtype
        managed = list(exported.values())[-1][0]
        managed.tensor.code, managed.tensor.bits = CODES[dtype]
        if isinstance(managed, ManagedVersioned):
            managed.minor = 1
        managed.tensor.data = self.pointer + self.first // 8
        return capsule


def bits_there(address, bit, width):
    byte = ctypes.c_uint8.from_address(address + bit // 8)
    return byte, bit % 8, (1 << width) - 1


def from_dlpack(obj, **kw):
    array = whole_import(obj, **kw)
    if array.dtype in SMALL:
        managed = array.owner.managed
        if isinstance(managed, ManagedVersioned) and managed.flags & 4:
            raise BufferError("padded elements are not supported")
        compact = [product(array.shape[axis + 1:]) for axis in range(len(array.shape))]
        array.strides = tuple(managed.tensor.strides[:len(compact)] if managed.tensor.strides else compact)
        array.__class__ = Small
    return array


def values(array):
    if not isinstance(array, Small):
        return whole_values(array)
    found = [bits_there(array.pointer, bit, CODES[array.dtype][1]) for bit in array.bits()]
    return bytes(byte.value >> shift & mask for byte, shift, mask in found)


def write(array, index, bits):
    if not isinstance(array, Small):
        return whole_write(array, index, bits)
    if array.read_only:
        raise ValueError("read-only")
    place = next(itertools.islice(array.bits(), index, None))
    byte, shift, mask = bits_there(array.pointer, place, CODES[array.dtype][1])
    byte.value = byte.value & ~(mask << shift) | bits[0] << shift


def view(array):
    again = whole_view(array)
    if isinstance(array, Small):
        again.__class__, again.first, again.high_first = Small, array.first, array.high_first
    return again


def describe(array):
    strides = None if isinstance(array, Small) else array.strides
    return array.pointer, array.shape, strides, array.dtype, (1, 0), not array.read_only


def make(request):
    array = whole_make(request)
    if array.dtype in SMALL:
        array.__class__ = Small
        array.first, array.strides = request.offset * CODES[array.dtype][1], tuple(request.strides)
        array.owner = store = ctypes.create_string_buffer(len(request.backing))
        array.pointer = ctypes.addressof(store)
        for place, value in enumerate(request.backing):
            byte, shift, _ = bits_there(array.pointer, place * CODES[array.dtype][1], CODES[array.dtype][1])
            byte.value |= value << shift
    return array
"""

READS_HIGH_BITS_FIRST = SMALL_TYPES + """
small_import = from_dlpack
def from_dlpack(obj, **kw):
    array = small_import(obj, **kw)
    array.high_first = True
    return array
"""

EXPORTS_VIEWS_INSIDE_BYTES = SMALL_TYPES + """
correct_export = Small.__dlpack__
def export_wrongly(self, **kw):
    first, self.first = self.first, self.first // 8 * 8
    try:
        return correct_export(self, **kw)
    finally:
        self.first = first
Small.__dlpack__ = export_wrongly
"""

FLAGS_PACKED_AS_PADDED = SMALL_TYPES + """
correct_export = Small.__dlpack__
def export_wrongly(self, **kw):
    capsule = correct_export(self, **kw)
    managed = list(exported.values())[-1][0]
    if isinstance(managed, ManagedVersioned):
        managed.flags |= 4
    return capsule
Small.__dlpack__ = export_wrongly
"""
