# harness/reproducer/prelude/references.py: the steps that repeat an exchange and count references.
class Life:
    def count_imports(self, slot, **arguments):
        """Imports such tensors many times, and counts the references that are left."""
        if slot not in self.offers:
            return
        made = self.facts.get("import%d.capsules" % slot, 0) > 0  #? !offer.deleter.null
        if made and slot not in self.arrays and self.offers[slot].handed > 0:  #? !offer.deleter.null
            return  # a tensor that was never released is another fact
        self.aside = Life(self.library)
        self.aside.aside = self.aside

        def once(producers, capsules):
            offer = self.aside.offers[SPARE] = Offer(self.aside, SPARE)
            thing = offer.hand_out()  #? step.import-capsule
            thing = Producer(offer)  #? !step.import-capsule
            producers.append(thing)  #? !step.import-capsule
            try:
                self.library.from_dlpack(thing, **arguments)  #? !adapter.ndim
                self.from_dlpack(thing, arguments, OFFER)  #? adapter.ndim
            except Exception as error:
                error.__traceback__ = None  # it keeps the arguments alive
            if offer.capsule is not None and '"used_' in repr(offer.capsule):
                capsules.append(offer.capsule)
            offer.capsule = None

        left = self.left_by(None, Producer, arguments.values(), once)
        self.note_references("import%d.references." % slot, left)

    def count_exports(self, slot, **arguments):
        """Exports the array many times, and counts the references that are left."""
        if self.source is None:
            return
        self.drop_export(slot)
        kept, first = dict(self.facts), self.exports.get(slot)

        def once(_, capsules):
            self.exports.pop(slot, None)
            self.export_of(slot, self.source, arguments)
            self.take_capsule(slot)
            if slot in self.exports:
                capsules.append(self.exports[slot].capsule)
            self.delete(slot)
            self.lose_capsule(slot)

        left = self.left_by(self.source, type(self.source), arguments.values(), once)
        self.facts = kept
        if first is not None:
            self.exports[slot] = first
        self.note_references("export%d.references." % slot, left)

    def note_references(self, key, left):
        self.facts[key + "producer"] = left[0]
        self.facts[key + "type"] = left[1]
        self.facts[key + "capsule"] = left[2]
        self.facts[key + "arguments"] = left[3]
        self.facts[key + "constants"] = left[4]

    def left_by(self, array, kind, values, once):
        """The references to each kind of object that each exchange leaves; a cache is full before it counts."""
        values = [value for value in values if isinstance(value, (tuple, list))]
        self.grown_references(array, kind, values, once, 8)
        least = self.grown_references(array, kind, values, once, 32)
        for rounds in (32, 600):
            if any(least):
                again = self.grown_references(array, kind, values, once, rounds)
                least = [min(a, b, key=abs) if (a < 0) == (b < 0) else 0 for a, b in zip(least, again)]
        return least

    def grown_references(self, array, kind, values, once, rounds):
        def others(kept):
            usual = [object()]
            return sum(sys.getrefcount(kept[i]) - sys.getrefcount(usual[0]) for i in range(len(kept)))

        def shared():
            getattr(sys, "_clear_type_cache", int)()  # CPython's cache of methods keeps references
            constants = sum(sys.getrefcount(constant) for constant in (None, True, False))
            return [array is not None and sys.getrefcount(array), sys.getrefcount(kind), others(values), constants]

        producers, capsules, before = [], [], shared()
        for _ in range(rounds):
            once(producers, capsules)
        self.collect()
        producer, capsule = others(producers), others(capsules)
        del producers[:], capsules[:]
        source, kinds, arguments, constants = [now - was for now, was in zip(shared(), before)]
        left = [producer + source, kinds, capsule, arguments, constants]
        return [round(count / rounds) if abs(count) >= rounds * 3 // 4 else 0 for count in left]
