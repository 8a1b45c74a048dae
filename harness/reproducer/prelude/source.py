# harness/reproducer/prelude/source.py: the steps in which the library makes and exports an array; and the end.
class Exchange(Table):
    """The whole life: imports, exports, and the end, at which everything is dropped."""

    def make(self):
        """The library makes an array."""
        request = types.SimpleNamespace(**vars(self.request))
        request.dtype = request.dtype_name
        request.shape, request.strides = tuple(request.shape), tuple(request.strides)
        request.read_only, request.oddity = bool(request.read_only), request.oddity.replace("-", "_")
        self.source = self.outcome("source0.make", "source0.make", lambda: self.library.make(request))
        if self.source is None:
            return
        seen = self.described("source0.", self.source)
        if seen is not None and seen[0] is not None:
            item, shape = self.request.item, seen[1] or ()
            strides = seen[2] or [stride * item for stride in compact(shape)]
            ends = [(extent - 1) * stride for extent, stride in zip(shape, strides)]
            end = sum(max(0, at) for at in ends) + item if 0 not in shape else 0
            self.source_span = seen[0], sum(min(0, at) for at in ends) if end else 0, end
        try:
            watched = self.library.watch(self.source) if hasattr(self.library, "watch") else self.source
            self.watched = None if watched is None else weakref.ref(watched)
            del watched
        except TypeError:
            pass
        self.references = sys.getrefcount(self.source)

    def call_dlpack(self, array):
        names = {name: name for name in ("max_version", "dl_device", "copy", "stream", "unknown_keyword")}
        arguments = keywords(self.call, names)
        if hasattr(self.library, "export"):
            return self.library.export(array, **arguments)
        return array.__dlpack__(**arguments)

    def export(self, slot, array=None):
        """Asks the array for a capsule."""
        if slot in self.exports and self.exports[slot].usable():
            return
        asked = self.source if array is None else array
        if asked is None:
            return
        key = "export%d" % slot
        capsule = self.outcome(key + ".outcome", key, lambda: self.call_dlpack(asked), False)
        if capsule is None and self.facts[key + ".outcome"] != "accepted":
            if array is None:
                self.facts["source0.references_gained"] = sys.getrefcount(self.source) - self.references
            return
        self.facts[key + ".is_capsule"] = int(type(capsule).__name__ == "PyCapsule")
        if type(capsule).__name__ != "PyCapsule":
            return
        address = capsule_name_address(id(capsule))
        name = seen_name(address)
        same = [other for other in self.exports.values() if other.capsule is capsule]
        self.facts.update({key + ".name": name, key + ".name_storage": storage(address),
                           key + ".has_destructor": int(bool(capsule_destructor(id(capsule)))),
                           key + ".same_capsule": int(bool(same))})
        if name not in ("dltensor", "dltensor_versioned"):
            return
        self.exported(slot, capsule, capsule_pointer(id(capsule), address), name == "dltensor_versioned")

    def exported(self, slot, capsule, structure, versioned):
        new = Exported(self, slot, capsule, structure, versioned)
        for other in self.exports.values():
            if other.usable() and other.structure == new.structure:
                self.facts["export%d.same_struct" % slot] = 1
        self.exports[slot] = new
        self.read_export(slot)
        key = "export%d." % slot
        self.facts[key + "first_elements"] = self.facts[key + "elements"]

    def reexport(self, slot, into=0):
        """Exports the imported array."""
        if slot in self.arrays:
            self.reexported[into] = slot
            self.export(into, self.arrays[slot])

    def usable(self, slot):
        return slot in self.exports and self.exports[slot].usable()

    def read_export(self, slot):
        """Reads the elements through the exported struct."""
        if not self.usable(slot):
            return
        wanted = self.wanted_of(self.reexported[slot]) if slot in self.reexported else self.request_values()
        got, export = self.exports[slot].elements(), self.exports[slot]
        self.facts["export%d.data_readable" % slot] = int(not isinstance(got, str))
        self.compare("export%d.elements" % slot, wanted, got, export.first.item if export.first else 1)

    def inspect(self, slot):
        """Reads the exported struct again."""
        if self.usable(slot):
            self.exports[slot].inspect()

    def write_export(self, slot, index=0):
        """Writes an element through the exported struct, and asks the library for it."""
        if not self.usable(slot) or self.source is None or not self.facts["export%d.data_readable" % slot]:
            return
        item = self.request.item
        before = self.request_values()[index * item:(index + 1) * item]
        if len(before) == item and self.exports[slot].write(index, other_bits(before)):
            self.shown("export%d.write_export" % slot, index, other_bits(before), self.values(self.source))

    def take_capsule(self, slot):
        """Consumes the capsule: renames it and takes the tensor over."""
        if self.usable(slot) and not self.exports[slot].lost:
            export = self.exports[slot]
            export.used = c_string(b"used_dltensor_versioned" if export.versioned else b"used_dltensor")
            capsule_set_name(id(export.capsule), export.used)
            export.taken = True

    def delete(self, slot, on_raw_thread=0):
        """Calls the deleter of the tensor that was taken."""
        if self.usable(slot) and self.exports[slot].taken:
            self.join([self.exports[slot].call_deleter(bool(on_raw_thread))])

    def delete_together(self, *slots):
        """Calls the deleters of these taken tensors at once, each on a thread of its own."""
        taken = [slot for slot in slots if self.usable(slot) and self.exports[slot].taken]
        self.join([self.exports[slot].call_deleter(True) for slot in taken])

    @staticmethod
    def join(threads):
        for thread in threads:
            if thread is not None:
                LIBC.pthread_join(thread, None)

    def lose_capsule(self, slot):
        """Drops the exported capsule."""
        if self.usable(slot) and not self.exports[slot].lost:
            self.exports[slot].lost, self.exports[slot].capsule = True, None

    def ask_device(self):
        """Calls __dlpack_device__."""
        if self.source is None:
            return
        ask = getattr(self.library, "device", None)
        if ask is None and not any(hasattr(self.source, name) for name in ("__dlpack__", "__dlpack_device__")):
            self.facts["source0.device_call"] = "unsupported"  # functions stand in for methods
            return
        ask = ask or (lambda array: array.__dlpack_device__())
        pair = self.outcome("source0.device_call", "source0.device_call", lambda: ask(self.source), False)
        is_pair = isinstance(pair, tuple) and len(pair) == 2
        self.facts["source0.device_is_pair"] = int(is_pair)
        numbers = [self.number(item) for item in pair] if is_pair else [None, None]
        self.facts["source0.device_type_is_int"], self.facts["source0.device_id_is_int"] = (
            int(number is not None) for number in numbers)
        if self.facts["source0.device_call"] == "accepted":
            self.facts["source0.reported_device"] = str(tuple(number or 0 for number in numbers))

    @staticmethod
    def number(item):
        for value in (item, getattr(item, "value", None)):
            if hasattr(value, "__index__"):
                return value.__index__()
        return None

    def change_metadata(self, slot, how=0):
        """Changes shape or strides of the array in place."""
        change = getattr(self.library, "change_metadata", None)
        self.facts["source0.change"] = "unsupported"
        if self.source is not None and change is not None:
            words = ("reshape", "transpose", "resize")
            self.outcome("source0.change", "source0.change", lambda: change(self.source, words[how]))

    def read_source(self):
        """Reads the library's own array."""
        if self.source is not None:
            self.compare("source0.elements", self.request_values(), self.values(self.source), self.request.item)

    def use_source(self):
        """Reads what the library computes from its own array."""
        if self.source is not None:
            copy = self.compute_of(self.source)
            got = "unsupported" if copy is None else self.values(copy)
            self.compare("source0.used", self.request_values(), got, self.request.item)

    def drop_source(self):
        self.source = None

    def end(self):
        """Drops everything that is left, and looks a last time."""
        for slot in range(SLOTS):
            self.drop_array(slot)
            self.drop_producer(slot)
            self.drop_capsule(slot)
            if self.usable(slot):
                self.delete(slot)
            if slot in self.exports:
                self.exports[slot].lost, self.exports[slot].capsule = True, None
        self.drop_source()
        self.collect()
        for slot, offer in self.offers.items():
            self.facts["import%d.released" % slot] = int(offer.released)
            offer.check_unchanged()
        if self.watched is not None:
            self.facts["source0.alive_at_end"] = int(self.watched() is not None)
