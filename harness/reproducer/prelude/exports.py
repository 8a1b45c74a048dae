# harness/reproducer/prelude/exports.py: the steps in which the library exports.
class Life:
    def export(self, slot, **arguments):
        """Asks the library's own array for a capsule."""
        self.asked = arguments  #? step.export-often
        references = sys.getrefcount(self.source)
        self.export_of(slot, self.source, arguments)
        if self.source is not None and self.facts.get("export%d.outcome" % slot, "accepted") != "accepted":
            gained = sys.getrefcount(self.source) - references
            self.facts["source0.references_gained"] = self.facts.get("source0.references_gained", 0) + gained

    def note_following(self, key, exported):
        """Records whether the struct matches what the library says after a change in place."""
        pointer, shape, strides = self.library.describe(self.source)[:3]
        if shape is None or exported.shape is None:
            return
        same = tuple(exported.shape) == tuple(shape)
        shared = pointer is not None and pointer == exported.data + exported.byte_offset and 0 not in shape
        if same and shared and strides is not None and exported.strides is not None:
            steps = [step * exported.item for step in exported.strides]
            same = all(a == b or extent < 2 for a, b, extent in zip(steps, strides, shape))
        self.facts[key + "follows_change"] = "yes" if same else "no"

    def reexport(self, slot, into, **arguments):
        """Asks the imported array for a capsule."""
        if slot in self.arrays:
            self.reexported[into] = slot
            self.export_of(into, self.arrays[slot], arguments)

    def export_of(self, slot, array, arguments):
        if array is None or self.usable(slot):  #? !taken-for-granted
            return
        ask = getattr(self.library, "export", lambda array, **given: array.__dlpack__(**given))
        key = "export%d." % slot
        capsule = ask(array, **arguments)  #? taken-for-granted
        capsule = self.outcome(key + "outcome", key, lambda: ask(array, **arguments))  #? !taken-for-granted
        is_capsule = type(capsule).__name__ == "PyCapsule"  #? !taken-for-granted
        if self.facts[key + "outcome"] == "accepted":  #? !taken-for-granted
            self.facts[key + "is_capsule"] = int(is_capsule)
        if not is_capsule:  #? !taken-for-granted
            return
        self.facts[key + "name"] = seen_name(capsule_name(id(capsule)))
        renamed = any(other.capsule is capsule and other.taken for other in self.exports.values())
        # If this script renamed the capsule, its name is a constant of the script.  #? export.name_storage
        self.facts[key + "name_storage"] = "static" if renamed else storage(capsule_name(id(capsule)))
        self.facts[key + "has_destructor"] = int(bool(capsule_destructor(id(capsule))))
        self.facts[key + "same_capsule"] = int(any(other.capsule is capsule for other in self.exports.values()))
        name = b"dltensor_versioned" if capsule_is_valid(id(capsule), b"dltensor_versioned") else b"dltensor"  #? watched
        if capsule_is_valid(id(capsule), name):  #? watched
            self.exported(slot, capsule, named_pointer(id(capsule), name), name == b"dltensor_versioned")

    def exported(self, slot, capsule, structure, versioned):
        key = "export%d." % slot
        old = list(self.exports.values())
        self.exports[slot] = Exported(self, slot, capsule, structure, versioned)
        self.facts[key + "same_struct"] = int(any(other.usable() and other.structure == structure for other in old))
        self.read_export(slot)  #? export.elements export.first_elements export.data_readable export.packing
        if self.facts.get("source0.change") == "accepted":  #? export.follows_change
            self.note_following(key, self.exports[slot].first)
        self.facts[key + "first_elements"] = self.facts[key + "elements"]  #? export.first_elements
        for word in ("first_difference", "wanted", "got"):  #? export.first_elements
            if key + "elements." + word in self.facts:
                self.facts[key + "first_elements." + word] = self.facts[key + "elements." + word]

    def usable(self, slot):
        return slot in self.exports  #? !export-ends
        return slot in self.exports and self.exports[slot].usable()  #? export-ends

    def read_export(self, slot):
        """Reads the elements through the exported struct."""
        if self.usable(slot) and self.exports[slot].behind_change:  #? step.change-metadata
            got = self.exports[slot].elements()
            self.facts["export%d.data_readable" % slot] = int(not isinstance(got, str))
            # The order of the elements is unknown.
            self.facts["export%d.elements" % slot] = got if isinstance(got, str) else "unsupported"
            return
        if self.usable(slot):
            wanted = self.request_values()  #? !step.reexport
            origin = self.reexported.get(slot)  #? step.reexport
            wanted = self.request_values() if origin is None else self.right_of(origin)[0]  #? step.reexport
            got = self.exports[slot].elements()
            self.facts["export%d.data_readable" % slot] = int(not isinstance(got, str))
            self.compare("export%d.elements" % slot, wanted, got, self.exports[slot].first.item)
            self.facts["export%d.packing" % slot] = self.exports[slot].packing(wanted)  #? export.packing

    def inspect(self, slot):
        """Reads the exported struct again."""
        if self.usable(slot):
            self.exports[slot].inspect()

    def write_export(self, slot, index=0):
        """Writes an element through the exported struct, and reads it through the library."""
        if not self.usable(slot) or self.source is None or isinstance(self.exports[slot].elements(), str):
            return
        if "source0.change" in self.facts:  #? step.change-metadata
            return
        before = self.request_values()[index * REQUEST.item:(index + 1) * REQUEST.item]
        if self.exports[slot].elements() != self.request_values():
            return
        if len(before) == REQUEST.item and self.exports[slot].write(index, other_bits(before)):
            self.shown("export%d.write_export" % slot, index, other_bits(before), self.converted(self.source, REQUEST))

    def take_capsule(self, slot):
        """Consumes the capsule: renames it and takes ownership of the tensor."""
        if self.usable(slot) and not self.exports[slot].lost:
            export = self.exports[slot]
            capsule_set_name(id(export.capsule), b"used_dltensor_versioned" if export.versioned else b"used_dltensor")
            export.taken = True

    def delete(self, slot, on_raw_thread=False):
        """Calls the deleter of the consumed tensor."""
        if self.usable(slot) and self.exports[slot].taken:
            self.exports[slot].call_deleter()  #? !raw-thread
            self.wait_for([self.exports[slot].call_deleter(on_raw_thread)])  #? raw-thread

    def delete_together(self, *slots):
        """Calls the deleters of these consumed tensors at the same time, each on its own thread."""
        taken = [slot for slot in slots if self.usable(slot) and self.exports[slot].taken]
        self.wait_for([self.exports[slot].call_deleter(True) for slot in taken])

    @staticmethod
    def wait_for(threads):
        for thread in threads:
            if thread is not None:
                ctypes.CDLL(None).pthread_join(thread, None)  # without the GIL, because the deleter may need it

    def lose_capsule(self, slot):
        """Drops the exported capsule."""
        if self.usable(slot) and not self.exports[slot].lost:
            self.exports[slot].lost = True
            self.exports[slot].capsule = None

    def drop_export(self, slot):
        self.delete(slot)
        if slot in self.exports:
            self.exports[slot].lost = True
            self.exports[slot].capsule = None

    def export_often(self, slot, how=0):
        """Makes, exports and releases such arrays many times, and measures the memory that is not freed."""
        counted = self.watched is None or self.watched() is None
        if self.source is not None or slot not in self.exports or not counted:
            return
        kept, first = dict(self.facts), self.exports[slot]
        self.grown(slot, how, 32)
        arrays = [max(0, grown) for grown in self.grown(slot, 2, 96)]
        # A real leak grows every time, so the smallest of four measurements counts.
        stays = [min(looks) for looks in zip(*(self.grown(slot, how, 96) for _ in range(4)))]
        heap, resident, objects = [(grown - usual) / 96 for grown, usual in zip(stays, arrays)]
        self.facts, self.exports[slot] = kept, first
        heap = heap if heap * 96 >= max(40 * 96, 8 * (len(self.backing) + 1024)) else 0
        resident = resident if resident >= max(2048, len(self.backing) // 2) else 0
        self.facts["source0.kept_bytes"] = int(max(heap, resident))
        self.facts["source0.kept_objects"] = round(objects) if objects >= 0.75 else 0

    def grown(self, slot, how, rounds):
        """The growth of heap, process and interpreter in so many rounds; with `how` 2 nothing is exported."""
        self.collect()
        before = self.memory_in_use()
        for _ in range(rounds):
            self.source = self.library.make(REQUEST)
            if how < 2:
                self.exports.pop(slot, None)
                self.export(slot, **self.asked)
            self.source = None
            if how == 0:
                self.take_capsule(slot)
                self.delete(slot)
            self.lose_capsule(slot)
        self.collect()
        return [after - start for start, after in zip(before, self.memory_in_use())]

    @staticmethod
    def memory_in_use():
        libc = ctypes.CDLL(None)
        libc.malloc_trim(0)  # pages that malloc keeps for reuse would look like a leak
        mallinfo = libc.mallinfo2
        mallinfo.restype = type("MallInfo", (ctypes.Structure,), {"_fields_": [("n", ctypes.c_size_t * 10)]})
        numbers = mallinfo().n
        with open("/proc/self/statm", encoding="ascii") as file:
            resident = int(file.read().split()[1]) * 4096
        return [numbers[4] + numbers[7], resident, sys.getallocatedblocks()]
