# harness/reproducer/prelude/reading.py: the steps that read and write an imported array.
class Life:
    def made(self, slot):
        """The offer or the request that the array was made from."""
        return OFFER  #? !step.import-source
        return OFFER if slot in self.offers else REQUEST  #? step.import-source

    def right_of(self, slot):
        """The right elements of the array, and the size of each in bytes."""
        wanted = self.offers[slot].right()  #? !step.make
        wanted = self.offers[slot].right() if slot in self.offers else self.request_values()  #? step.make
        return self.narrowed(slot, wanted)  #? narrowing
        return self.split(slot, wanted)  #? packed-lanes
        return wanted, self.made(slot).item  #? !narrowing

    def split(self, slot, wanted):
        """If the array has sub-byte lanes as elements, each gets one byte."""
        item, (code, bits, lanes) = self.made(slot).item, self.made(slot).code
        _, shape, _, name = self.descriptions.get(slot, [None] * 6)[:4]
        count = len(wanted or b"") // item * lanes
        if not wanted or shape is None or TYPES.get(name) != (code, bits, 1) or element_count(shape) != count:
            return wanted, item
        return bytes(bits_at(wanted, i // lanes * item * 8 + i % lanes * bits, bits) for i in range(count)), 1

    def narrowed(self, slot, wanted):
        """The right elements if the array is a copy with a narrower type."""
        item, made = self.made(slot).item, self.made(slot)
        wide, narrow = made.code, TYPES.get(self.descriptions.get(slot, [None] * 6)[3])
        if not wanted or narrow is None or narrow[0] != wide[0] or narrow[1] >= wide[1] or self.aliases(slot):
            return wanted, item
        if wide[0] in (2, 5):
            if narrow[1] * 2 != wide[1]:
                return None, item
            numbers = struct.unpack("<%dd" % (len(wanted) // 8), wanted)
            return b"".join(ctypes.c_float(number) for number in numbers), narrow[1] // 8
        size = narrow[1] // 8
        return b"".join(wanted[at:at + size] for at in range(0, len(wanted), item)), size

    def aliases(self, slot):
        """Whether the array shares the offered memory. Then a narrower type is not a conversion."""
        address = self.descriptions[slot][0]
        if address is None or (slot not in self.offers and not self.source_span):
            return False
        place = self.place(address, slot)
        return place.startswith("data") and "slot" not in place

    def compare_values(self, key, slot, array):
        self.compare(key, RIGHT[slot], self.converted(array, OFFER), OFFER.item)  #? plain-read
        wanted, item = self.right_of(slot)  #? !plain-read
        got = "unsupported" if wanted is None else self.converted(array, self.made(slot))  #? !plain-read
        self.compare(key, wanted, got, item)  #? !plain-read

    def read(self, slot):
        """Reads the elements through the pointer, and as the library converts them."""
        self.describe(slot)  #? !plain-read described
        if slot in self.arrays:
            self.read_memory(slot)  #? import.memory
            self.compare_values("import%d.library" % slot, slot, self.arrays[slot])  #? import.library
            self.converted(self.arrays[slot], self.made(slot))  #? !import.library

    def read_memory(self, slot):
        if self.closed.get(slot):  #? step.close-array
            return
        found = type_named(self.descriptions[slot][3]) or self.made(slot).code  #? sub-byte
        if min(found[1] * found[2], self.made(slot).code[1] * self.made(slot).code[2]) < 8:  #? sub-byte
            return  # the bit position of such elements is unknown
        pointer, shape, strides = self.descriptions[slot][:3]
        wanted, item = self.right_of(slot)
        if self.size(self.arrays[slot], self.made(slot)) < 0:
            return
        if wanted is None or pointer is None or shape is None:
            return
        # Without strides the place of the second element is unknown.
        if strides is not None or element_count(shape) <= 1:
            got = read_strided(pointer, shape, strides or [0] * len(shape), item)
            self.compare("import%d.memory" % slot, wanted, got, item)

    def compute(self, slot):
        """Reads the result of a computation of the library on the elements."""
        if slot in self.arrays:
            slot in self.descriptions or self.describe(slot)  #? described
            copy = self.hook("compute", self.arrays[slot])  #? !sized
            some = self.size(self.arrays[slot], self.made(slot)) > 0  #? sized
            copy = self.hook("compute", self.arrays[slot]) if some else None  #? sized
            if copy is None:
                self.facts["import%d.computed" % slot] = "unsupported"
            if copy is not None:
                self.compare_values("import%d.computed" % slot, slot, copy)  #? import.computed
                self.converted(copy, self.made(slot))  #? !import.computed

    def take_view(self, slot):
        """Replaces the array by a view of it."""
        if slot in self.arrays:
            view = self.hook("view", self.arrays[slot])
            if view is None:
                self.facts["import%d.view" % slot] = "unsupported"
                return
            slot in self.descriptions or self.describe(slot)  #? described
            self.arrays[slot] = view
            self.compare_values("import%d.view" % slot, slot, view)  #? import.view
            self.converted(view, self.made(slot))  #? !import.view

    def write_source(self, slot, index=0):
        """Writes an element to the offered memory, and reads it through the library."""
        if slot not in self.arrays:
            return
        if slot not in self.offers:  #? step.import-source
            self.write_shared("import%d.write_source" % slot, index, self.source, self.arrays[slot])
            return
        offer, item = self.offers[slot], OFFER.item
        if offer.handed < 1 or index >= element_count(OFFER.meant_shape) or not offer.store:
            return
        bits = other_bits(offer.read_element(index))
        offer.write_element(index, bits)
        got = self.converted(self.arrays[slot], OFFER)
        if got != "unsupported" and len(got) >= (index + 1) * item:
            seen = got[index * item:(index + 1) * item] == bits
            self.facts["import%d.write_source" % slot] = "shown" if seen else "not-shown"
            if seen:
                offer.remember(index, bits)

    def write_array(self, slot, index=0):
        """Writes an element through the library, and reads it from the offered memory."""
        if slot not in self.arrays:
            return
        key = "import%d.write_array" % slot
        if slot not in self.offers:  #? step.import-source
            self.write_shared(key, index, self.arrays[slot], self.source)
            return
        offer = self.offers[slot]
        if index >= element_count(OFFER.meant_shape) or not offer.store:
            return
        if self.size(self.arrays[slot], OFFER) < (index + 1) * OFFER.item:
            return
        bits = other_bits(offer.read_element(index))
        offer.expected_writes.append(offer.position(index))
        if self.written(key, self.arrays[slot], index, bits) and offer.handed > 0:
            self.facts[key] = "shown" if offer.read_element(index) == bits else "not-shown"
            offer.remember(index, bits)

    def written(self, key, array, index, bits):
        """Writes an element through the library; returns False if it refuses."""
        try:
            self.library.write(array, index, bits)
            return True
        except Exception as error:
            missing = isinstance(error, (NotImplementedError, AttributeError))
            self.facts[key] = "not-run" if missing else "refused"
            return False

    def write_shared(self, key, index, written, asked):
        """Writes an element through one array of the library, and reads it through the other one."""
        if "source0.change" in self.facts:  #? step.change-metadata
            return
        item = REQUEST.item
        before = self.request_values()[index * item:(index + 1) * item]
        if len(before) < item or written is None or self.size(written, REQUEST) < (index + 1) * item:
            return
        if self.written(key, written, index, other_bits(before)):
            self.shown(key, index, other_bits(before), self.converted(asked, REQUEST))

    def shown(self, key, index, bits, got):
        item = REQUEST.item
        if got != "unsupported" and len(got) >= (index + 1) * item:
            seen = got[index * item:(index + 1) * item] == bits
            self.facts[key] = "shown" if seen else "not-shown"
            if seen:
                at = self.backing_places()[index]
                self.backing[at:at + item] = bits
