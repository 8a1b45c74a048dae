# harness/reproducer/prelude/source.py: the steps with an array that the library makes.
class Life:
    def make(self, views=0):
        """Makes an array of the library. With `views`, replaces it by a view, or by a view of a view."""
        self.source = self.library.make(REQUEST)  #? made
        self.source = self.outcome("source0.make", "source0.make.", lambda: self.library.make(REQUEST), NotImplementedError)  #? !made
        for _ in range(views):
            self.source = self.hook("view", self.source)
        pointer, shape, strides, _, _, _ = self.described("source0.", self.source)  #? source-described
        if pointer is not None and shape is not None:  #? import.place import.aliases export.place export.points_at_source
            steps = strides or [stride * REQUEST.item for stride in compact(shape)]
            ends = [(extent - 1) * step for extent, step in zip(shape, steps)]
            found = places([min(extent, 2) for extent in shape], ends)
            self.source_span = (pointer, min(found), max(found) + REQUEST.item) if found else (pointer, 0, 0)
        self.source_description = self.hook("describe", self.source) or (None,) * 6  #? step.describe-source
        self.watched = self.reference(getattr(self.library, "watch", lambda array: array)(self.source))

    def reference(self, thing):
        """A weak reference to the object, or None if it cannot have one."""
        try:
            return None if thing is None else weakref.ref(thing)
        except TypeError:
            return None

    def backing_places(self):
        """The offsets of the elements in the memory that the array was made from."""
        return [(REQUEST.offset + place) * REQUEST.item for place in places(REQUEST.shape, REQUEST.strides)]

    def request_values(self):
        """The right values of all elements, row-major."""
        return b"".join(bytes(self.backing[at:at + REQUEST.item]) for at in self.backing_places())

    def ask_device(self, array=None, key="source0"):
        """Calls __dlpack_device__ of the array; default: of the array that was made."""
        array = self.source if array is None else array
        if array is None:  #? !made
            return
        methods = ("__dlpack__", "__dlpack_device__")
        if not any(hasattr(array, name) for name in methods) and not hasattr(self.library, "device"):
            self.facts[key + ".device_call"] = "unsupported"  # the adapter has functions instead of methods
            return
        ask = getattr(self.library, "device", lambda array: array.__dlpack_device__())
        pair = self.outcome(key + ".device_call", key + ".device_call.", lambda: ask(array))
        is_pair = isinstance(pair, tuple) and len(pair) == 2
        numbers = [self.number(item) for item in pair] if is_pair else [None, None]
        self.facts[key + ".device_is_pair"] = int(is_pair)
        self.facts[key + ".device_type_is_int"] = int(numbers[0] is not None)
        self.facts[key + ".device_id_is_int"] = int(numbers[1] is not None)
        if self.facts[key + ".device_call"] == "accepted":
            self.facts[key + ".reported_device"] = str(tuple(number or 0 for number in numbers))

    def ask_array(self, slot):
        """Calls __dlpack_device__ of the imported array."""
        if self.arrays.get(slot) is not None:
            self.ask_device(self.arrays[slot], "source%d" % slot)

    @staticmethod
    def number(item):
        for value in (item, getattr(item, "value", None)):
            if hasattr(value, "__index__"):
                return value.__index__()
        return None

    def change_metadata(self, slot, how=0):
        """Changes shape or strides of the array in place."""
        if self.source is None:
            return
        self.facts["source0.change"] = "unsupported"
        if hasattr(self.library, "change_metadata"):
            word = ("reshape", "transpose", "resize")[how]
            self.outcome("source0.change", "source0.change.", lambda: self.library.change_metadata(self.source, word), NotImplementedError)

    def read_source(self):
        """Reads the library's own array."""
        if self.source is not None:
            self.converted(self.source, REQUEST)  #? !source.elements
            got = self.converted(self.source, REQUEST)  #? source.elements
            self.compare("source0.elements", self.request_values(), got, REQUEST.item)  #? source.elements

    def describe_source(self):
        """Asks the library to describe its own array again, and compares that with the description before."""
        if self.source is None:
            return
        before, now = self.source_description, self.hook("describe", self.source) or (None,) * 6
        known = lambda part: before[part] is not None and now[part] is not None
        changed = {"flags"} if known(5) and bool(before[5]) != bool(now[5]) else set()
        changed |= {"dtype"} if known(3) and before[3] != now[3] else set()
        changed |= {"device"} if known(4) and tuple(map(int, before[4])) != tuple(map(int, now[4])) else set()
        if known(1) and len(before[1]) != len(now[1]):
            changed.add("ndim")
        elif known(1):
            changed |= {"shape"} if tuple(before[1]) != tuple(now[1]) else set()
            steps = zip(before[2], now[2], now[1]) if known(2) and 0 not in now[1] else ()
            changed |= {"strides" for a, b, extent in steps if extent > 1 and a != b}
        self.source_description = now
        self.facts["source0.changed"] = parts_text(changed)

    def write_made(self, slot, index=0):
        """Lets the library write an element of its own array, and reads it again."""
        key, item = "source0.write", REQUEST.item
        if self.source is None or self.size(self.source, REQUEST) < (index + 1) * item:
            return
        bits = other_bits(self.request_values()[index * item:(index + 1) * item])
        if len(bits) == item and self.written(key, self.source, index, bits):
            self.shown(key, index, bits, self.converted(self.source, REQUEST))
        if self.facts.get("source0.first_write", "not-run") == "not-run":
            self.facts["source0.first_write"] = self.facts.get(key, "not-run")

    def use_source(self):
        """Reads the result of a computation of the library on its own array."""
        if self.source is not None:
            copy = self.hook("compute", self.source) if self.size(self.source, REQUEST) > 0 else None
            got = "unsupported" if copy is None else self.converted(copy, REQUEST)
            self.compare("source0.used", self.request_values(), got, REQUEST.item)  #? source.used

    def drop_source(self):
        """Drops the library's own array."""
        self.source = None

    def finish(self):
        """Drops all objects that are left, and records the final facts."""
        for slot in range(4):  #? each-slot
            self.drop_array(slot)
            self.producers.pop(slot, None)  #? step.drop-producer step.import-again offer.gives.earlier-object
            self.drop_capsule(slot)  #? capsule
            self.drop_export(slot)  #? exports
        self.arrays.clear()  #? !each-slot
        self.producers.clear()  #? step.drop-producer step.import-again offer.gives.earlier-object
        for offer in self.offers.values():  #? offers
            offer.capsule = None
        self.source = None
        gc.collect()  #? !collects
        self.collect()  #? collects
        time.sleep(0.1)  #? releases
        for slot, offer in self.offers.items():
            self.facts["import%d.released" % slot] = int(offer.handed < 1)
            imported = self.imported.get(slot)  #? step.table-import
            if imported is not None:  #? step.table-import
                stays = offer.handed > 0 and imported() is not None  #? !offer.deleter.null
                stays = False  #? offer.deleter.null
                self.facts["import%d.stays" % slot] = "yes" if stays else "no"
            offer.check_unchanged()  #? import.changed import.changed_bytes
        if self.watched is not None:
            self.facts["source0.alive_at_end"] = int(self.watched() is not None)
