# harness/reproducer/prelude/memory.py: memory between inaccessible pages.
NONE = 0
READ = 1
WRITE = 3
FAR = (4 << 30) + (256 << 20)  # bytes before elements that are reached only with a huge byte_offset
CANARY = b"\xC5"


class Piece:
    """Pages between inaccessible pages. The bytes of `image` are at their end."""

    def __init__(self, pages, image=b"", access=3):
        base = map_memory(None, (pages + 3) * PAGE, 0, 0x4022, -1, 0)  # MAP_PRIVATE, MAP_ANONYMOUS, MAP_NORESERVE
        self.start = ((base + PAGE) & -2 * PAGE) + PAGE  # an odd page number
        self.end = self.start + pages * PAGE
        protect(self.start, pages * PAGE, access)
        self.put(image)  #? in-place
        self.at = self.end - len(image)  #? !in-place
        ctypes.memmove(self.at, image, len(image))  #? !in-place

    def put(self, image):
        self.at = self.end - len(image)
        ctypes.memmove(self.at, image, len(image))

    def allow(self, access):
        protect(self.start, self.end - self.start, access)
