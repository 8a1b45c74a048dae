# harness/reproducer/prelude/producer.py: the object that is passed to from_dlpack.
class Producer:
    """An object with __dlpack__ and __dlpack_device__."""

    def __init__(self, offer):
        self._offer = offer

    def __dlpack__(self, *, max_version=None, dl_device=None, copy=None, stream=None):  #? !picky
        raise BufferError("this producer refuses to export")  #? offer.gives.buffer-error
        return None  #? offer.gives.none
        raise OSError("this producer raises OSError")  #? offer.gives.os-error
        raise TypeError("this producer raises TypeError")  #? offer.gives.type-error
        raise KeyboardInterrupt("this producer was interrupted")  #? offer.gives.interrupts
        self._offer.life.take_in_export(self._offer.slot)  #? offer.gives.imports-first
        return self._offer.hand_out()  #? hands-out

    def __dlpack__(self, *args, **kwargs):  #? picky
        key = self._note_call("__dlpack__", args, kwargs)
        error = self._refusal(args, kwargs)
        error = error or BufferError("this producer refuses to export")  #? offer.gives.buffer-error
        error = error or OSError("this producer raises OSError")  #? offer.gives.os-error
        error = error or TypeError("this producer raises TypeError")  #? offer.gives.type-error
        error = error or KeyboardInterrupt("this producer was interrupted")  #? offer.gives.interrupts
        if error is not None:
            self._offer.life.facts[key + "raised"] = 1
            try:
                raise error
            finally:
                del error  # it keeps this frame and those of the library alive until garbage is collected
        return None  #? offer.gives.none
        self._offer.life.take_in_export(self._offer.slot)  #? offer.gives.imports-first
        return self._offer.hand_out()  #? hands-out

    @staticmethod
    def _refusal(args, given):
        """The exception for an argument that this producer does not accept, or None."""
        if args or set(given) - {"max_version", "dl_device", "copy", "stream"}:
            return TypeError("__dlpack__() got an unexpected argument")
        device, versioned = given.get("dl_device"), OFFER.kind == "versioned"
        unmet = {"max_version": versioned and given.get("max_version") is None and "does not export legacy capsules",
                 "dl_device": device not in (None, OFFER.device) and "does not move data to another device",
                 "copy": given.get("copy") is True and "does not make copies", "stream": False}
        errors = {"type-error": TypeError, "buffer-error": BufferError, "raises": RuntimeError}
        for name, answer in zip(("max_version", "dl_device", "copy", "stream"), OFFER.keywords):
            if answer == "obeys" and unmet[name]:
                return BufferError("this producer " + unmet[name])
            if answer in errors and name in given:
                return errors[answer]("this producer does not take " + name)
        return None

    def __dlpack_device__(self):
        self._note_call("__dlpack_device__", (), {})  #? picky
        raise OSError("__dlpack_device__ of this producer raises OSError")  #? offer.gives.no-device
        return None  #? offer.gives.none-for-device
        return 1  #? offer.gives.number-for-device
        return (1,)  #? offer.gives.one-for-device
        return (1, 0, 0)  #? offer.gives.three-for-device
        return ("cpu", 0)  #? offer.gives.text-for-device
        kind, number = OFFER.reported_device  #? offer.gives.enum-for-device
        return enum.IntEnum("DLDeviceType", [("device", kind)]).device, number  #? offer.gives.enum-for-device
        pair, whole = type("Pair", (tuple,), {}), type("Number", (int,), {})  #? offer.gives.subclass-for-device
        return pair(whole(number) for number in OFFER.reported_device)  #? offer.gives.subclass-for-device
        index = type("Index", (), {"__init__": lambda self, number: setattr(self, "number", number),  #? offer.gives.index-for-device
                                   "__index__": lambda self: self.number})  #? offer.gives.index-for-device
        return tuple(map(index, OFFER.reported_device))  #? offer.gives.index-for-device
        return OFFER.reported_device  #? names-device

    del __dlpack__  #? offer.gives.device-alone offer.gives.no-methods
    del __dlpack_device__  #? offer.gives.no-methods

    def _note_call(self, method, args, given):
        offer, facts = self._offer, self._offer.life.facts
        print("  the library calls %s(%s)" % (method, ", ".join(sorted(given))))
        calls = offer.life.calls.setdefault(offer.slot, [])
        calls.append(method)
        key = "import%d.call%d." % (offer.slot, len(calls) - 1)
        facts["import%d.calls" % offer.slot] = len(calls)
        known = ("max_version", "dl_device", "copy", "stream")
        facts[key + "method"] = method
        facts[key + "positional"] = len(args)
        facts[key + "raised"] = 0
        facts[key + "raised"] = int(method == "__dlpack_device__")  #? offer.gives.no-device
        named = [name for name in known if name in given] + [name for name in given if name not in known][-1:]
        facts[key + "keywords"] = " ".join(named) or "none"
        for name in known:  #? import.call
            facts[key + name] = argument_text(given[name]) if name in given else "absent"
        return key
