# harness/reproducer/prelude/exported.py: a tensor that the library exported, read under suspicion.
class Exported:
    """One exported struct. Its first reading is kept, so that later ones can be compared with it."""

    def __init__(self, run, slot, capsule, structure, versioned):
        self.run, self.slot, self.capsule, self.structure, self.versioned = run, slot, capsule, structure, versioned
        self.taken = self.lost = self.deleted = False
        self.changed, self.source = set(), None
        self.first = self.read_struct()
        self.record()

    def usable(self):
        return not self.deleted and (self.taken or not self.lost)

    def read_struct(self):
        now = types.SimpleNamespace(version=None, flags=None, deleter=0, shape=None, strides=None, ndim=0)
        raw = peek(self.structure, 80 if self.versioned else 64)
        if raw is None:
            return None
        if self.versioned:
            major, minor, _, now.deleter, now.flags = struct.unpack("<IIQQQ", raw[:32])
            now.version, raw = (major, minor), raw[32:]
        else:
            now.deleter = struct.unpack("<Q", raw[56:])[0]
        (now.data, device, device_id, now.ndim, code, bits, lanes, now.shape_at, now.strides_at,
         now.byte_offset) = struct.unpack(TENSOR, raw[:48])
        now.device, now.dtype = (device, device_id), (code, bits, lanes)
        now.item = (bits * lanes + 7) // 8
        now.readable = 0 <= now.ndim <= 65536
        if now.readable:
            now.shape, now.strides = self.array(now.shape_at, now.ndim), self.array(now.strides_at, now.ndim)
            now.readable = now.shape is not None and (now.strides is not None or now.strides_at == 0)
        return now

    @staticmethod
    def array(address, ndim):
        raw = b"" if ndim == 0 else peek(address, 8 * ndim) if address else None
        return None if raw is None else struct.unpack("<%dq" % ndim, raw)

    def record(self):
        facts, key, first = self.run.facts, "export%d." % self.slot, self.first
        facts[key + "versioned"] = int(self.versioned)
        if first is None:
            return
        element0 = (first.data + first.byte_offset) & MASK
        facts.update({
            key + "has_deleter": int(first.deleter != 0), key + "null_data": int(first.data == 0),
            key + "null_shape": int(first.shape_at == 0), key + "null_strides": int(first.strides_at == 0),
            key + "device": str(first.device), key + "ndim": first.ndim, key + "dtype": str(first.dtype),
            key + "shape": str(first.shape), key + "byte_offset": first.byte_offset,
            key + "alignment": element0 & -element0, key + "data_alignment": first.data & -first.data,
            key + "metadata_readable": int(first.readable), key + "deleted": 0, key + "changed": "none",
            key + "data_readable": 0, key + "same_struct": 0, key + "write_export": "not-run"})
        if first.strides_at:
            facts[key + "strides"] = str(first.strides)
        if self.versioned:
            facts.update({key + "version": str(first.version), key + "flags": first.flags})
        origin = self.run.reexported.get(self.slot, -1)
        if self.run.source_span is not None or origin in self.run.offers:
            facts[key + "place"] = self.run.place(element0, origin)
            facts[key + "points_at_source"] = int(facts[key + "place"] == "data+0")

    def inspect(self):
        """Reads everything again, and notes what differs from the first reading."""
        now, first = self.read_struct(), self.first
        if now is None or first is None:
            return
        names = {"shape-pointer": "shape_at", "strides-pointer": "strides_at"}
        for part in PARTS:
            name = names.get(part, part)
            if hasattr(first, name) and part not in ("deleter",) and getattr(now, name) != getattr(first, name):
                self.changed.add(part)
        self.run.facts["export%d.changed" % self.slot] = part_words(self.changed)

    def byte_strides(self):
        strides, item = self.first.strides, self.first.item
        if strides is None:
            strides = compact(self.first.shape)
        return [stride * item for stride in strides]

    def elements(self):
        """The elements through the struct as bytes, or a word that says why not."""
        first = self.first
        if first is None or not first.readable or first.ndim > 64:
            return "unreadable" if first is None or not first.readable else "unsupported"
        if first.device[0] not in HOST:
            return "unsupported"
        return read_strided((first.data + first.byte_offset) & MASK, first.shape, self.byte_strides(), first.item)

    def write(self, index, bits):
        """Writes one element through the struct; False where that is not allowed or not possible."""
        if self.first.flags is not None and self.first.flags & 1:
            return False
        at = self.first.data + self.first.byte_offset
        for extent, stride in reversed(list(zip(self.first.shape, self.byte_strides()))):
            at += index % extent * stride
            index //= extent
        return poke(at & MASK, bits)

    def call_deleter(self, on_raw_thread):
        """Calls the deleter as it stands in the struct: here with the GIL, or on a thread that Python never saw."""
        self.deleted = True
        self.run.facts["export%d.deleted" % self.slot] = 1
        raw = peek(self.structure, 80 if self.versioned else 64)
        deleter = struct.unpack("<Q", raw[16:24] if self.versioned else raw[56:])[0] if raw else 0
        if not deleter:
            return None
        if on_raw_thread:
            thread = ctypes.c_ulong()
            LIBC.pthread_create(ctypes.addressof(thread), None, deleter, self.structure)
            return thread
        try:
            ctypes.PYFUNCTYPE(None, POINTER)(deleter)(self.structure)
        except Exception as error:  # an exception that the deleter left behind
            self.run.say("  the deleter leaves %r behind", error)
        return None


def compact(shape):
    strides, stride = [], 1
    for extent in reversed(shape):
        strides.insert(0, stride)
        stride *= max(1, extent)
    return strides


def read_strided(address, shape, byte_strides, item):
    """All elements, row-major, as bytes; "unreadable" where the memory cannot be read."""
    if any(extent < 0 for extent in shape) or element_count(shape) * item > 4 * CAPACITY or item <= 0:
        return "unreadable"
    if 0 in shape:
        return b""
    ends = [(extent - 1) * stride for extent, stride in zip(shape, byte_strides)]
    lowest = sum(end for end in ends if end < 0)
    size = sum(end for end in ends if end > 0) - lowest + item
    whole = peek((address + lowest) & MASK, size) if size < 1 << 30 else None
    if whole is None:
        return "unreadable"
    places = [-lowest]
    for extent, stride in zip(shape, byte_strides):
        places = [place + i * stride for place in places for i in range(extent)]
    return b"".join(whole[place:place + item] for place in places)
