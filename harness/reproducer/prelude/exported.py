# harness/reproducer/prelude/exported.py: a tensor that the library exported, read without trusting it.
class Exported:
    """One exported struct. Its first contents are kept, so that later ones can be compared with them."""

    def __init__(self, life, slot, capsule, structure, versioned):
        self.life, self.slot, self.capsule = life, slot, capsule  # the capsule keeps the tensor alive
        self.structure, self.versioned = structure, versioned
        self.taken = False  #? export-ends
        self.lost = False  #? export-ends
        self.deleted = False  #? export-ends
        self.changed = set()
        self.behind_change = "source0.change" in life.facts  #? step.change-metadata
        self.first = self.read_struct()  #? watched
        self.note("export%d." % slot, self.first)  #? noted

    def usable(self):  #? export-ends
        return not self.deleted and (self.taken or not self.lost)

    def read_struct(self):
        """All fields of the struct; None for those that cannot be read."""
        raw = peek(self.structure, 80 if self.versioned else 64) or bytes(80)
        now = types.SimpleNamespace(version=None, flags=None, shape=None, strides=None)
        if self.versioned:
            major, minor, _, now.deleter, now.flags = struct.unpack("<IIQQQ", raw[:32])
            now.version, raw = (major, minor), raw[32:]
        else:
            now.deleter = struct.unpack("<Q", raw[56:64])[0]
        (now.data, device, device_id, now.ndim, code, bits, lanes, now.shape_at, now.strides_at,
         now.byte_offset) = struct.unpack("<QiiiBBHQQQ", raw[:48])
        now.device, now.dtype, now.item = (device, device_id), (code, bits, lanes), (bits * lanes + 7) // 8
        if 0 <= now.ndim <= 65536:  #? extents
            now.shape, now.strides = self.array(now.shape_at, now.ndim), self.array(now.strides_at, now.ndim)
        now.readable = now.shape is not None and (now.strides is not None or now.strides_at == 0)  #? extents
        return now

    @staticmethod
    def array(address, ndim):
        raw = b"" if ndim == 0 else peek(address, 8 * ndim) if address else None
        return None if raw is None else struct.unpack("<%dq" % ndim, raw)

    def note(self, key, first):
        address = (first.data + first.byte_offset) & MASK
        facts = self.life.facts
        facts[key + "versioned"] = int(self.versioned)
        facts[key + "has_deleter"] = int(first.deleter != 0)
        facts[key + "null_data"] = int(first.data == 0)
        facts[key + "null_shape"] = int(first.shape_at == 0)
        facts[key + "null_strides"] = int(first.strides_at == 0)
        facts[key + "device"] = str(first.device)
        facts[key + "ndim"] = first.ndim
        facts[key + "dtype"] = str(first.dtype)
        unread = [0] * min(first.ndim, 65)  # unreadable values count as zeros
        if first.shape_at or first.ndim == 0:
            facts[key + "shape"] = numbers_text(first.shape or unread)
        if first.strides_at:
            facts[key + "strides"] = numbers_text(first.strides or unread)
        facts[key + "byte_offset"] = first.byte_offset
        facts[key + "alignment"] = address & -address
        facts[key + "data_alignment"] = first.data & -first.data
        facts[key + "metadata_readable"] = int(first.readable)
        facts[key + "deleted"] = 0
        facts[key + "changed"] = "none"
        if self.versioned:
            facts[key + "version"] = str(first.version)
            facts[key + "flags"] = first.flags
        origin = self.life.reexported.get(self.slot, -1)
        if origin in self.life.offers or self.life.source_span:  #? export.place export.points_at_source
            place = self.life.place(address, origin)
            facts[key + "place"] = place
            facts[key + "points_at_source"] = int(place == "data+0")

    def inspect(self):
        """Reads all fields again, and records those that changed."""
        now, first = vars(self.read_struct()), vars(self.first)
        names = {"shape_at": "shape-pointer", "strides_at": "strides-pointer"}
        self.changed |= {names.get(part, part) for part in now if now[part] != first[part]}
        self.life.facts["export%d.changed" % self.slot] = parts_text(self.changed - {"deleter"})

    def byte_strides(self):
        strides = compact(self.first.shape) if self.first.strides is None else self.first.strides
        return [stride * self.first.item for stride in strides]

    def elements(self):
        """The elements that the struct describes, as bytes, or a word for why they cannot be read."""
        first = self.first
        if not first.readable:
            return "unreadable"
        if first.ndim > 64 or first.device[0] not in HOST:
            return "unsupported"
        packed = first.dtype[1] * first.dtype[2] < 8 and not (first.flags or 0) & 4  #? sub-byte
        return self.packed() if packed else self.whole()  #? sub-byte
        return self.whole()  #? !sub-byte

    def whole(self):
        """Elements of whole bytes. The padding bits of a padded element are ignored."""
        first, width = self.first, self.first.dtype[1] * self.first.dtype[2]
        at = (first.data + first.byte_offset) & MASK
        return read_strided(at, first.shape, self.byte_strides(), first.item)  #? !sub-byte
        got = read_strided(at, first.shape, self.byte_strides(), first.item)  #? sub-byte
        return got if isinstance(got, str) or width >= 8 else bytes(byte & (1 << width) - 1 for byte in got)  #? sub-byte

    def packed(self, begin=0, high_first=False, pitch=None):
        first = self.first
        strides = compact(first.shape) if first.strides is None else first.strides
        return read_packed((first.data + first.byte_offset) & MASK, first.shape, strides,
                           first.dtype[1] * first.dtype[2], begin, high_first, pitch)

    def packing(self, wanted):
        """The way of packing sub-byte elements that gives the right values."""
        first, width = self.first, self.first.dtype[1] * self.first.dtype[2]
        got = self.elements()
        if width >= 8 or not wanted or isinstance(got, str) or len(wanted) != len(got):
            return "none"
        if (first.flags or 0) & 4 and self.whole() == wanted:
            return "padded"
        if self.packed() == wanted:
            return "low-first"
        if width == 2 and self.packed(pitch=4) == wanted:
            return "other"
        if self.whole() == wanted:
            return "padded"
        if 8 % width == 0 and self.packed(high_first=True) == wanted:
            return "high-first"
        return "inside-a-byte" if any(self.packed(begin) == wanted for begin in range(1, 8)) else "other"

    def write(self, index, bits):
        """Writes one element through the struct; returns False if it is read-only or not writable."""
        if self.first.flags is not None and self.first.flags & 1:
            return False
        at = self.first.data + self.first.byte_offset
        packed = self.first.dtype[1] * self.first.dtype[2] < 8 and not (self.first.flags or 0) & 4  #? sub-byte
        if packed:  #? sub-byte
            return self.write_packed(at, index, bits)
        for extent, stride in reversed(list(zip(self.first.shape, self.byte_strides()))):
            at += index % extent * stride
            index //= extent
        return poke(at & MASK, bits)

    def write_packed(self, at, index, bits):
        width = self.first.dtype[1] * self.first.dtype[2]
        strides = compact(self.first.shape) if self.first.strides is None else self.first.strides
        bit = places(self.first.shape, strides)[index] * width
        raw = bytearray(peek(at + bit // 8, (bit % 8 + width + 7) // 8) or b"")
        set_bits(raw, bit % 8, width, bits[0])
        return poke((at + bit // 8) & MASK, bytes(raw))

    def delete_at_exit(self):
        """Finalises the interpreter and ends this process. After that the deleter runs, between two handlers that set a mark."""
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(STATE))  # otherwise finalisation unmaps it
        begun, returned = (ctypes.addressof(ctypes.c_char.from_buffer(STATE, at)) for at in (BEGUN, RETURNED))
        libc = ctypes.CDLL(None)
        atexit._run_exitfuncs()  # these may register handlers of C, which would run before the deleter
        raw = peek(self.structure, 80 if self.versioned else 64)
        deleter = struct.unpack("<Q", raw[16:24] if self.versioned else raw[56:])[0]
        # C calls them in reverse order, with a pointer and the exit status. sigaddset sets the bit of that number, and none
        # for 0, with which the process ends if the deleter ends the thread. _exit leaves out the handlers of the library.
        for function, argument in ((libc._exit, 0), (libc.sigaddset, returned), (deleter, self.structure), (libc.sigaddset, begun)):
            getattr(libc, "__cxa_atexit")(ctypes.cast(function, POINTER), POINTER(argument), None)
        ctypes.pythonapi.Py_Exit(7)

    def call_deleter(self, on_raw_thread=False):
        """Calls the deleter of the struct: here with the GIL, or on a thread that was not made by Python."""
        self.deleted = True
        self.life.facts["export%d.deleted" % self.slot] = 1
        raw = peek(self.structure, 80 if self.versioned else 64)
        deleter = struct.unpack("<Q", raw[16:24] if self.versioned else raw[56:])[0] if raw else 0
        if deleter and on_raw_thread:  #? raw-thread
            thread = ctypes.c_ulong()
            start_thread(ctypes.addressof(thread), None, deleter, self.structure)
            return thread
        self.life.facts["export%d.left_exception" % self.slot] = "no"
        try:
            ctypes.PYFUNCTYPE(None, POINTER)(deleter)(self.structure) if deleter else None
        except Exception as error:  # an exception that the deleter left pending
            self.life.facts["export%d.left_exception" % self.slot] = "yes"
            print("  the deleter leaves an exception pending:", ascii(type(error).__name__))
        return None
