# harness/reproducer/prelude/producer.py: the object that the library is fed with, and its capsules.
class Producer:
    """Has __dlpack__ and __dlpack_device__, answers each keyword as the recipe says, and notes every call."""

    def __init__(self, offer):
        self._offer = offer

    def __dlpack__(self, *args, **kwargs):
        offer, gives = self._offer, self._offer.run.offer.gives
        unknown = [name for name in kwargs if name not in ("max_version", "dl_device", "copy", "stream")]
        key = offer.note_call("__dlpack__", len(args), kwargs, unknown)
        error = None
        if unknown or args:
            error = TypeError("__dlpack__() got an unexpected argument")
        else:
            error = self._answer(**kwargs)
        if error is None and gives == "buffer-error":
            error = BufferError("this producer exports nothing")
        if error is not None:
            offer.run.facts[key + "raised"] = 1
            raise error
        return None if gives == "none" else offer.hand_out()

    def _answer(self, **given):
        """The exception that stands against a keyword, or None."""
        offer = self._offer.run.offer
        device, versioned = given.get("dl_device"), offer.kind == "versioned"
        unmet = {"max_version": versioned and given.get("max_version") is None and "exports no legacy capsule",
                 "dl_device": device not in (None, offer.device) and "moves nothing to another device",
                 "copy": given.get("copy") is True and "makes no copies", "stream": False}
        errors = {"type-error": TypeError, "buffer-error": BufferError, "raises": RuntimeError}
        for name, answer in zip(("max_version", "dl_device", "copy", "stream"), offer.keywords):
            if answer == "obeys" and unmet[name]:
                return BufferError("this producer " + unmet[name])
            if answer in errors and name in given:
                return errors[answer]("this producer does not take " + name)
        return None

    def __dlpack_device__(self):
        self._offer.note_call("__dlpack_device__", 0, {}, [])
        return self._offer.run.offer.reported_device


class CapsuleOffer(Offer):
    """An offer and the capsules that carry it."""

    def note_call(self, method, positional, arguments, unknown):
        facts, count = self.run.facts, self.run.facts.get("import%d.calls" % self.slot, 0)
        key = "import%d.call%d." % (self.slot, count)
        facts["import%d.calls" % self.slot] = count + 1
        named = [name for name in ("max_version", "dl_device", "copy", "stream") if name in arguments] + unknown[-1:]
        facts.update({key + "method": method, key + "positional": positional, key + "raised": 0,
                      key + "keywords": " ".join(named) or "none"})
        for name in ("max_version", "dl_device", "copy", "stream"):
            facts[key + name] = argument_text(arguments[name]) if name in arguments else "absent"
        self.run.say("  the library calls %s(%s)", method, ", ".join(named))
        return key

    def hand_out(self):
        """A capsule around the struct: the one of the call before for as long as its tensor is not released."""
        offer, facts = self.run.offer, self.run.facts
        if self.capsule is not None:
            if offer.gives == "stored" or not self.released:
                return self.capsule
            self.capsule = None
            self.make()
        own = b"dltensor" if offer.kind == "legacy" else b"dltensor_versioned"
        name = {"own": own, "used": b"used_" + own, "foreign": b"arrow_schema", "trailing-space": own + b" ",
                "none": None}[offer.name]
        self.name_address = c_string(name)
        self.destructor = self.run.destructor_address if offer.destructor == "releases" else 0
        self.capsule = capsule_new(self.structure, self.name_address, self.destructor)
        self.context = id(self)
        capsule_set_context(id(self.capsule), self.context)
        key = "import%d." % self.slot
        facts[key + "capsules"] = facts.get(key + "capsules", 0) + 1
        facts[key + "name_before"] = seen_name(self.name_address)
        return self.capsule

    def inspect_capsule(self):
        """What the library did to the capsule."""
        if self.capsule is None:
            return
        facts, key, capsule = self.run.facts, "import%d." % self.slot, id(self.capsule)
        address = capsule_name_address(capsule)
        before = facts.get(key + "name_after", facts[key + "name_before"])
        facts[key + "name_after"] = seen_name(address)
        if facts[key + "name_after"] != before:
            facts[key + "used_name_storage"] = storage(address)
        facts[key + "capsule_pointer_changed"] = int(capsule_pointer(capsule, address) != self.structure)
        facts[key + "capsule_context_changed"] = int(capsule_context(capsule) != self.context)
        facts[key + "capsule_destructor_changed"] = int((capsule_destructor(capsule) or 0) != self.destructor)

    def released_by_destructor(self):
        """As a conforming destructor: calls the deleter that it finds in the struct."""
        at = dict((part, at) for part, at, _ in self.parts)["deleter"]
        found = peek(self.structure + at, 8)
        if self.has_deleter and found != bytes(8):
            self.deleter_called(True)
