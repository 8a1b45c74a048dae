# harness/reproducer/prelude/memory.py: the memory of an offered tensor; every piece ends at an inaccessible page.
NONE, READ, WRITE = 0, 1, 3
FAR = (4 << 30) + (256 << 20)
METADATA, DATA = 3 * PAGE, CAPACITY + 4 * PAGE
ZONES = (("struct", PAGE, WRITE), ("struct_guard", PAGE, NONE),
             ("shape", METADATA, WRITE), ("shape_guard", PAGE, NONE),
             ("strides", METADATA, WRITE), ("strides_guard", PAGE, NONE),
             ("data_front", PAGE, NONE), ("data", DATA, WRITE), ("data_guard", PAGE, NONE),
             ("unmapped", 4 * PAGE, NONE), ("context", PAGE, WRITE),
             ("context_unmapped", PAGE, NONE))
FAR_ZONES = (("far_front", FAR, READ), ("far_data", DATA, WRITE), ("far_guard", PAGE, NONE))
TENSOR = "<QiiiBBHQQQ"
TENSOR_PARTS = (("data", 0, 8), ("device", 8, 8), ("ndim", 16, 4), ("dtype", 20, 4), ("shape-pointer", 24, 8),
                    ("strides-pointer", 32, 8), ("byte_offset", 40, 8))
LEGACY_PARTS = TENSOR_PARTS + (("manager_ctx", 48, 8), ("deleter", 56, 8))
VERSIONED_PARTS = (("version", 0, 8), ("manager_ctx", 8, 8), ("deleter", 16, 8), ("flags", 24, 8)) + tuple(
    (part, at + 32, size) for part, at, size in TENSOR_PARTS)
PARTS = ("version manager_ctx deleter flags data device ndim dtype shape-pointer strides-pointer byte_offset shape "
             "strides").split()


def part_words(parts):
    return " ".join(part for part in PARTS if part in parts) or "none"


class Memory:
    """Zones at fixed distances, with guards between them."""

    def __init__(self):
        self.start, self.end = {}, {}
        self.reserve(ZONES)

    def reserve(self, zones):
        base = LIBC.mmap(None, sum(size for _, size, _ in zones), NONE, 0x4022, -1, 0)
        if base in (None, MASK):
            raise MemoryError("the machine refuses the memory; is the address space limited?")
        for name, size, access in zones:
            self.start[name], self.end[name] = base, base + size
            self.protect(base, base + size, access)
            base += size

    def zone_of(self, address):
        """The zone in which the address lies, or None."""
        return next((zone for zone in self.start if self.start[zone] <= address < self.end[zone]), None)

    def protect(self, start, end, access):
        start -= start % PAGE
        LIBC.mprotect(start, end - start, access)

    def zone(self, name, access):
        self.protect(self.start[name], self.end[name], access)

    def restore(self):
        for name, _, access in ZONES:
            self.zone(name, access)

    def far(self):
        if "far_data" not in self.start:
            self.reserve(FAR_ZONES)
        self.zone("far_data", WRITE)
