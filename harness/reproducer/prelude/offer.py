# harness/reproducer/prelude/offer.py: one offered tensor with its struct, elements, deleter and capsules.
class Offer:
    """A tensor that this script offers to the library."""

    def __init__(self, life, slot, replaced=None):
        self.made_for = life, slot, replaced
        self.life = life
        self.slot = slot
        self.replaced = replaced  # an earlier offer whose struct is overwritten by this one, or None
        self.capsule = None
        self.phase = 0  # 0 during the import, 1 while the array lives, 2 afterwards
        self.maker = threading.get_ident()
        self.handed = 1  # exports of this tensor that no deleter call has ended; the last such call releases it
        self.sealed = False
        self.nested = False  # __dlpack__ made the library import another tensor  #? offer.gives.imports-first
        self.expected_writes = []
        self.data = types.SimpleNamespace(at=0)  #? offer.placement.null offer.placement.foreign-handle
        self.data = Piece(20)  #? offer.placement.ends-at-guard offer.placement.starts-at-guard
        self.data = Piece(20)  #? offer.placement.read-only-page
        self.data = Piece(4, access=NONE)  #? offer.placement.unmapped offer.placement.device
        self.data = Piece(FAR // PAGE + 20)  #? offer.placement.far-offset
        protect(self.data.start, FAR, READ)  #? offer.placement.far-offset
        self.element0 = self.data.end - OFFER.room  #? offer.placement.ends-at-guard offer.placement.far-offset
        self.element0 = self.data.end - OFFER.room  #? offer.placement.read-only-page
        self.element0 = self.data.start + OFFER.room  #? offer.placement.starts-at-guard
        self.element0 = self.data.start + OFFER.room  #? offer.placement.unmapped offer.placement.device
        self.element0 = OFFER.byte_offset  #? offer.placement.null
        self.element0 = 1 + OFFER.byte_offset  #? offer.placement.foreign-handle
        self.begin = self.element0 - OFFER.below
        self.store = bytearray(ELEMENTS[slot])  #? backed
        self.store = b""  #? !backed
        self.expected = self.store[:]
        self.behind = self.begin + len(self.store)
        ctypes.memset(self.data.end - 20 * PAGE, 0xC5, 20 * PAGE)  #? backed
        ctypes.memmove(self.begin, ELEMENTS[slot], len(ELEMENTS[slot]))  #? backed
        self.data.allow(READ)  #? offer.placement.read-only-page
        self.shape = Piece(3, struct.pack("<%dq" % len(OFFER.shape), *OFFER.shape))  #? !offer.null_shape
        self.shape = types.SimpleNamespace(at=0)  #? offer.null_shape
        self.strides = Piece(3, struct.pack("<%dq" % len(OFFER.strides), *OFFER.strides))  #? !offer.strides_kind.null
        self.strides = types.SimpleNamespace(at=0)  #? offer.strides_kind.null
        self.context = Piece(1)  #? offer.context.pointer
        self.context = Piece(1, access=NONE)  #? offer.context.unmapped
        self.context = types.SimpleNamespace(at=0, start=0)  #? offer.context.null
        self.context = types.SimpleNamespace(at=0, start=1)  #? offer.context.one
        deleter = ctypes.cast(self.life.our_deleter, POINTER).value  #? releases
        deleter = ctypes.cast(ctypes.pythonapi.getpid, POINTER).value  #? !releases
        deleter = 0  #? offer.deleter.null
        tensor = struct.pack("<QiiiBBHQQQ", (self.element0 - OFFER.byte_offset) & MASK, *OFFER.device, OFFER.ndim,
                             *OFFER.dtype, self.shape.at, self.strides.at, OFFER.byte_offset)
        head = OFFER.major, OFFER.minor, self.context.start, deleter, OFFER.flags  #? offer.kind.versioned
        self.image = struct.pack("<IIQQQ", *head) + tensor  #? offer.kind.versioned
        self.image = tensor + struct.pack("<QQ", self.context.start, deleter)  #? !offer.kind.versioned
        self.struct = Piece(1, self.image)  #? !in-place !offer.place.body-unmapped
        self.struct = Piece(1, self.image[:32])  #? offer.place.body-unmapped
        if self.replaced:  #? in-place
            self.struct = self.replaced.struct
            self.struct.allow(WRITE)
            self.struct.put(self.image)
        self.lay_canaries()  #? import.changed_bytes
        for piece in self.metadata():  #? offer.place.read-only
            piece.allow(READ)

    def lay_canaries(self):
        """Fills the memory around the tensor, which must not change."""
        low = self.begin - OFFER.canary_front
        high = self.behind + OFFER.canary_behind
        self.canaries = [(low, self.begin), (self.behind, high)]  #? backed
        self.canaries = []  #? !backed
        for piece in self.metadata():
            room = min(64, piece.at - piece.start)
            ctypes.memset(piece.at - room, CANARY[0], room)
            self.canaries.append((piece.at - room, piece.at))

    def metadata(self):
        return [piece for piece in (self.struct, self.shape, self.strides) if piece.at]

    def hand_out(self):
        """The capsule with the struct."""
        if self.capsule is not None and self.handed < 1:  #? releases
            self.__init__(*self.made_for)  # a new tensor at the same place  #? !offer.gives.stored
        if self.capsule is not None:  #? offer.gives.stored
            return self.capsule  #? offer.gives.stored
        if self.capsule is None or '"used_' in repr(self.capsule):  # then it exports the same tensor again
            self.destructor = ctypes.cast(self.life.our_destructor, POINTER).value  #? destructor
            self.destructor = 0  #? offer.destructor.none
            self.handed, self.capsule = self.handed + (self.capsule is not None), capsule_new(self.struct.at, OFFER.capsule_name, self.destructor)  #? destructor offer.destructor.none
            self.handed, self.capsule = self.handed + (self.capsule is not None), capsule_new(self.struct.at, OFFER.capsule_name, None)  #? idle-destructor
            capsule_set_context(id(self.capsule), id(self))  #? import.capsule_context_changed
            key = "import%d." % self.slot
            self.life.count(key + "capsules")
            self.name_seen = seen_name(capsule_name(id(self.capsule)))
            self.life.facts[key + "name_before"] = self.name_seen
        return self.capsule

    def inspect_capsule(self):
        """Records what the library did to the capsule."""
        if self.capsule is None:
            return
        facts, key, capsule = self.life.facts, "import%d." % self.slot, id(self.capsule)
        name = capsule_name(capsule)
        facts[key + "name_after"] = seen_name(name)
        if seen_name(name) != self.name_seen:  #? import.used_name_storage
            facts[key + "used_name_storage"] = storage(name)
        self.name_seen = seen_name(name)
        facts[key + "capsule_pointer_changed"] = int(capsule_pointer(capsule, name) != self.struct.at)
        facts[key + "capsule_context_changed"] = int(capsule_context(capsule) != id(self))
        facts[key + "capsule_destructor_changed"] = int((capsule_destructor(capsule) or 0) != self.destructor)

    def deleter_called(self, by=""):
        key = "import%d.deleter." % self.slot
        self.life.count(key + "calls")
        self.handed -= 1
        if self.phase == 0 and self.handed < 1:
            self.life.count(key + "in_import")
        if self.phase == 1 and self.handed < 1:
            self.life.count(key + "while_alive")
        if threading.get_ident() != self.maker:
            self.life.count(key + "on_other_thread")
        if by:
            self.life.count(key + "from_destructor")
        print("  the deleter of tensor %d is called%s" % (self.slot, by))
        if self.handed == 0:
            self.check_unchanged()  #? import.changed import.changed_bytes
            self.seal()  #? offer.seal_on_delete
            self.life.within(self.slot)  #? offer.deleter.reenters offer.deleter.meets-thread offer.deleter.drops-another

    def seal(self):
        """Makes the tensor inaccessible."""
        self.sealed = True
        for piece in self.metadata() + [self.data]:
            if piece.at:
                piece.allow(NONE)

    def check_unchanged(self):
        """Records what the library changed in struct, elements and surrounding memory."""
        if self.sealed:
            return
        facts, key, own = self.life.facts, "import%d." % self.slot, self.life.owner(self.struct.at) is self
        changed = self.life.changed.setdefault(self.slot, set())
        for part, at, size in PARTS if own else ():  #? import.changed
            now = peek(self.struct.at + at, size)
            if now is not None and now != self.image[at:at + size]:
                changed.add(part)
        arrays = ("shape", self.shape, OFFER.shape), ("strides", self.strides, OFFER.strides)
        for part, piece, values in arrays:  #? import.changed
            image = struct.pack("<%dq" % len(values), *values)
            if piece.at and peek(piece.at, len(image)) not in (None, image):
                changed.add(part)
        facts[key + "changed"] = parts_text(changed)
        if True:  #? import.changed_bytes
            now = peek(self.begin, len(self.store)) or self.store
            width = OFFER.code[1] * OFFER.code[2]  #? packed
            for place in self.expected_writes:
                self.store[place:place + OFFER.item] = now[place:place + OFFER.item]  #? !packed
                set_bits(self.store, place, width, bits_at(now, place, width))  #? packed
            different = sum(a != b for a, b in zip(now, self.store))
            for low, high in self.canaries:
                now = peek(low, high - low) if own or high != self.struct.at else None
                different += len(now) - now.count(CANARY) if now else 0
            facts[key + "changed_bytes"] = max(different, facts.get(key + "changed_bytes", 0))

    def area(self, address):
        """The area of this tensor that the address is in, with the distance from element 0, or None."""
        def near(piece):
            return piece.at and piece.start - PAGE <= address < piece.end + PAGE

        if any(near(piece) for piece in self.metadata() + [self.context]):
            return "metadata"
        area = "front" if address < self.begin else "behind" if address >= self.behind else "data"
        area = area if self.data.at and self.data.start <= address < self.data.end else "guard"
        return "%s%+d" % (area, address - self.element0) if near(self.data) else None

    def position(self, index):
        """The position of a row-major element in the store, or -1."""
        found = places(OFFER.meant_shape, OFFER.meant_strides)
        place = found[index % len(found)] if found else 0
        return place * OFFER.item + OFFER.below if found and self.store else -1  #? !packed
        return place * OFFER.code[1] * OFFER.code[2] + OFFER.below * 8 if found and self.store else -1  #? packed

    def right(self):
        """The right values of all elements, row-major."""
        return RIGHT[self.slot]  #? !written
        if 0 not in OFFER.meant_shape:  #? !backed
            return None
        found = places(OFFER.meant_shape, OFFER.meant_strides)
        at, item = OFFER.below, OFFER.item  #? written.whole
        return b"".join(bytes(self.expected[at + i * item:at + i * item + item]) for i in found)  #? written.whole
        bit, width = OFFER.below * 8, OFFER.code[1] * OFFER.code[2]  #? written.packed
        return bytes(bits_at(self.expected, bit + i * width, width) for i in found)  #? written.packed

    def read_element(self, index):
        place, item = self.position(index), OFFER.item
        raw = (None if self.sealed else peek(self.begin, len(self.store))) or self.store  #? packed
        return bytes([bits_at(raw, place, OFFER.code[1] * OFFER.code[2])]) if place >= 0 else bytes(item)  #? packed
        now = peek(self.begin + place, item) if place >= 0 and not self.sealed else None  #? !packed
        return now or (bytes(self.store[place:place + item]) if place >= 0 else bytes(item))  #? !packed

    def write_element(self, index, bits):
        place = self.position(index)
        set_bits(self.store, place, OFFER.code[1] * OFFER.code[2], bits[0])  #? packed
        place //= 8  #? packed
        bits = bytes(self.store[place:place + 2])  #? packed
        self.store[place:place + len(bits)] = bits  #? !packed
        if not self.sealed and not poke(self.begin + place, bits):
            self.data.allow(WRITE)
            ctypes.memmove(self.begin + place, bits, len(bits))
            self.data.allow(READ)

    def remember(self, index, bits):
        """Expects the written value from now on."""
        place = self.position(index)
        self.expected[place:place + len(bits)] = bits  #? !packed
        set_bits(self.expected, place, OFFER.code[1] * OFFER.code[2], bits[0])  #? packed


TENSOR_PARTS = (("data", 0, 8), ("device", 8, 8), ("ndim", 16, 4), ("dtype", 20, 4), ("shape-pointer", 24, 8),
                ("strides-pointer", 32, 8), ("byte_offset", 40, 8))
PARTS = TENSOR_PARTS + (("manager_ctx", 48, 8), ("deleter", 56, 8))  #? !offer.kind.versioned
PARTS = (("version", 0, 8), ("manager_ctx", 8, 8), ("deleter", 16, 8),  #? offer.kind.versioned
         ("flags", 24, 8)) + tuple((part, at + 32, size) for part, at, size in TENSOR_PARTS)
