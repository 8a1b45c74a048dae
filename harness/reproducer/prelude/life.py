# harness/reproducer/prelude/life.py: the steps of an exchange; each notes facts under the names of docs/facts.md.
class Life:
    """One exchange between this script and the library."""

    def __init__(self, library, offer, request, call, elements):
        self.library, self.call, self.elements = library, call, elements
        self.offer, self.request = types.SimpleNamespace(**offer), types.SimpleNamespace(**request)
        self.facts, self.offers, self.arrays, self.exports, self.reexported = {}, {}, {}, {}, {}
        self.owner, self.changed = {}, {slot: set() for slot in range(SLOTS)}
        self.memory = {slot: Memory() for slot in range(SLOTS)} if offer else {}
        self.source = self.source_span = self.watched = None
        self.references = 0
        self.backing = bytearray(self.request.backing) if request else b""
        self.seals = bool(offer) and self.offer.seal_on_delete
        self.deleter, self.destructor = CALLBACK(self.deleter_called), CALLBACK(self.capsule_dies)
        self.deleter_address = ctypes.cast(self.deleter, POINTER).value
        self.destructor_address = ctypes.cast(self.destructor, POINTER).value

    @staticmethod
    def say(text, *values):
        print(printable(text % values), flush=True)

    # ---- What the library calls.

    @staticmethod
    def pending_exception():
        """Takes a pending exception away, without which Python code cannot run; ctypes cannot put it back."""
        held = (POINTER * 3)()
        at = ctypes.addressof(held)
        error_fetch(at, at + 8, at + 16)

    def deleter_called(self, structure):
        self.pending_exception()
        for offer in self.owner.values():
            if offer.structure == structure and offer.has_deleter:
                return offer.deleter_called(False)
        self.facts["import0.deleter.wrong_self"] = self.facts.get("import0.deleter.wrong_self", 0) + 1

    def capsule_dies(self, capsule):
        self.pending_exception()
        address = capsule_name_address(capsule)
        if seen_name(address) not in ("dltensor", "dltensor_versioned"):
            return
        structure, context = capsule_pointer(capsule, address), capsule_context(capsule)
        for offer in self.offers.values():
            if offer.structure == structure and offer.context == context and self.offer.name == "own":
                return offer.released_by_destructor()

    # ---- How calls end, and what was read.

    def outcome(self, key, prefix, work, unsupported=True):
        """Runs work, notes how it ended, and returns what it returned."""
        try:
            result = work()
            self.facts[key] = "accepted"
            self.say("  accepted")
            return result
        except Exception as error:
            missing = unsupported and isinstance(error, NotImplementedError)
            self.facts[key] = "unsupported" if missing else "refused"
            self.facts[prefix + ".exception"] = type(error).__name__
            self.facts[prefix + ".message"] = text_of(error).split("\n")[0]
            self.facts[prefix + ".is_buffer_error"] = int(isinstance(error, BufferError))
            self.facts[prefix + ".is_type_error"] = int(isinstance(error, TypeError))
            self.say("  %s: %s", type(error).__name__, self.facts[prefix + ".message"])
            error.__traceback__ = None
        return None

    def compare(self, key, wanted, got, item):
        """Notes a reading: `got` holds the elements, or a word that says why there are none."""
        item = max(1, item)
        if not isinstance(got, str) and (wanted is None or len(got) != len(wanted)):
            self.facts[key + ".wanted"], self.facts[key + ".got"] = hex(len(wanted or b"")), hex(len(got))
            got = "wrong-count"
        if not isinstance(got, str):
            places = [at for at in range(0, len(got), item) if got[at:at + item] != wanted[at:at + item]]
            if places:
                at = places[0]
                self.facts[key + ".first_difference"] = at // item
                for word, source in (("wanted", wanted), ("got", got)):
                    self.facts[key + "." + word] = hex(int.from_bytes(source[at:at + min(item, 8)], "little"))
                self.say("  %s: element %d is %s instead of %s", key, at // item, self.facts[key + ".got"],
                         self.facts[key + ".wanted"])
            got = "differs" if places else "matches"
        self.facts[key] = got

    def bytes_to_read(self, array):
        """Bytes of its elements: those on a device, or of more than was ever offered, are nobody's to look at: -1."""
        meant = self.offer if vars(self.offer) else self.request
        try:
            _, shape, _, dtype, device, _ = self.library.describe(array)
        except Exception:
            shape = dtype = device = None
        if tuple(device or getattr(meant, "device", (1, 0)))[0] not in HOST:
            return -1
        code, bits, lanes = TYPES.get(dtype, (0, meant.item * 8, 1))
        size = element_count(meant.shape if shape is None else shape) * ((bits * lanes + 7) // 8)
        return size if 0 <= size <= 2 * CAPACITY else -1

    def values(self, array):
        size = self.bytes_to_read(array)
        try:
            return bytes(self.library.values(array)) if size > 0 else "unsupported" if size < 0 else b""
        except Exception:
            return "unsupported"

    def compute_of(self, array):
        return self.hook("compute", array) if self.bytes_to_read(array) > 0 else None

    def hook(self, name, array):
        try:
            return getattr(self.library, name)(array)
        except Exception:
            return None

    def wanted_of(self, slot):
        return self.offers[slot].values() if slot in self.offers else self.request_values()

    def wanted_as(self, slot):
        """The elements that the slot's array has to hold, in the type that it has: a copy in a narrower one has others."""
        offered = self.offer if slot in self.offers else self.request
        wanted, item, key = self.wanted_of(slot), offered.item, "import%d." % slot
        wide = tuple(offered.dtype) if slot in self.offers else TYPES.get(offered.dtype_name)
        narrow = TYPES.get(self.facts.get(key + "dtype_name"))
        same_kind = None not in (wide, narrow) and narrow[0] == wide[0] and narrow[0] in (0, 1, 2, 5) and wide[2] == 1
        if wanted is None or not same_kind or narrow[1] >= wide[1] or self.facts.get(key + "aliases"):
            return wanted, item
        if wide[0] in (2, 5):
            if (wide[1], narrow[1]) not in ((64, 32), (128, 64)) or (wide[0] == 2) != (wide[1] == 64):
                return None, item
            count = len(wanted) // 8
            return b"".join(ctypes.c_float(x) for x in struct.unpack("<%dd" % count, wanted)), narrow[1] // 8
        size = narrow[1] // 8
        return b"".join(wanted[at:at + size] for at in range(0, len(wanted), item)), size

    def compare_values(self, key, slot, array):
        wanted, item = self.wanted_as(slot)
        self.compare(key, wanted, "unsupported" if wanted is None else self.values(array), item)

    def request_values(self):
        item, shape = self.request.item, self.request.shape
        return b"".join(bytes(self.backing[at:at + item]) for at in self.places(shape, item))

    def places(self, shape, item):
        places = [self.request.offset * item]
        for extent, stride in zip(shape, self.request.strides):
            places = [place + i * stride * item for place in places for i in range(extent)]
        return places

    def described(self, prefix, array):
        """Notes what the library says of the array; returns (pointer, shape, byte strides)."""
        try:
            pointer, shape, strides, dtype, device, writable = self.library.describe(array)
        except Exception:
            return None
        self.facts.update({prefix + "dtype_name": dtype, prefix + "has_pointer": int(pointer is not None),
                           prefix + "dtype": str(TYPES[dtype]) if dtype in TYPES else "none"})
        if shape is not None:
            self.facts.update({prefix + "ndim": len(shape), prefix + "shape": str(tuple(map(int, shape)))})
        if strides is not None:
            self.facts[prefix + "strides"] = str(tuple(map(int, strides)))
        if device is not None:
            self.facts[prefix + "device"] = str(tuple(map(int, device)))
        if writable is not None:
            self.facts[prefix + "writable"] = int(writable)
        return pointer, None if shape is None else tuple(shape), strides

    # ---- The library imports.

    def from_dlpack(self, thing):
        arguments = keywords(self.call, {"copy": "copy", "dl_device": "device"})
        code = getattr(self.library.from_dlpack, "__code__", None)
        if code is not None and {"dtype", "ndim"} <= set(code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]):
            # One type per array class: the adapter has to be told which.
            dtype = tuple(self.offer.dtype) if vars(self.offer) else TYPES.get(self.request.dtype_name)
            name = [known for known, triple in TYPES.items() if triple == dtype]
            shape = (self.offer if vars(self.offer) else self.request).shape
            arguments.update(dtype=name[0] if name else str(dtype), ndim=len(shape))
        return self.library.from_dlpack(thing, **arguments)

    def import_(self, slot, in_place_of=0, bare=False):
        """from_dlpack of a new producer."""
        home = in_place_of - 1 if 0 < in_place_of <= SLOTS else slot
        if slot in self.offers:
            return
        offer = self.offers[slot] = CapsuleOffer(self, slot, home)
        offer.bare = bare
        self.facts["import%d.deleter.calls" % slot] = 0
        thing = offer.hand_out() if bare else Producer(offer)
        offer.producer = None if bare else thing
        key = "import%d" % slot
        array = self.outcome(key + ".outcome", key, lambda: self.from_dlpack(thing))
        self.imported(slot, array)

    def imported(self, slot, array):
        self.offers[slot].phase = 1
        if array is not None:
            self.arrays[slot] = array
        self.offers[slot].inspect_capsule()

    def import_capsule(self, slot, in_place_of=0):
        """from_dlpack of a bare capsule."""
        self.import_(slot, in_place_of, bare=True)

    def import_again(self, slot):
        """from_dlpack of the same producer or capsule a second time."""
        offer, key = self.offers[slot], "import%d.again" % slot
        thing = offer.capsule if offer.bare else offer.producer
        if thing is None:
            return
        self.outcome(key, key, lambda: self.from_dlpack(thing))
        if offer.capsule is not None:
            self.facts["import%d.name_after_again" % slot] = seen_name(capsule_name_address(id(offer.capsule)))

    def import_source(self, slot):
        """from_dlpack of the library's own array."""
        if self.source is not None and slot not in self.arrays:
            key = "import%d" % slot
            array = self.outcome(key + ".outcome", key, lambda: self.from_dlpack(self.source))
            if array is not None:
                self.arrays[slot] = array

    def describe(self, slot):
        if slot not in self.arrays:
            return None
        seen = self.described("import%d." % slot, self.arrays[slot])
        if seen is not None and seen[0] is not None:
            if slot not in self.offers and self.source_span is None:
                return seen
            place = self.place(seen[0], slot)
            self.facts["import%d.place" % slot] = place
            self.facts["import%d.aliases" % slot] = int(place.startswith("data") and "slot" not in place)
        return seen

    def place(self, address, slot):
        """What lies there, and the bytes from element 0 of the offer, or of the library's own array."""
        offer, nowhere = self.offers.get(slot), "elsewhere" if address else "null"
        if offer is None:
            first, lowest, end = self.source_span
            inside = address == first or lowest <= address - first < end
            return "data%+d" % (address - first) if inside else nowhere
        if offer.begin <= address < max(offer.end, offer.begin + 1):
            return "data%+d" % (address - offer.element0)
        for other in self.offers.values():
            zone = other.memory.zone_of(address)
            if zone is None:
                continue
            area = "guard" if zone in ("data_front", "data_guard", "far_guard") else "metadata"
            if zone in ("data", "unmapped", "far_front", "far_data"):
                area = "front" if address < other.begin else "behind" if address >= other.end else "data"
            text = area if area == "metadata" else "%s%+d" % (area, address - other.element0)
            return text if other is offer else "%s of slot %d" % (text, other.slot)
        return nowhere

    def read(self, slot):
        """Reads all elements twice: through the pointer, and as the library converts them."""
        if slot not in self.arrays:
            return
        seen, key = self.describe(slot), "import%d." % slot
        wanted, item = self.wanted_as(slot)
        readable = self.bytes_to_read(self.arrays[slot]) >= 0
        if wanted is not None and readable and seen is not None and None not in seen[:2]:
            # Without strides nobody knows where the second element lies.
            if seen[2] is not None or element_count(seen[1]) <= 1:
                strides = seen[2] or [0] * len(seen[1])
                self.compare(key + "memory", wanted, read_strided(seen[0], seen[1], strides, item), item)
        self.compare_values(key + "library", slot, self.arrays[slot])

    def compute(self, slot):
        """Reads what the library computes from the elements."""
        if slot in self.arrays:
            copy = self.compute_of(self.arrays[slot])
            if copy is None:
                self.facts["import%d.computed" % slot] = "unsupported"
            else:
                self.compare_values("import%d.computed" % slot, slot, copy)

    def take_view(self, slot):
        """Keeps a view of the array and drops the array."""
        if slot in self.arrays:
            view = self.hook("view", self.arrays[slot])
            if view is None:
                self.facts["import%d.view" % slot] = "unsupported"
                return
            self.arrays[slot] = view
            self.compare_values("import%d.view" % slot, slot, view)

    def write_source(self, slot, index=0):
        """Writes an element into the offered memory, and asks the library for it."""
        if slot not in self.arrays:
            return
        if slot not in self.offers:
            self.write_shared(slot, index, self.source, self.arrays[slot], "write_source")
            return
        offer, item = self.offers[slot], self.offer.item
        if offer.released or index >= element_count(self.offer.shape) or not offer.backed:
            return
        bits = other_bits(offer.read_element(index))
        offer.write_element(index, bits)
        got = self.values(self.arrays[slot])
        if got != "unsupported" and len(got) >= (index + 1) * item:
            seen = got[index * item:(index + 1) * item] == bits
            self.facts["import%d.write_source" % slot] = "shown" if seen else "not-shown"
            if seen:
                offer.remember(index, bits)

    def write_array(self, slot, index=0):
        """Lets the library write an element, and looks at the offered memory."""
        if slot not in self.arrays:
            return
        if slot not in self.offers:
            self.write_shared(slot, index, self.arrays[slot], self.source, "write_array")
            return
        offer, key = self.offers[slot], "import%d.write_array" % slot
        if index >= element_count(self.offer.shape) or not offer.backed:
            return
        if self.bytes_to_read(self.arrays[slot]) < (index + 1) * self.offer.item:
            return
        bits = other_bits(offer.read_element(index))
        offer.expected_writes.append(offer.position(index))
        try:
            self.library.write(self.arrays[slot], index, bits)
        except Exception as error:
            missing = isinstance(error, (NotImplementedError, AttributeError))
            self.facts[key] = "not-run" if missing else "refused"
            return
        if not offer.released:
            self.facts[key] = "shown" if offer.read_element(index) == bits else "not-shown"
            offer.remember(index, bits)

    def write_shared(self, slot, index, written, asked, name):
        """One of two arrays of the library writes an element; the other one is asked for it."""
        item = self.request.item
        before = self.request_values()[index * item:(index + 1) * item]
        if len(before) < item or written is None or self.bytes_to_read(written) < (index + 1) * item:
            return
        bits, key = other_bits(before), "import%d.%s" % (slot, name)
        try:
            self.library.write(written, index, bits)
        except Exception as error:
            self.facts[key] = "not-run" if isinstance(error, NotImplementedError) else "refused"
            return
        self.shown(key, index, bits, self.values(asked))

    def shown(self, key, index, bits, got):
        item = self.request.item
        if got != "unsupported" and len(got) >= (index + 1) * item:
            seen = got[index * item:(index + 1) * item] == bits
            self.facts[key] = "shown" if seen else "not-shown"
            if seen:
                place = self.places(self.request.shape, item)[index]
                self.backing[place:place + item] = bits

    def drop_array(self, slot):
        if slot in self.arrays:
            if slot in self.offers:
                self.offers[slot].phase = 2
            del self.arrays[slot]

    def drop_elsewhere(self, slot):
        """Drops the library's array on another thread."""
        if slot in self.arrays:
            if slot in self.offers:
                self.offers[slot].phase = 2
            thread = threading.Thread(target=self.arrays.pop, args=(slot,))
            thread.start()
            thread.join()

    def drop_capsule(self, slot):
        if slot in self.offers and not self.offers[slot].capsule_dropped:
            offer = self.offers[slot]
            offer.capsule_dropped = True
            offer.inspect_capsule()
            offer.capsule = None

    def drop_producer(self, slot):
        if slot in self.offers:
            self.offers[slot].producer = None

    def collect(self):
        """Collects garbage."""
        if hasattr(self.library, "release"):
            try:
                self.library.release()
            except Exception:
                pass
        gc.collect()
