# harness/reproducer/prelude/imports.py: the steps in which the library imports.
class Life:
    def from_dlpack(self, thing, arguments, made):
        """Calls from_dlpack of the adapter, with dtype and ndim if it has these parameters."""
        code = getattr(self.library.from_dlpack, "__code__", None)
        if code is not None and {"dtype", "ndim"} <= set(code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]):
            arguments = dict(arguments, dtype=made.dtype_name, ndim=len(made.shape))
        return self.library.from_dlpack(thing, **arguments)

    def import_(self, slot, in_place_of=None, bare=False, **arguments):
        """Calls from_dlpack with a new producer, or with a bare capsule."""
        if slot in self.offers:  #? slots
            return
        key = "import%d." % slot
        offer = self.offers[slot] = Offer(self, slot)  #? !in-place
        offer = self.offers[slot] = Offer(self, slot, self.offers.get(in_place_of))  #? in-place
        thing = offer.hand_out() if bare else Producer(offer)  #? step.import-capsule
        thing = Producer(offer)  #? !step.import-capsule
        thing = self.earlier_object(offer)  #? offer.gives.earlier-object
        thing = Inherits(thing)  #? offer.gives.inherits
        thing = of_metaclass(thing)  #? offer.gives.of-metaclass
        thing = OfInstance(thing)  #? offer.gives.of-instance
        thing = ByGetattr(thing)  #? offer.gives.by-getattr
        thing = static(thing)  #? offer.gives.static
        thing = NoModule(thing)  #? offer.gives.no-module
        thing = NoneForModule(thing)  #? offer.gives.none-for-module
        thing = own_class(thing)  #? offer.gives.own-class
        thing = KeepsArray(thing)  #? offer.gives.keeps-array
        thing = OthersRaise(thing)  #? offer.gives.others-raise
        thing = TableRaises(thing)  #? offer.gives.table-raises
        thing = DeviceLookupRaises(thing)  #? offer.gives.device-lookup-raises
        thing = LookupRaises(thing)  #? offer.gives.lookup-raises
        self.arguments = arguments  #? offer.deleter.reenters offer.deleter.meets-thread offer.gives.imports-first
        self.producers[slot] = thing  #? step.drop-producer step.import-again offer.gives.earlier-object
        self.arrays[slot] = self.library.from_dlpack(thing, **arguments)  #? take.granted
        self.arrays[slot] = self.from_dlpack(thing, arguments, OFFER)  #? take.granted-typed
        take = lambda: self.library.from_dlpack(thing, **arguments)  #? take.checked
        take = lambda: self.from_dlpack(thing, arguments, OFFER)  #? take.checked-typed
        array = self.outcome(key + "outcome", key, take)  #? take.checked take.checked-typed
        offer.phase = 1
        offer.inspect_capsule()  #? capsule
        if array is not None:  #? caught
            self.arrays[slot] = array
        thing.array = self.arrays.get(slot)  #? offer.gives.keeps-array
        if offer.nested and slot in self.arrays:  #? offer.gives.imports-first
            self.facts.setdefault("import%d.taken_within" % slot, "no")

    def earlier_object(self, offer):
        """The producer of the earlier import, which exports this tensor from now on."""
        producer = self.producers[min(self.producers)] if self.producers else Producer(offer)
        producer._offer = offer
        return producer

    def within(self, slot):
        """The deleter calls the library, or drops an array, once."""
        if self.aside is not None:
            return
        self.aside = Life(self.library)
        self.aside.aside = self.aside
        self.drop_another(slot)  #? offer.deleter.drops-another
        self.take_another(slot)  #? offer.deleter.reenters
        other = threading.Thread(target=self.take_another, args=(slot,))  #? offer.deleter.meets-thread
        other.start()  #? offer.deleter.meets-thread
        other.join(0.05)  #? offer.deleter.meets-thread

    def drop_another(self, slot):
        """Drops the first array of another tensor."""
        others = sorted(other for other in self.arrays if other != slot)
        if others:
            self.drop_array(others[0])

    def take_in_export(self, slot):
        """The producer makes the library import another tensor, once."""
        if self.aside is None:
            self.aside = Life(self.library)
            self.aside.aside = self.aside
            self.offers[slot].nested = True
            self.take_another(slot)

    def take_another(self, slot):
        """Imports another such tensor, and drops it."""
        offer = self.aside.offers[SPARE] = Offer(self.aside, SPARE)
        thing = offer.hand_out()  #? step.import-capsule
        thing = Producer(offer)  #? !step.import-capsule
        try:
            self.library.from_dlpack(thing, **self.arguments)  #? !adapter.ndim
            self.from_dlpack(thing, self.arguments, OFFER)  #? adapter.ndim
            taken = "yes"
        except Exception as error:
            print("  inside, the import raises", ascii(repr(error)))
            taken = "no"
        if taken == "yes" or self.offers[slot].phase:
            self.facts["import%d.taken_within" % slot] = taken

    def import_again(self, slot, **arguments):
        """Calls from_dlpack with the same producer or capsule a second time."""
        offer, key = self.offers[slot], "import%d." % slot
        thing = self.producers.get(slot)  #? !step.import-capsule
        thing = offer.capsule  #? step.import-capsule
        if thing is None:
            return
        take = lambda: self.library.from_dlpack(thing, **arguments)  #? !adapter.ndim
        take = lambda: self.from_dlpack(thing, arguments, OFFER)  #? adapter.ndim
        self.outcome(key + "again", key + "again.", take)
        if offer.capsule is not None:
            self.facts[key + "name_after_again"] = seen_name(capsule_name(id(offer.capsule)))

    def import_source(self, slot, **arguments):
        """Calls from_dlpack with the library's own array."""
        if self.source is not None and slot not in self.arrays:
            key = "import%d." % slot
            work = lambda: self.library.from_dlpack(self.source, **arguments)  #? !adapter.ndim
            work = lambda: self.from_dlpack(self.source, arguments, REQUEST)  #? adapter.ndim
            array = self.outcome(key + "outcome", key, work)
            if array is not None:
                self.arrays[slot] = array

    def describe(self, slot):
        """Asks the library to describe its array."""
        self.hook("describe", self.arrays.get(slot))  #? !described
        if slot in self.arrays:  #? described
            self.descriptions[slot] = self.described("import%d." % slot, self.arrays[slot])
            known = slot in self.offers or self.source_span
            if known and self.descriptions[slot][0] is not None:  #? import.place import.aliases
                place = self.place(self.descriptions[slot][0], slot)
                self.facts["import%d.place" % slot] = place
                self.facts["import%d.aliases" % slot] = int(place.startswith("data") and "slot" not in place)

    def place(self, address, slot):
        """The memory area of the address, and its distance in bytes from element 0."""
        offer, nowhere = self.offers.get(slot), "elsewhere" if address else "null"
        if offer is None:  #? step.make
            first, lowest, end = self.source_span
            inside = address == first or lowest <= address - first < end
            return "data%+d" % (address - first) if inside else nowhere
        if offer.begin <= address < max(offer.behind, offer.begin + 1):
            return "data%+d" % (address - offer.element0)
        for other in self.offers.values():
            text = other.area(address)
            if text:
                return text if other is offer else "%s of slot %d" % (text, other.slot)
        return nowhere

    def drop_array(self, slot):
        """Drops the library's array."""
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
        """Drops this script's reference to the capsule."""
        if slot in self.offers:
            self.offers[slot].inspect_capsule()  #? capsule
            self.offers[slot].capsule = None
            self.producers.pop(slot, None)  #? step.import-capsule

    def drop_producer(self, slot):
        """Drops the producer."""
        self.producers.pop(slot, None)  #? !step.import-capsule

    def collect(self):  #? collects
        """Collects garbage."""
        try:  #? adapter.release
            self.library.release()
        except Exception:  #? adapter.release
            pass
        gc.collect()
