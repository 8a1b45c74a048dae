# harness/reproducer/prelude/life.py: the state and the helpers that the steps of an exchange share.
class Life:
    """One exchange between this script and the library."""

    def __init__(self, library):
        self.library = library
        self.facts = {}
        self.offers = {}  # the key is the number of the tensor, as in the next lines
        self.arrays = {}
        self.exports = {}
        self.reexported = {}
        self.calls = {}  # of the producers' methods
        self.changed = {}  # fields of offered structs
        self.producers = {}
        self.source = None
        self.source_span = None
        self.watched = None
        self.imported = {}  # weak references to arrays that the table returned  #? step.table-import
        self.descriptions = {}
        self.closed = {}  # whether the library may release the memory of the array at any time  #? step.close-array
        self.aside = None  # the exchange inside a deleter  #? offer.deleter.reenters offer.deleter.meets-thread offer.deleter.drops-another offer.gives.imports-first step.count-imports
        self.backing = bytearray(REQUEST.backing)  #? step.make
        self.our_deleter = CALLBACK(self.called_deleter)
        self.our_destructor = CALLBACK(self.capsule_dies)  #? destructor

    def count(self, key):
        self.facts[key] = self.facts.get(key, 0) + 1

    def owner(self, structure):
        """The latest offered tensor whose struct is at that address."""
        return ([None] + [offer for offer in self.offers.values() if offer.struct.at == structure])[-1]

    # ---- Functions that the library calls.

    def called_deleter(self, structure):
        """The deleter of the offered tensors."""
        clear_exception()  # Python code cannot run while an exception is pending
        offer = self.owner(structure)
        if offer is not None:
            return offer.deleter_called()
        self.count("import0.deleter.wrong_self")

    def capsule_dies(self, capsule):  #? destructor
        """The destructor of the offered capsules: releases a tensor that was not consumed."""
        clear_exception()
        if capsule_is_valid(capsule, OFFER.capsule_name):  #? offer.name.own
            offer = self.owner(named_pointer(capsule, OFFER.capsule_name))
            deleter_at = 16  #? offer.kind.versioned
            deleter_at = 56  #? !offer.kind.versioned
            if offer is not None and peek(offer.struct.at + deleter_at, 8) != bytes(8):  #? offer.seal_on_delete
                offer.deleter_called(" by the capsule's destructor")
            if offer is not None and ctypes.c_void_p.from_address(offer.struct.at + deleter_at).value:  #? !offer.seal_on_delete
                offer.deleter_called(" by the capsule's destructor")

    # ---- Results of calls, and elements that were read.

    def outcome(self, key, prefix, work, missing=()):
        """Runs work, records whether it raised, and returns its result. `missing`: exceptions that say that it cannot be done."""
        refusals = Exception  #? !offer.gives.interrupts
        refusals = (Exception, KeyboardInterrupt)  #? offer.gives.interrupts
        try:
            result = work()
            self.facts[key] = "accepted"  #? outcomes
            return result
        except refusals as error:
            self.facts[key] = "unsupported" if isinstance(error, missing) else "refused"  #? outcomes
            self.facts[prefix + "exception"] = type(error).__name__
            self.facts[prefix + "message"] = message_of(error)
            self.facts[prefix + "is_buffer_error"] = int(isinstance(error, BufferError))
            self.facts[prefix + "is_type_error"] = int(isinstance(error, TypeError))
            print("  refused:", ascii("".join(traceback.format_exception_only(type(error), error))))
            error.__traceback__ = None  # it keeps the arguments alive  #? finish

    def hook(self, name, array):
        """The result of a function of the adapter; None if it fails."""
        try:
            return None if array is None else getattr(self.library, name)(array)
        except Exception:
            return None

    def described(self, key, array):
        """What the library says about the array; None for everything that is unknown."""
        description = self.hook("describe", array) or (None,) * 6
        pointer, shape, strides, dtype, device, writable = description
        if dtype is not None:
            self.facts[key + "dtype_name"] = dtype
        self.facts[key + "has_pointer"] = int(pointer is not None)
        self.facts[key + "dtype"] = str(TYPES.get(dtype, "none"))  #? !vectors
        self.facts[key + "dtype"] = str(type_named(dtype) or "none")  #? vectors
        if shape is not None:
            self.facts[key + "ndim"] = len(shape)
            self.facts[key + "shape"] = numbers_text(shape)
        if strides is not None:
            self.facts[key + "strides"] = numbers_text(strides)
        if device is not None:
            self.facts[key + "device"] = str(tuple(map(int, device)))
        if writable is not None:
            self.facts[key + "writable"] = int(writable)
        return description

    def size(self, array, made):
        """The size of its elements in bytes; -1 if they are on a device, or larger than any offered tensor."""
        _, shape, _, dtype, device, _ = self.hook("describe", array) or (None,) * 6
        deep = len(shape or ()) > 64 or min(shape or (), default=0) < 0
        if deep or tuple(device or made.device)[0] not in HOST:
            return -1
        item = made.item  #? !types
        item = (TYPES[dtype][1] + 7) // 8 if dtype in TYPES else made.item  #? types
        size = element_count(made.shape if shape is None else shape) * item
        return size if size <= 2 * CAPACITY else -1

    def converted(self, array, made):
        """Its elements as the library converts them to bytes, or a word for why it cannot."""
        return bytes(self.library.values(array))  #? plain-read
        size = self.size(array, made)  #? sized
        if size <= 0:  #? sized
            return "unsupported" if size < 0 else b""
        got = self.hook("values", array)  #? !plain-read
        return "unsupported" if got is None else bytes(got)  #? !plain-read

    def compare(self, key, wanted, got, item):
        """Compares elements and records the result. `got`: the elements, or a word for why there are none."""
        print("  expected:", wanted.hex(), "got:", got.hex())  #? plain-read
        got = "matches" if got == wanted else "differs" if len(got) == len(wanted) else "wrong-count"  #? plain-read
        print("  expected:", (wanted or b"").hex(), "got:", got if isinstance(got, str) else got.hex())  #? !plain-read
        if not isinstance(got, str) and (wanted is None or len(got) != len(wanted)):  #? !plain-read
            self.facts[key + ".wanted"] = hex(len(wanted or b""))
            self.facts[key + ".got"] = hex(len(got))
            got = "wrong-count"
        if not isinstance(got, str):  #? !plain-read
            size = max(1, item)
            for at in [at for at in range(0, len(got), size) if got[at:at + size] != wanted[at:at + size]][:1]:
                self.facts[key + ".first_difference"] = at // size
                self.facts[key + ".wanted"] = hex(int.from_bytes(wanted[at:at + min(size, 8)], "little"))
                self.facts[key + ".got"] = hex(int.from_bytes(got[at:at + min(size, 8)], "little"))
            got = "matches" if got == wanted else "differs"
        self.facts[key] = got


def message_of(error):
    try:
        return str(error).split("\n")[0]
    except Exception as second:
        return "str() of the exception raises " + type(second).__name__


def type_named(name):
    """Code, bits and lanes of a type; "int4_x2" has two lanes. None for an unknown name."""
    scalar, _, lanes = str(name).rpartition("_x")
    vector = scalar in TYPES and lanes.isdigit() and TYPES[scalar][:2] + (int(lanes),)
    return TYPES.get(name) or vector or None
