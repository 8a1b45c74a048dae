# harness/reproducer/prelude/offer.py: one offered tensor: its struct, its elements, its deleter, its producer.
def aligned(limit, log2, above):
    """Nearest address beside the limit that is a multiple of 1 << log2 and of no more."""
    unit = 1 << log2
    odd = (limit & ~(2 * unit - 1)) + unit
    if above:
        return odd if odd >= limit else odd + 2 * unit
    return odd if odd <= limit else odd - 2 * unit


class Offer:
    """One live tensor of ours, with a copy of everything that nobody may change."""

    def __init__(self, run, slot, home):
        self.run, self.slot, self.home = run, slot, home
        self.capsule = self.producer = None
        self.array, self.described = None, None
        self.bare = self.capsule_dropped = self.producer_dropped = False
        self.written = []
        self.make()

    def make(self):
        run, offer, memory = self.run, self.run.offer, self.run.memory[self.slot]
        memory.restore()
        self.home_memory = run.memory[self.home]
        if self.home != self.slot:
            self.home_memory.zone("struct", WRITE)
            self.home_memory.zone("struct_guard", NONE)
        self.released, self.sealed, self.phase, self.maker = False, False, 0, threading.get_ident()
        self.memory, self.expected_writes = memory, []
        # Elements from the lowest to the highest that shape and strides reach, where the memory backs them.
        self.backed = offer.reach is not None
        self.lowest, self.highest = offer.reach or (0, 0)
        run.owner[self.home] = self
        entries = max(0, min(offer.ndim, METADATA // 8))
        fill = entries - min(entries, offer.dims)
        self.shape_image = struct.pack("<%dq" % entries, *(offer.shape + [offer.fill_extent] * fill)[:entries])
        self.strides_image = struct.pack("<%dq" % entries, *(offer.strides + [1] * fill)[:entries])
        self.shape = 0 if offer.null_shape else self.put_array("shape", self.shape_image)
        self.strides = 0 if offer.strides_kind == "null" else self.put_array("strides", self.strides_image)
        self.place_data(offer)
        self.put_struct(offer)

    def put_array(self, zone, image):
        at = self.memory.end[zone] - len(image)
        canary = min(64, METADATA - len(image))
        ctypes.memmove(at, image, len(image))
        ctypes.memset(at - canary, CANARY[0], canary)
        return at

    def place_data(self, offer):
        memory, at_start = self.memory, offer.placement == "starts-at-guard"
        nowhere = {"null": 0, "foreign-handle": 1}.get(offer.placement)
        if offer.placement in ("unmapped", "device"):
            nowhere = aligned(memory.start["unmapped"], offer.alignment_log2, True) - offer.byte_offset
        self.canaries = []
        if nowhere is not None:
            self.data, self.backed, self.store = nowhere & MASK, False, b""
            self.element0 = self.begin = self.end = (self.data + offer.byte_offset) & MASK
            return
        zone = "data"
        if offer.placement == "far-offset":
            memory.far()
            zone = "far_data"
        first, last = memory.start[zone], memory.end[zone]
        below = -self.lowest * offer.item if self.backed else 0
        above = (self.highest + 1) * offer.item if self.backed else 0
        limit = first + below if at_start else last - above
        self.element0 = aligned(limit, offer.alignment_log2, at_start)
        self.data = (self.element0 - offer.byte_offset) & MASK
        self.begin, self.end = self.element0 - below, self.element0 + above
        front = max(64, min(offer.byte_offset, 1024))
        low = first if at_start or self.begin - first < front else self.begin - front
        high = last if not at_start or last - self.end < 64 else self.end + 64
        self.canaries = [(low, self.begin), (self.end, high)]
        self.store = bytearray(self.run.elements[self.slot] if self.backed else b"")
        self.expected = bytearray(self.store)
        ctypes.memset(low, CANARY[0], high - low)
        ctypes.memmove(self.begin, bytes(self.store), len(self.store))
        if offer.placement == "read-only-page":
            memory.zone("data", READ)

    def put_struct(self, offer):
        context = {"pointer": self.memory.start["context"], "one": 1,
                   "unmapped": self.memory.start["context_unmapped"]}.get(offer.context, 0)
        self.has_deleter = offer.kind != "view" and offer.deleter == "counting"
        deleter = self.run.deleter_address if self.has_deleter else 0
        tensor = struct.pack(TENSOR, self.data, *offer.device, offer.ndim, *offer.dtype, self.shape, self.strides,
                             offer.byte_offset)
        self.image = tensor + struct.pack("<QQ", context, deleter)
        self.parts = LEGACY_PARTS
        if offer.kind == "versioned":
            self.image = struct.pack("<IIQQQ", offer.major, offer.minor, context, deleter, offer.flags) + tensor
            self.parts = VERSIONED_PARTS
        home = self.home_memory
        split = offer.place == "body-unmapped"
        self.structure = home.end["struct"] - (32 if split else len(self.image))
        home.zone("struct_guard", WRITE if split else NONE)
        ctypes.memmove(self.structure, self.image, len(self.image))
        ctypes.memset(self.structure - 64, CANARY[0], 64)
        home.zone("struct_guard", NONE)
        if offer.place == "read-only":
            home.zone("struct", READ)
            self.memory.zone("shape", READ)
            self.memory.zone("strides", READ)

    def seal(self):
        self.sealed = True
        if self.home == self.slot:
            self.memory.protect(self.memory.start["struct"], self.memory.end["data"], NONE)
        else:
            self.memory.protect(self.memory.start["shape"], self.memory.end["data"], NONE)
            self.home_memory.protect(self.home_memory.start["struct"], self.home_memory.end["struct_guard"], NONE)
        if "far_data" in self.memory.start:
            self.memory.zone("far_data", NONE)

    def check_unchanged(self):
        """Compares with what was made, and notes what differs."""
        if self.sealed:
            return
        changed, different = set(), 0
        canaries = list(self.canaries)
        if self.run.owner[self.home] is self:
            for part, at, size in self.parts:
                now = peek(self.structure + at, size)
                if now is not None and now != self.image[at:at + size]:
                    changed.add(part)
            canaries.append((self.structure - 64, self.structure))
        for part, at, image in (("shape", self.shape, self.shape_image), ("strides", self.strides, self.strides_image)):
            if at and peek(at, len(image)) not in (None, image):
                changed.add(part)
            if at:
                canaries.append((at - min(64, METADATA - len(image)), at))
        now = peek(self.begin, len(self.store)) if self.canaries else b""
        if now is not None:
            item = self.run.offer.item
            for position in self.expected_writes:
                self.store[position * item:(position + 1) * item] = now[position * item:(position + 1) * item]
            different += sum(a != b for a, b in zip(now, self.store))
        for low, high in canaries:
            bytes_now = peek(low, high - low)
            different += 0 if bytes_now is None else len(bytes_now) - bytes_now.count(CANARY)
        key = "import%d." % self.slot
        self.run.changed[self.slot] |= changed
        self.run.facts[key + "changed"] = part_words(self.run.changed[self.slot])
        self.run.facts[key + "changed_bytes"] = max(different, self.run.facts.get(key + "changed_bytes", 0))

    def position(self, index):
        """Position in the store of a row-major element, or -1."""
        shape = self.run.offer.shape
        count = element_count(shape)
        if not self.backed or count <= 0:
            return -1
        index, position = index % count, -self.lowest
        for extent, stride in reversed(list(zip(shape, self.run.offer.strides))):
            position += index % extent * stride
            index //= extent
        return position

    def read_element(self, index):
        position, item = self.position(index), self.run.offer.item
        now = peek(self.begin + position * item, item) if position >= 0 and not self.sealed else None
        if now is not None:
            return now
        return bytes(self.store[position * item:(position + 1) * item]) if position >= 0 else bytes(item)

    def write_element(self, index, bits):
        position, item = self.position(index), self.run.offer.item
        self.store[position * item:(position + 1) * item] = bits
        at = self.begin + position * item
        if not self.sealed and not poke(at, bits):
            self.memory.protect(at, at + item, WRITE)
            ctypes.memmove(at, bits, item)
            self.memory.protect(at, at + item, READ)

    def values(self):
        """All elements, row-major, as they should be read; None where no memory backs them."""
        if 0 in self.run.offer.shape:
            return b""
        if not self.backed:
            return None
        count, item = element_count(self.run.offer.shape), self.run.offer.item
        places = [self.position(index) * item for index in range(count)]
        return b"".join(bytes(self.expected[place:place + item]) for place in places)

    def remember(self, index, bits):
        """A write that was seen; from now on it is what is expected."""
        place = self.position(index) * self.run.offer.item
        self.expected[place:place + len(bits)] = bits

    def deleter_called(self, from_destructor):
        facts, key = self.run.facts, "import%d.deleter." % self.slot
        seen = ["calls"] + ["in_import"] * (self.phase == 0) + ["while_alive"] * (self.phase == 1)
        seen += ["on_other_thread"] * (threading.get_ident() != self.maker) + ["from_destructor"] * from_destructor
        for name in seen:
            facts[key + name] = facts.get(key + name, 0) + 1
        self.run.say("  the deleter of tensor %d is called (call %d)%s", self.slot, facts[key + "calls"],
                     ", by the capsule's destructor" if from_destructor else "")
        if not self.released:
            self.check_unchanged()
            self.released = True
            if self.run.seals:
                self.seal()
